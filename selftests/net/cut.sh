#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# What a host knows by itself of one of its two wires: that it has no carrier, no
# device, no route, or that the address is gone. The path is down at once, with the
# reason, what was on its way goes by the other one, and it comes back by itself;
# also while nothing is sent.
. "$(dirname "$0")/lib.sh"
plan 44
RATE=500 DELAY=25
COUNT=4000
virtual || COUNT=$(some $COUNT)

# wires_up: hosts a and b, wires e0 and e1. Paths from port 50002 take e1, by table
# 102, and nothing else if that is gone.
wires_up()
{
	printf '%s\n' 'netns add a' 'netns add b' | ip -batch -
	# A device that comes up can ask for its neighbours at once.
	ns_sysctl a net.ipv6.conf.default.accept_dad=0
	ns_sysctl b net.ipv6.conf.default.accept_dad=0
	printf 'link add e%s netns a type veth peer name e%s netns b\n' 0 0 1 1 | ip -batch -
	wires_host 1 2 | ip -n a -batch -
	wires_host 2 1 | ip -n b -batch -
	for family in -4 -6; do
		wires_rules sport | ip -n a $family -batch -
		wires_rules dport | ip -n b $family -batch -
	done
	wires_routes 2 | ip -n a -batch -
	wires_routes 1 | ip -n b -batch -
	for ns in a b; do
		for dev in e0 e1; do
			# shellcheck disable=SC2046
			tc -n $ns qdisc add dev $dev root $(netem_args $RATE $DELAY)
		done
		offloads $ns off e0 e1
	done
}

# wires_host SELF OTHER
wires_host()
{
	local wire
	echo 'link set lo up'
	echo "addr add 10.0.0.$1/32 dev lo"
	echo "addr add 2001:db8::$1/128 dev lo nodad"
	for wire in 0 1; do
		echo "link set e$wire up"
		echo "addr add 10.1.$wire.$1/24 dev e$wire"
		echo "addr add 2001:db8:1:$wire::$1/64 dev e$wire nodad"
	done
	echo "route add 10.0.0.$2 via 10.1.0.$2 src 10.0.0.$1"
	echo "route add 2001:db8::$2 via 2001:db8:1::$2 src 2001:db8::$1"
}

# wires_rules sport|dport: of one family.
wires_rules()
{
	echo "rule add ipproto udp $1 50002 lookup 102"
	echo 'route add unreachable default metric 9999 table 102'
}

# wires_routes OTHER: those by e1.
wires_routes()
{
	echo "route add 0.0.0.0/0 via 10.1.1.$1 table 102"
	echo "route add ::/0 via 2001:db8:1:1::$1 metric 1 table 102"
}

# Path 2 of the peer that is looked at.
paths() { lapsctl -j -n a path show peer "$PEER"; }
# shellcheck disable=SC2053 # a pattern
state_is() { [[ $(paths | jq -r '.[] | select(.id == 2) | "\(.state) \(.reason)"') == $1 ]]; }

# watch NAME: what happens to it goes to NAME.events.
watch()
{
	lapsctl -j -n a monitor path >"$WORK/$1.events" &
	MONITOR=$!
	if virtual; then sleep 0.2; else sleep 2; fi
}

# happened NAME: "NEW REASON" of each event, by lines.
happened()
{
	jq -r --arg peer "$PEER" 'select(.id == 2 and .peer == $peer) |
		"\(.state) (\(.reason))"' "$WORK/$1.events"
}

