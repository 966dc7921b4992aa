#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One flow over four links of 10, 10, 3 and 1 Gbit/s; how long the queues are,
# by the qdiscs' own backlog; how much arrives out of order; and the same with
# source ports that the kernel chose by itself.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

FOUR=(10000:5 10000:20 3000:40 1000:10)
ROW=10/10/3/1G
AMOUNT=(--size 1M --bytes 200M)
SEEDS=50
! quick || SEEDS=10

# measure WHO RUN...: with the queues of the sender's router being sampled.
measure()
{
	local who=$1 sampler i devs=() status=0
	shift
	for ((i = 1; i <= ${#LINKS[@]}; i++)); do
		devs+=("l$i:$(link_rate $i):$(link_delay $i)")
	done
	ip netns exec r1 qsample 200 "${devs[@]}" >"$OUT/raw/$CASE-$who.queues.json" &
	sampler=$!
	"$@" || status=$?
	kill -TERM "$sampler"
	wait "$sampler"
	return $status
}

queue_result()
{
	local link p50 p99
	while read -r link p50 p99; do
		if [[ $1 == lapsmp && $link != all ]]; then
			judge "$ROW" "$1" "queue-p50-$link" "$p50" '<' 100 us
		else
			result "$ROW" "$1" "queue-p50-$link" "$p50" us
		fi
		result "$ROW" "$1" "queue-p99-$link" "$p99" us
	done < <(jq -r 'to_entries[] | select(.value.p50?) | "\(.key) \(.value.p50 / 1000) \(.value.p99 / 1000)"' \
		"$OUT/raw/$CASE-$1.queues.json" 2>/dev/null)
}

reference()	# WHO COMMAND...
{
	local who=$1
	shift
	wants "$who" || return 0
	topo_up "${FOUR[@]}"
	measure "$who" "$@" "$who" "${AMOUNT[@]}" || trouble "$ROW" "$who" "$PERF_ERROR"
	result "$ROW" "$who" goodput "$(gbps "$GOODPUT")" Gbit/s
	queue_result "$who"
	topo_down
}

chosen()	# WHO
{
	local who=$1
	wants "$who" || return 0
	topo_up "${FOUR[@]}"
	reorder_watch
	{ lapsmp_seed 1 && lapsmp_paths && measure "$who" perf_lapsmp "$who" "${AMOUNT[@]}"; } ||
		trouble "$ROW" "$who" "$PERF_ERROR"
	lapsmp_stats "$who"
	if [[ $who == lapsmp ]]; then
		judge "$ROW" "$who" share-of-limit "$(share_of_limit)" '>=' 0.97 ''
	else
		result "$ROW" "$who" share-of-limit "$(share_of_limit)" ''
	fi
	result "$ROW" "$who" goodput "$(gbps "$GOODPUT")" Gbit/s
	result "$ROW" "$who" retransmits "$RETRANS" segments
	queue_result "$who"
	reorder_result "$who"
	topo_down
}

# How long the receiver's reordering buffer was, at each segment that came.
TRACING=/sys/kernel/tracing
reorder_watch()
{
	mountpoint -q $TRACING || mount -t tracefs none $TRACING
	echo 65536 >$TRACING/buffer_size_kb
	: >$TRACING/trace
	echo 1 >$TRACING/events/lapsmp/lapsmp_receive/enable
}

reorder_result()
{
	local raw=$OUT/raw/$CASE-$1.ahead
	echo 0 >$TRACING/events/lapsmp/lapsmp_receive/enable
	result "$ROW" "$1" rx-ahead-of-a-gap "$OOO" segments
	sed -n 's/.* ahead=//p' $TRACING/trace | sort -n >"$raw"
	: >$TRACING/trace
	result "$ROW" "$1" reorder-segments-seen "$(wc -l <"$raw")" segments
	result "$ROW" "$1" reorder-mean "$(awk '{ s += $1 } END { printf "%.0f", NR ? s / NR : 0 }' "$raw")" bytes
	result "$ROW" "$1" reorder-p99 "$(awk '{ v[NR] = $1 } END { i = int(NR * 0.99); print NR ? v[i ? i : 1] : 0 }' "$raw")" bytes
	rm -f "$raw"
}

automatic()
{
	local seed shares=() s
	for ((seed = 1; seed <= SEEDS; seed++)); do
		topo_up "${FOUR[@]}"
		if lapsmp_seed $seed && perf_lapsmp "auto-$seed" "${AMOUNT[@]}"; then
			s=$(share_of_limit)
			shares+=("$s")
		else
			trouble "$ROW" "lapsmp-auto" "seed $seed: $PERF_ERROR"
		fi
		topo_down
	done
	[[ ${#shares[@]} -gt 0 ]] || return 0
	result "$ROW" lapsmp-auto seeds ${#shares[@]} ''
	result "$ROW" lapsmp-auto share-min "$(percentile 0 "${shares[@]}")" ''
	result "$ROW" lapsmp-auto share-p10 "$(percentile 10 "${shares[@]}")" ''
	result "$ROW" lapsmp-auto share-median "$(percentile 50 "${shares[@]}")" ''
	result "$ROW" lapsmp-auto share-max "$(percentile 100 "${shares[@]}")" ''
}

reference tcp perf_tcp
reference mptcp perf_mptcp
chosen lapsmp
if wants lapsmp-paper && has_policy laps-paper; then
	POLICY=laps-paper chosen lapsmp-paper
fi
! wants lapsmp-auto || automatic
