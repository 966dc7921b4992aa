#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Paths by SRv6 segments over two unequal links: each takes the link that it names,
# its answers come back by it, and one that dies is survived. The segments are the
# addresses of the routers at both ends of a link.
. "$(dirname "$0")/lib.sh"
plan 39
links_up 200:100 50:500
SEGS1=$(segs_of 1) SEGS2=$(segs_of 2)

# Rules that count packets of each path on each link: its source port is in "sport"
# of what leaves r1, and in "dport" of the answers that leave r2.
ports_count()
{
	local ns=$1 which=$2 port link
	{
		echo 'add table inet m'
		echo 'add chain inet m f { type filter hook forward priority 0; }'
		for port in 50001 50002; do
			for link in 1 2; do
				echo "add rule inet m f oifname l$link udp $which $port" \
					"counter comment \"$port.$link\""
			done
		done
	} | in_ns "$ns" nft -f -
}

# ports_seen NS: "1.1 1.2 2.1 2.2", path and link, in packets.
ports_seen()
{
	in_ns "$1" nft -j list table inet m | jq -r '[.nftables[].rule | values |
		.expr[].counter | values.packets] | join(" ")'
}

# pinned NS: each path took its own link, and no other.
pinned()
{
	local own1 other1 other2 own2
	read -r own1 other1 other2 own2 < <(ports_seen "$1")
	echo "path 1: $own1 and $other1, path 2: $other2 and $own2"
	((own1 > 100 && !other1 && !other2 && own2 > 20))
}

path() { lapsctl -n h1 path "$1" peer "${@:2}"; }
paths() { lapsctl -j -n h1 path show peer $H2_6; }
state_is() { [[ $(paths | jq -r ".[] | select(.sport == $1).state") == "$2" ]]; }

# use_until PORT STATE: messages on all paths, until the path of it is in this state.
use_until() { transfer h1 h2 $H2_6 50 20000 --sched spray && state_is "$1" "$2"; }

# damaged: datagrams that h2 has dropped for their checksum.
damaged()
{
	local name n
	while read -r name n; do
		[[ $name != Udp6InCsumErrors ]] || echo "$n"
	done < <(in_ns h2 cat /proc/net/snmp6)
}

# refused PATTERN COMMAND...: with these words, and nothing changed.
refused()
{
	local pattern=$1 before
	shift
	before=$(paths | jq length)
	! "$@" >"$WORK/refused" 2>&1 || return 1
	cat "$WORK/refused"
	grep -q -- "$pattern" "$WORK/refused" && [[ $(paths | jq length) -eq $before ]]
}

# Linux 6.1 cannot put a value into its words.
VALUE=': 17'
[[ $(uname -r) != 6.1.* ]] || VALUE=''

plain_answers()
{
	ns_sysctl h2 net.lapsmp.ack_segs=0
	until_true 60 use_until 50001 up
}

segs_allowed 1 h1 r1 r2 h2
# Checksums are those of the last address, and are looked at.
in_ns h1 ethtool -K e0 tx off
check 'a path by segments' path add $H2_6 segs "$SEGS1" sport 50001
check 'another' path add $H2_6 segs "$SEGS2" sport 50002
check_that 'they are of their kind' "$(paths | jq 'map(select(.kind == "segs")) | length') == 2"
# The answer to the very first packet is by the plain route: nothing is known of who
# has sent it.
check 'messages arrive' transfer h1 h2 $H2_6 10 20000
ports_count r1 sport
ports_count r2 dport
check 'more of them, too' transfer h1 h2 $H2_6 400 24-50000
check 'each takes the link that it names' pinned r1
check 'answers come back by it' pinned r2
check_that 'the path MTU is that of the links' "$(paths | jq 'map(.mtu) | min') == 1500"
check 'small ones' transfer h1 h2 $H2_6 200 24-2000

# The header of the segments takes its place from the segments of data: full ones
# fit, and their checksum is that for the last address.
check_that 'nothing was damaged' "$(stat h2 rx_bad) + $(damaged) == 0"
# A machine that is late looks like a link that is too small.
timing 'nothing was too large' "$(stat h1 pmtu_changes) == 0"

