#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: core
#
# rmmod: refused while sockets are open, works right after they are closed even
# with data under way, and while packets come in.
. "$(dirname "$0")/lib.sh"
plan 10
KO=${LAPSMP_KO_DIR:?}/lapsmp.ko

loaded() { grep -q '^lapsmp ' /proc/modules; }
unload() { rmmod lapsmp 2>&1; }

pair_up
pair_rate "$(some 500)" 20
in_ns b msg_recv >/dev/null 2>&1 &
receiver=$!
listening() { [[ $(sockets_of "$receiver") -ge 1 ]]; }
until_true 20 listening
out=$(unload)
check 'refused with an open socket' grep -q 'in use' <<<"$out"
check 'still there' loaded

# Data under way: the link swallows it, so that nothing is ever acknowledged.
in_ns a msg_send $B4 --count 20 --size 5000 --drain 100 >/dev/null
tc -n a qdisc replace dev e0 root netem loss 100%
in_ns a msg_send $B4 --count 20 --size 5000 --no-drain >/dev/null
murder $receiver
check 'works right after closing, with data under way' until_true 10 unload
pair_rate "$(some 500)" 20
check 'comes back' insmod "$KO"
check 'works again' transfer a b $B4 50 5000

# In full flight, both ways.
in_ns b msg_recv --lossy >/dev/null 2>&1 &
receiver=$!
until_true 20 listening
in_ns a msg_send $B4 --time 60000 --size 20000 >/dev/null 2>&1 &
sender=$!
sleep 0.3
kill -KILL $sender $receiver
wait $sender $receiver 2>/dev/null
check 'works at once after full traffic' until_true 10 unload
insmod "$KO"

# Packets that nobody asked for, to a port that stays open.
transfer a b $B4 10 1000 >/dev/null
in_ns a forge flood $B4 --seconds 30 >/dev/null 2>&1 &
in_ns a forge flood $B6 --seconds 30 >/dev/null 2>&1 &
sleep 1
check 'works while packets come in' until_true 10 unload
check 'comes back while packets come in' insmod "$KO"
check 'works while packets come in' transfer a b $B4 100 5000
check 'and goes again' until_true 10 unload
insmod "$KO"
