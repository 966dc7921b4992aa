#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: core
#
# A namespace goes while traffic runs at full rate: that of the sender, of the
# receiver, and both at once.
. "$(dirname "$0")/lib.sh"
plan 10

FLOWS=$(some 3)
# The link is full. Where time is real it must not take all of the machine: what is
# to be done beside the traffic would take minutes.
RATE=$(some 500)
virtual || [[ $RATE -le 40 ]] || RATE=40

# sockets_open N: each host has so many. A process that is not in its namespace yet
# would not be found there, and keep it. IN_A and IN_B are there soon.
sockets_open() { [[ $(sockets_of "$IN_A") -ge $1 && $(sockets_of "$IN_B") -ge $1 ]]; }

traffic()
{
	local i
	pair_up
	pair_rate "$RATE" 20
	for ((i = 1; i <= FLOWS; i++)); do
		in_ns b msg_recv --port 700$i --lossy >/dev/null 2>&1 & disown
		IN_B=$!
		in_ns a msg_recv --port 710$i --lossy >/dev/null 2>&1 & disown
		IN_A=$!
	done
	until_true 20 sockets_open "$FLOWS"
	for ((i = 1; i <= FLOWS; i++)); do
		in_ns a msg_send $B4 --port 700$i --time 600000 --size 50000 >/dev/null 2>&1 & disown
		in_ns b msg_send $A6 --port 710$i --time 600000 --size 24-9000 >/dev/null 2>&1 & disown
	done
	until_true 60 sockets_open $((2 * FLOWS))
	sleep 0.1
}

# vanish NS: name first, so that the last socket takes the namespace with it.
vanish()
{
	local pids
	pids=$(netns_pids "$1")
	ip netns delete "$1"
	# shellcheck disable=SC2086
	kill -KILL $pids 2>/dev/null
}

wire_is_gone() { ! ip -n "$1" link show e0; }

# one_goes GONE LEFT: the device goes when all that was in there is gone.
one_goes()
{
	traffic
	vanish "$1"
	check "$1 goes" until_true 30 wire_is_gone "$2"
	sleep 1
	vanish "$2"
	check 'and then the other' no_lapsmp
}

# A namespace that is not gone would hold the wire's end, and its name here.
no_lapsmp()
{
	until_true 30 memory_is_free && until_true 30 ip link add probe type veth peer name probe2 &&
		ip link delete probe
}

one_goes a b
one_goes b a

traffic
vanish a &
vanish b
wait
check 'both go at once' no_lapsmp

traffic
pids="$(netns_pids a) $(netns_pids b)"
ip netns delete a
ip netns delete b
sleep 0.5
# shellcheck disable=SC2086
kill -KILL $pids 2>/dev/null
check 'the names go first' no_lapsmp

# One that nobody ever used, and one with an idle socket.
pair_up
ip netns delete a
test_socket() { [[ $(sockets_of "$IDLE") -ge 1 ]]; }
check 'an unused one goes' until_true 10 wire_is_gone b
in_ns b msg_recv >/dev/null 2>&1 & disown
IDLE=$!
until_true 20 test_socket
vanish b
check 'one with an idle socket goes' no_lapsmp
pair_up
check 'new ones work' transfer a b $B4 100 1000
check 'nothing stays charged' until_true 10 memory_is_free
