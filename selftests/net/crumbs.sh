#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A sender whose segments have a byte or two, and that is within its window: what they are
# received in takes some times the window, and not hundreds of times as much.
. "$(dirname "$0")/lib.sh"
plan 16
pair_up
BYTES=10000
BUFFER=65536

# crumbs NAME PAGES "STEP OVERLAP [gap]" [RECEIVER_ARG...]: how much memory they may take.
crumbs()
{
	local name=$1 most=$2 how=$3 base sender
	shift 3
	base=$(memory)
	receiver b "$name" --count 1 "$@"
	# shellcheck disable=SC2086
	in_ns a crumbs $B4 "$BYTES" $how >"$WORK/$name.crumbs" 2>&1 &
	sender=$!
	check "$name: sent while nothing is read" until_true 300 has held "$WORK/$name.crumbs"
	note "$(cat "$WORK/$name.crumbs"), $(($(memory) - base)) pages"
	check_that "$name: memory is bounded" "$(memory) - $base < 256 + $most"
	stop $sender
	result $? "$name: the message is whole"
	wait "$RECEIVER"
	result $? "$name: and unaltered"
	note "$(tail -n 1 "$WORK/$name.recv")"
}

# Of what is taken beyond the buffer; and the buffer's double, for overhead.
MESSAGE=$((8 * (BYTES + 512) / 4096))
SOCKET=$((2 * 2 * BUFFER / 4096))
crumbs 'two bytes' $MESSAGE '2 0'
crumbs 'one byte, and one again' $MESSAGE '1 1'
crumbs 'behind a gap' $((MESSAGE + SOCKET)) '1 1 gap' --rcvbuf $BUFFER
crumbs 'a reader of pieces, who does not read' $SOCKET '2 0' --rcvbuf $BUFFER --partial --no-read 30000
