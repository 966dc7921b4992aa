#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Links that are far slower than the device that leads to them could be, and of unlike length:
# all of them are used, and soon, though nobody has said how fast they are.
. "$(dirname "$0")/lib.sh"
plan $((3 * (2 * 2 + 1) + 1))

SECONDS_SENT=3

# carries LINK: which part of what it could in that time.
carries()
{
	local bytes
	bytes=$(ip -n r1 -s -j link show dev "l$1" | jq '.[0].stats64.tx.bytes')
	awk "BEGIN { printf \"%.2f\", $bytes * 8e-6 / $(link_rate "$1") / $SECONDS_SENT }"
}

# uses PART LINK LINK: each of them carries more than so much of what it could, with ports that
# are drawn, and with ports that are set.
uses()
{
	local part=$1 how one two
	shift
	for how in drawn set; do
		links_up "$@"
		[[ $how == drawn ]] || check "$*: ports are set" set_ports
		receiver h2 all --lossy
		in_ns h1 msg_send $H2 --time ${SECONDS_SENT}000 --size 20000 >"$WORK/all.send"
		result $? "$how ports by $*: every message arrives"
		stop "$RECEIVER"
		note "$(cat "$WORK/all.send")"
		note "$(lapsctl -n h1 path show)"
		one=$(carries 1) two=$(carries 2)
		note "$how ports by $*: $one and $two"
		timing "$how ports by $*: both are used" "$one > $part && $two > $part"
		topo_down
	done
}

# How soon is a matter of where the first ports fall: by seven seeds at least 0.96, 0.99 and 0.74.
uses 0.7 20:1000 20:20000
uses 0.7 20:20000 20:20000
uses 0.6 50:100 200:10000
check 'nothing stays charged' memory_is_free
