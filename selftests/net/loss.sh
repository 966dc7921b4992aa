#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every tenth packet is lost, both ways, on all of four paths.
. "$(dirname "$0")/lib.sh"
plan 5
links_up 1000:50 1000:50 300:100 100:20
links_are loss 10%

check 'small messages, IPv4' transfer h1 h2 $H2 1000 24-4000
check_that 'something was sent again' "$(says transfer.send retrans) > $(some 20)"
check 'large messages, IPv6' transfer h1 h2 $H2_6 10 300k
RECV_ARGS=(--unordered)
check 'in any order' transfer h1 h2 $H2 500 24-4000 --unordered
check 'nothing stays charged' until_true 10 memory_is_free
