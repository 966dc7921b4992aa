#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One of two links misbehaves in mid-transfer, each time in another way, and is itself
# again before the end: no message is lost, doubled or altered, and the link is used
# again. What a host sees by itself is in cut.sh, what is for one direction only in
# one_way.sh.
. "$(dirname "$0")/lib.sh"
plan 20
links_up 500:25 500:25
COUNT=4000
virtual || COUNT=$(some $COUNT)
SIZE=4000 LEAST=4
virtual || LEAST=40

# in_turn TIMES SECONDS NETEM_ARG...: so, and well again.
in_turn()
{
	local n
	for ((n = 0; n < $1; n++)); do
		link_is 2 "${@:3}"
		sleep "$2"
		link_is 2 loss 0% corrupt 0%
		sleep "$2"
	done
}

# used_again: of a transfer that is made now the second link gets its part; where time is
# real that depends on what the machine can do, and it gets some.
used_again()
{
	local first second
	first=$(link_bytes r1 1) second=$(link_bytes r1 2)
	transfer h1 h2 $H2 500 $SIZE || return
	first=$(($(link_bytes r1 1) - first)) second=$(($(link_bytes r1 2) - second))
	note "bytes by the links: $first, $second"
	((second > first / LEAST))
}

# fault NAME TIMES SECONDS NETEM_ARG...
fault()
{
	local name=$1
	receiver h2 fault --count "$COUNT"
	{ amid h1 0.01; in_turn "${@:2}"; } &
	# shellcheck disable=SC2046
	sender h1 fault $H2 --count "$COUNT" --size $SIZE $(pace "$COUNT")
	result $? "$name: no error"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(tail -n 1 "$WORK/fault.recv")"
	wait
	check "$name: it is used again" until_true 60 used_again
}

fault 'loses 30 %' 1 0.05 loss 30%
fault 'takes ten times as long' 1 0.05 delay 250us
fault 'swallows all, every 10 ms' 10 0.01 loss 100%
fault 'has a hundredth of its rate' 1 0.05 rate 5mbit
fault 'alters one packet in ten' 1 0.05 corrupt 10%
fault 'doubles and swaps' 1 0.05 duplicate 20% delay 100us 50us

# The router before both of them stops for a while.
receiver h2 router --count "$COUNT"
{ amid h1 0.01; links_are loss 100%; sleep 0.3; links_heal; } &
# shellcheck disable=SC2046
sender h1 router $H2 --count "$COUNT" --size $SIZE $(pace "$COUNT")
result $? 'no router for 300 ms: no error'
wait "$RECEIVER"
result $? 'no router for 300 ms: every message arrives'
