#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# Paths by SRv6 segments over three routers: from r1 to r2 there is a fast link, and a
# slow way by r3. The routers' own counters say which way packets and answers took.
# Then the routers want every list of segments to be signed. And IPv4, taken out into
# a VRF.
#
#	h1 --- r1 =========== r2 --- h2
#	         \--- r3 ---/
. "$(dirname "$0")/lib.sh"
plan 39
H1=fd00:1::1 H2=fd00:2::1
NODE1=fc00:a::1 NODE2=fc00:b::1 NODE3=fc00:c::1
FAST=$NODE1,$NODE2 SLOW=$NODE1,$NODE3,$NODE2

# link NS DEV ADDRESS NS DEV ADDRESS: a wire between them.
link()
{
	ip link add "$2" netns "$1" type veth peer name "$5" netns "$4"
	ip -n "$1" -batch - <<<"link set $2 up
		addr add $3/64 dev $2 nodad"
	ip -n "$4" -batch - <<<"link set $5 up
		addr add $6/64 dev $5 nodad"
}

shape()
{
	local ns=$1 dev=$2
	# shellcheck disable=SC2046
	tc -n "$ns" qdisc replace dev "$dev" root $(netem_args "$3" "$4") "${@:5}"
}

# slow NETEM_ARG...: what both ends of r3's second link do, too.
slow()
{
	shape r3 to2 50 500 "$@"
	shape r2 side 50 500 "$@"
}

routers_up()
{
	local ns dev
	for ns in h1 r1 r2 r3 h2; do
		echo "netns add $ns"
	done | ip -batch -
	for ns in h1 r1 r2 r3 h2; do
		ns_sysctl $ns net.ipv6.conf.all.seg6_enabled=1 net.ipv6.conf.default.seg6_enabled=1 \
			net.ipv6.conf.default.accept_dad=0
		[[ $ns == h* ]] || ns_sysctl $ns net.ipv6.conf.all.forwarding=1 net.ipv4.ip_forward=1
		ip -n $ns link set lo up
	done
	link h1 e0 $H1 r1 e0 fd00:1::2
	link r1 fast fd00:12::1 r2 fast fd00:12::2
	link r1 side fd00:13::1 r3 to1 fd00:13::3
	link r3 to2 fd00:32::3 r2 side fd00:32::2
	link r2 e0 fd00:2::2 h2 e0 $H2
	shape r1 fast 200 100
	shape r2 fast 200 100
	slow
	for dev in h1:e0 r1:e0 r1:fast r1:side r3:to1 r3:to2 r2:fast r2:side r2:e0 h2:e0; do
		offloads "${dev%:*}" off "${dev#*:}"
	done
	ip -n h1 route add default via fd00:1::2
	ip -n h2 route add default via fd00:2::2
	node r1 $NODE1 "$NODE2 fd00:12::2" "$NODE3 fd00:13::3" "fd00:2::/64 fd00:12::2"
	node r2 $NODE2 "$NODE1 fd00:12::1" "$NODE3 fd00:32::3" "fd00:1::/64 fd00:12::1"
	node r3 $NODE3 "$NODE1 fd00:13::1" "$NODE2 fd00:32::2"
}

# node NS SID "WHERE VIA"...
node()
{
	local ns=$1 route
	ip -n "$ns" -6 route add "$2" encap seg6local action End dev "$(first_device "$ns")"
	shift 2
	for route; do
		ip -n "$ns" -6 route add "${route% *}" via "${route#* }"
	done
}
first_device() { case $1 in r3) echo to1 ;; *) echo e0 ;; esac; }

path() { lapsctl -n h1 path "$1" peer "$PEER" "${@:2}"; }
paths() { lapsctl -j -n h1 path show peer "$PEER"; }
state_is() { [[ $(paths | jq -r ".[] | select(.id == $1).state") == "$2" ]]; }
use_until() { transfer h1 h2 "$PEER" 50 20000 --sched spray && state_is "$1" "$2"; }
refused() { ! "${@:2}" 2>"$WORK/refused"; cat "$WORK/refused"; has "$1" "$WORK/refused"; }

bytes() { ip -n "$1" -s -j link show "$2" | jq '.[0].stats64.tx.bytes'; }

# took [ARG...]: a transfer, and what it was to the links: DIRECT and ROUND of what r1
# sent to r2 and r3, and BACK_DIRECT, BACK_ROUND of what r2 did.
took()
{
	local at ns dev was=() now=()
	for at in 'r1 fast' 'r1 side' 'r2 fast' 'r2 side'; do
		read -r ns dev <<<"$at"
		was+=("$(bytes "$ns" "$dev")")
	done
	transfer h1 h2 "$PEER" 100 20000 "$@" || return
	for at in 'r1 fast' 'r1 side' 'r2 fast' 'r2 side'; do
		read -r ns dev <<<"$at"
		now+=("$(bytes "$ns" "$dev")")
	done
	DIRECT=$((now[0] - was[0])) ROUND=$((now[1] - was[1]))
	BACK_DIRECT=$((now[2] - was[2])) BACK_ROUND=$((now[3] - was[3]))
	echo "there: $DIRECT and $ROUND bytes, back: $BACK_DIRECT and $BACK_ROUND"
}

direct_only() { took && ((DIRECT > 30 * ROUND && BACK_DIRECT > 30 * BACK_ROUND)); }
round_only() { took && ((ROUND > 30 * DIRECT && BACK_ROUND > 30 * BACK_DIRECT)); }
both() { took --sched spray && ((DIRECT > ROUND / 4 && ROUND > DIRECT / 4 && BACK_ROUND > BACK_DIRECT / 9)); }

