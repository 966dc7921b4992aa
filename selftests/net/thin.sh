#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Of messages that are far apart each is over before a timer fires. Who sends no others finds
# out nevertheless that one of two links is dead, and that it works again.
. "$(dirname "$0")/lib.sh"
plan 7
links_up 1000:50 1000:50
sports_find 50000
ns_sysctl h1 net.lapsmp.auto_paths=0
for link in 1 2; do
	check "a port by link $link" \
		lapsctl -n h1 path add peer $H2 sport "${SPORT[link]}" id $link
done
state() { lapsctl -j -n h1 path show peer $H2 | jq -r ".[] | select(.id == $1).state"; }
are() { [[ $(state 1) == "$1" && $(state 2) == "$2" ]]; }

receiver h2 thin --lossy
in_ns h1 msg_send $H2 --time 600000 --size 1000 --rate 50 --no-drain >"$WORK/thin.send" 2>&1 &
flow=$!
check 'both are used' until_true 20 are up up
link_is 2 loss 100%
check 'one is down' until_true 20 are up down
link_is 2 loss 0%
check 'and up again' until_true 20 are up up
stop $flow
stop "$RECEIVER"
note "$(tail -n 1 "$WORK/thin.recv")"
check_that 'every message arrived' "$(says thin.recv missing) == 0 && $(says thin.recv damaged) == 0"
check 'nothing stays charged' until_true 60 memory_is_free
