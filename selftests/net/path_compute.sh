#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# Paths that "lapsctl path compute --apply" finds in a description of two unequal links:
# they are added as they were computed, in place of earlier ones, and carry messages. The
# second router is two nodes, by its address on each link.
. "$(dirname "$0")/lib.sh"
plan 14
links_up 200:100 50:500
segs_allowed 1 h1 r1 r2 h2

cat >"$WORK/net.json" <<END
{
  "nodes": [
    { "name": "h1", "kind": "host", "addr": "$H1_6" },
    { "name": "h2", "kind": "host", "addr": "$H2_6" },
    { "name": "r1", "kind": "switch" },
    { "name": "l1", "kind": "switch", "sid": "fd00:9:1::2" },
    { "name": "l2", "kind": "switch", "sid": "fd00:9:2::2" }
  ],
  "links": [
    { "a": "h1", "b": "r1", "delay": 0, "rate": "1tbit" },
    { "a": "r1", "b": "l1", "delay": "100us", "rate": "200mbit" },
    { "a": "r1", "b": "l2", "delay": "500us", "rate": "50mbit" },
    { "a": "l1", "b": "h2", "delay": 0, "rate": "1tbit" },
    { "a": "l2", "b": "h2", "delay": 0, "rate": "1tbit" }
  ]
}
END

# compute NS FROM TO [ARG...]
compute()
{
	local ns=$1 from=$2 to=$3
	shift 3
	lapsctl -n "$ns" path compute "$WORK/net.json" --from "$from" --to "$to" --apply "$@"
}

paths() { lapsctl -j -n h1 path show peer $H2_6 | jq -c "$1"; }

# not_here: h2 does not take what was computed for h1, and says why.
not_here()
{
	local status=0
	compute h2 h1 h2 >"$WORK/out" 2>&1 || status=$?
	cat "$WORK/out"
	[[ $status -eq 1 ]] && grep -q 'h1 is not this host' "$WORK/out"
}

check 'paths are computed and added' compute h1 h1 h2
check 'by the segments of each link' test "$(paths 'map(.segs) | sort')" = \
	'[["fd00:9:1::2"],["fd00:9:2::2"]]'
# 1500 bytes take 60 and 240 us, and at most 1 us on the way to and from the routers.
check 'with rate' test "$(paths 'map(."conf-rate") | sort')" = '[6250000,25000000]'
check 'and delay' test "$(paths 'map(."conf-base-ns" / 1000 | floor) | sort')" = '[160,740]'
check 'messages arrive' transfer h1 h2 $H2_6 100 20000
check 'once more, one path, and measured' compute h1 h1 h2 -k 1 --measure
check 'it takes the place of both' test \
	"$(paths 'map([.segs, ."conf-rate" // 0])')" = '[[["fd00:9:1::2"],0]]'
check 'messages arrive' transfer h1 h2 $H2_6 100 20000
check 'another host refuses' not_here
# To the file both links are one as good as the other now, so that routing may take either.
sed -i 's/"delay": "500us", "rate": "50mbit"/"delay": "100us", "rate": "200mbit"/' "$WORK/net.json"
check 'by ports, for both ways' compute h1 h1 h2 --ports 4
check 'instead of what was there' test "$(paths 'map(.segs // "") | unique')" = '[""]'
check 'four of them, none twice' test "$(paths 'map(.sport) | unique | length')" = 4
check 'planned alike' test "$(paths 'map([."conf-rate", .cost]) | unique')" = '[[25000000,3]]'
check 'messages arrive' transfer h1 h2 $H2_6 100 20000
