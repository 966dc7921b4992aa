#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every attribute of every netlink request wrong in turn: an error that says why,
# and nothing has changed.
. "$(dirname "$0")/lib.sh"
python3 -c 'import yaml' 2>/dev/null || skip_all 'needs python3-yaml'
plan 1
ip netns add a
ip -n a link set lo up
suite in_ns a python3 -B "$NET_DIR/nl_wrong.py"
