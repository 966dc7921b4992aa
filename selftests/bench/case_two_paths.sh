#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 100 MB over two parallel links, beside TCP on either and MPTCP on both.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

ROWS=("10000:5 10000:5" "10000:5 3000:5" "10000:5 10000:50" "10000:5 3000:50")
UNEQUAL=("10000:5 1000:5" "10000:5 500:5" "10000:50 1000:5" "10000:1 10000:100" "10000:1 2500:100"
	"10000:1 500:100" "10000:1 1000:100" "10000:5 500:500" "10000:5 2500:500" "1000:5 20000:500" "10000:5 10000:500")
AMOUNT=(--size 1M --bytes 100M)
# Of lapsmp's draws. Where slow start is a large part of the transfer one says little.
SEEDS=5
! quick || SEEDS=1

run_one()	# WHO [SEED]
{
	local who=$1 ok=1
	perf_none
	PERF_ERROR='cannot be set up'
	# shellcheck disable=SC2086
	topo_up $ROW
	case $who in
	tcp1)	LINK=1 perf_tcp "$NAME-$who" "${AMOUNT[@]}" || ok='' ;;
	tcp2)	LINK=2 perf_tcp "$NAME-$who" "${AMOUNT[@]}" || ok='' ;;
	mptcp)	perf_mptcp "$NAME-$who" "${AMOUNT[@]}" || ok='' ;;
	*)	lapsmp_seed "$2" && lapsmp_paths && perf_lapsmp "$NAME-$who-$2" "${AMOUNT[@]}" || ok=''
		lapsmp_stats "$NAME-$who-$2" ;;
	esac
	[[ -n $ok ]] || trouble "$ROW" "$who" "$PERF_ERROR"
	topo_down
	G=$(gbps "$GOODPUT")
}

# run_lapsmp BEST: by several draws, of which all must run; BEST is the peers' best, in Gbit/s.
run_lapsmp()
{
	local best=$1 share=null rate=null seed shares=() rates=() retrans=()
	for ((seed = 1; seed <= SEEDS; seed++)); do
		run_one lapsmp $seed
		[[ $G != null ]] || continue
		shares+=("$(share_of_limit)")
		rates+=("$G")
		retrans+=("$RETRANS")
	done
	if [[ ${#shares[@]} -eq $SEEDS ]]; then
		share=$(percentile 50 "${shares[@]}")
		rate=$(percentile 50 "${rates[@]}")
	fi
	judge "$ROW" lapsmp share-of-limit "$share" '>=' 0.987 ''
	judge "$ROW" lapsmp goodput "$rate" '>=' "$best" Gbit/s
	[[ $share != null ]] || return 0
	result "$ROW" lapsmp share-of-limit-min "$(percentile 0 "${shares[@]}")" ''
	result "$ROW" lapsmp share-of-limit-max "$(percentile 100 "${shares[@]}")" ''
	result "$ROW" lapsmp retransmits "$(percentile 50 "${retrans[@]}")" segments
}

run_row()
{
	local best=0 who
	ROW=$1 NAME=${1//[: ]/_}
	for who in tcp1 tcp2 mptcp; do
		wants $who || continue
		run_one $who
		result "$ROW" $who goodput "$G" Gbit/s
		[[ $who != mptcp ]] || result "$ROW" $who subflows "$SUBFLOWS" ''
		[[ $G == null ]] || best=$(calc "$best > $G ? $best : $G")
	done
	! wants lapsmp || run_lapsmp "$best"
	[[ -n $PAPER ]] || return 0
	POLICY=laps-paper run_one lapsmp-paper 1
	result "$ROW" lapsmp-paper goodput "$G" Gbit/s
}

PAPER=''
! wants lapsmp-paper || ! has_policy laps-paper || PAPER=1
for row in "${ROWS[@]}"; do
	run_row "$row"
done
! quick || UNEQUAL=("${UNEQUAL[@]:0:7}")
for row in "${UNEQUAL[@]}"; do
	run_row "$row"
done
