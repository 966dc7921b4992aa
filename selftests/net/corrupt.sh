#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Bits are turned in every twentieth packet: the UDP checksum must find them all,
# and what it drops is sent again.
. "$(dirname "$0")/lib.sh"
plan 5
links_up 1000:50 1000:50 300:100 100:20
links_are corrupt 5%

bad_checksums()
{
	# shellcheck disable=SC2016
	in_ns h2 awk '/^Udp: [0-9]/ { n = $8 } /^Udp6InCsumErrors/ { m = $2 } END { print n + m }' \
		/proc/net/snmp /proc/net/snmp6
}

check 'small messages, IPv4' transfer h1 h2 $H2 2000 24-4000
check 'small messages, IPv6' transfer h1 h2 $H2_6 2000 24-4000
check 'large messages' transfer h1 h2 $H2 20 300k
check_that 'something was sent again' "$(says transfer.send retrans) > 0"
check_that 'the checksum found some' "$(bad_checksums) > $(some 20)"
