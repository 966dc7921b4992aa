#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A path that costs the network more than another one is left to others while the cheaper
# one suffices, and carries what it can when that does not. Without costs, or with a
# detour_q8 of 0, both are the same.
. "$(dirname "$0")/lib.sh"
plan 23
links_up 1000:50 1000:50
ns_sysctl h1 net.lapsmp.auto_paths=0
sports_find 50000

carried() { lapsctl -j -n h1 path show peer $H2 | jq -r 'map(."tx-bytes") | @tsv'; }
lean() { lapsctl -j -n h1 path show peer $H2 | jq '.[1]."lean-q16"'; }

# share NAME MBIT LOW HIGH: of what is sent at this rate, percent go by the second path.
share()
{
	local before after
	ns_sysctl h1 net.lapsmp.fixed_rate_mbit="$2"
	before=$(carried)
	receiver h2 share --count 20
	sender h1 share $H2 --count 20 --size 1000000 --cc fixed
	result $? "$1: no error"
	wait "$RECEIVER"
	result $? "$1: every message arrives"
	after=$(carried)
	SHARE=$(awk -v before="$before" -v after="$after" 'BEGIN {
		split(before, b); split(after, a)
		printf "%.1f", 100 * (a[2] - b[2]) / (a[1] + a[2] - b[1] - b[2])
	}')
	note "$1: $SHARE % by the second path"
	timing "$1: $3 to $4 % by the second path" "$SHARE > $3 && $SHARE < $4"
}

for i in 1 2; do
	check "path $i" lapsctl -n h1 path add peer $H2 sport "${SPORT[i]}" id $i \
		rate 1gbit
done
share 'no costs' 500 30 70
check 'a cost' lapsctl -n h1 path change peer $H2 id 1 cost 4
check 'half as much again' lapsctl -n h1 path change peer $H2 id 2 cost 6
# Both have learned: the second comes to its rest, e^-4, in 1024 round trips of 0.1 ms.
share 'on the way there' 500 1 40
timing 'there' "$(lean) > 2 * 65536"
share 'room enough' 500 1 10
share 'no room' 1800 40 60
check 'a third path, dearest' lapsctl -n h1 path add peer $H2 sport 40001 cost 8
check 'rests there from the beginning' test "$(lapsctl -j -n h1 path show peer $H2 |
	jq '.[2]."lean-q16"')" -eq $((4 * 65536))
check 'it goes again' lapsctl -n h1 path del peer $H2 id 3
ns_sysctl h1 net.lapsmp.detour_q8=0
ns_sysctl h1 net.lapsmp.lean_q8=0
share 'detour_q8=0' 500 30 70
