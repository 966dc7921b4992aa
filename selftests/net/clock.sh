#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Clocks that differ, by an offset or by drift, change nothing: neither how much
# is transferred, nor how it is spread over unequal paths.
. "$(dirname "$0")/lib.sh"
plan 10
COUNT=$(some 2000)

# run OFFSET_NS PPB: of h2's clock. Sets GOODPUT in Mbit/s and SHARE of the links
# in percent.
run()
{
	local i total=0 bytes=()
	links_up 1000:20 1000:100 300:20 100:300
	ns_sysctl h1 net.lapsmp.seed=7
	ns_sysctl h2 net.lapsmp.seed=8 net.lapsmp.clock_offset_ns="$1" net.lapsmp.clock_ppb="$2"
	lapsmp_paths4 || return
	receiver h2 clock --count "$COUNT"
	sender h1 clock $H2 --count "$COUNT" --size 20000
	wait "$RECEIVER"
	result $? "offset $1 ns, drift $2 ppb: every message arrives"
	GOODPUT=$(awk "BEGIN { print $(says clock.recv bytes) * 8e3 / $(says clock.recv elapsed_ns) }")
	for i in 1 2 3 4; do
		bytes[i]=$(link_bytes r1 $i)
		total=$((total + bytes[i]))
	done
	SHARE=()
	for i in 1 2 3 4; do
		SHARE[i]=$(awk "BEGIN { print 100 * ${bytes[i]} / $total }")
	done
	note "$GOODPUT Mbit/s, shares ${SHARE[*]}"
	topo_down
}

# One path on each link, as in the benchmarks.
lapsmp_paths4()
{
	local i
	sports_find 50000 || return 1
	ns_sysctl h1 net.lapsmp.auto_paths=0
	for i in 1 2 3 4; do
		lapsctl -n h1 path add peer $H2 sport "${SPORT[i]}" || return 1
	done
}

near() { echo "($1 - $2) < $3 && ($2 - $1) < $3"; }

# same OFFSET_NS PPB: as with equal clocks.
same()
{
	local i alike=1
	run "$1" "$2"
	timing "offset $1 ns, drift $2 ppb: as fast" "$(near "$GOODPUT / $goodput" 1 0.05)"
	for i in 1 2 3 4; do
		alike+=" && $(near "${SHARE[i]}" "${share[i]}" 4)"
	done
	timing "offset $1 ns, drift $2 ppb: spread alike" "$alike"
}

run 0 0
goodput=$GOODPUT share=(0 "${SHARE[@]:0}")
same 1000000000000 0
same -3000000001 50000
same 123456789 -100000
