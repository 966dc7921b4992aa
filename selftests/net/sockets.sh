#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A thousand sockets in each of two hosts, all talking at once; and a host that has
# opened thousands of flows to others since.
. "$(dirname "$0")/lib.sh"
MANY=5
[[ ${LAPSMP_KERNEL:-} != *-debug ]] || MANY=0
plan $((4 + (MANY ? MANY + 3 : 0)))
pair_up

# far: numbers rise with each flow, to whatever address, and one that is thousands
# above the last of its own needs a cookie.
far()
{
	local i before
	check 'before all others' transfer a b $B6 10 1000
	for ((i = 0; i < MANY; i++)); do
		suite sockets_test a b $B4 1000 1
	done
	before=$(stat b tx_cookies)
	check 'after thousands of others' transfer a b $B6 10 1000
	check_that 'it was asked who it is' "$(stat b tx_cookies) > $before"
}

[[ $MANY -eq 0 ]] || far

suite sockets_test a b $B4 1000 "$(some 10)"
suite sockets_test a b $B6 1000 2
no_sockets() { [[ $(sockets a) -eq 0 && $(sockets b) -eq 0 ]]; }
check 'all are gone when closed' until_true 10 no_sockets
check 'nothing stays charged' until_true 10 memory_is_free
