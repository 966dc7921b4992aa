#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How long one message takes on idle pairs of links, from the send call until
# the receiver has it, and how long the very first one takes.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

COUNT=1000
# Of the first message, which knows nothing of its paths: by which it goes is drawn.
SEEDS=20
! quick || { COUNT=200 SEEDS=5; }

us() { ratio "$1" 1000; }

# one WHO ROW SIZE ARG...
one()
{
	local who=$1 row=$2 size=$3 name ok=1
	shift 3
	name=${row//[: ]/_}-$size-$who${SEED:+-first-$SEED}
	perf_none
	PERF_ERROR='cannot be set up'
	# shellcheck disable=SC2086
	topo_up $row
	case $who in
	tcp*)	LINK=1 perf_tcp "$name" --size "$size" "$@" || ok='' ;;
	mptcp*)	perf_mptcp "$name" --size "$size" "$@" || ok='' ;;
	lapsmp-fast)	lapsmp_seed 1 && lapsmp_paths 1 && perf_lapsmp "$name" --size "$size" "$@" || ok='' ;;
	*)	lapsmp_seed "${SEED:-1}" && lapsmp_paths && perf_lapsmp "$name" --size "$size" "$@" || ok='' ;;
	esac
	[[ -n $ok ]] || trouble "$row $size" "$who" "$PERF_ERROR"
	topo_down
	[[ -n $ok ]]
}

# first WHO ROW SIZE: the first message of all, connect() included.
first()
{
	local who=$1 row=$2 size=$3 n=1 took=() SEED
	[[ $who != lapsmp ]] || n=$SEEDS
	for ((SEED = 1; SEED <= n; SEED++)); do
		one "$who" "$row" "$size" --count 1 || continue
		took+=("$(calc "($FCT50 + $CONNECT) / 1000")")
	done
	[[ ${#took[@]} -gt 0 ]] || return 0
	result "$row $size" "$who" first-use "$(percentile 50 "${took[@]}")" us
	[[ $who == lapsmp ]] || return 0
	result "$row $size" "$who" first-use-min "$(percentile 0 "${took[@]}")" us
	result "$row $size" "$who" first-use-max "$(percentile 100 "${took[@]}")" us
}

for row in "10000:5 3000:5" "10000:5 3000:50"; do
	for size in 64Ki 1Mi; do
		bytes=65536
		[[ $size == 64Ki ]] || bytes=1048576
		pkts=$(((bytes + SHARE_PAYLOAD_BYTES - 1) / SHARE_PAYLOAD_BYTES))
		# shellcheck disable=SC2086
		best=$(best_split $pkts $row)
		alone=$(best_split $pkts "${row%% *}")
		result "$row $size" - best-split "$best" us
		result "$row $size" - fast-path-alone "$alone" us
		for who in tcp mptcp lapsmp-fast lapsmp; do
			wants $who || continue
			one $who "$row" $size --count $COUNT --warm 100 --interval-us 3000 || continue
			result "$row $size" $who fct-median "$(us "$FCT50")" us
			result "$row $size" $who fct-p99 "$(us "$FCT99")" us
			[[ $who == lapsmp ]] || continue
			if [[ $row == *:5 ]]; then
				judge "$row $size" $who fct-over-best "$(calc "$FCT50 / 1000 / $best")" '<=' 1.2 ''
			else
				judge "$row $size" $who fct-over-fast-path "$(calc "$FCT50 / 1000 / $alone")" '<=' 1.05 ''
			fi
		done
		for who in tcp mptcp lapsmp; do
			! wants $who || first $who "$row" $size
		done
	done
done
