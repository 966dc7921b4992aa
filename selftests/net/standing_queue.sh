#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# Flows by many ports share one link for many times as long as a base delay is believed: what
# stands in their queue does not become the length of the way. But a way that becomes longer does.
. "$(dirname "$0")/lib.sh"
plan 7
SIZE=20000
links_up 50:1000

PIDS=()
for port in 7001 7002; do
	receiver h2 $port --lossy --port $port
	PIDS+=("$RECEIVER")
	in_ns h1 msg_send $H2 --port $port --time 200000 --size $SIZE --no-drain \
		>"$WORK/$port.send" 2>&1 &
	PIDS+=($!)
done
sleep 5
longest_over 2
first=$LONGEST
sleep 40
longest_over 2
note "packets in the queue: $first, later $LONGEST"
check_that 'it is short from the beginning' "$first > 0 && $first < 30"
check_that 'the queue has not grown' "$LONGEST <= 2 * $first"
rate_over 3 $SIZE
check_that 'the link is full' "$RATE > 45"

# Until it is known one yields to its length, and then stands up to it; two would disturb each
# other.
murder "${PIDS[3]}"
murder "${PIDS[2]}"
# 10 ms more, which is ten times what a path may have in its queue.
tc -n r1 qdisc change dev l1 root netem rate 50mbit delay 11ms limit 150
sleep 15
rate_over 5 $SIZE
note "$RATE Mbit/s by a longer way"
check_that 'a longer way is full, too, before its length is known' "$RATE > 35"
# What it stands up to is known to be its way after a window, or some tests for it.
for ((i = 1; i <= 20; i++)); do
	sleep 4
	longest_over 1
	((LONGEST >= 42 + 2 * first)) || break
done
note "packets in the queue: $LONGEST, of which 42 are under way, after $((20 + 5 * i)) s"
check_that 'and its queue is short, once that is' "$LONGEST < 42 + 2 * $first"
rate_over 3 $SIZE
check_that 'the link is full then' "$RATE > 45"
for pid in "${PIDS[@]:0:2}"; do
	murder "$pid"
done
check 'nothing stays charged' until_true 200 memory_is_free
