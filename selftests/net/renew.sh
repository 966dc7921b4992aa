#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: long
#
# Automatic paths that take a dead link get other ports, until none does; those that an
# administrator chose do not, nor does any if it is not wanted.
. "$(dirname "$0")/lib.sh"
plan 14
links_up 200:100 200:100 200:100 200:100
PEER=$H2

field() { lapsctl -j -n h1 path show peer "$PEER" | jq -r "[.[] | $1] | sort | unique | join(\" \")"; }
none_is_down() { [[ $(field .state) == up ]]; }
count() { lapsctl -j -n h1 path show peer "$PEER" | jq "map(select($1)) | length"; }

# within SECONDS COMMAND...: looks every five, which is how often paths are renewed.
within()
{
	local left=$1
	shift
	until "$@"; do
		((left > 0)) || return 1
		sleep 5
		((left -= 5))
	done
}

# steady NAME: messages all the time, so that paths are used.
steady()
{
	receiver h2 "$1" --lossy
	in_ns h1 msg_send "$PEER" --size 8000 --rate 20 --time 100000000 --sched spray \
		>"$WORK/$1.send" 2>&1 &
	STEADY=$!
}
enough() { murder $STEADY; stop "$RECEIVER"; }

ns_sysctl h1 net.lapsmp.auto_renew_s=1
steady renewed
check 'all are up' until_true 10 none_is_down
BEFORE=$(field .sport)
lapsctl -j -n h1 monitor path >"$WORK/events" &
MONITOR=$!
link_is 1 loss 100%
check 'a link is dead: some go down' until_true 30 has '"timeout"' "$WORK/events"
check 'others take their place, until none is down' within 300 none_is_down
check_that 'as many as before' "$(count .automatic) == 8"
check 'from other ports' test "$(field .sport)" != "$BEFORE"
check 'it is told' has '"replaced"' "$WORK/events"
check_that 'it is counted' "$(stat h1 paths_renewed) > 0"
enough
result $? 'what had arrived is in order and unaltered'
murder $MONITOR
links_heal

# Where others are no better, each round waits longer: longer than it takes to see that.
rounds_spread()
{
	jq -r 'select(.reason == "replaced")."time-ns" / 1e9 | floor' "$WORK/rounds" | uniq |
		awk 'NR > 1 { gap = $1 - last; print gap; ok = gap >= 1.5 * before; before = gap }
			{ last = $1 } END { exit !(NR > 2 && ok) }'
}
ns_sysctl h1 net.lapsmp.auto_renew_s=6
lapsctl -n h1 peer del "$PEER"
steady rounds
lapsctl -j -n h1 monitor path >"$WORK/rounds" &
MONITOR=$!
for link in 1 2 3; do
	link_is $link loss 100%
done
sleep 90
check 'rounds become rare' rounds_spread
enough
result $? 'what had arrived is in order and unaltered even so'
murder $MONITOR
links_heal

# Those of an administrator.
PEER=$H2_6
for ((port = 50001; port <= 50008; port++)); do
	lapsctl -n h1 path add peer "$PEER" sport $port
done
RENEWED=$(stat h1 paths_renewed)
steady set
check 'set ones are up' until_true 10 none_is_down
for link in 1 2; do
	link_is $link loss 100%
done
sleep 10
check_that 'some are down' "$(count '.state == "down"') > 0"
check_that 'and stay' "$(stat h1 paths_renewed) == $RENEWED && $(count '.sport >= 50001 and .sport <= 50008') == 8"
enough
result $? 'what had arrived is in order and unaltered, too'
