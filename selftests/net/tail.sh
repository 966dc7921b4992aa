#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Messages of one segment, each sent when the one before has long arrived: every tenth
# packet is lost, and nothing behind it tells. The path is asked long before its timeout.
. "$(dirname "$0")/lib.sh"
plan 7
links_up 1000:50

lonely() { transfer h1 h2 $H2 "$1" 24-1000 --rate 500; }

check 'without loss all arrive' lonely 500
timing 'nobody was asked' "$(stat h1 tail_segs) == 0"
links_are loss 10%
check 'with loss, too' lonely 1000
asked=$(stat h1 tail_segs) again=$(stat h1 retrans_segs) lost=$(stat h1 lost_segs)
note "$asked asked for, $again sent again, $lost lost"
# Of 1000 messages 190 lose their packet or its answer; of 101, 19, and less than 5 of them once
# in 100,000 times. The question is lost, too, at times.
least=100 late=4
[[ $(some 1000) -eq 1000 ]] || least=5 late=2
timing 'who was silent was asked' "$asked >= $least"
timing 'hardly anything was sent again after a timeout' "$again - $asked < $again / $late"
timing 'what was asked for had been lost, or its answer' "$lost >= $asked / 4"
check 'nothing stays charged' until_true 10 memory_is_free
