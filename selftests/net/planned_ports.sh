#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Ports, or flow labels, of which somebody has planned the same are as good as each other, and of
# any sixteen segments each of four has about four. Of those that differ, and of what is drawn
# for itself, some have nothing of sixteen, and others eight.
. "$(dirname "$0")/lib.sh"
plan 12
TRACING=/sys/kernel/tracing
SIZE=1400000
TO=$H2 HOW=sport

# port ID BASE_US COST
port()
{
	lapsctl -n h1 path add peer $TO id "$1" $HOW $((50000 + $1)) base "${2}us" \
		rate 1gbit cost "$3" >/dev/null
}

# planned BASE_US... COST: a port for each base.
planned()
{
	local id=0 base cost=${*: -1}

	lapsctl -n h1 path flush peer $TO
	for base in "${@:1:$#-1}"; do
		id=$((id + 1))
		port $id "$base" "$cost" || return
	done
}

# spread WHAT: by how much parts of sixteen segments differ from four, squared, in hundredths; of
# those by the first four ports. Sets SPREAD. Draws for themselves: 300.
spread()
{
	echo >$TRACING/trace
	echo 1 >$TRACING/events/lapsmp/lapsmp_pick/enable
	receiver h2 all --count 4
	sender h1 all $TO --count 4 --size $SIZE && wait "$RECEIVER"
	result $? "messages arrive, $1"
	echo 0 >$TRACING/events/lapsmp/lapsmp_pick/enable
	SPREAD=$(sed -n 's/.* lapsmp_pick: .* path=\([1-4]\) .*/\1/p' $TRACING/trace | awk '
		{ path[$1]; n[$1]++ }
		NR % 16 == 0 {
			for (i in path) { sum += (n[i] - 4) ^ 2; parts++ }
			delete n
		}
		END { printf "%d\n", (parts > 800) ? 100 * sum / parts : -1 }')
	note "$1: $SPREAD"
}

links_up 1000:50
planned 70 70 70 70 4
spread 'of one base and cost'
timing 'each has its part of all of them' "$SPREAD >= 0 && $SPREAD < 130"

lapsctl -n h1 path flush peer $TO
port 5 60 4
for id in 1 2 3 4; do port $id 70 4; done
spread 'and one of another base'
timing 'it is what most have that counts' "$SPREAD >= 0 && $SPREAD < 200"

planned 70 71 72 73 4
spread 'of four bases'
timing 'parts are what each is worth' "$SPREAD > 200"

# Nobody says that they lead to where the others do.
planned 70 70 70 70 0
spread 'without a cost'
timing 'and what nobody compares is drawn for itself' "$SPREAD > 200"

# One that leads elsewhere is one of them no more, and the others stay what they were.
planned 70 70 70 70 4
port 5 70 5
spread 'and a longer one'
timing 'beside a longer one, too' "$SPREAD >= 0 && $SPREAD < 200"

TO=$H2_6 HOW=flowlabel
planned 70 70 70 70 4
spread 'flow labels'
timing 'so have flow labels' "$SPREAD >= 0 && $SPREAD < 130"
