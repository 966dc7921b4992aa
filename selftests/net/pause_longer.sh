#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# Messages with pauses between them, over two links of which one becomes longer, and shorter
# again. In pauses paths are measured, and no message waits for that; a longer way may be
# others' queue there, so it takes a moment in which all stop.
. "$(dirname "$0")/lib.sh"
plan 9
links_up 20:1000 20:5000
ns_sysctl h1 net.lapsmp.auto_paths=0
sports_find 50000
for i in 1 2; do
	lapsctl -n h1 path add peer $H2 sport "${SPORT[i]}" id $i >/dev/null
done

# base_is ID LOW HIGH: in us. The client's peer has an address of this host's besides.
base_is()
{
	local us
	us=$(lapsctl -j -n h1 path show peer $H2 |
		jq --argjson id "$1" '[.[] | select(.id == $id)."base-ns" / 1000 | round] | max')
	echo "$us us"
	((us >= $2 && us <= $3))
}

in_ns h2 lapsperf server --once --proto lapsmp >/dev/null &
server=$!
in_ns h1 lapsperf client $H2 --proto lapsmp --local $H1 --size 100k --count 170 --warm 1 \
	--interval-us 500000 --json >"$WORK/perf" &
client=$!
sleep 18
check 'the length is known' base_is 1 900 2500
check_that 'no message waits until paths are measured' "$(stat h1 drains) == 0"
tc -n r1 qdisc change dev l1 root netem rate 20mbit delay 11ms limit 160
check 'that it is longer is known within two windows' until_true 25 base_is 1 10900 12500
check_that 'since all stopped' "$(stat h1 drains) >= 1"
tc -n r1 qdisc change dev l1 root netem rate 20mbit delay 1ms limit 160
check 'that it is shorter is known at once' until_true 3 base_is 1 900 2500
check 'the other one is as long as ever' base_is 2 4900 6500
wait $client
result $? 'all messages arrive'
stop $server
check_that 'nothing was sent twice' "$(stat h1 retrans_segs) == 0"
check 'nothing stays charged' until_true 200 memory_is_free
