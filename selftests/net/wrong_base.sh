#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Whoever plans a path does not know all that is on it: one whose base delay was set to
# less than it ever takes, or to more, carries what the link does all the same. And of
# several paths each is believed to be as short as planned for a second: a queue may have
# been there from the beginning.
. "$(dirname "$0")/lib.sh"
plan 21
links_up 1000:500
ns_sysctl h1 net.lapsmp.auto_paths=1

# carries: 20 MB, which the link takes 0.17 s for.
carries()
{
	receiver h2 base --count 2000
	sender h1 base $H2 --count 2000 --size 10000
	result $? "$1: no error"
	wait "$RECEIVER"
	result $? "$1: every message arrives"
	note "$(tail -n 1 "$WORK/base.recv")"
	timing "$1: as fast as the link" "$(says base.recv elapsed_ns) < 0.2e9"
}

check 'a path is made' transfer h1 h2 $H2 10 1000
ID=$(lapsctl -j -n h1 path show peer $H2 | jq '.[0].id')
check 'its base is set' lapsctl -n h1 path change peer $H2 id "$ID" base 1us
carries 'far less'
lapsctl -n h1 path change peer $H2 id "$ID" base 2ms
carries 'more'

# Two paths that are planned alike; the second is longer.
topo_down
links_up 1000:50 1000:500
sports_find 50000
ns_sysctl h1 net.lapsmp.auto_paths=0
base() { lapsctl -j -n h1 path show peer $H2 | jq ".[$1].\"base-ns\""; }
for i in 1 2; do
	check "path $i" lapsctl -n h1 path add peer $H2 sport "${SPORT[i]}" id $i base 40us
done
receiver h2 plan --count 20
sender h1 plan $H2 --count 20 --size 100000
result $? 'planned: no error'
wait "$RECEIVER"
result $? 'planned: every message arrives'
note "bases $(base 0) $(base 1)"
timing 'the first takes as much more as the host does' "$(base 0) > 40000 && $(base 0) < 100000"
timing 'the second is believed to take no more than that' "$(base 1) < 100000"
sleep 1
receiver h2 later --count 2000
sender h1 later $H2 --count 2000 --size 10000
result $? 'later: no error'
wait "$RECEIVER"
result $? 'later: every message arrives'
note "bases $(base 0) $(base 1)"
timing 'what was measured counts' "$(base 1) > 450000"

# A plan that was much too long, and is mended, says nothing about the others'.
lapsctl -n h1 path change peer $H2 id 1 base 50ms
check 'one is planned much too long' transfer h1 h2 $H2 20 10000
lapsctl -n h1 path change peer $H2 id 1 base 40us
lapsctl -n h1 path del peer $H2 id 2
check 'the other is made anew' \
	lapsctl -n h1 path add peer $H2 sport "${SPORT[2]}" id 3 base 490us
check 'and used' transfer h1 h2 $H2 20 100000
note "bases $(base 0) $(base 1)"
timing 'it is believed to take as much more as the host does' "$(base 1) > 491000"
