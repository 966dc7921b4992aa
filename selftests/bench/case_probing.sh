#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What probes cost: 64 paths over one link, of which a scheduler uses one, some or
# all. Probes may take 1 % of the link, however few paths carry data. Beside it, what
# a transfer gets with 64 paths of what it gets with one.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

ROWS=("100:200" "1000:50" "10000:5")
AMOUNT=(--size 1M --bytes 100M)
# What a data segment has on the link beside its bytes: Ethernet's header, IPv4's,
# UDP's and lapsmp's.
HEADERS=$((14 + 20 + 8 + 36))

# counter NAME: of h1.
counter() { lapsctl -j -n h1 stats show | jq --arg name "$1" '[.. | objects | .[$name] // empty][0]'; }

# run PATHS SCHED: sets PROBES, and PROBE_BYTES on the link.
run()
{
	local name=${ROW//:/_}-$1-$2 bytes status=0
	# shellcheck disable=SC2086
	topo_up $ROW
	ns_sysctl h1 net.lapsmp.auto_paths="$1"
	lapsmp_seed 1 || status=1
	bytes=$(link_bytes r1 1)
	[[ $status -ne 0 ]] || perf "$name" --proto lapsmp --local $H1 --sched "$2" "${AMOUNT[@]}" || status=$?
	bytes=$(($(link_bytes r1 1) - bytes))
	PROBES=$(counter tx-probes)
	PROBE_BYTES=$((bytes - $(counter tx-bytes) - HEADERS * $(counter tx-segs)))
	lapsmp_stats "$name"
	topo_down
	return $status
}

for ROW in "${ROWS[@]}"; do
	run 1 ecmp || trouble "$ROW" '1 path' "$PERF_ERROR"
	ALONE=$GOODPUT
	result "$ROW" '1 path' goodput "$(gbps "$GOODPUT")" Gbit/s
	for sched in ecmp laps spray; do
		run 64 $sched || trouble "$ROW" "64 paths, $sched" "$PERF_ERROR"
		result "$ROW" "64, $sched" probes "$PROBES" ''
		result "$ROW" "64, $sched" goodput-of-1-path "$(ratio "$GOODPUT" "$ALONE")" ''
		judge "$ROW" "64, $sched" probes-of-link \
			"$(calc "100 * $PROBE_BYTES * $GOODPUT / 100e6 / (${ROW%:*} * 1e6)")" '<=' 1 %
	done
done
