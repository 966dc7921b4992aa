#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The address that a peer was spoken to from is taken away. A peer that was
# configured without one chooses another and keeps what was configured; where a
# program asked for that very address its paths are down until it returns.
. "$(dirname "$0")/lib.sh"
plan 12
pair_up
pair_rate 20 50
OTHER=192.0.2.3

# field NAME ARG...: of all rows that lapsctl shows.
field()
{
	local name=$1
	shift
	lapsctl -j -n a "$@" | jq -r --arg n "$name" '[.. | objects | .[$n] // empty] | map(tostring) | join(" ")'
}

for port in 50001 50002; do
	lapsctl -n a path add peer $B4 sport $port
done
lapsctl -n a peer set $B4 sched spray || note 'no scheduler'
check 'configured: from one address' transfer a b $B4 50 1000
ip -n a addr del $A4/24 dev e0
check_that 'configured: nowhere to send from' "$(in_ns a msg_send $B4 --count 1 >/dev/null; echo $?) != 0"
check_that 'configured: it is kept' "$(field sport path show peer $B4 | wc -w) == 2"
ip -n a addr add $OTHER/24 dev e0
check 'configured: from another address' transfer a b $B4 50 1000
lapsctl -j -n a peer show >"$WORK/peers"
note "$(cat "$WORK/peers")"
check 'configured: it is the other one' grep -q "\"$OTHER\"" "$WORK/peers"
check 'configured: the same paths' test "$(field sport path show peer $B4)" = '50001 50002'
check 'configured: the same scheduler' grep -q spray "$WORK/peers"

ip -n a addr add $A4/24 dev e0
receiver b bound --count 250
# shellcheck disable=SC2046
in_ns a msg_send $B4 --bind $A4 --count 250 --size 10000 $(pace 250) >"$WORK/bound.send" 2>&1 &
SENDER=$!
amid a 0.2
ip -n a addr del $A4/24 dev e0
sleep 1
check 'bound: its paths are down' test "$(field state path show peer $B4 bound $A4 | tr ' ' '\n' | sort -u)" = down
ip -n a addr add $A4/24 dev e0
wait "$SENDER"
result $? 'bound: no error'
note "$(cat "$WORK/bound.send")"
wait "$RECEIVER"
result $? 'bound: every message arrives'
check 'bound: its paths are up' test "$(field state path show peer $B4 bound $A4 | tr ' ' '\n' | sort -u)" = up
check 'nothing stays charged' until_true 10 memory_is_free
