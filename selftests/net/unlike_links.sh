#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Links that are far slower than the device that leads to them could be, and of unlike length:
# all of them are used, and soon, though nobody has said how fast they are.
. "$(dirname "$0")/lib.sh"
plan $((3 * (2 * 3 + 1) + 1))

# carries LINK: which part of what it could in the time that it took.
carries()
{
	local bytes
	bytes=$(ip -n r1 -s -j link show dev "l$1" | jq '.[0].stats64.tx.bytes')
	awk "BEGIN { printf \"%.2f\", $bytes * 8e3 / $(link_rate "$1") / $(says all.send elapsed_ns) }"
}

# uses MBIT PART LINK LINK: so much arrives of what is sent in three seconds, in that and as long
# as it takes, and each link carries more than that part of what it could; with ports that are
# drawn, and with ports that are set.
uses()
{
	local mbit=$1 part=$2 how one two
	shift 2
	for how in drawn set; do
		links_up "$@"
		[[ $how == drawn ]] || check "$*: ports are set" set_ports
		receiver h2 all --lossy
		in_ns h1 msg_send $H2 --time 3000 --size 20000 >"$WORK/all.send"
		result $? "$how ports by $*: every message arrives"
		stop "$RECEIVER"
		note "$(cat "$WORK/all.send")"
		note "$(lapsctl -n h1 path show)"
		one=$(carries 1) two=$(carries 2)
		note "$how ports by $*: $one and $two"
		timing "$how ports by $*: so much arrives" \
			"$(says all.send bytes) * 8e3 / $(says all.send elapsed_ns) > $mbit"
		timing "$how ports by $*: both are used" "$one > $part && $two > $part"
		topo_down
	done
}

# Of 40 Mbit/s, 40 and 250; one link alone has 20, 20 and 200. How soon is a matter of where the
# first ports fall: by thirteen seeds at least 31, 29 and, but for one of 136, 169.
uses 28 0.7 20:1000 20:20000
uses 28 0.7 20:20000 20:20000
uses 150 0.6 50:100 200:10000
check 'nothing stays charged' memory_is_free
