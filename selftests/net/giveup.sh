#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One who gives up messages that he never sent, behind one that is not whole: what is remembered
# of each is paid for by the socket, and so they are not many. And nobody gives up what is
# longer than any message is.
. "$(dirname "$0")/lib.sh"
plan 9
pair_up
BUFFER=65536

base=$(memory)
receiver b many --count 2 --rcvbuf $BUFFER
in_ns a giveup $B4 8000 >"$WORK/giveup.out" 2>&1 &
sender=$!
check 'some are given up' until_true 300 has held "$WORK/giveup.out"
note "$(cat "$WORK/giveup.out"), $(($(memory) - base)) pages"
check_that 'no more than the buffer has room for' "$(says giveup.out aborts) < 4 * $BUFFER / 100"
check_that 'but for what they cost, as many as that' "$(says giveup.out aborts) > $BUFFER / 1000"
stop $sender
result $? 'what is behind them is whole'
wait "$RECEIVER"
result $? 'and unaltered'
note "$(tail -n 1 "$WORK/many.recv")"

for bytes in 3221225472 2147483648; do
	receiver b huge --count 2 --lossy
	in_ns a giveup $B4 huge $bytes >"$WORK/huge.out" 2>&1
	check "one of $bytes bytes is refused" grep -q 'reset: 3' "$WORK/huge.out"
	note "$(cat "$WORK/huge.out")"
	stop "$RECEIVER"
done
check_that 'what is not sent is not missed' "$(stat b rx_partial_expired) < 3"
check 'nothing stays charged' until_true 10 memory_is_free
