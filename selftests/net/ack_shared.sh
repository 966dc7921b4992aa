#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One acknowledgment tells of several ports, and goes back by the way of one of them. Round trips
# are measured by it, so the ports of a short link and those of a long one have none together.
. "$(dirname "$0")/lib.sh"
plan 8
links_up 10000:5 10000:50
ns_sysctl h1 net.lapsmp.auto_paths=0
# So that those of one link wait for each other: over its four ports a packet comes each 1.2 us.
ns_sysctl h2 net.lapsmp.ack_wait_ns=9000

# four_ports: by each link, there and back. Their ids are 11 to 14 and 21 to 24.
four_ports()
{
	local n link

	for n in 1 2 3 4; do
		sports_find $((50000 + 100 * n)) || return
		for link in 1 2; do
			lapsctl -n h1 path add peer $H2 sport "${SPORT[link]}" id $link$n || return
		done
	done
}

# rtts LINK KEY FUNCTION: of its ports, in us.
rtts()
{
	lapsctl -j -n h1 path show peer $H2 |
		jq "[.[] | select(.id / 10 | floor == $1).\"$2\"] | $3 / 1000 | floor"
}

check 'four ports by each link' four_ports
check 'all are heard' transfer h1 h2 $H2 100 100000
segs=$(stat h2 rx_segs) also=$(stat h2 also_acks)
check 'and used' transfer h1 h2 $H2 200 100000
note "$(lapsctl -n h1 path show)"
segs=$(($(stat h2 rx_segs) - segs)) also=$(($(stat h2 also_acks) - also))
timing "one answer tells of several: $also of $segs" "$also * 5 >= $segs"
timing 'by the short link there and back' "$(rtts 1 srtt-ns max) < 80"
timing 'by the long one there and back, never by the short one' "$(rtts 2 min-rtt-ns min) >= 100"
check_that 'nobody waits' "$(stat h1 timeouts) == 0"
check 'nothing stays charged' until_true 10 memory_is_free
