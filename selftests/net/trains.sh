#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Where the device takes them, segments of one path leave as one packet that is
# cut later: at the receiver, on the way, or just before a device that wants none.
. "$(dirname "$0")/lib.sh"
COUNT=50
! virtual || COUNT=200
plan 12

# packets NS DEV: sent so far, as the device counts them.
packets() { ip -n "$1" -s -j link show "$2" | jq '.[0].stats64.tx.packets'; }

# Simulated time is exact: a timer serves one packet, an acknowledgment of what was sent
# this instant asks for another, and there would be no trains but by chance. At a rate that
# nothing has, and over a wire that takes time, what the window allows leaves at once.
AT_ONCE=()
at_once()
{
	virtual || return 0
	AT_ONCE=(--cc fixed)
	ns_sysctl "$1" net.lapsmp.fixed_rate_mbit=1000000
}

# fewer NAME LIMIT: it depends on what comes at one time.
fewer() { timing "$1: several segments in a packet" "$PACKETS < $2"; }

# sends NAME FROM TO ADDRESS: large messages; PACKETS is what each segment took.
sends()
{
	local before
	before=$(packets "$2" e0)
	check "$1: every message arrives" transfer "$2" "$3" "$4" $COUNT 1000-300k "${AT_ONCE[@]}"
	PACKETS=$(awk "BEGIN { print ($(packets "$2" e0) - $before) / $(says transfer.send segs) }")
	note "$1: $PACKETS packets for each segment"
}

pair_up
ns_sysctl a net.lapsmp.auto_paths=1
at_once a
for ns in a b; do
	! virtual || tc -n $ns qdisc add dev e0 root netem delay 20us limit 10000
done
for family in 4 6; do
	addr=B$family
	sends "IPv$family, uncut" a b "${!addr}"
	fewer "IPv$family" 0.7
done
offloads a off e0
sends 'a device that takes none' a b $B4
check_that 'a device that takes none: one packet each' "$PACKETS >= 1"

# The sender's device takes them, the router's cuts them.
links_up 100000:20 100000:50
offloads h1 on e0
ns_sysctl h1 net.lapsmp.auto_paths=2
at_once h1
sends 'cut on the way' h1 h2 $H2
fewer 'cut on the way' 0.95
links_are loss 5% corrupt 1%
check 'cut on the way, some lost, IPv4' transfer h1 h2 $H2 20 300k
check 'cut on the way, some lost, IPv6' transfer h1 h2 $H2_6 20 300k
links_heal
# What does not fit any more is cut, or refused and found out.
for i in 1 2; do
	ip -n r1 link set l$i mtu 1300
done
check 'a smaller MTU behind the cut' transfer h1 h2 $H2 20 300k
check 'nothing stays charged' until_true 10 memory_is_free
