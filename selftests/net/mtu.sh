#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every MTU from 1280 to 9000, and a path whose MTU shrinks in mid-flight: at the
# sender's own device, at a router that says so, and at one that does not.
. "$(dirname "$0")/lib.sh"
plan 18

for PAIR_MTU in 1280 1500 4000 9000; do
	pair_up
	check "MTU $PAIR_MTU, IPv4" transfer a b $B4 100 24-40000
	check "MTU $PAIR_MTU, IPv6" transfer a b $B6 100 24-40000
	# A tenth more segments than full ones: messages have ends. What a machine
	# that cannot keep up sends twice tells nothing.
	check_that "MTU $PAIR_MTU is used" \
		"$(says transfer.send segs) - $(says transfer.send retrans) < $(some 100) + 1.1 * $(says transfer.send bytes) / ($PAIR_MTU - 84)"
	ip netns delete a
	ip netns delete b
done

# shrinks NAME ADDRESS COMMAND: in mid-flight.
shrinks()
{
	local name=$1 addr=$2
	shift 2
	NAME=$name
	receiver h2 "$name" --count 250
	{ amid h1 0.01; "$@"; } &
	# shellcheck disable=SC2046
	sender h1 "$name" "$addr" --count 250 --size 10000 $(pace 250)
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(cat "$WORK/$name.send")" "$(tail -n 1 "$WORK/$name.recv")"
}

own_device() { ip -n h1 link set e0 mtu 1400; }

# set_links MTU
set_links()
{
	local ns i
	for ns in r1 r2; do
		for i in 1 2; do
			ip -n $ns link set l$i mtu "$1"
		done
	done
}

silent_router()
{
	in_ns r1 nft 'add table inet f; add chain inet f o { type filter hook output priority 0; };
		add rule inet f o icmp type destination-unreachable drop;
		add rule inet f o icmpv6 type packet-too-big drop'
	set_links 1300
}

# Hosts that know nothing yet of these paths.
links_up 500:50 500:50
shrinks 'the own device' $H2 own_device
topo_down
links_up 500:50 500:50
shrinks 'a router that says so, IPv4' $H2 set_links 1300
timing 'it was believed at once' "$(says "$NAME.recv" max_gap_ns) < 50e6"
topo_down
links_up 500:50 500:50
shrinks 'a router that says so, IPv6' $H2_6 set_links 1300
topo_down
links_up 500:50 500:50
shrinks 'a router that says nothing' $H2 silent_router
check 'and from the beginning' transfer h1 h2 $H2 200 10000
