#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A message is under way, larger than what its flow's window is going to be: other
# flows come, with which it shares the receive buffer. It arrives all the same.
. "$(dirname "$0")/lib.sh"
plan 8
pair_up
# As credits, half of what the socket has: two messages, and the beginning of a third.
BUFFER=500000
SIZE=225000
OTHERS=5

# shrinks NAME ADDRESS
shrinks()
{
	local name=$1 addr=$2 sender others=() pid
	receiver b "$name" --no-read 30000 --wait 20000 --rcvbuf $BUFFER --count $((5 + OTHERS))
	in_ns a msg_send "$addr" --count 5 --size $SIZE --drain 100000 >"$WORK/$name.send" 2>&1 &
	sender=$!
	until_true 60 sent_some "$addr"
	result $? "$name: it sends what it may"
	for ((i = 0; i < OTHERS; i++)); do
		in_ns a msg_send "$addr" --count 2 --size 100 --stream $((i + 1)) --pause 1000000 \
			>"$WORK/$name.other$i" 2>&1 &
		others+=($!)
	done
	until_true 60 others_came
	result $? "$name: the others come"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(tail -n 1 "$WORK/$name.recv")"
	for pid in "${others[@]}"; do
		murder "$pid"
	done
	wait "$sender"
	result $? "$name: the sender hears of it"
}

# sent_some ADDRESS: all of two messages, and some of the third.
sent_some()
{
	(($(lapsctl -j -n a flow show peer "$1" direction tx | jq 'map(."acked-bytes") | add // 0') > 2 * SIZE + 10000))
}

# others_came: and nothing was read until now.
others_came()
{
	[[ $(lapsctl -j -n b flow show direction rx | jq 'map(select(.messages > 0)) | length') -eq $((OTHERS + 1)) ]]
}

shrinks 'IPv4' $B4
shrinks 'IPv6' $B6
