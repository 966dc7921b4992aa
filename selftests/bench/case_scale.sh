#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 10000 peers with 8 paths each: how long "lapsctl -b" takes to add them and "path
# show" to print them, in the time of the machine that this runs on, and the memory
# that a peer and a path take. Two paths more of each peer cost what paths cost;
# the rest of the first eight is the peer's.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

PEERS=10000
! quick || PEERS=1000

# batch FIRST LAST: commands for paths of these source ports to each peer.
batch()
{
	awk -v peers=$PEERS -v first="$1" -v last="$2" 'BEGIN {
		for (i = 0; i < peers; i++)
			for (port = first; port <= last; port++)
				printf "path add peer 10.%d.%d.%d sport %d\n",
				       1 + i / 65536, i / 256 % 256, i % 256, port
	}'
}

# free_kb: what the kernel has, caches that it could give back included.
free_kb()
{
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^(MemFree|Cached|Buffers):/ { kb += $2 } END { print kb }' /proc/meminfo
}

now_ns() { date +%s%N; }

ip netns add h1
ip -n h1 -batch - <<-END
	link set lo up
	link add e0 type dummy
	link set e0 up
	route add 10.0.0.0/8 dev e0
	addr add 192.0.2.1/32 dev lo
END
DIR=$(mktemp -d)
batch 50001 50008 >"$DIR/eight"
batch 50009 50010 >"$DIR/two"
rows="$PEERS peers 8 paths"

before=$(free_kb) start=$(now_ns)
lapsctl -n h1 -b "$DIR/eight" || trouble "$rows" lapsctl 'batch failed'
added=$(calc "($(now_ns) - $start) / 1e9")
eight=$(calc "$before - $(free_kb)")
judge "$rows" lapsctl added-in "$added" '<' "$(calc "10 * $PEERS / 10000")" s

start=$(now_ns)
shown=$(lapsctl -n h1 path show | grep -c 'unknown')
result "$rows" lapsctl shown-in "$(calc "($(now_ns) - $start) / 1e9")" s
judge "$rows" lapsctl paths-shown "$shown" '>=' $((PEERS * 8)) ''

before=$(free_kb)
lapsctl -n h1 -b "$DIR/two" || trouble "$rows" lapsctl 'second batch failed'
path=$(calc "1024 * ($before - $(free_kb)) / $PEERS / 2")
result "$rows" lapsmp bytes-per-path "$path" bytes
result "$rows" lapsmp bytes-per-peer "$(calc "1024 * $eight / $PEERS - 8 * $path")" bytes

start=$(now_ns)
lapsctl -n h1 peer flush || trouble "$rows" lapsctl 'flush failed'
result "$rows" lapsctl forgotten-in "$(calc "($(now_ns) - $start) / 1e9")" s
rm -rf "$DIR"
ip netns del h1
