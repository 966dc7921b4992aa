#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Drawn ports that take ways of unequal length and rate: all of them are used from the
# beginning, though the shortest one's length is believed of all at first.
. "$(dirname "$0")/lib.sh"
plan 4
links_up 1000:50 1000:500 300:1000
# What a kernel that checks itself manages of that, in the time that it takes for it.
case ${LAPSMP_KERNEL:-} in *-debug) MBIT=20 ;; *) MBIT=2300 ;; esac
# With these they take all three, over IPv4 and over IPv6.
ns_sysctl h1 net.lapsmp.seed=11
ns_sysctl h2 net.lapsmp.seed=12

# uses NAME ADDRESS: 85 % of what the links carry, in the time for which that is believed.
uses()
{
	receiver h2 all --lossy
	in_ns h1 msg_send "$2" --time 400 --size 60000 >"$WORK/all.send"
	result $? "$1: every message arrives"
	stop "$RECEIVER"
	note "$(cat "$WORK/all.send")"
	note "$(lapsctl -n h1 path show)"
	timing "$1: all links are used" "$(says all.send bytes) * 8 / 400e3 > 0.85 * $MBIT * 1436 / 1514"
}

uses IPv4 $H2
uses IPv6 $H2_6
