#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "lapsctl path compute": the algorithms against a plain search
# (topo_test.c), the numbers of the LAPS paper, and the files of commands. Runs on any machine, without the module.
set -uo pipefail

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# compute ARG...: what it says, and its exit status, into "got"
compute()
{
	lapsctl path compute "$@" >got 2>&1 </dev/null
	echo "status $?" >>got
}

# by: the nodes that the paths of a table pass
by() { sed -n 's/^ \+[0-9]\+ .*  \([^ ].*\)$/\1/p'; }

echo "KTAP version 1"
build "$tmp/lapsctl" "$tmp/topo.a"
"${CC:-cc}" -O2 -g -std=gnu11 -D_GNU_SOURCE -o topo_test "$here"/topo_{test,plain}.c \
	"$top/selftests/progs/ktap.c" topo.a >make.log 2>&1 ||
	bail "cannot build topo_test: $(tail -n 3 make.log | tr '\n' ' ')"
echo "1..12"

echo "    # Subtest: algorithms"
./topo_test >algorithms
status=$?
sed '/^TAP version/d; s/^/    /' algorithms
report "$status" "algorithms"

lapsctl topology generate dragonfly >dragonfly.json
compute dragonfly.json --all -k 8 --out batches
check "Dragonfly of 144 hosts: the counts of the paper's table I" <<'END'
hosts         144
pairs         20592, up to 8 paths each
PST entries   143 per host
PIT entries   1063 per host
segments      1 at most
fewer         2160 pairs have fewer paths than wanted
status 0
END

lapsctl topology generate rail >rail.json
compute rail.json --all -k 8
check "rail of 64 GPUs: the counts of the paper's table I" <<'END'
hosts         64
pairs         4032, up to 8 paths each
PST entries   63 per host
PIT entries   455 per host
segments      1 at most
fewer         448 pairs have fewer paths than wanted
status 0
END

for to in h3 h15 h143; do
	for anchors in 1 16; do
		echo "$to $anchors: $(lapsctl path compute dragonfly.json --from h0 --to $to \
			--anchors $anchors | by | wc -l)"
	done
done >got
check "more anchors give more paths inside a group" <<'END'
h3 1: 1
h3 16: 1
h15 1: 3
h15 16: 8
h143 1: 8
h143 16: 8
END

lapsctl path compute rail.json --from gpu0-1 --to gpu5-2 | by | grep -o 'rail[0-9]' | sort |
	paste -s -d ' ' >got
lapsctl path compute rail.json --from gpu0-1 --to gpu0-2 | by >>got
check "rail: to other clusters by each rail, in the own one by NVLink" <<'END'
rail0 rail1 rail2 rail3 rail4 rail5 rail6 rail7
nic0-1 nvlink0 nic0-2
END

{
	find batches -name '*.batch' | wc -l
	grep -c '^path add peer fd00:1a95::2:' batches/h77.batch
	grep -cE ' (segs|flowlabel) [^ ]+ rate 12500000000Bps base [0-9]+ns cost [0-9]+$' batches/h77.batch
	lapsctl path compute dragonfly.json --all -k 8 --out again >/dev/null
	diff -r batches again && echo alike
} >got
check "a file of commands for each host, always the same" <<'END'
144
1063
1063
alike
END

# All lines must be understood before the first one is sent: 1 is a wrong line, 2 that
# there is no module. The namespace is for where there is one.
if unshare -rn true 2>/dev/null; then
	unshare -rn "$tmp/lapsctl" restore batches/h77.batch >out 2>&1
	status=$?
	sed 's/^/# /' out
	report $((status == 1)) "lapsctl understands these commands"
else
	report 0 "lapsctl understands these commands # SKIP no namespaces here"
fi

write_small
compute small.json --from a --to b
check "a table: delay, margin, base, rate and segments" <<'END'
a to b
  path  hops  cost    delay   margin     base         rate  segs        by
     1     4     4  60.0 us   150 us   210 us  1.00 Gbit/s  fd00::5     r u s
     2     4     4  62.0 us   150 us   212 us  1.00 Gbit/s  impossible  r u s
     3     3     3  80.0 us   100 us   180 us  1.00 Gbit/s  -           r s
     4     4     4   150 us   600 us   750 us   100 Mbit/s  fd00::3     r t s
  there is no other
  path 2 cannot be pinned: this link from r to u is not the only way of least cost between them, and has no SID of its own (a-sid, b-sid)
status 0
END

# From gpu0-0 to gpu1-1 two ways cost 6, and packets without segments take either; to gpu1-0
# one costs 4.
lapsctl topology generate rail --clusters 4 --gpus 4 >rail4.json
{
	lapsctl path compute rail4.json --from gpu0-0 --to gpu1-1 -k 3 --ports 3
	lapsctl -j path compute rail4.json --from gpu0-0 --to gpu1-1 -k 3 --ports 3 |
		grep -o '"pinned":true[^}]*'
	lapsctl path compute rail4.json --all -k 3 --ports 3 --out ports
	grep -E ':(f|11|13) ' ports/gpu0-0.batch | sed -E 's/sport [0-9]+/sport PORT/; s/label [0-9]+/label LABEL/'
	echo "$(grep -oh 'sport [0-9]*' ports/gpu0-0.batch | sort -u | wc -l) ports of a host"
	echo "$(grep -oh 'sport [0-9]*' ports/*.batch | sort -u | wc -l) ports of all"
} >got
check "ports instead of segments where routing has several ways" <<'END'
gpu0-0 to gpu1-1
  path  hops  cost    delay   margin     base        rate  segs              by
     1     6     6  6.60 us  2.70 us  9.30 us  100 Gbit/s  3 ports           nic0-0 nvlink0 nic0-1 rail1 nic1-1
     2     6     6  6.60 us  2.70 us  9.30 us  100 Gbit/s  3 ports           nic0-0 rail0 nic1-0 nvlink1 nic1-1
     3     8     8  8.84 us  3.90 us  12.7 us  100 Gbit/s  fd00:1a95::1:0:4  nic0-0 nvlink0 nic0-3 rail3 nic1-3 nvlink1 nic1-1