plain_back() { took --sched spray && ((DIRECT > ROUND / 4 && ROUND > DIRECT / 4 && !BACK_ROUND && BACK_DIRECT > 1000)); }

# sign NS...: these know the key.
sign()
{
	local ns
	for ns; do
		echo 'correct horse' | in_ns "$ns" ip sr hmac set 7 sha256
	done
}
forget() { echo | in_ns "$1" ip sr hmac set 7 sha256; }

# signed_wanted 0|1: whether routers insist on it.
signed_wanted()
{
	local at
	for at in r1:e0 r1:fast r1:side r2:e0 r2:fast r2:side r3:to2 r3:to1; do
		ns_sysctl "${at%:*}" "net.ipv6.conf.${at#*:}.seg6_require_hmac=$1"
	done
}

routers_up
# Two timeouts in a row look like a path that takes less, and with some draws there are two:
# with these, the same each time, there is nothing but sizes to change it.
ns_sysctl h1 net.lapsmp.seed=1
ns_sysctl h2 net.lapsmp.seed=2
PEER=$H2
check 'a path by the fast link' path add segs $FAST id 1
check 'messages take it, and answers' until_true 60 direct_only
check 'a path by the third router' path add segs $SLOW id 2
check 'both are used, there and back' until_true 60 both
check 'the fast one alone goes' path del id 1
check 'the other carries all, there and back' until_true 60 round_only
check 'the fast one again' path add segs $FAST id 3
check 'both are used again' until_true 60 both
check_that 'no message was damaged' "$(stat h2 rx_bad) == 0"
timing 'nothing was too large' "$(stat h1 pmtu_changes) == 0"
check_that 'no router said so' "$(stat h1 icmp_errors) == 0"
check 'by port beside them' path add sport 50001 id 4
check 'all are used' until_true 60 use_until 4 up

slow loss 100%
check 'a router swallows everything: its path goes down' until_true 60 use_until 2 down
check 'the other is not' state_is 3 up
slow
check 'it comes back' until_true 60 use_until 2 up
ns_sysctl r3 net.ipv6.conf.all.forwarding=0
check 'a router that does not forward: its path goes down' until_true 60 use_until 2 down
ns_sysctl r3 net.ipv6.conf.all.forwarding=1
check 'it forwards again' until_true 60 use_until 2 up
path del id 4

check 'a key that is not there' refused 'no SRv6 key' path add segs $SLOW hmac 7
sign h1 h2 r1 r2 r3
check 'nothing to be signed' refused 'only a list of segments' path add sport 50002 hmac 7
many() { local i list=''; for ((i = 1; i <= $1; i++)); do list+=,fc00:$i::1; done; echo "${list#,}"; }
check 'too many to be signed' refused 'at most 13' path add segs "$(many 14)" hmac 7
check 'a signed path' path add segs $SLOW hmac 7 id 5
check 'it is shown' test "$(paths | jq 'map(select(.hmac == 7)) | length')" = 1
check 'it is used' until_true 60 use_until 5 up
signed_wanted 1
check 'routers want it: unsigned ones go down' until_true 60 use_until 2 down
check 'the signed one does not' state_is 5 up
check 'and carries all, there and back' until_true 60 round_only
forget h2
path add sport 50001 id 6
check 'a receiver without the key cannot sign its answers' until_true 60 use_until 5 down
sign h2
check 'with it, it can' until_true 60 use_until 5 up
forget h1
check 'nor a sender its packets' until_true 60 use_until 5 down
sign h1
check 'now it can' until_true 60 use_until 5 up
signed_wanted 0
lapsctl -n h1 peer del $PEER

# IPv4: h2 has a second wire to r2, which is of a VRF there.
ip link add v4 netns r2 type veth peer name v4 netns h2
ip -n r2 -batch - <<END
link add blue type vrf table 100
link set blue up
link set v4 master blue
link set v4 up
addr add 10.9.2.2/24 dev v4
END
ip -n h2 -batch - <<END
link set v4 up
addr add 10.9.2.1/24 dev v4
route add default via 10.9.2.2
END
offloads r2 off v4
offloads h2 off v4
ip -n h1 addr add 10.9.1.1/24 dev e0
ip -n h1 route add default via 10.9.1.2
ip -n r1 addr add 10.9.1.2/24 dev e0
ip -n r1 addr add 10.12.0.1/24 dev fast
ip -n r2 addr add 10.12.0.2/24 dev fast
ip -n r2 route add 10.9.1.0/24 via 10.12.0.1 dev fast table 100
ns_sysctl r2 net.vrf.strict_mode=1
ip -n r2 -6 route add fc00:b::4 encap seg6local action End.DT4 vrftable 100 dev blue
ip -n r3 -6 route add fc00:b::4 via fd00:32::2
ip -n r1 -6 route add fc00:b::4 via fd00:12::2
PEER=10.9.2.1
check 'IPv4, taken out into a VRF' path add segs $NODE1,fc00:b::4 id 1
check 'and by the third router, signed' path add segs $NODE3,fc00:b::4 hmac 7 id 2
ip -n r1 -6 route replace $NODE3 via fd00:13::3
check 'both are used' until_true 60 use_until 2 up
check 'messages arrive' transfer h1 h2 $PEER 200 24-20000 --sched spray
check 'there by both, back by the plain route' until_true 60 plain_back
check_that 'nothing was damaged' "$(stat h2 rx_bad) == 0"
check 'one signed segment' path add segs fc00:b::4 hmac 7 id 3
check 'is used, too' until_true 60 use_until 3 up
