#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A large message that begins before the one that it has to wait for must not take
# what that one needs of the budget.
. "$(dirname "$0")/lib.sh"
plan 4
pair_up
ns_sysctl b net.lapsmp.budget_bytes=250000

receiver b both --lossy --rcvbuf 4096 --wait 100000
check 'the second one first' in_ns a interleave $B4 200000 100000
check_that 'both are delivered' "$(stat b rx_messages) == 2"
stop "$RECEIVER"
note "$(tail -n 1 "$WORK/both.recv")"
check 'the budget is free again' transfer a b $B4 3 240000
check 'nothing stays charged' until_true 10 memory_is_free
