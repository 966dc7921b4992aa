#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Where nothing was heard yet. What is sent by a drawn port that never answered is missed after
# ten round trips of the others; by one whose base is configured after ten of as long as that is,
# which may be less than 3 ms, or more. And of flows that begin at once, in classes of short
# messages, a few begin as if they were alone, and not all.
. "$(dirname "$0")/lib.sh"
plan 22

# in_vain WHOSE MS: one of h1's ports, of which one was heard, leads to r1 and no further. A
# message of a millisecond by all of them is there within MS all the same.
in_vain()
{
	local dead

	check "one port $1 is heard" transfer h1 h2 $H2 1 100
	dead=$(lapsctl -j -n h1 path show peer $H2 |
		jq '[.[] | select(."srtt-ns" == 0 and .probes == 0)][0].sport')
	check_that 'others are not' "${dead:-0} > 0"
	printf '%s\n' 'add table inet d' 'add chain inet d f { type filter hook forward priority 0; }' \
		"add rule inet d f udp sport $dead counter drop" | in_ns r1 nft -f -
	check 'a message by all of them arrives' transfer h1 h2 $H2 1 100000
	note "$(cat "$WORK/transfer.send")"
	check_that 'one of them was used in vain' \
		"$(in_ns r1 nft list table inet d | sed -n 's/.*packets \([0-9]*\).*/\1/p') > 0"
	timing 'and that was noticed at once' "$(says transfer.send elapsed_ns) < ${2}e6"
}

# Eight are drawn.
links_up 1000:5
in_vain 'that is drawn' 2.5
topo_down

# Of six a base is configured.
links_up 1000:5
ns_sysctl h1 net.lapsmp.auto_paths=0
for ((port = 50001; port <= 50006; port++)); do
	lapsctl -n h1 path add peer $H2 sport $port base 20us rate 1gbit cost 4 >/dev/null
done
in_vain 'of a known base' 2.8
topo_down

# One that is known to be long is waited for.
links_up 200:5 200:20000
sports_find 50000
ns_sysctl h1 net.lapsmp.auto_paths=0
lapsctl -n h1 path add peer $H2 sport "${SPORT[1]}" base 20us rate 200mbit >/dev/null
check 'the short one is heard' transfer h1 h2 $H2 1 100
lapsctl -n h1 path add peer $H2 sport "${SPORT[2]}" id 9 base 20ms rate 200mbit >/dev/null
long_one() { lapsctl -j -n h1 path show peer $H2 | jq ".[] | select(.id == 9).\"$1\""; }
receiver h2 both --lossy
sender h1 both $H2 --time 150 --size 100000
result $? 'messages by both arrive'
murder "$RECEIVER"
check_that 'the long one is heard' "$(long_one srtt-ns) > 0"
timing 'and was not missed' "$(long_one timeouts) == 0"
topo_down

# Twelve messages of 90 segments at once, before a queue of 400 packets that is as fast as the host.
# Alone, each would begin with 32.
links_up 10000:20
tc -n r1 qdisc change dev l1 root netem limit 400 rate 10gbit delay 20us
# Four classes; and acknowledgments are in the first.
in_ns h1 sysctl -q -w net.lapsmp.express_tos='192 104 72 40' net.lapsmp.ack_tos=192
check 'the peer is known' transfer h1 h2 $H2 20 100000

# at_once NAME PORT MESSAGES OPTION...: twelve, each of which has as many messages.
at_once()
{
	local name=$1 port=$2 n=$3 pid i bad=0 before lost receivers=() senders=()
	shift 3
	before=$(stat h1 express_messages) lost=$(stat h1 express_lost_segs)
	for ((i = 0; i < 12; i++)); do
		receiver h2 "$name-$i" --count "$n" --port $((port + i))
		receivers+=("$RECEIVER")
	done
	for ((i = 0; i < 12; i++)); do
		sender h1 "$name-$i" $H2 --count "$n" --port $((port + i)) "$@" &
		senders+=($!)
	done
	for pid in "${senders[@]}" "${receivers[@]}"; do
		wait "$pid" || bad=1
	done
	result $bad "twelve at once, $name: every message arrives"
	note "$(stat h1 express_lost_segs) lost of $(stat h1 tx_segs) segments"
	timing "$name: they passed" "$(stat h1 express_messages) == $before + 12 * $n"
	timing "$name: nothing was lost" "$(stat h1 express_lost_segs) == $lost"
}

at_once 'one message' 100 1 --size 129000
# The body is queued before the head is answered.
at_once 'head and body' 200 2 --head 1000 --size 120000
check 'nothing stays charged' until_true 10 memory_is_free
