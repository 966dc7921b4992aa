#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nobody there, in all ways: each has its own error, in its own time.
. "$(dirname "$0")/lib.sh"
plan 12
pair_up
ip -n b link set lo up

# fails NAME ERROR ADDRESS [ARG...]
fails()
{
	local name=$1 error=$2
	shift 2
	sender a lost "$@" --connect --count 1
	note "$(cat "$WORK/lost.send")"
	check "$name: $error" test "$(says lost.send error)" = "$error"
}

fails 'a host without lapsmp' ECONNREFUSED $B4
fails 'a host without lapsmp, IPv6' ECONNREFUSED $B6
in_ns b msg_recv --port 7999 >/dev/null &
listening() { [[ $(sockets b) -ge 1 ]]; }
until_true 20 listening
fails 'nobody listens on the port' ECONNREFUSED $B4
fails 'nobody listens on the port, IPv6' ECONNREFUSED $B6
fails 'no route' ENETUNREACH 198.51.100.1
fails 'no route, IPv6' ENETUNREACH 2001:db8:1::1
ip -n a route add unreachable 198.51.100.0/25
fails 'a route that says no' EHOSTUNREACH 198.51.100.1
ip -n a route add prohibit 198.51.100.128/25
fails 'a route that forbids' EACCES 198.51.100.129

# A neighbour that does not answer.
fails 'no neighbour' EHOSTUNREACH 192.0.2.99 --user-timeout 6000
fails 'no neighbour, IPv6' EHOSTUNREACH 2001:db8::99 --user-timeout 6000

# One that takes everything and says nothing.
ip -n a neigh add 192.0.2.98 lladdr 02:00:00:00:00:98 dev e0 nud permanent
fails 'silence' ETIMEDOUT 192.0.2.98 --user-timeout 3000
check_that 'silence: after the user time-out' "$(says lost.send error_ns) > 2.9e9"
