#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A small packet is sooner there than a full one, by what a slow link needs for the rest.
# Who has sent small messages before carries what the link does all the same.
. "$(dirname "$0")/lib.sh"
plan 27

# small SIZE: messages of that size alone, one every millisecond.
small()
{
	receiver h2 small --count 50
	sender h1 small $H2 --count 50 --size "$1" --rate 1000
	result $? "$NAME, of $1 bytes first: no error"
	wait "$RECEIVER"
	result $? "$NAME, of $1 bytes first: every message arrives"
}

# carries: 4 MB, the second half of it in a time of its own.
carries()
{
	receiver h2 large --count 2
	sender h1 large $H2 --count 2 --size 2000000
	result $? "$NAME, then large ones: no error"
	wait "$RECEIVER"
	result $? "$NAME, then large ones: every message arrives"
	note "$(tail -n 1 "$WORK/large.recv")"
	# 1436 of 1518 bytes on the wire are the program's.
	timing "$NAME: three quarters of the link" \
		"16e9 / $(says large.recv elapsed_ns) > 0.75 * 0.94 * $MBIT"
}

for MBIT in 20 100 200; do
	NAME="$MBIT Mbit/s"
	links_up "$MBIT:5"
	small 64
	carries
	small 300
	topo_down
done

# A full packet is what its own path takes, which may be less than was thought at first.
MBIT=100
NAME="$MBIT Mbit/s of 1000 bytes"
links_up "$MBIT:5"
for ns in r1 r2; do ip -n $ns link set l1 mtu 1000; done
small 64
carries
topo_down
check 'nothing stays charged' memory_is_free
