#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A link swallows everything in mid-transfer, both ways and without a word. How
# much longer is the longest pause between two messages than without that?
# Three of the links are left, then one. 4 KB messages, base RTT 50 us.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# Six times what is under way. A sender that fills 64 MB first keeps the one CPU of
# both hosts for 2 ms, and that would be the longest pause.
AMOUNT=(--size 4000 --bytes 120M --verify --sndbuf 1M)
BLACKOUT_US=10000

# run NAME FAULT LINKS PROTO
run()
{
	local name=$1 fault=$2 status=0 start faulter='' ns
	topo_up "${@:4}"
	[[ $3 != lapsmp ]] || { lapsmp_seed 1 && lapsmp_paths; } || status=1
	start=$(($(lapsperf clock) + 200000000))
	if [[ -n $fault ]]; then
		(
			now=$(lapsperf clock)
			sleep "$(calc "($start + $BLACKOUT_US * 1000 - $now) / 1e9")"
			for ns in r1 r2; do
				# shellcheck disable=SC2046
				tc -n $ns qdisc change dev l2 root $(netem_args "$(link_rate 2)" "$(link_delay 2)") loss 100%
			done
		) &
		faulter=$!
	fi
	[[ $status -ne 0 ]] || "perf_$3" "$name" "${AMOUNT[@]}" --start-at "$start" || status=$?
	[[ -z $faulter ]] || wait "$faulter"
	[[ $3 != lapsmp ]] || lapsmp_stats "$name"
	topo_down
	return $status
}

us() { ratio "$1" 1000; }

for links in "10000:25 10000:25" "10000:25 10000:25 3000:25 1000:25"; do
	for who in mptcp lapsmp; do
		wants $who || continue
		n=$(wc -w <<<"$links")
		# shellcheck disable=SC2086
		run "$n-$who-calm" '' $who $links || trouble "$n links" $who "without failure: $PERF_ERROR"
		calm=$GAP
		result "$n links" $who gap-without-failure "$(us "$GAP")" us
		# shellcheck disable=SC2086
		run "$n-$who-fault" 1 $who $links || trouble "$n links" $who "with failure: $PERF_ERROR"
		result "$n links" $who gap-with-failure "$(us "$GAP")" us
		[[ $calm != null && $GAP != null ]] || calm=0
		if [[ $who == lapsmp ]]; then
			[[ $GAP == null ]] && pause=null || pause=$(calc "($GAP - $calm) / 1e6")
			judge "$n links" $who pause "$pause" '<' 5 ms
			judge "$n links" $who missing "$MISSING" '<=' 0 messages
			judge "$n links" $who duplicates "$DUPS" '<=' 0 messages
		fi
	done
done
