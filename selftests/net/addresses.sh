#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# Two hosts with two devices each, and paths by addresses and devices of their own.
# The receiver takes nothing from an address that the flow was not opened from, before
# its sender has shown that it is there; and whoever claims to be somewhere else gets
# one challenge for a packet, and has no effect on the flow.
. "$(dirname "$0")/lib.sh"
plan 92

# wires_up: hosts a and b, wires e0 and e1, each a network of its own.
wires_up()
{
	printf '%s\n' 'netns add a' 'netns add b' | ip -batch -
	ns_sysctl a net.ipv6.conf.default.accept_dad=0
	ns_sysctl b net.ipv6.conf.default.accept_dad=0
	printf 'link add e%s netns a type veth peer name e%s netns b\n' 0 0 1 1 | ip -batch -
	wires_host 1 | ip -n a -batch -
	wires_host 2 | ip -n b -batch -
	for ns in a b; do
		for dev in e0 e1; do
			# shellcheck disable=SC2046
			tc -n $ns qdisc add dev $dev root $(netem_args 100 100)
		done
		offloads $ns off e0 e1
	done
}

wires_host()
{
	local wire
	echo 'link set lo up'
	for wire in 0 1; do
		echo "link set e$wire up"
		echo "addr add 10.1.$wire.$1/24 dev e$wire"
		echo "addr add 2001:db8:1:$wire::$1/64 dev e$wire nodad"
	done
}

path() { lapsctl -n a path "$1" peer "$PEER" "${@:2}"; }
paths() { lapsctl -j -n a path show peer "$PEER"; }
# field ID NAME
field() { paths | jq -r ".[] | select(.id == $1).\"$2\""; }
state_is() { [[ $(field "$1" state) == "$2" ]]; }
refused() { ! "${@:2}" 2>"$WORK/refused"; cat "$WORK/refused"; has "$1" "$WORK/refused"; }

# bytes NS DEV
bytes() { ip -n "$1" -s -j link show "$2" | jq '.[0].stats64.tx.bytes'; }

# carried COUNT SIZE [ARG...]: of a transfer, what each wire carried: A0 A1 from a,
# B0 B1 from b.
carried()
{
	local ns dev at was=()
	for at in 'a e0' 'a e1' 'b e0' 'b e1'; do
		read -r ns dev <<<"$at"
		was+=("$(bytes "$ns" "$dev")")
	done
	transfer a b "$PEER" "$@" >"$WORK/carried" 2>&1 || return
	A0=$(($(bytes a e0) - was[0])) A1=$(($(bytes a e1) - was[1]))
	B0=$(($(bytes b e0) - was[2])) B1=$(($(bytes b e1) - was[3]))
	note "a sent $A0 and $A1 bytes, b $B0 and $B1"
}

# family NET: hosts are NET0HOST and NET1HOST, as in 10.1.0.2.
family()
{
	local n0=$1 n1=$2
	OWN0=${n0}1 OWN1=${n1}1 PEER=${n0}2 OTHER=${n1}2 NOBODY=${n1}77
	echo "# $PEER"
}

use_until() { transfer a b "$PEER" 20 4000 --sched spray && state_is "$1" "$2"; }

two_paths()
{
	check "$PEER: a path by another address" path add remote "$OTHER" dev e1 id 2
	check_that "$PEER: flows still begin by automatic ones" "$(paths | jq 'map(select(.automatic)) | length') == 8"
	check "$PEER: its source is that of its device" test "$(field 2 source)" = "$OWN1"
	check "$PEER: a path by the first device" path add local "$OWN0" dev e0 id 1
	check_that "$PEER: it takes the automatic ones' place" "$(paths | jq length) == 2"
	check "$PEER: the same once more" refused 'the same addresses' path add local "$OWN0" dev e0
	check "$PEER: both are used" until_true 60 use_until 2 up
	check_that "$PEER: the second address was challenged" "$(stat b tx_challenges) > ${CHALLENGES:-0} && $(stat a rx_challenges) > 0"
	CHALLENGES=$(stat b tx_challenges) PROVEN=$(stat b addrs_proven)
	check_that "$PEER: and proven" "$PROVEN > 0"
	result 0 "$PEER: it is $(field 2 kind)"
	carried 200 20000 --sched spray
	result $? "$PEER: a transfer"
	check_that "$PEER: both wires carry it" "$A0 > $A1 / 3 && $A1 > $A0 / 3"
	check_that "$PEER: answers take the wire that they answer" "$B0 > $B1 / 3 && $B1 > $B0 / 3"
	check_that "$PEER: no further challenge" "$(stat b tx_challenges) == $CHALLENGES"
	check_that "$PEER: the address was taken into each flow" "$(stat b addrs_proven) > $PROVEN"
	timing "$PEER: nothing was lost" "$(field 2 lost-segs) == 0"
	check "$PEER: small messages" transfer a b "$PEER" 500 24-3000 --sched spray
}

