# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the cases share: running lapsperf between two namespaces, writing down
# results and judging them. A case is a script that sources this and runs as
# root in a lab kernel. Its environment:
#
#   LAPSMP_OUT         where results go: results.jsonl and raw/
#   LAPSMP_BENCH_QUICK fewer rows and seeds
#   LAPSMP_BENCH_REFS  only TCP and MPTCP, lapsmp is not loaded
#   LAPSMP_BENCH_PROTO only these protocols, for a look at one of them
#
# shellcheck disable=SC2034 # most variables are the cases' to read
set -uo pipefail

# shellcheck source=topo.sh
. "$(dirname "${BASH_SOURCE[0]}")/topo.sh"

OUT=${LAPSMP_OUT:?the benchmarks need a directory for their results}
CASE=$(basename "$0" .sh)
CASE=${CASE#case_}
PATH=$OUT/bin:$PATH
mkdir -p "$OUT/raw"

# Payload's share of a full frame, lapsmp's own header counted: 1436 / 1514.
PAYLOAD=0.948480845
SHARE_PAYLOAD_BYTES=1436

quick() { [[ -n ${LAPSMP_BENCH_QUICK:-} ]]; }

# ratio A B: A / B, or null if there is no A.
ratio()
{
	if [[ $1 == null ]]; then
		echo null
	else
		calc "$1 / $2"
	fi
}

# calc EXPRESSION: awk's arithmetic.
calc() { awk "BEGIN { printf \"%.6g\", ($1) }"; }

# wants PROTO: whether this run is to measure it.
wants()
{
	[[ $1 != lapsmp* || -z ${LAPSMP_BENCH_REFS:-} ]] || return 1
	[[ -z ${LAPSMP_BENCH_PROTO:-} || " $LAPSMP_BENCH_PROTO " == *" $1 "* ]]
}

write_line()
{
	printf '%s\n' "$1" >>"$OUT/results.jsonl"
}

# result ROW WHO METRIC VALUE UNIT: a figure without a bar.
result()
{
	write_line "$(printf '{"type":"result","case":"%s","row":"%s","who":"%s","metric":"%s","value":%s,"unit":"%s"}' \
		"$CASE" "$1" "$2" "$3" "$4" "$5")"
	printf '%-12s %-26s %-14s %-24s %12s %s\n' "$CASE" "$1" "$2" "$3" "$4" "$5"
}

# judge ROW WHO METRIC VALUE OP BAR UNIT: a figure with a bar; OP is >=, <= or <.
judge()
{
	local pass=false word=FAIL
	if [[ $4 != null ]] && awk "BEGIN { exit !($4 $5 $6) }"; then
		pass=true word=PASS
	fi
	write_line "$(printf '{"type":"bar","case":"%s","row":"%s","who":"%s","metric":"%s","value":%s,"op":"%s","bar":%s,"unit":"%s","pass":%s}' \
		"$CASE" "$1" "$2" "$3" "$4" "$5" "$6" "$7" "$pass")"
	printf '%-12s %-26s %-14s %-24s %12s %s  %s (bar %s %s)\n' "$CASE" "$1" "$2" "$3" "$4" "$7" "$word" "$5" "$6"
}

# trouble ROW WHO TEXT: something did not run. The bench's status tells.
trouble()
{
	write_line "$(jq -cn --arg c "$CASE" --arg r "$1" --arg w "$2" --arg t "$3" \
		'{type: "error", case: $c, row: $r, who: $w, text: $t}')"
	printf '%-12s %-26s %-14s ERROR %s\n' "$CASE" "$1" "$2" "$3"
}

# perf NAME [CLIENT_ARG...]: one run from h1 to h2; its JSON goes to raw/ and
# its main figures to variables:
#   GOODPUT bit/s, FCT50 FCT99 ns, GAP ns, MISSING, DUPS, RETRANS,
#   CONNECT ns, SUBFLOWS, OOO
perf()
{
	local name=$1 status=0 server
	shift
	RAW=$OUT/raw/$CASE-$name.json
	ip netns exec h2 lapsperf server --once 2>"$RAW.server" &
	server=$!
	ip netns exec h1 lapsperf client $H2 --json "$@" >"$RAW" 2>"$RAW.err" || status=$?
	if [[ $status -eq 0 ]]; then
		wait "$server"
		rm -f "$RAW.err" "$RAW.server"
	else
		kill "$server" 2>/dev/null
		wait "$server" 2>/dev/null
		PERF_ERROR=$(tail -n 1 "$RAW.err")
	fi
	perf_read "$RAW"
	return "$status"
}

# perf_none: no figures, so that a run that cannot be set up does not have those of the last one.
perf_none()
{
	GOODPUT=null FCT50=null FCT99=null GAP=null MISSING=null DUPS=null RETRANS=null
	CONNECT=null SUBFLOWS=null OOO=null
}

perf_read()
{
	perf_none
	[[ -s $1 ]] || return 0
	eval "$(jq -r '"GOODPUT=\(.goodput_bps) FCT50=\(.fct_ns.p50) FCT99=\(.fct_ns.p99)
		GAP=\(.max_gap_ns) MISSING=\(.missing) DUPS=\(.duplicates) RETRANS=\(.retransmits)
		CONNECT=\(.connect_ns) SUBFLOWS=\(.subflows)
		OOO=\(.lapsmp.rx_ooo_segs)" | gsub("\n"; " ")' "$1")"
}

# The four ways to get a row's data across. Each takes NAME and arguments.
perf_tcp()	# on link $LINK, the first
{
	local name=$1
	shift
	perf "$name" --proto tcp --local "10.1.${LINK:-1}.1" "$@"
}

perf_mptcp()	# a subflow per link
{
	local name=$1
	shift
	perf "$name" --proto mptcp --local 10.1.1.1 "$@"
}

# POLICY is empty for the default, or a name for both --cc and --sched.
perf_lapsmp()
{
	local name=$1 policy=()
	shift
	[[ -z ${POLICY:-} ]] || policy=(--cc "$POLICY" --sched "$POLICY")
	perf "$name" --proto lapsmp --local $H1 "${policy[@]}" "$@"
}

# perf_over WHO NAME [ARG...]: by that: tcp or tcpN on a link, mptcp, or lapsmp as it is set up.
perf_over()
{
	local who=$1
	shift
	case $who in
	tcp*)	LINK=${who#tcp} perf_tcp "$@" ;;
	mptcp)	perf_mptcp "$@" ;;
	*)	perf_lapsmp "$@" ;;
	esac
}

