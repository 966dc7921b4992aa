#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: smp-debug
#
# Several flows to one host, whose paths run empty every few seconds to be measured: one of them
# measures them, all of them go on, and who dies meanwhile holds nobody up.
. "$(dirname "$0")/lib.sh"
plan 7
SIZE=20000
links_up 20:1000 20:2000

PIDS=()
for port in 7001 7002 7003 7004; do
	receiver h2 $port --lossy --port $port
	PIDS+=("$RECEIVER")
	in_ns h1 msg_send $H2 --port $port --time 600000 --size $SIZE --no-drain \
		>"$WORK/$port.send" 2>&1 &
	PIDS+=($!)
done
measured() { (($(stat h1 drains) - $(stat h1 drains_failed) >= $1)); }
# On a machine that is emulated a second may be few packets.
check 'they are let run empty, and measured' until_true 600 measured 1
before=$(stat h2 rx_messages)
sleep 2
check_that 'all go on' "$(stat h2 rx_messages) > $before"
murder "${PIDS[1]}"
murder "${PIDS[5]}"
check 'two have died: the others measure them' until_true 900 measured 3
before=$(stat h2 rx_messages)
sleep 2
check_that 'and go on' "$(stat h2 rx_messages) > $before"
note "$(stat h1 drains) times, $(stat h1 drains_failed) in vain"
check_that 'not all the time' "$(stat h1 drains) < 40"
for pid in "${PIDS[@]}"; do
	murder "$pid"
done
check 'nothing stays charged' until_true 200 memory_is_free
check 'nor any socket' until_true 200 test "$(sockets h1)" = 0
