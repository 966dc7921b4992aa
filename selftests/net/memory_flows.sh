#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml uml-debug
#
# Somebody who is not root sends a byte each to thousands of ports of a host that is silent. What
# flows take is charged as messages are: he is told that there is no room, others have some, and
# when his sockets are closed what goes on without them has half of it at most.
. "$(dirname "$0")/lib.sh"
plan 13
pair_up
parts_are 16
SILENT=${B4%.*}.99
ip -n a neigh add "$SILENT" lladdr 02:00:00:00:00:99 nud permanent dev e0

flows() { lapsctl -j -n a flow show peer "$SILENT" direction tx | jq length; }

none_left() { [[ $(flows) -eq 0 ]]; }

# opens SOCKETS: each has flows until it is refused. Sets FLOWS, the program, and MADE.
opens()
{
	: >"$WORK/flows"
	in_ns a setpriv --reuid 65534 --clear-groups "$(type -P flows)" "$SILENT" "$1" >"$WORK/flows" 2>&1 &
	FLOWS=$!
	until_true 100 grep -q . "$WORK/flows" || return
	note "$1 sockets: $(cat "$WORK/flows")"
	MADE=$(sed -n 's/^flows=\([0-9]*\) .*/\1/p' "$WORK/flows")
	[[ $MADE -gt 0 ]] && has last=ENOBUFS "$WORK/flows"
}

# Its sockets are closed.
ends()
{
	kill "$FLOWS"
	wait "$FLOWS"
}

used() { awk '/^SUnreclaim/ { print $2 }' /proc/meminfo; }

before=$(used)
opens 1
result $? 'one socket is refused at some time'
ONE=$MADE
check_that 'it has as many as it says' "$(flows) == $ONE"
check 'others have room' transfer a b $B4 100 1000
note "$ONE flows: $(($(used) - before)) KB"
# What is looked for in memory takes more than what is there.
MOST=17000
[[ ${LAPSMP_KERNEL:-uml} == uml ]] || MOST=60000
check_that 'they take no more than 16 MB' "$(used) - $before < $MOST"
ends
check_that 'half of it is enough for what goes on' "$(flows) <= $ONE * 3 / 4"
check_that 'and some does' "$(flows) >= $ONE / 4"
# To ask often for thousands of flows is slow, and where time is simulated this is not.
sleep 40
check 'it ends' until_true 60 none_left
opens 50
result $? 'each of fifty is refused'
check_that 'all together have no more than there is' "$MADE < $ONE * 3 / 2"
ends
sleep 40

# What is there for one path is not enough for eight: nobody tries to have it for ever.
ns_sysctl a net.lapsmp.user_timeout_ms=5000
check 'with one path' lapsctl -n a path add peer "$SILENT" sport 50001
opens 1
result $? 'one socket has more flows'
for port in {50002..50008}; do
	lapsctl -n a path add peer "$SILENT" sport "$port"
done
# Their time is up, and a minute later nobody has asked why.
sleep 100
check 'they end though there is no room for more paths' until_true 20 none_left
ends
check 'nothing stays charged' until_true 300 memory_is_free
