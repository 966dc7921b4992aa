#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# With the fixed controller the rate on the wire is the rate that was asked for.
. "$(dirname "$0")/lib.sh"
plan 6
links_up 1000:50 1000:50

# tx_bytes: all that h1 ever sent.
tx_bytes()
{
	local name n
	while read -r name _ _ _ _ _ _ _ _ n _; do
		[[ $name != e0: ]] || echo "$n"
	done < <(in_ns h1 cat /proc/net/dev)
}

# wire_rate MBIT: all bits of whole frames that h1 sends in half a second, in Mbit/s.
wire_rate()
{
	local before after sender
	ns_sysctl h1 net.lapsmp.fixed_rate_mbit="$1"
	receiver h2 rate --lossy
	in_ns h1 msg_send $H2 --cc fixed --time 1200 --size 20000 >"$WORK/rate.send" 2>&1 &
	sender=$!
	sleep 0.5
	before=$(tx_bytes)
	sleep 0.5
	after=$(tx_bytes)
	RATE=$(awk "BEGIN { print ($after - $before) * 16 / 1e6 }")
	note "asked for $1, on the wire $RATE Mbit/s"
	wait $sender
	stop "$RECEIVER"
	result $? "$1 Mbit/s: every message arrives"
}

for mbit in 10 100 "$(some 1000)"; do
	wire_rate "$mbit"
	timing "$mbit Mbit/s on the wire" "$RATE > 0.97 * $mbit && $RATE < 1.03 * $mbit"
done
