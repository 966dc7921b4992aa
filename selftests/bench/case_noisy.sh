#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Something near the sender holds packets back, each for as long as it draws, and with it those
# behind: a hypervisor, a radio. Who yields to delays takes that for a queue, unless he is told
# (lapsmp-told, whose ports are drawn). netem's draws cannot be seeded by every tc, so this is a
# spread over repetitions.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

WIRE=10000:5
# What h1's device does with each packet.
ROWS=("10us 8us" "20us 15us" "40us 30us" "20us 6us distribution normal" "40us 12us distribution normal"
      "20us 20us distribution pareto")
AMOUNT=(--size 1M --bytes 400M)
# What lapsmp-told is told: a queue of so many ns is none.
TOLD=60000
RUNS=3
! quick || RUNS=1 ROWS=("${ROWS[@]:0:2}")

# In order, since it has a rate; that is ten times the wire's.
hold_back()
{
	tc -n h1 qdisc replace dev e0 root netem limit 10000 rate 100gbit delay "$@"
}

# set_up WHO SEED
set_up()
{
	[[ $1 != lapsmp* ]] || lapsmp_seed "$2" || return
	case $1 in
	lapsmp)		lapsmp_paths ;;
	lapsmp-told)	ns_sysctl h1 net.lapsmp.margin_ns=$TOLD ;;
	esac
}

# once ROW WHO SEED: GOODPUT, bit/s; PERF_ERROR if it did not run.
once()
{
	local status=0
	PERF_ERROR='cannot be set up'
	topo_up $WIRE
	# shellcheck disable=SC2086
	hold_back $1 && set_up "$2" "$3" && perf_over "$2" "${1// /_}-$2-$3" "${AMOUNT[@]}" || status=1
	topo_down
	return $status
}

measure()	# ROW WHO
{
	local seed rates=()
	for ((seed = 1; seed <= RUNS; seed++)); do
		if once "$1" "$2" $seed; then
			rates+=("$(gbps "$GOODPUT")")
		else
			trouble "$1" "$2" "$PERF_ERROR"
		fi
	done
	[[ ${#rates[@]} -gt 0 ]] || return
	result "$1" "$2" goodput-median "$(percentile 50 "${rates[@]}")" Gbit/s
	result "$1" "$2" goodput-min "$(percentile 0 "${rates[@]}")" Gbit/s
}

for row in "${ROWS[@]}"; do
	for who in tcp lapsmp lapsmp-auto lapsmp-told; do
		! wants $who || measure "$row" $who
	done
done
