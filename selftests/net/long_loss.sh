#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: long
# kernels: uml
#
# Minutes of load on two links that lose one packet in a hundred each, both ways: every message
# arrives, in order, as fast in the last minute as in the first, and nothing is repaired later.
. "$(dirname "$0")/lib.sh"
plan 10
SIZE=20000 MINUTES=6
links_up 10:1000 10:3000
links_are loss 1%

# counters NAME...: of h1.
counters() { for name in "$@"; do stat h1 "$name"; done | paste -sd ' '; }

# oldest: memory of messages that are not whole, wait for one before them, or were not read yet,
# at most in two seconds, in bytes; the later a loss is found, the more. Sets HELD.
oldest()
{
	local i now
	HELD=0
	for ((i = 0; i < 100; i++)); do
		now=$(lapsctl -j -n h2 flow show direction rx | jq '[.[]."queued-bytes"] | add // 0')
		((now <= HELD)) || HELD=$now
		sleep 0.02
	done
}

receiver h2 loss
in_ns h1 msg_send $H2 --time $((MINUTES * 60000)) --size $SIZE >"$WORK/loss.send" 2>&1 &
pid=$!
sleep 5
oldest
first=$HELD
rates=() resent=() spurious=() lost=()
for ((i = 1; i < MINUTES; i++)); do
	read -r was_resent was_lost was_spurious < <(counters retrans_segs lost_segs spurious_segs)
	sent=$(stat h1 tx_segs)
	rate_over 55 $SIZE
	read -r now_resent now_lost now_spurious < <(counters retrans_segs lost_segs spurious_segs)
	sent=$(($(stat h1 tx_segs) - sent))
	rates+=("$RATE")
	resent+=($(((now_resent - was_resent) * 10000 / sent)))
	lost+=($(((now_lost - was_lost) * 10000 / sent)))
	spurious+=($(((now_spurious - was_spurious) * 10000 / sent)))
	bases=$(lapsctl -j -n h1 path show peer $H2 | jq -c '[.[]."base-ns" / 1000 | round]')
	note "minute $i: $RATE Mbit/s; of 10000: ${resent[-1]} sent again, ${lost[-1]} deemed lost," \
		" ${spurious[-1]} in vain; bases $bases us, $(stat h1 timeouts) timeouts"
done
oldest
note "held back by the receiver: $first bytes, later $HELD" "$(lapsctl -n h1 path show)"
wait $pid
result $? 'no error'
stop "$RECEIVER"
result $? 'every message arrives, once and in order'
note "$(cat "$WORK/loss.send")" "$(tail -n 1 "$WORK/loss.recv")"
check_that 'the links are used' "${rates[0]} > 0.9 * 20 * 0.99 * 1436 / 1514"
check_that 'and later as well' "${rates[-1]} > 0.97 * ${rates[0]}"
check_that 'what is lost is sent again' "${resent[-1]} > 70"
# A port that carries little hears of the end of what it had by its timeout, if an answer is lost.
check_that 'and not much else' "${resent[-1]} < 170"
check_that 'the receiver holds back no more than in the beginning' "$first > 0 && $HELD < 1.5 * $first + 20000"
check_that 'no base is longer than the longer link' "$(jq max <<<"$bases") < 3000 + 1211 + 1300"
check_that 'nor shorter than the shorter one' "$(jq min <<<"$bases") > 900"
check 'nothing stays charged' until_true 200 memory_is_free
