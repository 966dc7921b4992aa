#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What is given up before anything of it came, behind a message that does not come: the flow
# is charged for what is remembered of it, and gets it back. And neither one that is longer than a
# message can be, nor many at once, move the window.
. "$(dirname "$0")/lib.sh"
plan 35
pair_up
BUFFER=65536
COUNT=7998

# charged: bytes that b's only flow holds; "null" without one.
charged() { lapsctl -j -n b flow show direction rx | jq 'map(."queued-bytes") | add'; }
charged_is() { [[ $(charged) = "$1" ]]; }

receiver b many --rcvbuf $BUFFER
in_ns a aborts $B4 $COUNT >"$WORK/many.aborts" 2>&1 &
sender=$!
check 'messages are given up' until_true 300 has held "$WORK/many.aborts"
n=$(says many.aborts aborts) bytes=$(charged)
note "$n given up, $bytes bytes charged"
check_that 'some of them are taken' "$n > 100"
check_that 'most are refused' "$n < $COUNT / 2"
check_that 'each that is taken is charged' "$bytes > 100 * $n"
# The kernel doubles what the program asked for, and overhead may take as much again.
check_that 'no more than the buffer allows' "$bytes <= 2 * 2 * $BUFFER"
check_that 'refused for want of room' "$(stat b rx_overflow_segs) > 0"
stop $sender
result $? 'with the first message, what is behind it passes, and one more'
check 'all is given back, with the flow still there' until_true 10 charged_is 0
stop "$RECEIVER"
result $? 'what was not given up is unaltered'
check_that 'and nothing else is delivered' "$(says many.recv messages) == 3"

# huge BYTES: what he takes without reading is within the window, as if nothing had been said.
huge()
{
	local used limit over
	receiver b huge --rcvbuf $BUFFER --no-read 20000
	over=$(stat b rx_window_segs)
	in_ns a aborts $B4 huge "$1" >"$WORK/huge.aborts" 2>&1
	result $? "$1 bytes: the window opens, and a message is delivered"
	note "$(cat "$WORK/huge.aborts")"
	used=$(says huge.aborts used) limit=$(says huge.aborts limit)
	check_that "$1 bytes: too big" "$(says huge.aborts reset) == 3"
	check_that "$1 bytes: credits are what they were" \
		"$used <= $limit && $used + $(says huge.aborts cost) > $limit && $limit < 2 * $BUFFER"
	check_that "$1 bytes: refused by the window" "$(stat b rx_window_segs) > $over"
	until_true 60 charged_is 0
	stop "$RECEIVER"
	result $? "$1 bytes: what is read is unaltered"
	check_that "$1 bytes: it is all that was taken, and one more" \
		"$(says huge.recv messages) == $(says huge.aborts taken) + 1"
	note "$(tail -n 1 "$WORK/huge.recv")"
}

huge $((0xC0000000))
huge $((0x80000000))
# 40 of 64 MiB, of which each has begun, in one turn: together more than half of what credits count.
ns_sysctl b net.lapsmp.rmem_default=$((1 << 29))
receiver b begun --count 2
in_ns a aborts $B4 begun $((64 << 20)) >"$WORK/begun.aborts" 2>&1
result $? 'begun ones: a message behind them is delivered'
note "$(cat "$WORK/begun.aborts")"
wait "$RECEIVER"
result $? 'begun ones: what is read is unaltered'
check_that 'begun ones: the window is what it was' \
	"0 < $(says begun.aborts room) && $(says begun.aborts room) <= 1 << 29"

# Two that are together more than an answer may tell: the second one waits, and has not begun.
receiver b early --count 2
in_ns a aborts $B4 early $((1 << 30)) >"$WORK/early.aborts" 2>&1
result $? 'early ones: a message behind them is delivered'
check_that 'early ones: the second is as if it had not been said' "$(says early.aborts reset) == 3"
wait "$RECEIVER"
result $? 'early ones: what is read is unaltered'

# One is given up when another flow of the socket has half of its window: what was within it still is.
ns_sysctl b net.lapsmp.rmem_default=$((1 << 20))
receiver b shrunk
in_ns a aborts $B4 shrunk 120000 >"$WORK/shrunk.aborts" 2>&1 &
sender=$!
check 'shrunk: the window is nearly used' until_true 60 has full "$WORK/shrunk.aborts"
in_ns a msg_send $B4 --stream 2 --count 2 --pause 60000 >"$WORK/shrunk.send" 2>&1 &
other=$!
two_flows() { [[ $(lapsctl -j -n b flow show direction rx | jq length) == 2 ]]; }
check 'shrunk: another flow begins' until_true 10 two_flows
stop $sender
result $? 'shrunk: what all wait for is taken, and one more'
note "$(cat "$WORK/shrunk.aborts")"
check_that 'shrunk: the window was nearly used' \
	"$(says shrunk.aborts limit) - 1512 * $(says shrunk.aborts messages) < 50000"
murder $other
until_true 60 charged_is 0
stop "$RECEIVER"
result $? 'shrunk: what is read is unaltered'
check_that 'shrunk: it is all but one' \
	"$(says shrunk.recv messages) == $(says shrunk.aborts messages) + 2"
check 'nothing stays charged' until_true 10 memory_is_free
