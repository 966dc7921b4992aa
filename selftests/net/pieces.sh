#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several who read messages in pieces: each piece that can be read wakes somebody.
. "$(dirname "$0")/lib.sh"
plan 2
pair_up

suite in_ns a pieces_test b $B4
check 'nothing stays charged' until_true 10 memory_is_free
