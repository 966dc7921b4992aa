#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets overtake each other: across paths of unequal delay, and on each path.
. "$(dirname "$0")/lib.sh"
plan 8

reordered()
{
	check "$1: small messages" transfer h1 h2 $H2 1000 24-4000
	check_that "$1: segments came early" "$(says transfer.recv ooo_segs) > $(some 20)"
	check "$1: large messages" transfer h1 h2 $H2_6 10 300k
}

links_up 1000:10 1000:50 1000:500 1000:1000
reordered 'across paths'
links_are delay 300us reorder 30%
reordered 'on each path, too'
RECV_ARGS=(--unordered)
check 'in any order' transfer h1 h2 $H2 500 24-4000 --unordered
links_are delay 500us 400us
check 'with a random delay' transfer h1 h2 $H2 10 300k