# told NAME EVENT...: these, and where time is simulated no others. Elsewhere a path
# may look dead for a moment because the machine is late.
told()
{
	local line want
	mapfile -t lines < <(happened "$1")
	printf '%s\n' "${lines[@]}"
	shift
	want=("$@")
	for line in "${lines[@]}"; do
		# shellcheck disable=SC2053 # a pattern
		if [[ ${#want[@]} -gt 0 && $line == ${want[0]} ]]; then
			want=("${want[@]:1}")
		elif virtual; then
			return 1
		fi
	done
	[[ ${#want[@]} -eq 0 ]]
}
BACK=('unknown (back)' 'probing (first use)' 'up (acknowledged)')

# cut NAME REASON LOSE REGAIN: in the midst of a transfer by both paths.
cut()
{
	local name=$1 reason=$2 cutter
	watch "$name"
	receiver b "$name" --count "$COUNT"
	{ amid a 0.02; $3; sleep 0.02; $4; } &
	cutter=$!
	# shellcheck disable=SC2046
	sender a "$name" "$PEER" --count "$COUNT" --size 4000 --sched spray $(pace "$COUNT")
	result $? "$name: no error"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(tail -n 1 "$WORK/$name.recv")"
	wait "$cutter"
	timing "$name: not even a round trip's pause" "$(says "$name.recv" max_gap_ns) < 1e6"
	check "$name: it is up again" until_true 30 used_again
	murder $MONITOR
	check "$name: what is told" told "$name" "down ($reason)" "${BACK[@]}"
}

# One that is down for want of answers is probed while something is sent, and where time
# is real a few messages are sent too fast for that.
used_again() { transfer a b "$PEER" $USED 4000 --sched spray && state_is 'up acknowledged'; }
USED=20
virtual || USED=200

# idle NAME REASON LOSE REGAIN: and nothing is sent.
idle()
{
	watch "$1"
	$3
	check "$1, idle: it is down" until_true 10 state_is "down $2"
	$4
	check "$1, idle: it is back" until_true 10 state_is 'unknown back'
	murder $MONITOR
	check "$1, idle: what is told" told "$1" "down ($2)" 'unknown (back)'
	check "$1, idle: used again" used_again
}

carrier_lost() { ip -n b link set e1 down; }
carrier_back()
{
	ip -n b link set e1 up
	# IPv6 addresses went with it, and all routes.
	ip -n b addr replace 2001:db8:1:1::2/64 dev e1 nodad
	wires_routes 1 | ip -n b -batch -
}
device_lost() { ip -n a link set e1 down; }
device_back()
{
	ip -n a link set e1 up
	ip -n a addr replace 2001:db8:1:1::1/64 dev e1 nodad
	wires_routes 2 | ip -n a -batch -
}
route_lost() { wires_routes 2 | sed 's/ add / del /' | ip -n a -batch -; }
route_back() { wires_routes 2 | ip -n a -batch -; }
addr_lost() { ip -n a addr del 2001:db8::1/128 dev lo; }
addr_back() { ip -n a addr add 2001:db8::1/128 dev lo nodad; }

# flap: ten times in 200 ms.
flap()
{
	local i
	for ((i = 0; i < 10; i++)); do
		carrier_lost
		sleep 0.01
		carrier_back
		sleep 0.01
	done
}

flapping()
{
	local flapper
	receiver b flap --count "$COUNT"
	{ amid a 0.01; flap; } &
	flapper=$!
	# shellcheck disable=SC2046
	sender a flap "$PEER" --count "$COUNT" --size 4000 --sched spray $(pace "$COUNT")
	result $? 'flapping: no error'
	wait "$RECEIVER"
	result $? 'flapping: every message arrives'
	# Where time is real and programs start slowly, ten times may take ten seconds.
	wait "$flapper"
	check 'flapping: it is up again' until_true 30 used_again
}

# family PEER: from now on.
family()
{
	PEER=$1
	lapsctl -n a path add peer "$PEER" sport 50001
	lapsctl -n a path add peer "$PEER" sport 50002
	check "$PEER: both are used" used_again
}

wires_up
family 10.0.0.2
cut 'IPv4 carrier' 'no carrier' carrier_lost carrier_back
cut 'IPv4 route' 'no route' route_lost route_back
idle 'IPv4 route' 'no route' route_lost route_back
idle 'IPv4 carrier' 'no carrier' carrier_lost carrier_back
idle 'IPv4 device' 'no *' device_lost device_back
flapping
family 2001:db8::2
cut 'IPv6 carrier' 'no carrier' carrier_lost carrier_back
idle 'IPv6 route' 'no route' route_lost route_back
idle 'IPv6 device' 'no *' device_lost device_back
idle 'IPv6 address' 'no address' addr_lost addr_back
