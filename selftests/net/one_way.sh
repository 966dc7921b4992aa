#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One of four paths swallows everything in one direction, and only there.
. "$(dirname "$0")/lib.sh"
plan 6
links_up 1000:25 1000:25 300:25 100:25

# swallow ROUTER: its end of link 2.
swallow()
{
	amid h1 0.01
	# shellcheck disable=SC2046
	tc -n "$1" qdisc change dev l2 root $(netem_args 1000 25) loss 100%
}

hole()
{
	local name=$1
	receiver h2 "$name" --count 2000
	swallow "$2" &
	# shellcheck disable=SC2046
	sender h1 "$name" $H2 --count 2000 --size 4000 $(pace 2000)
	result $? "$name: no error"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(tail -n 1 "$WORK/$name.recv")"
	timing "$name: no long pause" "$(says "$name.recv" max_gap_ns) < 100e6"
	links_heal
}

hole 'data' r1
hole 'acknowledgements' r2
