#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a new flow sends before it has heard of any: as many segments as the setting says, and
# no more, however long nothing comes back.
. "$(dirname "$0")/lib.sh"
plan 7
pair_up

# first_flight N: of a flow to a host that is known, while no answer returns.
first_flight()
{
	local n=$1 before flight
	new() { echo $(($(stat a tx_segs) - $(stat a retrans_segs))); }
	sent() { (($(new) - before >= n)); }
	ns_sysctl a net.lapsmp.initcwnd="$n"
	# Of whom nothing is known is first asked for a cookie.
	check "$n: the hosts know each other" transfer a b "$B4" 1 100
	tc -n b qdisc add dev e0 root netem loss 100%
	receiver b "flight$n" --count 1
	before=$(new)
	sender a "flight$n" "$B4" --count 1 --size 60000 --sndbuf 1000000 &
	until_true 20 sent
	# For timeouts, which send again what is under way.
	sleep 0.5
	flight=$(($(new) - before))
	note "$flight segments, then $(stat a retrans_segs) sent again"
	check_that "$n: so many, and no more" "$flight == $n"
	tc -n b qdisc del dev e0 root
	check "$n: and all arrives" wait "$RECEIVER"
	wait $!
}

first_flight 1
first_flight 8
check 'none is refused' bash -c \
	"! ip netns exec a sysctl -q -w net.lapsmp.initcwnd=0 2>/dev/null"
