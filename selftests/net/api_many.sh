#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: long
#
# Every socket call in eight namespaces at once, several times: what a socket switches in
# the kernel for all of them is switched while others send and receive.
. "$(dirname "$0")/lib.sh"
NETS=8 ROUNDS=3
# Some calls are to take no longer than they are told.
[[ ${LAPSMP_KERNEL:-} != smp-debug ]] || NETS=2
plan $NETS

# calls NS FAMILY: what failed, if anything did.
calls()
{
	local round
	for ((round = 0; round < ROUNDS; round++)); do
		in_ns "$1" api_test "$2" >"$WORK/$1.out" 2>&1 || return
	done
}

for ((n = 1; n <= NETS; n++)); do
	ip netns add "n$n"
	ip -n "n$n" link set lo up
	ns_sysctl "n$n" net.ipv4.ip_unprivileged_port_start=1024
	calls "n$n" $((4 + n % 2 * 2)) &
	PIDS[n]=$!
done
for ((n = 1; n <= NETS; n++)); do
	status=0
	wait "${PIDS[n]}" || status=$?
	[[ $status -eq 0 ]] || grep '^not ok' "$WORK/n$n.out" | sed 's/^/# /'
	result $status "all calls, $ROUNDS times, in namespace $n of $NETS"
done
