#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Sixteen flows share two links: Jain's index of what each got is 0.9 at least.
. "$(dirname "$0")/lib.sh"
FLOWS=16
plan 6
links_up 500:50 500:50
# With these the drawn ports take both links, over IPv4 and over IPv6.
ns_sysctl h1 net.lapsmp.seed=11
ns_sysctl h2 net.lapsmp.seed=12
MS=$(some 2000)

# jain VALUE...: (sum x)^2 / (n sum x^2).
jain() { printf '%s\n' "$@" | awk '{ s += $1; q += $1 * $1 } END { print s * s / (NR * q) }'; }

# share FAMILY ADDRESS
share()
{
	local i got=() pids=() n=0 bytes
	receiver h2 "all$1" --lossy
	for ((i = 0; i < FLOWS; i++)); do
		ip netns exec h1 msg_send "$2" --stream $i --time "$MS" --size 10000 \
			--sndbuf 100000 >"$WORK/flow$i.send" &
		pids+=($!)
	done
	wait "${pids[@]}"
	stop "$RECEIVER"
	result $? "$1: every message arrives"
	for ((i = 0; i < FLOWS; i++)); do
		bytes=$(says flow$i.send bytes)
		got+=("$bytes")
		n=$((n + bytes))
	done
	note "bytes: ${got[*]}"
	check_that "$1: fair" "$(jain "${got[@]}") >= 0.9"
	check_that "$1: the links are used" "$n * 8 / $MS / 1e3 > 800"
}

share IPv4 $H2
share IPv6 $H2_6
