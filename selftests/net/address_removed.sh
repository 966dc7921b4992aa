#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The address or the device of a host is taken away in mid-flight. If it comes
# back in time nothing is lost; if not the sender is told, and can send again.
. "$(dirname "$0")/lib.sh"
plan 9
pair_up
pair_rate 20 50

# while_sending NAME ADDRESS COMMAND: in the middle of a transfer.
while_sending()
{
	local name=$1 addr=$2
	shift 2
	receiver b "$name" --count 250
	{ amid a 0.2; "$@"; } &
	# shellcheck disable=SC2046
	sender a "$name" "$addr" --count 250 --size 10000 $(pace 250)
	result $? "$name: no error"
	note "$(cat "$WORK/$name.send")"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(tail -n 1 "$WORK/$name.recv")"
	# The device may still be on its way back.
	sleep 2
}

readdress()
{
	ip -n a addr del $A4/24 dev e0
	sleep 2
	ip -n a addr add $A4/24 dev e0
}

readdress_receiver()
{
	ip -n b addr del $B6/64 dev e0
	sleep 2
	ip -n b addr add $B6/64 dev e0 nodad
}

down_up()
{
	ip -n a link set e0 down
	sleep 2
	ip -n a link set e0 up
}

while_sending 'the sender without its address' $B4 readdress
while_sending 'the receiver without its address' $B6 readdress_receiver
while_sending 'a device that is down' $B4 down_up

receiver b gone --lossy
{ amid a 0.2; ip -n a link delete e0; } &
# shellcheck disable=SC2046
sender a gone $B4 --count 250 --size 10000 $(pace 250) --user-timeout 3000 --connect
note "$(cat "$WORK/gone.send")"
case $(says gone.send error) in
ETIMEDOUT | ENETUNREACH | EHOSTUNREACH | ENETDOWN) result 0 'a device that is gone: the sender is told' ;;
*) result 1 'a device that is gone: the sender is told' ;;
esac
stop "$RECEIVER"
result $? 'what had arrived is in order and unaltered'
ip netns delete a
ip netns delete b
pair_up
check 'again, on new ones' transfer a b $B4 100 1000
