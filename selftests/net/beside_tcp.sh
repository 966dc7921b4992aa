#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# On a slow link with a deep buffer neither lapsmp nor TCP starves the other, and once TCP has
# left, lapsmp's flows find out that they are alone: the queue is short again.
. "$(dirname "$0")/lib.sh"
plan 6
# 150 packets, 18 ms.
links_up 100:1000
SIZE=20000

in_ns h2 lapsperf server --once --proto tcp >/dev/null &
server=$!
PIDS=()
for port in 7001 7002; do
	receiver h2 $port --lossy --port $port
	PIDS+=("$RECEIVER")
	in_ns h1 msg_send $H2 --port $port --time 75000 --size $SIZE --no-drain >"$WORK/$port.send" 2>&1 &
	PIDS+=($!)
done
in_ns h1 lapsperf client $H2 --proto tcp --mode stream --size 1000000 --time 22 --json \
	>"$WORK/tcp" &
client=$!
sleep 6
rate_over 15 $SIZE
note "two flows of lapsmp beside TCP: $RATE Mbit/s"
# Of the 64 that are theirs if all three have the same.
check_that 'lapsmp has more than a quarter of its share' "$RATE > 16"
wait $client
result $? 'TCP ends'
wait $server
TCP=$(jq '.goodput_bps / 1e6' "$WORK/tcp")
note "TCP: $TCP Mbit/s"
check_that 'TCP has more than a quarter of its share' "$TCP > 8"
# They look once in 64 to 128 round trips, of up to 20 ms, and may need some looks until they do so
# together; then what TCP's queue wavered by has to be forgotten.
sleep 30
rate_over 3 $SIZE
note "alone: $RATE Mbit/s"
check_that 'alone, they fill the link' "$RATE > 90"
longest_over 2
check_that 'and keep a queue of a few packets' "$LONGEST < 50"
for pid in "${PIDS[@]}"; do
	murder "$pid"
done
check 'nothing stays charged' until_true 200 memory_is_free
