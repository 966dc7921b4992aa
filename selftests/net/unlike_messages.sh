#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Messages over two slow links of unlike length: the longer one takes its part of each, though
# by the shorter one the next segment is there sooner.
. "$(dirname "$0")/lib.sh"
plan $((2 * (2 * 2 + 1) + 1))

# takes SIZE MS LINK...: how long messages take, one each second, with ports that are drawn, and
# with ports that are set.
takes()
{
	local size=$1 ms=$2 how
	shift 2
	for how in drawn set; do
		links_up "$@"
		[[ $how == drawn ]] || check "$*: ports are set" set_ports
		messages "$size" "$ms" "$how ports by $*"
		topo_down
	done
}

messages()	# SIZE MS NAME
{
	local server
	in_ns h2 lapsperf server --once --proto lapsmp >/dev/null &
	server=$!
	in_ns h1 lapsperf client $H2 --proto lapsmp --local $H1 --size "$1" --count 16 --warm 16 \
		--interval-us 1000000 --json >"$WORK/perf"
	result $? "$3: all messages of $1 arrive"
	stop $server
	note "$(jq -c .fct_ns "$WORK/perf")"
	timing "$3: in less than $2 ms" "$(jq '.fct_ns.p50 / 1e6' "$WORK/perf") < $2"
}

# The first link alone takes 84 ms, both 25.
takes 500k 50 50:100 200:10000
# 43 and 32.
takes 100k 40 20:1000 20:20000
check 'nothing stays charged' memory_is_free
