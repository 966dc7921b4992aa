#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The other side restarts, the program or all of the host: what was under way
# fails with ECONNRESET, and new messages arrive.
. "$(dirname "$0")/lib.sh"
plan 7
pair_up

# The sender goes on after errors. What the receiver has not read is lost.
receiver b before --lossy --no-read 60000
in_ns a msg_send $B4 --connect --time 600000 --size 2000 --patience 60000 --rate 100 >"$WORK/on.send" 2>&1 &
SENDER=$!
sleep 1
murder "$RECEIVER"
receiver b after --lossy
sleep 5
stop "$SENDER"
note "$(cat "$WORK/on.send")"
check_that 'a program: the sender is told' "$(says on.send errors) >= 1"
case $(says on.send error) in
ECONNRESET | ECONNREFUSED) result 0 'a program: by the right error' ;;
*) result 1 'a program: by the right error' ;;
esac
stop "$RECEIVER"
result $? 'a program: the new one hears what comes later'
check_that 'a program: much of it' "$(says after.recv messages) > 100"

# The host forgets everything: another namespace with the same addresses.
receiver b host1 --lossy
in_ns a msg_send $B4 --connect --time 600000 --size 2000 --patience 60000 --rate 100 >"$WORK/host.send" 2>&1 &
SENDER=$!
sleep 1
ip -n a link set e0 down
murder "$RECEIVER"
ip netns delete b
sleep 3
ip netns add b
until_true 20 ip link add e1 netns a type veth peer name e0 netns b
ip -n b link set lo up
ip -n b link set e0 up
ip -n b addr add $B4/24 dev e0
ip -n a addr flush dev e0 2>/dev/null
ip -n a link set e1 up
ip -n a addr add $A4/24 dev e1
sleep 1
receiver b host2 --lossy
sleep 5
stop "$SENDER"
note "$(cat "$WORK/host.send")"
stop "$RECEIVER"
result $? 'a host: the new one hears what comes later'
note "$(tail -n 1 "$WORK/host2.recv")"
check_that 'a host: much of it' "$(says host2.recv messages) > 100"
check 'and again from the beginning' transfer a b $B4 100 1000 --stream 1
