#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What modprobe needs to load lapsmp when a program asks for such a socket.
. "$(dirname "$0")/lib.sh"
plan 4
KO=${LAPSMP_KO_DIR:?}/lapsmp.ko

has_alias() { modinfo -F alias "$KO" | grep -x "$1" >/dev/null; }

check 'IPv4 sockets' has_alias net-pf-2-proto-260-type-2
check 'IPv6 sockets' has_alias net-pf-10-proto-260-type-2
check 'the netlink family' has_alias net-pf-16-proto-16-family-lapsmp
check 'a licence that lets it load' grep -q GPL <<<"$(modinfo -F license "$KO")"
