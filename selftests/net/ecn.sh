#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A router marks packets instead of dropping them, those that may be marked: the receiver
# counts the marks of each path and its acknowledgments tell the sender.
. "$(dirname "$0")/lib.sh"
plan 8
links_up 1000:20 1000:20

# counters: RX_CE of the receiver, ACKS of the sender.
counters()
{
	RX_CE=$(stat h2 rx_ce_segs) ACKS=$(stat h1 ce_acks)
	note "marked segments: $RX_CE, acknowledgments that told of them: $ACKS"
}

check 'no marks' transfer h1 h2 $H2 100 10000
counters
check_that 'no marks: none are counted' "$RX_CE == 0 && $ACKS == 0"
in_ns r1 nft 'add table inet m; add chain inet m f { type filter hook forward priority 0; };
	add rule inet m f oifname "l1" udp dport 4795 ip ecn ect0 ip ecn set ce;
	add rule inet m f oifname "l1" udp dport 4795 ip6 ecn ect0 ip6 ecn set ce'
for addr in "$H2" "$H2_6"; do
	old=$RX_CE acks=$ACKS
	check "$addr: one link marks" transfer h1 h2 "$addr" 100 10000
	counters
	check_that "$addr: the receiver counts them" "$RX_CE > $old + $(some 100)"
	check_that "$addr: the sender hears of them" "$ACKS > $acks && $ACKS - $acks <= $RX_CE - $old"
done
