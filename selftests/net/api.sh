#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml uml-debug stock-6.12
#
# Every socket call, option and error, on the loopback, over both families.
. "$(dirname "$0")/lib.sh"
plan 2
ip netns add a
ip -n a link set lo up
ns_sysctl a net.ipv4.ip_unprivileged_port_start=1024

suite in_ns a api_test 4
suite in_ns a api_test 6
