#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Half of the packets come twice, on all of four paths.
. "$(dirname "$0")/lib.sh"
plan 4
links_up 1000:50 1000:50 300:100 100:20
links_are duplicate 50%

check 'small messages' transfer h1 h2 $H2 1000 24-4000
check_that 'segments came twice' "$(says transfer.recv dup_segs) > $(some 100)"
check 'large messages' transfer h1 h2 $H2_6 10 300k
RECV_ARGS=(--unordered)
check 'in any order' transfer h1 h2 $H2 500 24-4000 --unordered