saved_and_restored()
{
	lapsctl -n a save >"$WORK/saved"
	quote '# ' "$WORK/saved"
	check "$PEER: restored" lapsctl -n a restore "$WORK/saved"
	lapsctl -n a save >"$WORK/again"
	check "$PEER: it is what was saved" cmp "$WORK/saved" "$WORK/again"
	check "$PEER: both are used again" until_true 60 use_until 2 up
}

# capture NS: what it sends by the second wire goes to NS.pcap.
capture()
{
	: >"$WORK/$1.tcpdump"
	in_ns "$1" tcpdump --immediate-mode -Q out -i e1 -w "$WORK/$1.pcap" -U udp port 4795 2>"$WORK/$1.tcpdump" &
	DUMPS+=($!)
	until_true 20 has 'listening on' "$WORK/$1.tcpdump"
}
DUMPS=()

challenges_since() { [[ $(stat b tx_challenges) -gt $1 ]]; }

# Everything that a sends by the second wire, as if from an address that is not its own,
# while the flow goes on.
spoofed()
{
	local before resets sender count=400
	# Where time is real tcpdump may take seconds to end.
	virtual || count=2000
	# Nothing is known of the address any more: it is challenged anew.
	! virtual || sleep 200
	capture a
	capture b
	receiver b spoofed --count $count
	in_ns a msg_send "$PEER" --count $count --size 3000 --sched spray --rate 100 >"$WORK/spoofed.send" 2>&1 &
	sender=$!
	amid a 0.5
	kill -INT "${DUMPS[@]}"
	wait "${DUMPS[@]}"
	DUMPS=()
	before=$(stat b tx_challenges) resets=$(stat b tx_resets)
	PROVEN=$(stat b addrs_proven)
	note "$(in_ns a forge replay e1 "$WORK/a.pcap" --source "$NOBODY")"
	check "$PEER: who claims to be elsewhere is challenged" until_true 10 challenges_since "$before"
	sleep 0.2
	check_that "$PEER: and not believed" "$(stat b addrs_proven) == $PROVEN"
	check_that "$PEER: what does not say whose it is is of no flow" "$(stat b tx_resets) > $resets"
	before=$(stat a rx_challenges)
	note "$(in_ns b forge replay e1 "$WORK/b.pcap")"
	sleep 0.2
	if virtual; then
		check_that "$PEER: old challenges once more" "$(stat a rx_challenges) > $before"
	else
		timing "$PEER: old challenges once more" 'there may be none'
	fi
	wait $sender
	result $? "$PEER: the flow did not notice"
	wait "$RECEIVER"
	result $? "$PEER: nothing came twice"
}

# wire DEV NETEM_ARG...: what both ends of it do, too.
wire()
{
	local ns
	for ns in a b; do
		# shellcheck disable=SC2046
		tc -n $ns qdisc change dev "$1" root $(netem_args 100 100) "${@:2}"
	done
}

# blocked DEV: the receiver does not read for longer than an answer is waited for, and
# this wire swallows everything meanwhile: the other one is asked how it stands.
blocked()
{
	receiver b blocked --no-read 60000 --rcvbuf 200000 --count 100
	in_ns a msg_send "$PEER" --count 100 --size 20000 --sndbuf 100000 --drain 120000 \
		--sched spray >"$WORK/blocked.send" 2>&1 &
	local sender=$!
	amid a 5
	wire "$1" loss 100%
	wait $sender
	result $? "a closed window and no word by $1: no error"
	wait "$RECEIVER"
	result $? "a closed window and no word by $1: every message arrives"
	wire "$1" loss 0%
}

