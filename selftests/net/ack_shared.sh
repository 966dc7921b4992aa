#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One acknowledgment tells of several ports, and goes back by the way of one of them. Round trips
# are measured by it, so the ports of a short link and those of a long one have none together.
. "$(dirname "$0")/lib.sh"
plan 9
links_up 10000:5 10000:50
ns_sysctl h1 net.lapsmp.auto_paths=0
# So that those of one link wait for each other: over its four ports a packet comes each 1.2 us.
ns_sysctl h2 net.lapsmp.ack_wait_ns=9000

# ports_by LINK: four source ports that take it, there and back. Their ids are LINK1 to LINK4.
ports_by()
{
	local port n=0

	for ((port = 50000; n < 4 && port < 50100; port++)); do
		ip -n r1 route get $H2 from $H1 iif e0 ipproto 17 sport $port dport 4795 |
			grep -q "dev l$1 " || continue
		ip -n r2 route get $H1 from $H2 iif e0 ipproto 17 sport 4795 dport $port |
			grep -q "dev l$1 " || continue
		n=$((n + 1))
		lapsctl -n h1 path add peer $H2 sport $port id "$1$n" >/dev/null || return
	done
	((n == 4))
}

# rtts LINK KEY FUNCTION: of its ports, in us.
rtts()
{
	lapsctl -j -n h1 path show peer $H2 |
		jq "[.[] | select(.id / 10 | floor == $1).\"$2\"] | $3 / 1000 | floor"
}

check 'four ports by the short link' ports_by 1
check 'four ports by the long one' ports_by 2
check 'all are heard' transfer h1 h2 $H2 100 100000
segs=$(stat h2 rx_segs) acks=$(stat h2 tx_acks)
check 'and used' transfer h1 h2 $H2 200 100000
note "$(lapsctl -n h1 path show)"
timing 'one answer tells of several' \
	"$(($(stat h2 tx_acks) - acks)) * 2 <= $(($(stat h2 rx_segs) - segs))"
timing 'by the short link there and back' "$(rtts 1 srtt-ns max) < 80"
timing 'by the long one there and back, never by the short one' "$(rtts 2 min-rtt-ns min) >= 100"
check_that 'nobody waits' "$(stat h1 timeouts) == 0"
check 'nothing stays charged' until_true 10 memory_is_free
