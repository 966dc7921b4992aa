#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Whoever plans a path does not know all that is on it: one whose base delay was set to
# less than it ever takes, or to more, carries what the link does all the same.
. "$(dirname "$0")/lib.sh"
plan 8
links_up 1000:500
ns_sysctl h1 net.lapsmp.auto_paths=1

# carries: 20 MB, which the link takes 0.17 s for.
carries()
{
	receiver h2 base --count 2000
	sender h1 base $H2 --count 2000 --size 10000
	result $? "$1: no error"
	wait "$RECEIVER"
	result $? "$1: every message arrives"
	note "$(tail -n 1 "$WORK/base.recv")"
	timing "$1: as fast as the link" "$(says base.recv elapsed_ns) < 0.2e9"
}

check 'a path is made' transfer h1 h2 $H2 10 1000
ID=$(lapsctl -j -n h1 path show peer $H2 | jq '.[0].id')
check 'its base is set' lapsctl -n h1 path change peer $H2 id "$ID" base 1us
carries 'far less'
lapsctl -n h1 path change peer $H2 id "$ID" base 2ms
carries 'more'
