#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Acknowledgments wait for what is just behind on their path, where packets are dense, and
# for nothing where they are not, where one is missing, or if they must not. One answer is
# for all ports. Receivers go while some wait.
. "$(dirname "$0")/lib.sh"
plan 18
# A packet each 1.2 us, of one path: in simulated time each comes alone.
links_up 10000:5
ns_sysctl h1 net.lapsmp.auto_paths=1

# counted NAME COUNT SIZE [ARG...]: SEGS that h2 received, ACKS that it sent.
counted()
{
	local name=$1 segs acks
	shift
	segs=$(stat h2 rx_segs) acks=$(stat h2 tx_acks)
	check "$name" transfer h1 h2 "$H2" "$@"
	SEGS=$(($(stat h2 rx_segs) - segs)) ACKS=$(($(stat h2 tx_acks) - acks))
	note "$SEGS segments, $ACKS acknowledgments"
}

ns_sysctl h2 net.lapsmp.ack_wait_ns=0
counted 'without waiting' 100 100000
timing 'each packet is answered' "$ACKS >= $SEGS * 0.95"
ns_sysctl h2 net.lapsmp.ack_wait_ns=3000
counted 'with it' 100 100000
timing 'three packets have one answer' "$ACKS <= $SEGS * 0.45 && $ACKS >= $SEGS / 16"
counted 'thin traffic' 100 1000 --rate 1000
timing 'each packet is answered at once' "$ACKS >= $SEGS"
links_are loss 1%
counted 'with losses' 100 100000
check_that 'what is missing is told' "$(stat h1 retrans_segs) > 0"
timing 'and timeouts are few' "$(stat h1 timeouts) <= $(stat h1 lost_segs) / 4"
links_heal
# Of one port a packet comes each 9.6 us, of all of them each 1.2.
ns_sysctl h1 net.lapsmp.auto_paths=8
ns_sysctl h2 net.lapsmp.ack_wait_ns=9000
counted 'over eight ports' 100 100000
timing 'three packets have one answer, whatever their ports' "$ACKS <= $SEGS * 0.45"
links_are loss 1%
counted 'and with losses' 100 100000
check_that 'what is missing is told' "$(stat h1 retrans_segs) > 0"
timing 'and timeouts are few' "$(stat h1 timeouts) <= $(stat h1 lost_segs) / 4"
links_heal
ns_sysctl h1 net.lapsmp.auto_paths=1
check 'not for ever' bash -c \
	"! ip netns exec h2 sysctl -q -w net.lapsmp.ack_wait_ns=100001 2>/dev/null"

# As long as it may, so that some wait at any time; the receiver is killed in the middle.
ns_sysctl h2 net.lapsmp.ack_wait_ns=100000
killed()
{
	local i
	for i in 1 2 3 4 5; do
		receiver h2 "killed$i" --count 1000000
		sender h1 "killed$i" "$H2" --count 1000000 --size 50000 --no-drain &
		amid h1 0.01$i
		murder "$RECEIVER"
		wait $!
		[[ $(says "killed$i.send" error) == ECONNRESET ]] || return 1
	done
}
check 'receivers go while acknowledgments wait' killed
ns_sysctl h2 net.lapsmp.ack_wait_ns=3000
check 'the next one has all' transfer h1 h2 "$H2" 100 10000
check 'nothing stays charged' until_true 10 memory_is_free
