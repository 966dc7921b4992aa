#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# lapsperf delivers, compares and counts messages of all sizes over each of its
# protocols, as a stream and as questions with answers.
. "$(dirname "$0")/lib.sh"
plan 9
pair_up
SIZES=(100 1023 1024 4000 65535 65536 1000000)
COUNT=20
KEYS='["proto", "mode", "flows", "size", "messages", "bytes", "elapsed_ns", "goodput_bps",
	"errors", "retransmits", "duplicates"]'
TIMES='["min", "mean", "p50", "p90", "p99", "p999", "max"]'

# perf PROTO MODE SIZE: its results are in $WORK/perf.
perf()
{
	local server
	in_ns b lapsperf server --once --proto "$1" >/dev/null &
	server=$!
	in_ns a lapsperf client $B4 --proto "$1" --mode "$2" --size "$3" --count $COUNT \
		--verify --json >"$WORK/perf" || return
	wait $server
}

# all PROTO MODE SIZE...: each, and it says that all arrived.
all()
{
	local size
	for size in "${@:3}"; do
		perf "$1" "$2" "$size" || { echo "$size bytes"; return 1; }
		jq -e --argjson size "$size" --argjson n $COUNT --arg proto "$1" --arg mode "$2" \
			'.proto == $proto and .mode == $mode and .size == $size and .errors == 0 and
			 .messages == $n and .bytes == $n * $size' "$WORK/perf" || { cat "$WORK/perf"; return 1; }
	done
}

for proto in lapsmp tcp mptcp; do
	check "$proto, a stream" all $proto stream "${SIZES[@]}"
	check "$proto, questions" all $proto rr "${SIZES[@]}"
done
check 'udp, questions' all udp rr 100 1024 4000 65000
# shellcheck disable=SC2016 # jq's own variables
check 'every key is there' jq -e --argjson keys "$KEYS" --argjson times "$TIMES" \
	'. as $r | .fct_ns as $t | all($keys[]; . as $k | $r | has($k)) and
	 all($times[]; . as $k | $t | has($k))' "$WORK/perf"
check 'nothing stays charged' until_true 10 memory_is_free
