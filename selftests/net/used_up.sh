#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A flow whose message numbers are used up ends when its messages are done, and another one goes
# on: each message arrives once, in order, whoever waits and however.
. "$(dirname "$0")/lib.sh"
plan 16
pair_up
ns_sysctl a net.lapsmp.flow_msgs=100

# many NAME COUNT SENDER_ARG...: they arrive, by as many flows as it takes.
many()
{
	local name=$1 count=$2 before
	shift 2
	before=$(stat a flows_opened)
	receiver b "$name" --count "$count"
	sender a "$name" $B4 --count "$count" "$@"
	result $? "$name: no error"
	wait "$RECEIVER"
	result $? "$name: every message arrives, once and in order"
	note "$(tail -n 1 "$WORK/$name.recv")"
	check_that "$name: by several flows" "$(stat a flows_opened) - $before >= $count / 100"
}

many 'one after another' 1000 --size 100
many 'as fast as it goes' 20000 --size 24-4000
many 'without blocking' 5000 --size 24-4000 --nonblock
many 'connected, with little room' 5000 --size 24-4000 --connect --sndbuf 65536
# One that is larger than the buffer, so that it streams when the numbers end.
ns_sysctl a net.lapsmp.flow_msgs=1
many 'large ones' 10 --size 8000000
check 'nothing stays charged' memory_is_free
