#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A receiver that does not read: the sender waits as long as it takes, memory
# stays within the receive buffer, and then everything arrives.
. "$(dirname "$0")/lib.sh"
plan 10
pair_up
BUFFER=500000

# never_reads NAME SENDER_ARG...: for a hundred seconds, then slowly.
never_reads()
{
	local name=$1 base sender probes
	shift
	base=$(memory)
	receiver b "$name" --no-read 100000 --rcvbuf $BUFFER --count 1000 --pause-us 100
	in_ns a msg_send "$@" --count 1000 --size 20000 --sndbuf 100000 \
		--drain 200000 >"$WORK/$name.send" 2>&1 &
	sender=$!
	sleep 10
	probes=$(stat a tx_probes)
	sleep 40
	# Twice the buffer's double for overhead, and the sender's.
	check_that "$name: memory is bounded" \
		"$(memory) - $base < 256 + (2 * 2 * $BUFFER + 2 * 2 * 100000) / 4096"
	check_that "$name: few probes" "$(stat a tx_probes) - $probes < 1000"
	wait "$sender"
	result $? "$name: the sender waits"
	note "$(cat "$WORK/$name.send")"
	check_that "$name: it waited" "$(says "$name.send" elapsed_ns) > 99e9"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(tail -n 1 "$WORK/$name.recv")"
}

never_reads 'IPv4' $B4
never_reads 'IPv6, non-blocking' $B6 --nonblock
