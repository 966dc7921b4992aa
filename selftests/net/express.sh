#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Short messages leave in the class of acknowledgments or in one of their own, if the
# network is said to have such; long ones, long ones in pieces and those of programs that
# have chosen a class do not. Whatever is lost of them arrives in the end.
. "$(dirname "$0")/lib.sh"
plan 26
links_up 1000:20 1000:20

FIRST=0xc0 SHORT=0x48
in_ns r1 nft 'add table inet d; add counter inet d first; add counter inet d short;
	add counter inet d plain; add counter inet d other;
	add chain inet d f { type filter hook forward priority 0; };
	add rule inet d f oifname != { "l1", "l2" } return;
	add rule inet d f udp dport != 4795 return;
	add rule inet d f ip dscp cs6 counter name first return;
	add rule inet d f ip dscp af21 counter name short return;
	add rule inet d f ip dscp 0 counter name plain return;
	add rule inet d f ip6 dscp cs6 counter name first return;
	add rule inet d f ip6 dscp af21 counter name short return;
	add rule inet d f ip6 dscp 0 counter name plain return;
	add rule inet d f counter name other'

packets()
{
	local all
	all=$(in_ns r1 nft reset counter inet d "$1")
	[[ $all =~ packets\ ([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

# count: packets of each class that h1's data had since the last time.
count()
{
	first=$(packets first) short=$(packets short) plain=$(packets plain) other=$(packets other)
	note "$first first, $short short, $plain of no class, $other of another one"
}

# some_messages NAME ADDRESS COUNT SIZE [ARG...]: their packets, by class.
some_messages()
{
	local name=$1
	shift
	count >"$WORK/before"
	check "$name" transfer h1 h2 "$@"
	count
}

some_messages 'off: short messages' "$H2" 100 1000 --rate 1000
check_that 'off: they leave as all others' "$first == 0 && $short == 0 && $other == 0"
check_that 'off: none is counted' "$(stat h1 express_messages) == 0"

ns_sysctl h1 net.lapsmp.express_tos=$((SHORT)) net.lapsmp.ack_tos=$((FIRST))
for addr in "$H2" "$H2_6"; do
	some_messages "$addr: of a segment" "$addr" 100 1000 --rate 1000
	timing "$addr: they are first" "$first >= $(some 100) && $short == 0 && $plain <= 20"
	some_messages "$addr: of a hundred" "$addr" 20 140000 --rate 100
	timing "$addr: they are short" "$short >= $(some 20) * 95 && $first == 0"
	some_messages "$addr: of a thousand" "$addr" 10 1400000 --rate 20
	check_that "$addr: they are none of these" "$first == 0 && $short == 0"
done
passed=$(stat h1 express_messages)
timing 'so many short messages were sent' "$passed >= 2 * $(some 100) + 2 * $(some 20)"

# A burst of 512 KiB may pass, 12.5 % of the rate after it; what is queued behind counts at once.
some_messages 'a long one in pieces' "$H2" 200 60000 --sndbuf 8000000
timing 'leaves as a long one' "$first + $short <= 100 && $plain >= $(some 200) * 40"

some_messages 'a program that has chosen a class' "$H2" 100 1000 --rate 1000 --tos 0x20
check_that 'has that one' "$first == 0 && $short == 0 && $other >= $(some 100)"

ns_sysctl h1 net.lapsmp.ack_tos=0
some_messages 'without a class for acknowledgments' "$H2" 100 1000 --rate 1000
timing 'there is one for short messages' "$short >= $(some 100) && $first == 0"

ns_sysctl h1 net.lapsmp.ack_tos=$((FIRST))
# Sizes of all classes, between which a flow changes while some of it is under way.
links_are loss 3%
some_messages 'with losses, of all sizes' "$H2" 300 24-600000 --rate 100
check_that 'some that passed were lost' "$(stat h1 express_lost_segs) > 0"
links_are delay 2ms 1ms
some_messages 'out of order, of all sizes' "$H2" 100 24-600000 --rate 50
links_heal
check 'nothing stays charged' until_true 10 memory_is_free
