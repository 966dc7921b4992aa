#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# memory_mb becomes less than a large message needs that was taken up before, and waits for
# room that another one has: it has its room all the same.
. "$(dirname "$0")/lib.sh"
plan 4
PAIR_MTU=9000
pair_up
pair_rate 200 100
parts_are 64
for ns in a b; do
	ns_sysctl $ns net.lapsmp.max_msg_bytes=200000000 net.lapsmp.budget_bytes=200000000
done
# Of 26.8 MB that may be promised one has more than half, and later they are 13.4.
SIZE=14000000
PIDS=()
for port in 7001 7002; do
	receiver b $port --port $port --count 1 --max $SIZE --wait 60000
	PIDS+=("$RECEIVER")
	in_ns a msg_send $B4 --port $port --count 1 --size $SIZE >"$WORK/$port.send" 2>&1 &
done
sleep 0.3
parts_are 32
check_that 'none is there when there is less' "$(stat b rx_messages) == 0"
wait "${PIDS[0]}"
result $? 'one arrives'
wait "${PIDS[1]}"
result $? 'and so does the other one'
check 'nothing stays charged' until_true 100 memory_is_free
