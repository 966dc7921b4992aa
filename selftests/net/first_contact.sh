#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# First contact costs one round trip more than any later flow. A flow that was
# idle for longer than anybody remembers it is no error.
. "$(dirname "$0")/lib.sh"
plan 4
links_up 1000:10000
ROUND_TRIP_MS=20

# one NAME: a message; the time until it was acknowledged, in round trips.
one()
{
	receiver h2 one --count 1 --settle 10
	sender h1 one $H2 --count 1 --size 1000
	wait "$RECEIVER" || note "$(cat "$WORK/one.recv")"
	TRIPS=$(awk "BEGIN { print $(says one.send elapsed_ns) / 1e6 / $ROUND_TRIP_MS }")
	note "$1: $TRIPS round trips"
}

one 'first contact'
timing 'first contact: two round trips' "$TRIPS > 1.9 && $TRIPS < 2.6"
one 'a known peer'
timing 'a known peer: one' "$TRIPS > 0.9 && $TRIPS < 1.6"

# Nobody remembers anything for longer than two minutes.
PAUSES=50,100,400
virtual || PAUSES=1,2,4
receiver h2 idle --count 4 --wait 2000000
in_ns h1 msg_send $H2 --count 4 --size 1000 --pause "${PAUSES//,/000,}000" >"$WORK/idle.send"
result $? "idle for ${PAUSES//,/, } seconds: no error"
wait "$RECEIVER"
result $? "idle for ${PAUSES//,/, } seconds: every message arrives"
note "$(tail -n 1 "$WORK/idle.recv")" "$(cat "$WORK/idle.send")"
