#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: long
# kernels: uml
#
# The hosts' clocks differ by seconds and drift by as much as bad ones do, for minutes: base and
# queue are those of the link, and what is said of the clock is right.
. "$(dirname "$0")/lib.sh"
plan 21
SIZE=20000 RATE_MBIT=10 DELAY=2000

# of_peer JQ, of_paths JQ: the number that lapsctl says; one that nothing can be, if there is none.
number() { jq "$1 | numbers" | grep . || echo 1e18; }
of_peer() { lapsctl -j -n h1 peer show $H2 | number ".[0] | $1"; }
of_paths() { lapsctl -j -n h1 path show peer $H2 | number "$1"; }

# look: sets BASE and LEAST, the longest and the shortest of all paths, in us, and SKEW.
look()
{
	BASE=$(of_paths '[.[]."base-ns"] | max / 1000 | round')
	LEAST=$(of_paths '[.[]."base-ns"] | min / 1000 | round')
	SKEW=$(of_peer '."skew-ppb"')
	note "base $LEAST to $BASE us, skew $SKEW ppb, offset $(of_peer '."offset-ns"') ns"
}

# off OFFSET_NS PPB: by how many us what is said of h2's clock is wrong now, but for whole 4.3 s,
# since stamps have 32 bits.
off()
{
	local up said
	read -r up _ </proc/uptime
	said=$(of_peer '."offset-ns"')
	awk "BEGIN { d = $said - ($1) - $up * ($2); n = 4294967296
		d = d % n; if (d > n / 2) d -= n; if (d < -n / 2) d += n; printf \"%d\", d / 1e3 }"
}

# drifts OFFSET_NS PPB
drifts()
{
	local name="offset $1 ns, drift $2 ppb" first i pid wrong
	links_up $RATE_MBIT:$DELAY
	ns_sysctl h2 net.lapsmp.clock_offset_ns="$1" net.lapsmp.clock_ppb="$2"
	receiver h2 clock --lossy
	in_ns h1 msg_send $H2 --time 600000 --size $SIZE --no-drain >"$WORK/clock.send" 2>&1 &
	pid=$!
	sleep 10
	longest_over 2
	first=$LONGEST
	for ((i = 0; i < 6; i++)); do
		look
		sleep 45
	done
	longest_over 2
	look
	wrong=$(off "$1" "$2")
	note "what is said of the clock is $wrong us off"
	rate_over 10 $SIZE
	note "$RATE Mbit/s, packets in the queue: $first, later $LONGEST"
	check_that "$name: the link is full" "$RATE > 0.94 * $RATE_MBIT"
	check_that "$name: the queue has not grown" "$LONGEST <= 5 + $first * 3 / 2"
	# Of one port the first packet may have met one of another one.
	check_that "$name: no base is longer than the link" \
		"$BASE < $DELAY + 2 * $FRAME_BITS / $RATE_MBIT + 300"
	check_that "$name: nor shorter" "$LEAST > $DELAY - 300"
	check_that "$name: the drift is known" "$SKEW - ($2) < 5000 && ($2) - $SKEW < 5000"
	check_that "$name: what is said of the clock is right" "$wrong > -5000 && $wrong < 5000"
	check_that "$name: nothing is sent again" "$(stat h1 retrans_segs) == 0"
	note "$(lapsctl -n h1 path show)"
	murder $pid
	murder "$RECEIVER"
	topo_down
}

drifts 0 0
drifts 1500000000 100000
drifts -3000000001 -100000
