#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How long messages take over pairs of slow links of unlike length: one on a new socket a second
# after one of others, and one each second on a socket that stays.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

ROWS=("50:100 200:10000" "20:1000 20:20000" "100:1000 100:1000" "100:5000 20:500")
SIZES=(20k 100k 500k 2M)
COUNT=12 SEEDS=3
! quick || COUNT=4 SEEDS=1 ROWS=("${ROWS[@]:0:2}")

ms() { ratio "$1" 1000000; }

# once ROW WHO SEED SIZE: NEW and AGAIN, ns, or nothing.
once()
{
	local row=$1 who=$2 seed=$3 size=$4 name ok=1
	name=${row//[: ]/_}-$who-$seed-$size
	NEW='' AGAIN=''
	# shellcheck disable=SC2086
	topo_up $row
	case $who in
	lapsmp)		lapsmp_seed "$seed" && lapsmp_paths || ok='' ;;
	lapsmp-auto)	lapsmp_seed "$seed" || ok='' ;;
	esac
	[[ -n $ok ]] && perf_over "$who" "$name-before" --size 60k --time 1 &&
		sleep 1 && perf_over "$who" "$name-new" --size "$size" --count 1 && NEW=$FCT50 &&
		perf_over "$who" "$name-again" --size "$size" --count $COUNT --warm 4 \
			--interval-us 1000000 && AGAIN=$FCT50
	topo_down
	[[ -n $AGAIN ]] || trouble "$row $size" "$who" "$PERF_ERROR"
}

measure()	# ROW WHO SIZE BEST
{
	local seed last=1 new=() again=() ms
	# Which ports are drawn decides how many take which link.
	[[ $2 != lapsmp-auto ]] || last=$SEEDS
	for ((seed = 1; seed <= last; seed++)); do
		once "$1" "$2" $seed "$3"
		[[ -n $AGAIN ]] || return
		new+=("$NEW") again+=("$AGAIN")
	done
	result "$1 $3" "$2" new-socket "$(ms "$(percentile 50 "${new[@]}")")" ms
	ms=$(ms "$(percentile 50 "${again[@]}")")
	result "$1 $3" "$2" again-median "$ms" ms
	[[ $2 != lapsmp ]] ||
		judge "$1 $3" "$2" again-over-best "$(calc "$ms / $4")" '<=' 1.25 ''
}

for row in "${ROWS[@]}"; do
	for size in "${SIZES[@]}"; do
		bytes=$(numfmt --from=si "${size^^}")
		# shellcheck disable=SC2086
		best=$(calc "$(best_split $(((bytes + SHARE_PAYLOAD_BYTES - 1) /
			SHARE_PAYLOAD_BYTES)) $row) / 1000")
		result "$row $size" - best-split "$best" ms
		for who in tcp1 tcp2 mptcp lapsmp lapsmp-auto; do
			! wants $who || measure "$row" $who "$size" "$best"
		done
	done
done
