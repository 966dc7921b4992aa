#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A sender that goes on to new paths again and again, on one flow. Each has an id
# of its own; the receiver does not remember all of them.
. "$(dirname "$0")/lib.sh"
plan 4
pair_up
pair_rate 100 50
ns_sysctl a net.lapsmp.auto_paths=60

receiver b all --count 4000
sender a all $B4 --count 4000 --size 2000 --sched spray --rate 1000 --user-timeout 2000 &
SENDER=$!
for round in 1 2 3 4 5 6; do
	sleep 0.5
	lapsctl -n a path flush peer $B4 || note "round $round: not flushed"
done
note "$(lapsctl -j -n a path show | jq -c '[.. | .id? // empty] | [length, min, max]')"
wait "$SENDER"
result $? 'no error'
wait "$RECEIVER"
result $? 'every message arrives'
note "$(cat "$WORK/all.send")" "$(tail -n 1 "$WORK/all.recv")"
check_that 'no long pause' "$(says all.recv max_gap_ns) < 500e6"
check_that 'on more paths than a receiver keeps' \
	"$(lapsctl -j -n a path show | jq '[.. | .id? // empty] | max') > 256"
