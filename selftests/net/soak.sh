#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: long
#
# Rounds of traffic of all kinds at once, while links fail in all ways and change
# their rate and delay: every message arrives once, whole, and nothing stays.
. "$(dirname "$0")/lib.sh"
ROUNDS=$(some 20)
# Where time is real a round takes half a minute.
virtual || ROUNDS=$(some 8)
plan $((2 * ROUNDS + 1))
RANDOM=1

# pick WORD...: one of them, the same ones in each run.
pick() { PICKED=${*:RANDOM % $# + 1:1}; }

# trouble: what a link does for a while. One of the four stays as it is, so that
# no message has to give up.
trouble()
{
	local i
	for i in 2 3 4; do
		pick 'loss 0%' 'loss 5%' 'loss 30%' 'loss 100%' 'duplicate 10%' 'corrupt 3%' \
			'delay 400us 200us' 'delay 200us reorder 20%' 'rate 5mbit delay 2ms' 'rate 300mbit delay 20us'
		# shellcheck disable=SC2086
		link_is $i $PICKED
	done
}

# starts NAME SENDER ADDRESS PORT COUNT SIZE [ARG...]: a transfer beside others.
starts()
{
	local name=$1 from=$2 to=h2 addr=$3 port=$4 count=$5 size=$6 order=()
	shift 6
	[[ $from == h1 ]] || to=h1
	[[ " $* " != *' --unordered '* ]] || order=(--unordered)
	receiver $to "$name" --port "$port" --count "$count" "${order[@]}"
	RECEIVERS+=("$RECEIVER")
	in_ns "$from" msg_send "$addr" --port "$port" --count "$count" --size "$size" "$@" \
		--user-timeout 60000 >"$WORK/$name.send" 2>&1 &
	SENDERS+=($!)
}

running()
{
	local pid
	for pid in "${SENDERS[@]}"; do
		! kill -0 "$pid" 2>/dev/null || return 0
	done
	return 1
}

round()
{
	local pid bad=0
	SENDERS=() RECEIVERS=()
	starts small h1 $H2 7001 3000 24-4000
	starts large h1 $H2_6 7002 20 1M
	starts back h2 $H1_6 7003 1000 24-20000
	starts any h1 $H2_6 7004 1000 24-9000 --unordered
	while running; do
		trouble
		sleep 0.05
	done
	links_heal
	for pid in "${SENDERS[@]}" "${RECEIVERS[@]}"; do
		wait "$pid" || bad=1
	done
	result $bad "round $1: every message arrives, once"
	[[ $bad -eq 0 ]] || note "$(tail -n 3 "$WORK"/*.send "$WORK"/*.recv)"
	check "round $1: nothing stays charged" until_true 30 memory_is_free
}

links_up 200:50 200:50 60:100 20:300
for ((r = 1; r <= ROUNDS; r++)); do
	round $r
done
check_that 'there was something to repair' "$(stat h1 retrans_segs) > 100 && $(stat h2 rx_dup_segs) > 10"
