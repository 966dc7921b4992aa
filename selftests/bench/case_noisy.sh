#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Something near the sender holds packets back, each for as long as it draws, and those behind it
# with it: a hypervisor, a radio. Who yields to delays takes that for a queue, but if he is told
# (lapsmp-told, whose ports are drawn). netem's draws cannot be seeded by every tc, so this is a
# spread over repetitions.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# One link, and what h1's device does with each packet.
LINK=10000:5
ROWS=("10us 8us" "20us 15us" "40us 30us" "20us 6us distribution normal" "40us 12us distribution normal"
      "20us 20us distribution pareto")
AMOUNT=(--size 1M --bytes 400M)
# What lapsmp-told is told: a queue of so many ns is none.
TOLD=60000
RUNS=3
! quick || RUNS=1 ROWS=("${ROWS[@]:0:2}")

over()
{
	local who=$1
	shift
	if [[ $who == tcp ]]; then
		LINK=1 perf_tcp "$@"
	else
		perf_lapsmp "$@"
	fi
}

for row in "${ROWS[@]}"; do
	for who in tcp lapsmp lapsmp-auto lapsmp-told; do
		wants $who || continue
		rates=()
		for ((i = 1; i <= RUNS; i++)); do
			topo_up $LINK
			ok=1
			# shellcheck disable=SC2086
			tc -n h1 qdisc replace dev e0 root netem limit 10000 rate 100gbit delay $row || ok=''
			[[ $who != lapsmp* ]] || lapsmp_seed $i || ok=''
			[[ $who != lapsmp ]] || lapsmp_paths || ok=''
			[[ $who != lapsmp-told ]] ||
				ip netns exec h1 sysctl -qw net.lapsmp.margin_ns=$TOLD || ok=''
			[[ -n $ok ]] && over $who "${row// /_}-$who-$i" "${AMOUNT[@]}" || ok=''
			if [[ -n $ok ]]; then
				rates+=("$(gbps "$GOODPUT")")
			else
				trouble "$row" $who "$PERF_ERROR"
			fi
			topo_down
		done
		[[ ${#rates[@]} -gt 0 ]] || continue
		result "$row" $who goodput-median "$(percentile 50 "${rates[@]}")" Gbit/s
		result "$row" $who goodput-min "$(percentile 0 "${rates[@]}")" Gbit/s
	done
done
