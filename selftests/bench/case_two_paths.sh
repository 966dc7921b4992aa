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

# run_lapsmp WHO BEST: by several draws; BEST is the peers' best, in Gbit/s.
run_lapsmp()
{
	local who=$1 best=$2 seed shares=() rates=() retrans=()
	for ((seed = 1; seed <= SEEDS; seed++)); do
		run_one "$who" $seed
		[[ $G != null ]] || continue
		shares+=("$(share_of_limit)")
		rates+=("$G")
		retrans+=("$RETRANS")
	done
	[[ ${#shares[@]} -gt 0 ]] || return 0
	if [[ $who == lapsmp-paper ]]; then
		result "$ROW" "$who" goodput "$(percentile 50 "${rates[@]}")" Gbit/s
		return
	fi
	judge "$ROW" "$who" share-of-limit "$(percentile 50 "${shares[@]}")" '>=' 0.987 ''
	result "$ROW" "$who" share-of-limit-min "$(percentile 0 "${shares[@]}")" ''
	result "$ROW" "$who" share-of-limit-max "$(percentile 100 "${shares[@]}")" ''
	judge "$ROW" "$who" goodput "$(percentile 50 "${rates[@]}")" '>=' "$best" Gbit/s
	result "$ROW" "$who" retransmits "$(percentile 50 "${retrans[@]}")" segments
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
	for who in lapsmp lapsmp-paper; do
		wants $who || continue
		[[ $who == lapsmp || -n $PAPER ]] || continue
		POLICY=''
		[[ $who == lapsmp ]] || POLICY=laps-paper
		run_lapsmp $who "$best"
	done
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
