#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Sixteen flows share two links, or eight paths of which four end at a dead one:
# Jain's index of what each got is 0.95 at least.
. "$(dirname "$0")/lib.sh"
FLOWS=16
plan 9
links_up 500:50 500:50
# With these the drawn ports take both links, over IPv4 and over IPv6.
ns_sysctl h1 net.lapsmp.seed=11
ns_sysctl h2 net.lapsmp.seed=12
MS=$(some 2000)

# jain VALUE...: (sum x)^2 / (n sum x^2).
jain() { printf '%s\n' "$@" | awk '{ s += $1; q += $1 * $1 } END { print s * s / (NR * q) }'; }

# share NAME FROM TO ADDRESS MBIT MS: for so long; they get MBIT at least together.
share()
{
	local i got=() pids=() n=0 bytes
	receiver "$3" all --lossy
	for ((i = 0; i < FLOWS; i++)); do
		in_ns "$2" msg_send "$4" --stream $i --time "$6" --size 10000 \
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
	timing "$1: fair" "$(jain "${got[@]}") >= 0.95"
	timing "$1: the links are used" "$n * 8 / $6 / 1e3 > $5"
}

share IPv4 h1 h2 $H2 800 "$MS"
share IPv6 h1 h2 $H2_6 800 "$MS"
# The other way: h2 has sent nothing yet, and that r1's end is down r2 does not know.
ip -n r1 link set l2 down
share 'one link' h2 h1 $H1_6 400 200
