#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml uml-debug stock-6.12
#
# A sender that goes on to new paths again and again, on one flow. Each has an id
# of its own; the receiver does not remember all of them. For a moment there is no
# path at all: a writer that waits for room must not wait for ever.
. "$(dirname "$0")/lib.sh"
plan 7
pair_up
pair_rate 100 50
ns_sysctl a net.lapsmp.auto_paths=60

# renewed NAME [SENDER_ARG...]: flushes its paths while it sends.
renewed()
{
	local name=$1 round sender
	shift
	receiver b "$name" --count 4000
	sender a "$name" $B4 --count 4000 --user-timeout 10000 "$@" &
	sender=$!
	for round in 1 2 3 4 5 6; do
		sleep 0.5
		lapsctl -n a path flush peer $B4 || note "round $round: not flushed"
	done
	note "$(lapsctl -j -n a path show | jq -c '[.. | .id? // empty] | [length, min, max]')"
	wait "$sender"
	result $? "$name: no error"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(cat "$WORK/$name.send")" "$(tail -n 1 "$WORK/$name.recv")"
	timing "$name: no long pause" "$(says "$name.recv" max_gap_ns) < 500e6"
}

renewed spread --sched spray --rate 1000 --size 2000
check_that 'spread: on more paths than a receiver keeps' \
	"$(lapsctl -j -n a path show | jq '[.. | .id? // empty] | max') > 32768 + 256"
renewed full --size 10000
