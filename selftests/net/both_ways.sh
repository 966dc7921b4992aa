#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# Two hosts send to each other over one link, whose acknowledgments stand behind the data: queues
# stay short, and are no drift of the clocks, and no longer way.
. "$(dirname "$0")/lib.sh"
plan 12
SIZE=20000 FLOWS=4
links_up 10:1000

# load FROM ADDRESS TO: flows that do not end.
load()
{
	local i
	receiver "$3" "$1" --lossy
	P+=("$RECEIVER")
	for ((i = 0; i < FLOWS; i++)); do
		in_ns "$1" msg_send "$2" --stream $i --time 400000 --size $SIZE \
			--sndbuf 200000 --no-drain >"$WORK/$1.$i.send" 2>&1 &
		P+=($!)
	done
}

# of_peer NAMESPACE KEY: of what it knows of the other host.
of_peer() { lapsctl -j -n "$1" peer show | jq ".[0].\"$2\""; }

# drops ROUTER: of its link.
drops() { tc -n "$1" -s -j qdisc show dev l1 | jq '.[0].drops'; }

P=()
load h1 $H2 h2
load h2 $H1 h1
sleep 10
# Who begins may lose some.
declare -A BEFORE=([r1]=$(drops r1) [r2]=$(drops r2))
longest_over 10
note "packets in the queue: $LONGEST"
check_that 'the queue is short' "$LONGEST > 0 && $LONGEST < 100"
before=$(stat h1 rx_messages)
rate_over 10 $SIZE
back=$(awk "BEGIN { print ($(stat h1 rx_messages) - $before) * $SIZE * 8 / 1e6 / 10 }")
note "$RATE Mbit/s there, $back back"
check_that 'the way there is full' "$RATE > 7.5"
check_that 'the way back is full' "$back > 7.5"
for r in r1 r2; do
	check_that "$r: nothing was dropped" "$(drops $r) == ${BEFORE[$r]}"
done
for ns in h1 h2; do
	note "$ns: drift $(of_peer $ns skew-ppb) ppb, offset $(of_peer $ns offset-ns) ns"
	check_that "$ns: no clock drifts" \
		"$(of_peer $ns skew-ppb) >= -20000 && $(of_peer $ns skew-ppb) <= 20000"
	check_that "$ns: nor is it set" \
		"$(of_peer $ns offset-ns) >= -1000000 && $(of_peer $ns offset-ns) <= 1000000"
	check_that "$ns: the paths ran empty" "$(stat $ns drains) > $(stat $ns drains_failed)"
done
for pid in "${P[@]}"; do
	murder "$pid"
done
check 'nothing stays charged' until_true 200 memory_is_free