# attacked: changed copies of all that passes on the second wire, both ways.
attacked()
{
	attack a b e1 3
	receiver b victim --lossy --wait 5000
	sender a victim "$PEER" --count "$(some 600)" --size 24-20000 --sched spray --patience 60000 \
		--drain 5000 --user-timeout 5000
	stop "$RECEIVER"
	attack_ends
	check_that "$PEER: there was an attack" "$(says a.forge sent) > $(some 30)"
	check "$PEER: afterwards all is well" until_true 60 use_until 2 up
}

# The second device goes, and comes back; and the first one in the midst of a transfer.
devices_go()
{
	ip -n a link set e1 down
	check "$PEER: its device is down" until_true 10 state_is 2 down
	check "$PEER: a transfer without it" transfer a b "$PEER" 100 3000 --sched spray
	ip -n a link set e1 up
	ip -n a addr replace "2001:db8:1:1::1/64" dev e1 nodad
	check "$PEER: it is back" until_true 60 use_until 2 up
	receiver b first --count 400
	in_ns a msg_send "$PEER" --count 400 --size 3000 --sched spray --rate 200 >"$WORK/first.send" 2>&1 &
	local sender=$!
	amid a 0.5
	ip -n b link set e0 down
	wait $sender
	result $? "$PEER: the flow goes on without the device that it began on"
	wait "$RECEIVER"
	result $? "$PEER: every message arrives"
	ip -n b link set e0 up
	ip -n b addr replace "2001:db8:1::2/64" dev e0 nodad
	check "$PEER: and with it again" until_true 60 use_until 1 up
}

all_up() { transfer a b $PEER 20 4000 --sched spray && [[ $(paths | jq 'all(.state == "up")') == true ]]; }

wires_up
for net in '10.1.0. 10.1.1.' '2001:db8:1:: 2001:db8:1:1::'; do
	# shellcheck disable=SC2086
	family $net
	two_paths
	saved_and_restored
	spoofed
	attacked
	devices_go
done

family 10.1.0. 10.1.1.
check 'both wires once more' until_true 60 use_until 2 up
blocked e0
check 'the first one, too' until_true 60 use_until 1 up
blocked e1
check 'of another family' refused 'different families' path add local 2001:db8:1:1::1
check 'not of one host' refused 'unicast' path add remote 224.0.0.1
PEER=2001:db8:1::2
check 'not of a link' refused 'link-local' path add local fe80::1
PEER=10.1.0.2
check 'no route to choose the address' refused 'no route' path add dev e1
check 'by a device without a route' path add dev e1 local 10.1.1.1 id 3
check 'it is down' until_true 10 use_until 3 down
check 'for want of a route' test "$(field 3 reason)" = 'no route'
ip -n a route add 10.1.0.0/24 dev e1 metric 500
check 'with a route it is up' until_true 60 use_until 3 up
lapsctl -n a peer del $PEER
ns_sysctl a net.lapsmp.auto_addrs=1
ns_sysctl a net.lapsmp.auto_paths=4
check 'automatic: from all addresses' transfer a b $PEER 50 3000 --sched spray
check_that 'automatic: by as many ports from each' \
	"$(paths | jq '[map(select(.automatic)) | group_by(.source)[] | length] == [4, 4] | if . then 1 else 0 end') == 1"
check 'automatic: all are up' until_true 60 all_up
lapsctl -n a peer del $PEER
ns_sysctl a net.lapsmp.auto_max=3
check 'automatic: a limit' transfer a b $PEER 50 3000 --sched spray
check_that 'automatic: not more' "$(paths | jq length) == 3"

# What a host sends to itself does not leave it.
check 'automatic: to itself' transfer a a 10.1.0.1 50 3000 --sched spray
check_that 'automatic: from one address' "$(lapsctl -j -n a path show peer 10.1.0.1 | jq 'map(select(.source)) | length') == 0"

# Two that differ by an address which a program is bound to look the same from there.
PEER=2001:db8:1::2
lapsctl -n a peer del $PEER
path add flowlabel 5
path add flowlabel 5 local 2001:db8:1::1
path add flowlabel 6
check 'twins: bound to the address' transfer a b $PEER 50 3000 --bind 2001:db8:1::1
check_that 'twins: one of them is enough' \
	"$(lapsctl -j -n a path show peer $PEER bound 2001:db8:1::1 | jq length) == 2"
check 'nothing stays charged' until_true 10 memory_is_free
