#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: core
#
# 64 threads on one socket, all of which send and receive.
. "$(dirname "$0")/lib.sh"
plan 2
pair_up

suite threads_test a b $B4 64 "$(some 100)"
check 'nothing stays charged' until_true 10 memory_is_free
