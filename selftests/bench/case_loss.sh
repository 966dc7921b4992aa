#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One of four links loses 1 % of its packets at random. netem's draws cannot be
# seeded by every tc, so this is a spread over repetitions.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

FOUR=(10000:5 10000:20 3000:40 1000:10)
AMOUNT=(--size 1M --bytes 200M)
RUNS=5
! quick || RUNS=2

lossy()
{
	# shellcheck disable=SC2046
	tc -n r1 qdisc change dev "l$1" root $(netem_args "$(link_rate "$1")" "$(link_delay "$1")") loss 1%
}

for link in 1 3; do
	row="1 % on link $link"
	for who in mptcp lapsmp; do
		wants $who || continue
		shares=() retrans=()
		for ((i = 1; i <= RUNS; i++)); do
			topo_up "${FOUR[@]}"
			lossy $link
			ok=1
			[[ $who != lapsmp ]] || { lapsmp_seed $i && lapsmp_paths; } || ok=''
			[[ -n $ok ]] && "perf_$who" "$link-$who-$i" "${AMOUNT[@]}" || ok=''
			if [[ -n $ok ]]; then
				shares+=("$(share_of_limit)")
				retrans+=("$RETRANS")
			else
				trouble "$row" $who "$PERF_ERROR"
			fi
			topo_down
		done
		[[ ${#shares[@]} -gt 0 ]] || continue
		result "$row" $who share-median "$(percentile 50 "${shares[@]}")" ''
		result "$row" $who retransmits-median "$(percentile 50 "${retrans[@]}")" segments
		worst=$(percentile 0 "${shares[@]}")
		if [[ $who == lapsmp ]]; then
			judge "$row" $who share-min "$worst" '>=' 0.95 ''
		else
			result "$row" $who share-min "$worst" ''
		fi
	done
done
