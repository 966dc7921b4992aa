#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One small message, and then one of two links dies as a large one leaves. What the small one took
# by a port that is dead is no measure of what data takes by the others, not even in the first
# second, in which ports are believed to be alike; nor is a port that is dead, whose way was
# shorter.
. "$(dirname "$0")/lib.sh"
SIZES=(100 160 220 280)
plan $((2 * ${#SIZES[@]} * 4 + 4 * 4 + 1))

# Ticks of the receiver's clock, at which senders look at their paths, are at the same moments of
# each row: of some 400 without this four took 174 ms, which a look in the first 30 ms of a path of small
# packets only can cost (Documentation/evaluation.md, "What is missing").
clock_begins()
{
	local up
	read -r up _ </proc/uptime
	ns_sysctl h2 net.lapsmp.clock_offset_ns=$(((1 << 32) - ${up/./} * 10000000 % (1 << 32)))
}

# dies LINK SIZE COUNT LINKS...: after so many messages of that size.
dies()
{
	local link=$1 size=$2 count=$3 name
	shift 3
	name="$count of $size bytes, then link $link of $* dies"
	links_up "$@"
	clock_begins
	transfer h1 h2 $H2 "$count" "$size" >"$WORK/small"
	result $? "$name: what was first arrives"
	link_is "$link" loss 100%
	receiver h2 large --count 1
	sender h1 large $H2 --count 1 --size 200000
	wait "$RECEIVER"
	result $? "$name: the large one arrives"
	check_that "$name: some of it had been sent there" "$(stat h1 timeouts) > 0"
	note "$(tail -n 1 "$WORK/large.send")"
	# 87 ms are what the other link needs, and up to 40 the timeouts of ports never heard.
	timing "$name: in little more than that" "$(says large.send elapsed_ns) < 150e6"
	topo_down
}

for size in "${SIZES[@]}"; do
	for link in 1 2; do
		dies $link "$size" 1 20:50 20:50
	done
done
for size in 1000 2000 3000 4000; do
	dies 1 "$size" 5 20:50 20:1000
done
check 'nothing stays charged' memory_is_free
