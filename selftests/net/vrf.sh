#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Hosts whose only wire is in a VRF, with addresses that they have outside of it,
# too: a socket of the VRF uses its routes and its addresses, and no other does.
. "$(dirname "$0")/lib.sh"
plan 14
pair_up

# into_vrf NS NUMBER: the wire of a host moves there, and loses its IPv6 address.
into_vrf()
{
	ns_sysctl "$1" net.ipv4.udp_l3mdev_accept=1
	printf '%s\n' 'link add blue type vrf table 10' 'link set blue up' 'link set e0 master blue' \
		"addr replace 2001:db8::$2/64 dev e0 nodad" | ip -n "$1" -batch -
}
into_vrf a 1
into_vrf b 2
DEVICE=(--device blue)

# blue NAME FROM TO ADDRESS [SENDER_ARG...]: messages within the VRF.
blue()
{
	local from=$2 to=$3 addr=$4 name=$1
	shift 4
	receiver "$to" blue "${DEVICE[@]}" --count 300
	sender "$from" blue "$addr" --device blue --count 300 --size 24-5000 "$@"
	result $? "$name: no error"
	note "$(cat "$WORK/blue.send")"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
}

blue IPv4 a b $B4
blue IPv6 a b $B6
blue 'the other way, connected' b a $A4 --connect
blue 'from an address' a b $B4 --bind $A4
DEVICE=(--device e0)
blue 'to a socket of the device' a b $B4
DEVICE=()
blue 'to a socket of no device' a b $B4

receiver b plain --lossy --count 1 --wait 3000
sender a plain $B4 --count 1
check 'outside of the VRF there is no route' test "$(says plain.send error)" = ENETUNREACH
stop "$RECEIVER"
check 'nothing stays charged' until_true 10 memory_is_free
