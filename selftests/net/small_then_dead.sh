#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One small message, and then one of two links dies as a large one leaves. What the small one took
# by a port that is dead is no measure of what data takes by the others, not even in the first
# second, in which ports are believed to be alike.
. "$(dirname "$0")/lib.sh"
SIZES=(100 160 220 280)
plan $((2 * ${#SIZES[@]} * 4 + 1))

# dies LINK SIZE: after one message of that size.
dies()
{
	local name="$2 bytes, then link $1 dies"
	links_up 20:50 20:50
	transfer h1 h2 $H2 1 "$2" >"$WORK/small"
	result $? "$name: the small one arrives"
	link_is "$1" loss 100%
	receiver h2 large --count 1
	sender h1 large $H2 --count 1 --size 200000
	wait "$RECEIVER"
	result $? "$name: the large one arrives"
	check_that "$name: some of it was sent there" "$(stat h1 timeouts) > 0"
	note "$(tail -n 1 "$WORK/large.send")"
	# 87 ms are what the other link needs.
	timing "$name: in little more than that" "$(says large.send elapsed_ns) < 150e6"
	topo_down
}

for size in "${SIZES[@]}"; do
	for link in 1 2; do
		dies $link "$size"
	done
done
check 'nothing stays charged' memory_is_free
