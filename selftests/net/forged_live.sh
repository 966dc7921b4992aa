#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Changed copies of the packets of a transfer, both ways. Who does not know the
# flow's id does no harm at all; who sees everything must not do any to the
# kernel, nor to those who come later.
. "$(dirname "$0")/lib.sh"
plan 8
pair_up
pair_rate 1000 50

attack a b e0 1 --blind
check 'blind: IPv4' transfer a b $B4 2000 24-4000
check 'blind: IPv6' transfer a b $B6 2000 24-4000
check 'blind: large messages' transfer a b $B4 10 300k
attack_ends
check_that 'blind: there was an attack' "$(says a.forge sent) > $(some 1000) && $(says b.forge sent) > $(some 100)"

total=0
for ((seed = 10; seed < 10 + $(some 50); seed += 10)); do
	attack a b e0 $seed
	receiver b victim --lossy --wait 5000
	sender a victim $B4 --count 300 --size 24-20000 --patience 60000 --drain 5000 --user-timeout 5000
	stop "$RECEIVER"
	attack_ends
	total=$((total + $(says a.forge sent) + $(says b.forge sent)))
done
check_that 'seeing: there was an attack' "$total > $(some 1000)"
check 'afterwards: IPv4' transfer a b $B4 500 24-4000
check 'afterwards: IPv6' transfer a b $B6 500 24-4000
check 'nothing stays charged' until_true 10 memory_is_free
