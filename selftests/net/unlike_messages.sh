#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Messages over two slow links of unlike length: the longer one takes its part of each, though
# by the shorter one the next segment is there sooner.
. "$(dirname "$0")/lib.sh"
DRAWS=3
plan $((2 * (DRAWS + 4) + 1))

# takes SIZE MS LINK...: how long messages take, one each second, with ports that are drawn, and
# with ports that are set.
takes()
{
	local size=$1 ms=$2 draws i
	shift 2
	# By one of twenty draws it is 49 ms for the second of these, by the others 37 to 40.
	for draws in $DRAWS 1; do
		: >"$WORK/p50"
		for ((i = 1; i <= draws; i++)); do
			links_up "$@"
			((draws > 1)) || check "$*: ports are set" set_ports
			messages "$size" "$*, $i of $draws"
			topo_down
		done
		timing "$*, $draws: in less than $ms ms" "$(sort -n "$WORK/p50" | sed -n $((draws / 2 + 1))p) < $ms"
	done
}

messages()	# SIZE NAME
{
	local server
	in_ns h2 lapsperf server --once --proto lapsmp >/dev/null &
	server=$!
	in_ns h1 lapsperf client $H2 --proto lapsmp --local $H1 --size "$1" --count 16 --warm 16 \
		--interval-us 1000000 --json >"$WORK/perf"
	result $? "$2: all messages of $1 arrive"
	stop $server
	note "$(jq -c .fct_ns "$WORK/perf")"
	jq '.fct_ns.p50 / 1e6' "$WORK/perf" >>"$WORK/p50"
}

# The first link alone takes 84 ms, both 25.
takes 500k 50 50:100 200:10000
# 43 and 32.
takes 100k 40 20:1000 20:20000
check 'nothing stays charged' memory_is_free
