#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Paths are replaced while a flow is on them. One that had the id of an earlier one
# would be dead: the receiver has its sequences already. The last to be given is what
# would be given next.
. "$(dirname "$0")/lib.sh"
plan 9
pair_up
pair_rate 100 50

path() { lapsctl -n a path "$1" peer $B4 "${@:2}"; }

# Those that are made by themselves leave an administrator's alone.
check 'with automatic paths' transfer a b $B4 10 1000
check_that 'they have others' "$(lapsctl -j -n a path show | jq 'map(.id) | min') >= 32768"
path add sport 50001 id 1
path add sport 50002 id 2
receiver b all --count 3000
sender a all $B4 --count 3000 --size 2000 --sched spray --rate 1000 --user-timeout 2000 &
SENDER=$!
amid a 1
check 'a path goes' path del id 2
check_that 'its id is not given again' "$(path add sport 50003 id 2 >/dev/null 2>&1; echo $?) != 0"
check 'another is' path add sport 50003
sleep 0.5
path del id 1
wait "$SENDER"
result $? 'the new one alone carries the flow'
wait "$RECEIVER"
result $? 'every message arrives'
note "$(cat "$WORK/all.send")"
# A flow that has ended is forgotten within seconds.
check 'when the flow has ended it is free again' until_true 30 path add sport 50004 id 2
check 'and of use' transfer a b $B4 100 1000
