#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: core
#
# 64 threads on one socket, all of which send and receive; and two, of which one may not wait.
. "$(dirname "$0")/lib.sh"
plan 2
pair_up
# It has a neighbour's address, and there is nobody.
ip -n a neigh add 192.0.2.9 lladdr 02:00:00:00:00:09 dev e0 nud permanent

suite threads_test a b $B4 192.0.2.9 64 "$(some 100)"
check 'nothing stays charged' until_true 10 memory_is_free
