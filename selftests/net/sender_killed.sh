#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: core
#
# A sender is killed in the middle of a message, again and again: what was begun
# is never delivered, what was complete is, and nothing stays behind.
. "$(dirname "$0")/lib.sh"
plan 5
pair_up
pair_rate "$(some 5000)" 20

# delivered N: messages, at b, however long a slow machine takes for them.
delivered() { [[ $(stat b rx_messages) -ge $1 ]]; }

receiver b rest --lossy --max 64Mi
for stream in 1 2 3 4 5; do
	in_ns a msg_send $B4 --stream $stream --count 100 --size 30Mi >/dev/null 2>&1 &
	sender=$!
	sleep 0.0$((stream * 3))
	murder $sender
done
in_ns a msg_send $B6 --stream 6 --count 50 --size 5000 --no-drain >/dev/null
until_true 60 delivered 50
sleep 1
stop "$RECEIVER"
result $? 'what arrives is whole and in order'
note "$(tail -n 1 "$WORK/rest.recv")"
check_that 'of who ended normally, all' "$(says rest.recv messages) >= 50"

# A receiver that has begun to read one is told.
receiver b pieces --lossy --partial --max 64Mi --pause-us 1000
in_ns a msg_send $B4 --stream 1 --count 1 --size 30Mi --sndbuf 200000 >/dev/null 2>&1 &
sender=$!
amid a 0.004
murder $sender
before=$(stat b rx_messages)
# Senders take turns, and the receiver puts pieces together as if there were one.
sleep 0.5
in_ns a msg_send $B4 --stream 2 --count 10 --size 5000 >/dev/null
until_true 60 delivered $((before + 10))
sleep 1
stop "$RECEIVER"
result $? 'in pieces: nothing is mixed up'
note "$(tail -n 1 "$WORK/pieces.recv")"
check_that 'in pieces: later ones arrive' "$(says pieces.recv messages) >= 10"
check 'nothing stays charged' until_true 70 memory_is_free
