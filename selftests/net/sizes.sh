#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Messages of every size that is somebody's limit, from nothing to 64 MiB.
. "$(dirname "$0")/lib.sh"
plan 3
pair_up

suite sizes_test a b $B4 1500
suite sizes_test a b $B6 1500
suite sizes_test '' '' 127.0.0.1 65536
