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

run_one()	# WHO
{
	local who=$1 ok=1
	# shellcheck disable=SC2086
	topo_up $ROW
	case $who in
	tcp1)	LINK=1 perf_tcp "$NAME-$who" "${AMOUNT[@]}" || ok='' ;;
	tcp2)	LINK=2 perf_tcp "$NAME-$who" "${AMOUNT[@]}" || ok='' ;;
	mptcp)	perf_mptcp "$NAME-$who" "${AMOUNT[@]}" || ok='' ;;
	*)	lapsmp_seed 1 && lapsmp_paths && perf_lapsmp "$NAME-$who" "${AMOUNT[@]}" || ok=''
		lapsmp_stats "$NAME-$who" ;;
	esac
	[[ -n $ok ]] || trouble "$ROW" "$who" "$PERF_ERROR"
	topo_down
	G=$(gbps "$GOODPUT")
}

run_row()
{
	local best=0 who g
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
		run_one $who
		g=$G
		if [[ $who == lapsmp-paper ]]; then
			result "$ROW" $who goodput "$g" Gbit/s
			continue
		fi
		judge "$ROW" $who share-of-limit "$(share_of_limit)" '>=' 0.987 ''
		judge "$ROW" $who goodput "$g" '>=' "$best" Gbit/s
		result "$ROW" $who retransmits "$RETRANS" segments
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