"pinned":true,"by-ports":3,"segs":["fd00:1a95::1:0:5"]
"pinned":true,"by-ports":3,"segs":["fd00:1a95::1:0:1"]
"pinned":true,"segs":["fd00:1a95::1:0:4"]
hosts         16
pairs         240, up to 3 paths each
PST entries   15 per host
PIT entries   48 per host
segments      1 at most
fewer         48 pairs have fewer paths than wanted
path add peer fd00:1a95::2:0:f flowlabel LABEL rate 12500000000Bps base 4360ns cost 4
path add peer fd00:1a95::2:0:f segs fd00:1a95::1:0:3 rate 12500000000Bps base 8840ns cost 8
path add peer fd00:1a95::2:0:f segs fd00:1a95::1:0:4 rate 12500000000Bps base 8840ns cost 8
path add peer fd00:1a95::2:0:11 sport PORT rate 12500000000Bps base 6600ns cost 6
path add peer fd00:1a95::2:0:11 sport PORT rate 12500000000Bps base 6600ns cost 6
path add peer fd00:1a95::2:0:11 sport PORT rate 12500000000Bps base 6600ns cost 6
path add peer fd00:1a95::2:0:11 segs fd00:1a95::1:0:4 rate 12500000000Bps base 8840ns cost 8
path add peer fd00:1a95::2:0:13 sport PORT rate 12500000000Bps base 6600ns cost 6
path add peer fd00:1a95::2:0:13 sport PORT rate 12500000000Bps base 6600ns cost 6
path add peer fd00:1a95::2:0:13 sport PORT rate 12500000000Bps base 6600ns cost 6
path add peer fd00:1a95::2:0:13 segs fd00:1a95::1:0:2 rate 12500000000Bps base 8840ns cost 8
3 ports of a host
48 ports of all
END

for args in "" "--disjoint -k 3" "--anchors 0" "--anchors 1 --metric hops" "--metric cost"; do
	# shellcheck disable=SC2086 # words
	lapsctl path compute small.json --from a --to b $args | by | paste -s -d , | tr -s ' '
done >got
check "metrics, disjoint paths, and few anchors" <<'END'
r u s,r u s,r s,r t s
r u s,r s,r t s
r s
r s,r u s,r t s
r s,r u s,r u s,r t s
END

lapsctl -j path compute small.json --from a --to b -k 2 >got
check "JSON" <<'END'
{"from":"a","to":"b","paths":[{"nodes":["a","r","u","s","b"],"hops":4,"cost":4,"delay-ns":60000,"margin-ns":150000,"base-ns":210000,"rate":125000000,"pinned":true,"segs":["fd00::5"]},{"nodes":["a","r","u","s","b"],"hops":4,"cost":4,"delay-ns":62000,"margin-ns":150000,"base-ns":212000,"rate":125000000,"pinned":false,"why":"this link from r to u is not the only way of least cost between them, and has no SID of its own (a-sid, b-sid)"}]}
END

: >got
refused lapsctl path compute small.json --from a --to a
refused lapsctl path compute small.json --from a --to z
refused lapsctl path compute small.json --from a
refused lapsctl path compute small.json --from a --to b --all
refused lapsctl path compute small.json --from a --to b -k 0
refused lapsctl path compute small.json --from a --to b --metric speed
refused lapsctl path compute small.json --from a --to b --out x
refused lapsctl path compute small.json --from a --to b --aply
refused lapsctl path compute small.json --from a --to b --ports 1
refused lapsctl path compute small.json --from a --to b --ports 65
refused lapsctl path compute small.json --from a --to b --ports 2 --anchors 0
sed 's/"rate": "1gbit"/"rate": "1gbit", "up": false/' small.json >down.json
refused lapsctl path compute down.json --from a --to b
refused lapsctl path compute small.json --from a --to s --apply
refused lapsctl path compute small.json --from a --to b --apply
refused lapsctl path compute small.json --from a --to b --apply -k 1
check "what cannot be done is refused" <<'END'
--from and --to are one node, a; paths join two
there is no node 'z', which --to names, in the file
missing: --from NODE --to NODE, or --all
--all is for all pairs of hosts; leave out --from
-k 0 asks for no path; 1 to 256
--metric 'speed' is none of: delay, hops, cost
--out is for the files of all hosts: --all --out x
'--aply' is not known here; it takes: [TOPOLOGY] [--from NODE] [--to NODE] [--all] [-k K] [--metric delay|hops|cost] [--disjoint] [--anchors N] [--ports N] [--measure] [--apply] [--out DIR]
--ports 1 is no choice of several ways; 2 to 64
--ports '65' is not a number from 0 to 64
--ports takes the place of segments, of which there are none with 0 anchors; leave it out, or allow at least one
no way leads from a to b over links that are up
s has no addr in the file, so that no peer can be named; add it
nothing is added: path 2 cannot be pinned: this link from r to u is not the only way of least cost between them, and has no SID of its own (a-sid, b-sid); --anchors leaves such paths out
a is not this host: its addr, fd00::a, is none of this network namespace's; see -n NETNS
END

exit $failed
