#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: core
#
# Two hosts on one wire: messages arrive once, in order, whole and unaltered,
# over both families, with each way to send.
. "$(dirname "$0")/lib.sh"
plan 10
pair_up

check 'IPv4' transfer a b $B4 1000 24-4000
check 'IPv6' transfer a b $B6 1000 24-4000
check 'the other way' transfer b a $A4 500 24-4000
check 'to itself, by its own address' transfer a a $A6 500 24-4000
check 'large messages' transfer a b $B4 20 "$(some 1000)Ki"
check 'connected' transfer a b $B6 500 24-4000 --connect
check 'non-blocking' transfer a b $B4 500 24-100000 --nonblock
check 'closed at once' transfer a b $B4 100 50000 --no-drain
RECV_ARGS=(--unordered)
check 'in any order' transfer a b $B6 500 24-4000 --unordered
check 'nothing stays charged' until_true 10 memory_is_free
