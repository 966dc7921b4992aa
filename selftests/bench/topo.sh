# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The networks that the cases run on.
#
#	h1 -- r1 == link 1..N == r2 -- h2
#
# Links are netem on both routers' ends: rate, delay, and a queue of 150 packets
# on top of what is in propagation (netem counts both). The wires to the hosts
# have no queue and no delay.
#
# h1 has the address 10.1.0.1, whose packets the routers spread over all links
# by the five-tuple, with a fixed seed, and 10.1.i.1, whose packets take link i
# both ways: for TCP on one link and for the subflows of MPTCP.

QUEUE_PKTS=150
FRAME_BITS=12112
H1=10.1.0.1 H2=10.2.0.1
LINKS=()

# link_rate N, link_delay N: of link N, in Mbit/s and us.
link_rate() { local l=${LINKS[$1 - 1]}; echo "${l%%:*}"; }
link_delay() { local l=${LINKS[$1 - 1]}; l=${l#*:}; echo "${l%%:*}"; }

# netem_args RATE_MBIT DELAY_US [QUEUE]: queue plus what is on the wire.
netem_args()
{
	local wire=$((($1 * $2 + FRAME_BITS - 1) / FRAME_BITS))
	echo "netem limit $((${3:-$QUEUE_PKTS} + wire)) rate ${1}mbit delay ${2}us"
}

# TCP must not be limited by its buffers, and one run must not teach another.
host_sysctls=(
	net.ipv4.tcp_rmem='4096 131072 67108864'
	net.ipv4.tcp_wmem='4096 16384 67108864'
	net.ipv4.tcp_no_metrics_save=1
)
router_sysctls=(
	net.ipv4.ip_forward=1
	net.ipv4.fib_multipath_hash_policy=1
	net.ipv6.fib_multipath_hash_policy=1
	net.ipv4.fib_multipath_hash_seed=20250101
)

ns_sysctl()
{
	local ns=$1
	shift
	in_ns "$ns" busybox sysctl -q -w "$@"
}

# offloads NS on|off DEV...: a GSO packet would count once in a queue.
offloads()
{
	local ns=$1 how=$2
	shift 2
	# shellcheck disable=SC2016
	in_ns "$ns" busybox sh -c 'how=$1; shift; for d; do
		ethtool -K "$d" tso $how gso $how gro $how; done' sh "$how" "$@"
}

# topo_up RATE_MBIT:DELAY_US...: one argument per link.
topo_up()
{
	local i n=$#
	LINKS=("$@")
	{
		printf 'netns add %s\n' h1 r1 r2 h2
	} | ip -batch -
	{
		echo "link add e0 netns h1 address 02:00:00:00:01:01 type veth peer name e0 netns r1 address 02:00:00:00:01:02"
		echo "link add e0 netns h2 address 02:00:00:00:02:01 type veth peer name e0 netns r2 address 02:00:00:00:02:02"
		for ((i = 1; i <= n; i++)); do
			echo "link add l$i netns r1 address 02:00:00:01:00:0$i type veth peer name l$i netns r2 address 02:00:00:02:00:0$i"
		done
	} | ip -batch -
	topo_host h1 1 "$n" | ip -n h1 -batch -
	topo_host h2 2 0 | ip -n h2 -batch -
	topo_router 1 2 "$n" | ip -n r1 -batch -
	topo_router 2 1 "$n" | ip -n r2 -batch -
	topo_queues | tc -n r1 -batch -
	topo_queues | tc -n r2 -batch -
	ns_sysctl h1 "${host_sysctls[@]}"
	ns_sysctl h2 "${host_sysctls[@]}"
	ns_sysctl r1 "${router_sysctls[@]}"
	ns_sysctl r2 "${router_sysctls[@]}"
	offloads h1 off e0
	offloads h2 off e0
	# shellcheck disable=SC2046
	offloads r1 off e0 $(seq -f 'l%g' "$n")
	# shellcheck disable=SC2046
	offloads r2 off e0 $(seq -f 'l%g' "$n")
}

# topo_host NS SIDE EXTRA_ADDRESSES
topo_host()
{
	local i side=$2
	echo "link set lo up"
	echo "link set e0 up"
	for ((i = 0; i <= $3; i++)); do
		echo "addr add 10.$side.$i.1/32 dev e0"
	done
	echo "neigh add 10.$side.255.254 lladdr 02:00:00:00:0$side:02 dev e0 nud permanent"
	echo "route add default via 10.$side.255.254 dev e0 onlink src 10.$side.0.1"
	echo "mptcp limits set subflow 8 add_addr_accepted 8"
	for ((i = 2; i <= $3; i++)); do
		echo "mptcp endpoint add 10.$side.$i.1 dev e0 subflow"
	done
}

# topo_router SIDE OTHER_SIDE LINKS
topo_router()
{
	local i side=$1 other=$2 n=$3 hops=''
	echo "link set lo up"
	echo "link set e0 up"
	echo "route add 10.$side.0.0/16 dev e0"
	for ((i = 0; i <= n; i++)); do
		echo "neigh add 10.$side.$i.1 lladdr 02:00:00:00:0$side:01 dev e0 nud permanent"
	done
	for ((i = 1; i <= n; i++)); do
		echo "link set l$i up"
		echo "addr add 10.9.$i.$side/30 dev l$i"
		echo "neigh add 10.9.$i.$other lladdr 02:00:00:0$other:00:0$i dev l$i nud permanent"
		hops+=" nexthop via 10.9.$i.$other dev l$i"
	done
	echo "route add 10.$other.0.0/24$hops"
	for ((i = 1; i <= n; i++)); do
		if [[ $side == 1 ]]; then
			echo "route add 10.2.0.0/16 via 10.9.$i.2 table 10$i"
			echo "rule add from 10.1.$i.1 lookup 10$i"
		else
			echo "route add 10.1.$i.0/24 via 10.9.$i.1 dev l$i"
		fi
	done
}

topo_queues()
{
	local i
	for ((i = 1; i <= ${#LINKS[@]}; i++)); do
		echo "qdisc add dev l$i root $(netem_args "$(link_rate $i)" "$(link_delay $i)")"
	done
}

# topo_down [NS...]
topo_down()
{
	[[ $# -gt 0 ]] || set -- h1 r1 r2 h2
	printf 'netns del %s\n' "$@" | ip -batch -
}

# topo_up6: IPv6, too: the hosts are fd00:1::1 and fd00:2::1, the routers' ends of link
# i fd00:9:i::1 and ::2.
topo_up6()
{
	ns_sysctl r1 net.ipv6.conf.all.forwarding=1
	ns_sysctl r2 net.ipv6.conf.all.forwarding=1
	topo_route6 1 2 | ip -n r1 -batch -
	topo_route6 2 1 | ip -n r2 -batch -
	topo_host6 1 | ip -n h1 -batch -
	topo_host6 2 | ip -n h2 -batch -
}
# shellcheck disable=SC2034 # for who sources this
H1_6=fd00:1::1 H2_6=fd00:2::1

# Nobody has to ask for neighbours: their own addresses are not ready yet.
topo_host6()
{
	echo "addr add fd00:$1::1/64 dev e0 nodad"
	echo "route add default via fd00:$1::ff"
	echo "neigh add fd00:$1::ff lladdr 02:00:00:00:0$1:02 dev e0 nud permanent"
}

topo_route6()
{
	local side=$1 other=$2 i hops=''
	echo "addr add fd00:$side::ff/64 dev e0 nodad"
	echo "neigh add fd00:$side::1 lladdr 02:00:00:00:0$side:01 dev e0 nud permanent"
	for ((i = 1; i <= ${#LINKS[@]}; i++)); do
		echo "addr add fd00:9:$i::$side/64 dev l$i nodad"
		hops+=" nexthop via fd00:9:$i::$other dev l$i"
	done
	for ((i = 1; i <= ${#LINKS[@]}; i++)); do
		echo "neigh replace fd00:9:$i::$other lladdr 02:00:00:0$other:00:0$i dev l$i nud permanent"
	done
	echo "route add fd00:$other::/64$hops"
}

# segs_allowed 0|1 NS...: those that a packet goes by, and who receives it, must
# want it (RFC 8754 section 5.1; net.ipv6.conf.*.seg6_enabled).
segs_allowed()
{
	local on=$1 ns dev sets
	shift
	for ns; do
		sets=("net.ipv6.conf.all.seg6_enabled=$on" "net.ipv6.conf.e0.seg6_enabled=$on")
		for ((dev = 1; dev <= ${#LINKS[@]}; dev++)); do
			[[ $ns == h* ]] || sets+=("net.ipv6.conf.l$dev.seg6_enabled=$on")
		done
		ns_sysctl "$ns" "${sets[@]}"
	done
}

# segs_of LINK: by both its ends, which pins both ways to it.
segs_of() { echo "fd00:9:$1::1,fd00:9:$1::2"; }

# link_bytes NS LINK: sent on that end of it so far.
link_bytes()
{
	ip -n "$1" -s -j link show "l$2" | jq '.[0].stats64.tx.bytes'
}

# sports_find: SPORT[i] is a source port of h1 whose packets to lapsmp's port of
# h2 take link i, and whose answers come back over it: asked from the routers.
sports_find()
{
	local port dev i found=0 back
	SPORT=()
	while read -r port dev; do
		i=${dev#l}
		[[ -z ${SPORT[i]:-} ]] || continue
		back=$(ip -n r2 route get $H1 from $H2 iif e0 ipproto 17 sport 4795 dport "$port" |
			sed -n 's/.* dev \(l[0-9]*\).*/\1/p')
		[[ $back == "$dev" ]] || continue
		SPORT[i]=$port
		((++found < ${#LINKS[@]})) || return 0
	done < <(paste -d ' ' <(seq "$1" $(($1 + 63))) <(seq -f "route get $H2 from $H1 iif e0 ipproto 17 sport %g dport 4795" "$1" $(($1 + 63)) |
		ip -n r1 -batch - | sed -n 's/.* dev \(l[0-9]*\).*/\1/p'))
	echo "no source ports for every link: ${SPORT[*]}" >&2
	return 1
}
