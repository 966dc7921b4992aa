#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Of messages that are far apart each is over before a timer fires. Who sends no others finds
# all of three links nevertheless, and that one of them is dead, and works again; those that
# work he does not ask for it.
. "$(dirname "$0")/lib.sh"
plan 9
links_up 10000:5 10000:5 10000:5
sports_find 50000
ns_sysctl h1 net.lapsmp.auto_paths=0
for link in 1 2 3; do
	check "a port by link $link" \
		lapsctl -n h1 path add peer $H2 sport "${SPORT[link]}" id $link
done
# are STATE...: of the paths, by their numbers.
are() { [[ $(lapsctl -j -n h1 path show peer $H2 | jq -r 'sort_by(.id)[].state') == "$(printf '%s\n' "$@")" ]]; }

receiver h2 thin --lossy
in_ns h1 msg_send $H2 --time 600000 --size 1000 --rate 50 --no-drain >"$WORK/thin.send" 2>&1 &
flow=$!
check 'all are found' until_true 20 are up up up
link_is 3 loss 100%
check 'one is down' until_true 20 are up up down
sleep 2
probes=$(stat h1 tx_probes) messages=$(stat h2 rx_messages)
sleep 2
probes=$(($(stat h1 tx_probes) - probes)) messages=$(($(stat h2 rx_messages) - messages))
timing "it is asked now and then: $probes of $messages" "$probes >= 4 && $probes <= $messages / 4"
link_is 3 loss 0%
check 'and up again' until_true 20 are up up up
stop $flow
stop "$RECEIVER"
note "$(tail -n 1 "$WORK/thin.recv")"
check_that 'every message arrived' "$(says thin.recv messages) > 100 && $(says thin.recv missing) == 0 && $(says thin.recv damaged) == 0"
check 'nothing stays charged' until_true 60 memory_is_free
