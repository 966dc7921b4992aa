#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lab: long
#
# lapsctl path discover, in a fabric of two tiers: what it says is compared with where
# the routers have really sent each port's packets.
# shellcheck disable=SC2016 # the variables in quotes are those of jq
. "$(dirname "$0")/lib.sh"
# shellcheck source=fabric.sh
. "$NET_DIR/fabric.sh"
plan 44
fabric_up
fabric_watch
H1=10.1.0.1 H2=10.2.0.1 H2_6=fd00:2::1
LEAF2=${FABRIC_4[leaf2]} AGG1=${FABRIC_4[agg1]}
# Where time is real a limited router takes as many seconds as there are ports.
FEW=32
virtual || FEW=10

# discover PEER [ARG...]: what it says goes to found.
discover() { lapsctl -j -n h1 path discover "$@" >"$WORK/found"; }
found() { jq -r "$1" "$WORK/found"; }

# says_routers [SELECT]: lines "PORT ROUTER", of all ways or some.
says_routers()
{
	found ".ways[] | select(${1:-true}) | .sport as \$port | .hops[] |
		select(.kind == \"router\") | \"\\(\$port) \\(.addr)\"" | sort
}

# is_true [ROUTER]: it has said who forwarded what; of this one it knew nothing.
is_true()
{
	local family=4
	[[ $(found .peer) != *:* ]] || family=6
	fabric_seen $family >"$WORK/true"
	wc -l <"$WORK/true"
	diff <(grep -vw -- "${1:-none}" "$WORK/true") <(says_routers)
}

# fails STATUS PATTERN COMMAND...: exits like this and says it on standard error.
fails()
{
	local want=$1 pattern=$2 status=0
	shift 2
	"$@" >/dev/null 2>"$WORK/err" || status=$?
	cat "$WORK/err"
	[[ $status -eq $want ]] && grep -q -- "$pattern" "$WORK/err"
}

prints()
{
	local pattern=$1
	shift
	"$@" >"$WORK/out" || return
	cat "$WORK/out"
	grep -q -- "$pattern" "$WORK/out"
}

# slowly SINCE: no more probes than are allowed in that time.
slowly() { awk "BEGIN { exit !($(found .probes) <= 100 * ($EPOCHREALTIME - $1) + 1) }"; }

# late: ns by which a route's delay differs at most from that of its core, i * 100 us.
late() { found '[.routes[] | ."rtt-ns" - 100000 * (.hops[2][-1:] | tonumber)] | max'; }

suite discover_test

# --- ports, IPv4; nobody has used lapsmp at the peer yet ---------------------------

ns_sysctl h2 net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0
check 'before lapsmp is used at the peer' discover $H2
check_that 'four routes' "$(found '.routes | length') == 4"
check 'it says that no lapsmp answers' test "$(found '[.ways[].hops[-1].kind] | unique[]')" = no-lapsmp
check 'each port takes the route that it says' is_true

receiver h2 idle --lossy
START=$EPOCHREALTIME
check 'once it is used there' discover $H2
check 'no more than 100 probes a second' slowly "$START"
check_that 'lapsmp answers each port' "$(found '[.ways[].hops[-1] | select(.kind == "peer")] | length') == 64"
check_that 'four routes' "$(found '.routes | length') == 4"
check 'each port takes the route that it says' is_true
check_that 'each hop was seen twice' "$(found '[.ways[].hops[] | select(.kind == "router") | .answers] | min') >= 2"
timing 'and delays' "$(late) >= 0 && $(late) < 5000"
check_that 'the peer has kept nothing' "$(stat h2 rflows_opened) == 0 && $(stat h2 rx_messages) == 0"
check_that 'and its limit was not met' "$(stat h2 tx_resets) > 64 && $(stat h2 tx_ratelimited) == 0"
check 'a tree' prints '^  |- 10.0.2.[12] ' lapsctl -n h1 path discover $H2 --ports 24
stop "$RECEIVER"

# --- kept, and added ------------------------------------------------------------------

kept_is_told()
{
	local ports
	ports=$(lapsctl -j -n h1 path show peer $H2 | jq -c '[.[] | select(.automatic | not).sport] | sort')
	echo "$ports"
	[[ $ports == "$(found '[.kept[].sport] | sort | tojson')" ]]
}

# The first two have but the leaves in common.
apart()
{
	found '[.kept[].route] as $k | [.routes[] | select(.route == $k[0] or .route == $k[1]).hops[1]] |
		unique | length == 2' | grep -qx true
}

data_takes_them()
{
	fabric_seen 4 >/dev/null
	transfer h1 h2 $H2 200 20000 --sched spray || return
	diff <(fabric_seen 4) <(says_routers "IN(.sport; $(found '.kept[].sport' | paste -sd,))")
}

check 'keep two' discover $H2 --ports 24 --keep 2
check_that 'two are kept' "$(found '.kept | length') == 2"
check 'of different aggregations' apart
check 'nothing was added' test "$(lapsctl -n h1 path | grep -c set)" = 0
check 'keep four, and add them' discover $H2 --keep 4 --apply
check 'they are paths now' kept_is_told
check 'data takes the routes that were said' data_takes_them
check 'beside them' discover $H2 --ports 8 --keep 1 --apply
check_that 'one path more' "$(lapsctl -j -n h1 path show peer $H2 | jq length) == 5"

# --- IPv6 ----------------------------------------------------------------------------

# labels_watch: routers count packets of each label that was kept.
labels_watch()
{
	local ns label
	for ns in "${FABRIC_ROUTERS[@]}"; do
		{
			echo 'add table inet m'
			echo 'add chain inet m f { type filter hook forward priority 0; }'
			for label in $(found '.kept[].flowlabel'); do
				echo "add rule inet m f udp dport 4795 ip6 flowlabel $label counter comment \"$label\""
			done
		} | in_ns "$ns" nft -f -
	done
}

labels_seen()
{
	local ns
	for ns in "${FABRIC_ROUTERS[@]}"; do
		in_ns "$ns" nft -j list table inet m | jq -r --arg addr "${FABRIC_6[$ns]}" \
			'.nftables[].rule | values | select(.expr[].counter | values.packets > 0) |
			"\(.comment) \($addr)"'
	done | sort
}

data_takes_labels()
{
	labels_watch
	transfer h1 h2 $H2_6 200 20000 --sched spray || return
	diff <(labels_seen) <(found '([.kept[].flowlabel]) as $k | .ways[] | .flowlabel as $l |
		select(IN($l; $k[])) | .hops[] | select(.kind == "router") |
		"\($l) \(.addr)"' | sort)
}

fabric_seen 6 >/dev/null
check 'IPv6' discover $H2_6
check_that 'four routes' "$(found '.routes | length') == 4"
check 'each port takes the route that it says' is_true
fabric_hash 0
check 'flow labels, among routers that hash these' discover $H2_6 --labels 64 --apply
check_that 'four routes' "$(found '.routes | length') == 4 && $(found '.kept | length') == 4"
check 'data takes the routes that were said' data_takes_labels

# --- routers that say little -----------------------------------------------------------

# hush ROUTER: it sends no ICMP.
hush()
{
	in_ns "$1" nft -f - <<-'END'
		table inet hush {
			chain output {
				type filter hook output priority 0;
				meta l4proto { icmp, ipv6-icmp } drop
			}
		}
	END
}

fabric_seen 4 >/dev/null
fabric_icmp 1000
check 'routers that answer once a second' discover $H2 --ports $FEW
check 'each port takes the route that it says' is_true
fabric_icmp 0

hush agg1
check 'a silent router' discover $H2
check_that 'is silent, and hides no route' "$(found '.routes | length') == 4 &&
	$(found '[.ways[].hops[1].kind | select(. == "silent")] | length') > 0"
check 'each port takes the route that it says' is_true "$AGG1"
hush core1
check 'another, behind it' prints 'at least 3 different routes' \
	lapsctl -n h1 path discover $H2 --ports 48
in_ns agg1 nft delete table inet hush
in_ns core1 nft delete table inet hush

# One that spreads packets, not ports.
printf '%s\n' 'rule add fwmark 1 lookup 101' 'rule add fwmark 2 lookup 102' \
	"route add 10.2.0.0/24 via $AGG1 dev agg1 onlink table 101" \
	"route add 10.2.0.0/24 via ${FABRIC_4[agg2]} dev agg2 onlink table 102" | ip -n leaf1 -batch -
in_ns leaf1 nft -f - <<'END'
table ip spread {
	chain prerouting {
		type filter hook prerouting priority mangle;
		udp dport 4795 meta mark set numgen random mod 2 offset 1
	}
}
END
check 'packets are spread, not ports' prints 'no fixed route' lapsctl -n h1 path discover $H2 --ports 16
in_ns leaf1 nft delete table ip spread

# --- what cannot be ------------------------------------------------------------------------

# As a user with no privileges, from a place where he can read it.
chmod 755 "$WORK"
cp "$(command -v lapsctl)" "$WORK/lapsctl"
as_nobody() { in_ns h1 setpriv --reuid 65534 --clear-groups "$WORK/lapsctl" "$@"; }

check 'without privileges' prints '8 ports' as_nobody path discover $H2 --ports 8
check 'but not to add paths' fails 2 CAP_NET_ADMIN as_nobody path discover $H2 --apply
check 'nobody has this address' fails 2 "10.2.0.9 does not answer.* $LEAF2 at hop 4" \
	lapsctl -n h1 path discover 10.2.0.9 --ports 8
check 'a router has no route' fails 2 'not reached: 10.0.1.1 .*Network is unreachable' \
	lapsctl -n h1 path discover 10.3.0.1 --ports 8
check 'it is farther than that' fails 2 'farther than 2 hops' \
	lapsctl -n h1 path discover $H2 --ports 4 --max-hops 2
check 'nor have we' fails 2 'no way to 10.3.0.1: Network is unreachable' \
	lapsctl -n core1 path discover 10.3.0.1
wrong()
{
	fails 1 'IPv4 has no flow labels' lapsctl -n h1 path discover $H2 --labels 4 &&
		fails 1 'one of them' lapsctl -n h1 path discover $H2_6 --labels 4 --ports 4 &&
		fails 1 'ports.*1024' lapsctl -n h1 path discover $H2 --ports 1025 &&
		fails 1 'ports 0' lapsctl -n h1 path discover $H2 --ports 0 &&
		fails 1 'missing: PEER' lapsctl -n h1 path discover --apply
}
check 'what makes no sense' wrong
