#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 100 MB over one link: what several paths' machinery costs where there is one.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

ROWS=("10000:5" "10000:50" "1000:20")
! quick || ROWS=("10000:5")

for ROW in "${ROWS[@]}"; do
	for who in tcp lapsmp; do
		wants $who || continue
		topo_up "$ROW"
		ok=1
		if [[ $who == tcp ]]; then
			LINK=1 perf_tcp "${ROW/:/_}-$who" --size 1M --bytes 100M || ok=''
		else
			lapsmp_seed 1 && lapsmp_paths &&
				perf_lapsmp "${ROW/:/_}-$who" --size 1M --bytes 100M || ok=''
		fi
		[[ -n $ok ]] || trouble "$ROW" $who "$PERF_ERROR"
		result "$ROW" $who goodput "$(gbps "$GOODPUT")" Gbit/s
		[[ $who == tcp ]] || judge "$ROW" $who share-of-limit "$(share_of_limit)" '>=' 0.99 ''
		topo_down
	done
done