link_is 2 loss 100%
check 'a link swallows everything: its path goes down' until_true 60 use_until 50002 down
check 'the other carries all' transfer h1 h2 $H2_6 50 20000
links_heal
check 'it comes back' until_true 60 use_until 50002 up

ip -n r1 link set l2 mtu 1300
check 'a smaller link on one path' transfer h1 h2 $H2_6 200 20000
check 'is found out' until_true 30 use_until 50002 up
timing 'on that path only' "$(paths | jq 'map(.mtu) | max') == 1500 && $(paths | jq 'map(.mtu) | min') <= 1300"
ip -n r1 link set l2 mtu 1500

# Who receives it does not want it: no word of why, as of a link that is cut.
segs_allowed 0 h2
check 'a path by port beside them' path add $H2_6 sport 50003
check 'one that drops segments: those paths go down' until_true 60 use_until 50001 down
check 'and the other carries all' transfer h1 h2 $H2_6 50 20000
segs_allowed 1 h2
check 'it takes them again' until_true 60 use_until 50001 up

# Nor does who sent it want the answers by segments.
segs_allowed 0 h1
check 'no answers by segments: those paths go down' until_true 60 use_until 50001 down
check 'unless the receiver sends them by the plain route' plain_answers
segs_allowed 1 h1
ns_sysctl h2 net.lapsmp.ack_segs=1

# There is no route to the first node of the way back.
ip -n h2 route add unreachable fd00:9:1::2/128
ip -n h2 route add unreachable fd00:9:2::2/128
check 'no way back: answers by the plain route' until_true 60 use_until 50002 up
ip -n h2 route del unreachable fd00:9:1::2/128
ip -n h2 route del unreachable fd00:9:2::2/128

check 'by the same nodes, with a label' path add $H2_6 segs fd00:9:1::2 flowlabel 77
check 'messages arrive' transfer h1 h2 $H2_6 100 20000
check_that 'and by that path, too' "$(paths | jq 'map(select(.flowlabel == 77 and .state == "up")) | length') == 1"

many() { local i list=''; for ((i = 1; i <= $1; i++)); do list+=,fd00:9:1::$((i % 2 + 1)); done; echo "${list#,}"; }
check '16 segments' path add $H2_6 segs "$(many 16)"
check 'messages arrive' transfer h1 h2 $H2_6 100 20000
check '17 are refused' refused "at most 16 segments can be listed$VALUE" path add $H2_6 segs "$(many 17)"
check 'the same once more' refused 'source port, flow label or segments' path add $H2_6 segs "$SEGS1" sport 50001

bad_segments()
{
	local sid
	for sid in :: ::1 ff02::1 fe80::1 ::ffff:192.0.2.1; do
		refused 'not a usable segment' path add $H2_6 segs "fd00:9:1::1,$sid" || return
	done
}
check 'what names no node' bad_segments
check 'what is no address' refused 'no IPv6 address' path add $H2_6 segs fd00:9:1::1,192.0.2.1
check 'nothing' refused 'no IPv6 address' path add $H2_6 segs fd00:9:1::1,
check 'of a fixed address the same' transfer h1 h2 $H2_6 20 1000 --bind $H1_6
check_that 'by the same nodes' "$(lapsctl -j -n h1 path show peer $H2_6 bound $H1_6 |
	jq 'map(select(.sport == 50001 and .segs == ["fd00:9:1::1", "fd00:9:1::2"])) | length') == 1"
check 'they are shown' grep -q "$SEGS1" <(path show $H2_6)
check 'each by itself' test "$(paths | jq -c 'map(select(.sport == 50001)) | .[0].segs')" = \
	'["fd00:9:1::1","fd00:9:1::2"]'
saved()
{
	lapsctl -n h1 save >"$WORK/saved"
	cat "$WORK/saved"
	lapsctl -n h1 restore "$WORK/saved" && lapsctl -n h1 save | diff "$WORK/saved" - &&
		grep -q " sport 50001 segs $SEGS1\$" "$WORK/saved" &&
		grep -q " flowlabel 77 segs fd00:9:1::2\$" "$WORK/saved"
}
check 'saved and restored' saved
