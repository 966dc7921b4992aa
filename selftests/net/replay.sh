#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Captured packets, first ones and all others, come once more: at once, later,
# after everything was forgotten, and at a host that has restarted. Nothing is
# delivered twice.
. "$(dirname "$0")/lib.sh"
plan 14
pair_up

# capture COMMAND [ARG...]: what a sends meanwhile.
capture()
{
	: >"$WORK/tcpdump"
	in_ns a tcpdump -i e0 -w "$WORK/pcap" -U udp port 4795 2>"$WORK/tcpdump" &
	local pid=$!
	until_true 20 has 'listening on' "$WORK/tcpdump"
	"$@"
	sleep 0.5
	kill -INT $pid
	wait $pid
}

first_packets()
{
	local i addr
	for i in 0 1 2 3 4 5 6 7; do
		addr=$B4
		((i % 2)) || addr=$B6
		in_ns a msg_send $addr --stream $i --count 20 --size 3000 >/dev/null
	done
}

replay() { in_ns a forge replay e0 "$WORK/pcap"; }

# again NAME: to a receiver that has heard nothing yet.
again()
{
	receiver b again --lossy
	check "$1: sent again" replay
	sleep 3
	stop "$RECEIVER"
	check_that "$1: nothing is delivered" "$(says again.recv messages) == 0"
}

receiver b first --lossy
capture first_packets
note "$(replay)"
sleep 1
stop "$RECEIVER"
result $? 'at once: nothing twice'
check_that 'at once: everything once' "$(says first.recv messages) == 160"

# Numbers above those that the sender has yet to use must not take them from it.
receiver b far --lossy
before=$(stat b tx_cookies)
in_ns a forge replay e0 "$WORK/pcap" --advance 100000 >"$WORK/far.forge"
check_that 'as flows of far higher numbers' "$(says far.forge sent) > 20"
stop "$RECEIVER"
check_that 'they are not believed without a cookie' \
	"$(stat b tx_cookies) - $before == $(says far.forge sent)"
check 'those that the sender has yet to use are' transfer a b $B4 20 3000

again 'to the next receiver'
sleep 12
again 'after the cookies'
! virtual || sleep 400
again 'after everything was forgotten'

ip netns delete b
ip netns delete a
pair_up
again 'to a host that has restarted'
check_that 'it asked who that was' "$(stat b tx_cookies) > 0"
