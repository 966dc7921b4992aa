#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A thousand sockets in each of two hosts, all talking at once.
. "$(dirname "$0")/lib.sh"
plan 4
pair_up

suite sockets_test a b $B4 1000 "$(some 10)"
suite sockets_test a b $B6 1000 2
no_sockets() { [[ $(sockets a) -eq 0 && $(sockets b) -eq 0 ]]; }
check 'all are gone when closed' until_true 10 no_sockets
check 'nothing stays charged' until_true 10 memory_is_free
