#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Files that describe networks: what lapsctl says about wrong ones, and those that it
# generates. Runs on any machine, without the module.
set -uo pipefail

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# wrong SED-SCRIPT: what is said of small.json after this, into "got"; without the JSON
# library's own words.
wrong()
{
	sed "$1" small.json >wrong.json
	lapsctl path compute wrong.json --from a --to b >out 2>&1
	echo "$? $(cat out)" |
		sed 's/lapsctl: path compute: wrong.json:[[:blank:]]*//; s/\(this is not JSON\):.*/\1/' >>got
}

echo "KTAP version 1"
build "$tmp/lapsctl"
echo "1..4"

write_small
: >got
wrong 's/"name": "b"/"name": "a"/'
wrong 's/"name": "b"/"name": "b\/.."/'
wrong 's/"kind": "host"/"kind": "router"/'
wrong 's/fd00::2/10.0.0.2/'
wrong 's/fd00::2/ff02::2/'
wrong 's/fd00::2/fd00::3/'
wrong 's/fd00::5/fd00::3/'
wrong 's/"b": "t"/"b": "x"/'
wrong 's/"b": "t"/"b": "r"/'
wrong 's/"12us"/-12/'
wrong 's/"12us"/"12"/'
wrong 's/"12us"/12.5/'
wrong 's/"12us"/"11s"/'
wrong 's/100mbit/0bit/'
wrong 's/, "rate": "1gbit"//'
wrong 's/"12us"/"12us", "cost": 0/'
wrong 's/"12us"/"12us", "up": "no"/'
wrong 's/"12us"/"12us", "dely": 1/'
wrong 's/"12us"/"12us", "": 1/'
wrong 's/"12us"/"12us", "delay": 1/'
wrong 's/"packet": 1250/"packet": 9/'
wrong "/links/,\$d"
check "what is wrong in a file is said, and where" <<'END'
1 nodes[1] (a): nodes[0] has this name, too; give each node its own
1 nodes[1]: name 'b/..' cannot be used: 1 to 63 letters, digits, '.', '_' and '-' are, beginning with a letter, a digit or '_'
1 nodes[0] (a): kind 'router' is none of: switch, host
1 nodes[3] (s): sid '10.0.0.2' is no IPv6 address; write it like 2001:db8::1
1 nodes[3] (s): sid 'ff02::2' cannot be used as one: it is unspecified, loopback, IPv4, link-local or multicast; give a routed address
1 fd00::3 belongs to node s and to node t; give each its own
1 fd00::3 belongs to the link from r to u and to node t; give each its own
1 links[2]: there is no node 'x', which b names; add it to nodes, or correct the name
1 links[2] (r to r): a and b are one node; a link joins two
1 links[5] (r to u): delay -12 is out of range; it is from 0 to 10000000000
1 links[5] (r to u): delay '12' has no unit; write it like 250us, 1.5ms or 3000ns
1 links[5] (r to u): delay is neither a string with a unit nor a whole number of ns
1 links[5] (r to u): delay '11s' is out of range; it is from 0 to 10000000000 ns
1 links[3] (t to s): rate '0bit' is out of range; it is from 1000 to 1250000000000 bytes/s
1 links[0] (a to r): rate is missing, here and in defaults; write "rate": "100gbit"
1 links[5] (r to u): cost 0 is out of range; it is from 1 to 16777215
1 links[5] (r to u): up is neither true nor false
1 links[5]: 'dely' is not known here; it may have: a b delay rate cost up oneway a-sid b-sid
1 links[5]: '' is not known here; it may have: a b delay rate cost up oneway a-sid b-sid
1 18:50: this is not JSON
1 the file: packet 9 is out of range; it is from 64 to 65535
1 12:0: this is not JSON
END

# Neither from a name nor from what is no JSON.
: >got
wrong 's/1250,/1250, "name": "\\u001b[31m",/'
wrong 's/1250,/1250, "name": "\\u009b31m",/'
wrong "s/1250/\x1b/"
check "terminals get no control characters" <<'END'
1 the file: name has control characters; leave them out
1 the file: name has control characters; leave them out
1 2:13: this is not JSON
END

for args in "dragonfly --groups 5 --switches 2 --hosts 3" "torus --dims 3x2x1 --hosts 2" \
	"torus --dims 5" "rail --clusters 2 --gpus 4" "fat-tree --ports 6" \
	"leaf-spine --leaves 2 --spines 3 --hosts 4 --delay 2us --rate 400gbit"; do
	# shellcheck disable=SC2086 # words
	lapsctl topology generate $args >kind.json
	lapsctl topology show kind.json | sed -n '1p; s/^  [hsl][a-z]* *\([0-9]*\).*/\1/p'
	lapsctl path compute kind.json --all -k 2 --anchors 16 | sed -n 's/PIT entries *//p'
done | paste -d '|' - - - - - >got
check "networks of all kinds, of other sizes" <<'END'
Dragonfly, 5 groups of 2 switches, 3 hosts on each|30|10|45|56 per host
torus of 3x2x1 nodes, 2 hosts on each|12|6|21|21 per host
torus of 5 nodes|5|0|5|8 per host
rail, 2 clusters of 4 GPUs|8|14|24|11 per host
fat tree of switches with 6 ports|54|45|162|104 per host
leaf-spine, 2 leaves, 3 spines, 4 hosts on each leaf|8|5|14|11 per host
END

: >got
refused lapsctl topology generate torus --dims 200x200
refused lapsctl topology generate torus --dims 4xx4
refused lapsctl topology generate torus --ports 4
refused lapsctl topology generate fat-tree --ports 5
refused lapsctl topology generate ring
refused lapsctl topology generate rail --gpus 0
refused lapsctl topology generate rail --prefix 10.0.0.0
check "networks that cannot be are refused" <<'END'
that is too large: 20000 nodes and 200000 links at most
--dims '' is not a number from 0 to 20000
'--ports' is not known here; it takes: [--hosts N] [--dims NxN...] [--delay TIME] [--rate RATE] [--host-rate RATE] [--prefix ADDRESS]
--ports 5 is odd; half of them lead up
there is no kind 'ring'; there is: dragonfly, rail, torus, fat-tree, leaf-spine
--gpus 0 is too small; 1 at least
--prefix '10.0.0.0' is no IPv6 address; its first 64 bits are used
END

exit $failed
