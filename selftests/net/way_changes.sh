#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# Two links, full all the time, of which one becomes longer by as much as a queue may be, and
# shorter again: its length is known, as nothing is sent for a round trip now and then, and both
# are full again.
. "$(dirname "$0")/lib.sh"
plan 13
SIZE=20000
links_up 10:1000 10:2000
ns_sysctl h1 net.lapsmp.auto_paths=0
# The receiver's clock begins a tick of 2^32 ns now. By where ticks fall in what follows the longer
# way may become known so late that 100 ms are in the queue, and a second is lost while the flow
# yields to that (algorithm.md).
read -r up _ </proc/uptime
ns_sysctl h2 net.lapsmp.clock_offset_ns=$(((1 << 32) - ${up/./} * 10000000 % (1 << 32)))
sports_find 50000
for i in 1 2; do
	lapsctl -n h1 path add peer $H2 sport "${SPORT[i]}" id $i >/dev/null
done

# base ID: in us.
base()
{
	lapsctl -j -n h1 path show peer $H2 |
		jq --argjson id "$1" '.[] | select(.id == $id)."base-ns" / 1000 | round'
}

# base_is LOW HIGH: of the first one, in us.
base_is()
{
	local us
	us=$(base 1)
	echo "$us us"
	((us >= $1 && us <= $2))
}

# both_are_full NAME
both_are_full()
{
	rate_over 3 $SIZE
	note "$1: $RATE Mbit/s, bases $(base 1) and $(base 2) us"
	check_that "both links are full $1" "$RATE > 17.5"
}

receiver h2 load --lossy
P=("$RECEIVER")
in_ns h1 msg_send $H2 --time 200000 --size $SIZE --no-drain >"$WORK/load.send" 2>&1 &
P+=($!)
sleep 3
check 'the length is known from the beginning' base_is 1000 2500
both_are_full 'from the beginning'
tc -n r1 qdisc change dev l1 root netem rate 10mbit delay 11ms limit 160
check 'that it is longer is known within two windows' until_true 20 base_is 11000 12500
sleep 1
both_are_full 'with the longer way'
tc -n r1 qdisc change dev l1 root netem rate 10mbit delay 1ms limit 160
check 'that it is shorter is known within one' until_true 12 base_is 1000 2500
sleep 1
both_are_full 'with the shorter way'
check_that 'the other one is as long as ever' "$(base 2) >= 2000 && $(base 2) <= 3500"
check_that 'the paths ran empty' "$(stat h1 drains) >= 2"
check_that 'each time' "$(stat h1 drains_failed) == 0"
check_that 'nothing was sent twice' "$(stat h1 retrans_segs) == 0"

# One that dies keeps nobody from sending, nor from being measured.
link_is 2 loss 100%
sleep 1
before=$(stat h1 drains)
rate_over 10 $SIZE
note "one is dead: $RATE Mbit/s, ran empty $(stat h1 drains) times"
check_that 'the other one is full when one is dead' "$RATE > 8.5"
check_that 'and is measured' "$(stat h1 drains) > $before && $(stat h1 drains_failed) <= 1"
for pid in "${P[@]}"; do
	murder "$pid"
done
check 'nothing stays charged' until_true 200 memory_is_free
