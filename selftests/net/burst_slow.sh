#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A burst down eight paths that share one slow link: what left last waits for all that left
# before it, many times as long as any path takes alone. None of them is silent for that.
. "$(dirname "$0")/lib.sh"
plan 12

for MBIT in 20 200; do
	links_up "$MBIT:50"
	receiver h2 burst --count 5
	# A message each fifth of a second: begun with whatever is known of the paths, idle since.
	sender h1 burst $H2 --count 5 --size 100000 --rate 5
	result $? "$MBIT Mbit/s: no error"
	wait "$RECEIVER"
	result $? "$MBIT Mbit/s: every message arrives"
	note "$(tail -n 1 "$WORK/burst.send")"
	timing "$MBIT Mbit/s: no path timed out" "$(stat h1 timeouts) == 0"
	timing "$MBIT Mbit/s: nothing was sent twice" "$(says burst.recv dup_segs) == 0"
	topo_down
done

# Two links, of which one dies as the burst leaves: answers by the other are no reason to wait.
links_up 20:50 20:50
check 'both links carry' transfer h1 h2 $H2 50 10000
link_is 1 loss 100%
receiver h2 half --count 1
sender h1 half $H2 --count 1 --size 200000
result $? 'one link is dead: no error'
wait "$RECEIVER"
result $? 'the message arrives'
note "$(tail -n 1 "$WORK/half.send")"
timing 'it took a little longer than the other link needs alone' \
	"$(says half.send elapsed_ns) < 120e6"
