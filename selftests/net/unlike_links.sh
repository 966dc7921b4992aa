#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Links that are far slower than the device that leads to them could be, and of unlike length:
# all of them are used, and soon, though nobody has said how fast they are.
. "$(dirname "$0")/lib.sh"
plan $((3 * (2 * 2 + 1) + 1))

# uses MBIT LINK...: what arrives of what is sent in three seconds, in that and as long as
# it takes; with ports that are drawn, and with ports that are set.
uses()
{
	local mbit=$1 how
	shift
	for how in drawn set; do
		links_up "$@"
		[[ $how == drawn ]] || check "$*: ports are set" set_ports
		receiver h2 all --lossy
		in_ns h1 msg_send $H2 --time 3000 --size 20000 >"$WORK/all.send"
		result $? "$how ports by $*: every message arrives"
		stop "$RECEIVER"
		note "$(cat "$WORK/all.send")"
		note "$(lapsctl -n h1 path show)"
		timing "$how ports by $*: all of them are used" \
			"$(says all.send bytes) * 8e3 / $(says all.send elapsed_ns) > $mbit"
		topo_down
	done
}

# Of 40 Mbit/s, 40 and 250; one link alone has 20, 20 and 200. When slow start ends is a matter
# of where the first ports fall: by seven seeds the first has 32 to 35.
uses 26 20:1000 20:20000
uses 24 20:20000 20:20000
uses 150 50:100 200:10000
check 'nothing stays charged' memory_is_free