# lapsmp_seed N: of both hosts' random draws; and buffers as large as TCP's.
lapsmp_seed()
{
	local ns
	for ns in h1 h2; do
		ns_sysctl $ns net.lapsmp.seed="$1" \
			net.lapsmp.rmem_default=67108864 net.lapsmp.wmem_default=67108864
	done
}

# lapsmp_paths [LINK...]: h1 sends over these links (all of them), nothing else.
lapsmp_paths()
{
	local i
	[[ $# -gt 0 ]] || set -- $(seq ${#LINKS[@]})
	sports_find 50000 || return 1
	ns_sysctl h1 net.lapsmp.auto_paths=0
	for i; do
		lapsctl -n h1 path add peer $H2 sport "${SPORT[i]}" || return 1
	done
}

# lapsmp_stats NAME: what both hosts counted, for later reading.
lapsmp_stats()
{
	local ns
	for ns in h1 h2; do
		lapsctl -j -n $ns stats show >"$OUT/raw/$CASE-$1-$ns.stats.json" 2>/dev/null
		lapsctl -j -n $ns path show >"$OUT/raw/$CASE-$1-$ns.paths.json" 2>/dev/null
	done
	return 0
}

# has_policy NAME: whether the kernel knows it as scheduler and congestion control.
has_policy()
{
	local net=net.lapsmp
	ip netns add policy || return 1
	ip netns exec policy sh -c "sysctl -q -w $net.scheduler=$1 && sysctl -q -w $net.congestion_control=$1" \
		2>/dev/null
	local status=$?
	ip netns del policy
	return $status
}

# limit_bps: what lapsmp's header leaves of all links' rates.
limit_bps()
{
	local i sum=0
	for ((i = 1; i <= ${#LINKS[@]}; i++)); do
		sum=$((sum + $(link_rate $i)))
	done
	calc "$sum * 1e6 * $PAYLOAD"
}

share_of_limit() { ratio "$GOODPUT" "$(limit_bps)"; }

gbps() { ratio "$1" 1e9; }

# percentile P VALUE...: the smallest that at least P % do not exceed.
percentile()
{
	local p=$1
	shift
	printf '%s\n' "$@" | sort -g | awk -v p="$p" '{ v[NR] = $1 }
		END { i = int(NR * p / 100); if (i < NR * p / 100) i++; print v[i ? i : 1] }'
}

# best_split PACKETS LINK...: us until the last of them is there if they are
# dealt out to the links so that all finish together: max(D_i + n_i * 12112 / R_i).
best_split()
{
	local n=$1
	shift
	printf '%s\n' "$@" | awk -F: -v n="$n" -v f=$FRAME_BITS '
		{ pkt[NR] = f / $1; free[NR] = $2 }
		END {
			while (n-- > 0) {
				b = 1
				for (i = 2; i <= NR; i++)
					if (free[i] + pkt[i] < free[b] + pkt[b])
						b = i
				free[b] += pkt[b]
				if (free[b] > last)
					last = free[b]
			}
			printf "%.3f", last
		}'
}
