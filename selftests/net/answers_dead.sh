#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One acknowledgment tells of several ports, and goes back by the way of one of them. Of eight
# ports that one link has, one's answers vanish behind it and its data does not: that it is
# acknowledged beside others does not keep it up, since what it leads is lost with it. When its
# answers come again it is used again.
. "$(dirname "$0")/lib.sh"
plan 13
links_up 10000:5
# A drawn one that is dead is drawn anew, and was never seen again.
set_ports 8 >/dev/null
# So that packets wait for each other: over all ports one comes each 1.2 us, for 3 us.
ns_sysctl h2 net.lapsmp.ack_wait_ns=9000

state() { lapsctl -j -n h1 path show peer $H2 | jq -r ".[] | select(.sport == $port).state"; }
is() { [[ $(state) == "$1" ]]; }

check 'all are heard' transfer h1 h2 $H2 40 100000
segs=$(stat h2 rx_segs) acks=$(stat h2 tx_acks)
check 'and used' transfer h1 h2 $H2 40 100000
timing 'one answer tells of several' \
	"$(($(stat h2 tx_acks) - acks)) * 2 <= $(($(stat h2 rx_segs) - segs))"
port=$(lapsctl -j -n h1 path show peer $H2 | jq '[.[] | select(.state == "up")][0].sport')
check_that 'one of them is up' "${port:-0} > 0"
printf '%s\n' 'add table inet d' 'add chain inet d f { type filter hook forward priority 0; }' \
	"add rule inet d f udp dport $port counter drop" | in_ns r1 nft -f -

receiver h2 vain --lossy
sender h1 vain $H2 --count 4 --size 20000000
result $? 'its answers vanish, and messages arrive'
murder "$RECEIVER"
vanished=$(in_ns r1 nft list table inet d | sed -n 's/.*packets \([0-9]*\).*/\1/p')
note "$vanished vanished"
check_that 'some of them did' "$vanished > 0"
timing 'and not all that it would have led' "$vanished < 150"
timing 'it is down' "$(is down && echo 1 || echo 0)"
before=$(stat h1 timeouts)
check 'without it' transfer h1 h2 $H2 40 100000
timing 'nobody waits' "$(stat h1 timeouts) <= $before + 2"

in_ns r1 nft flush chain inet d f
# It is asked by who has something under way, once a second at last.
alive()
{
	local ok

	receiver h2 again --lossy
	sender h1 again $H2 --time 500 --size 10000
	ok=$?
	murder "$RECEIVER"
	((ok == 0)) && is up
}
check 'its answers come again, and it is up' until_true 60 alive
check 'all goes on' transfer h1 h2 $H2 40 100000
check 'nothing stays charged' until_true 10 memory_is_free
