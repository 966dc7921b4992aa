#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Small messages beside a first large one, by two links. Full packets take longer than small
# ones, and those by different links are as near to each other as can be: neither keeps the
# large message waiting.
. "$(dirname "$0")/lib.sh"
plan 21

# large SEED SIZE MS LINK...: a message of SIZE bytes is there within MS, by the ports and
# draws of that seed.
large()
{
	local seed=$1 size=$2 ms=$3
	shift 3
	NAME="$*, seed $seed"
	links_up "$@"
	ns_sysctl h1 net.lapsmp.seed="$seed"
	receiver h2 small --port 7002 --lossy
	receiver h2 large --port 7001 --count 1
	in_ns h1 msg_send $H2 --port 7002 --time 2000 --size 100 --rate 1 \
		>"$WORK/small.send" 2>&1 &
	SMALL=$!
	sender h1 large $H2 --port 7001 --count 1 --size "$size"
	result $? "$NAME: no error"
	wait "$RECEIVER"
	result $? "$NAME: the large message arrives"
	wait $SMALL
	result $? "$NAME: no error of the small ones"
	note "$(tail -n 1 "$WORK/large.send")"
	timing "$NAME: within $ms ms" "$(says large.send elapsed_ns) < ${ms}e6"
	topo_down
}

# The links need 0.28, 0.21 and 0.085 s.
for SEED in 1 2 3; do large $SEED 1000000 700 20:1000 10:3000; done
large 1 1000000 450 20:1000 20:1000
large 1 2000000 200 100:5 100:5
check 'nothing stays charged' memory_is_free
