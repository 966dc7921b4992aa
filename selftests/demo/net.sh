# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The demo's network: two hosts and two routers as network namespaces, and four
# links between the routers.
#
#	sender -- west == link 1..4 == east -- receiver
#
# Links are netem on both routers' ends: rate, delay, and a queue of 100 ms. Both
# routers spread packets over all links by their addresses and ports (ECMP), as
# the switches of a data center do; so a source port is a way.

NET=lapsmp-demo
SENDER=$NET-sender WEST=$NET-west EAST=$NET-east RECEIVER=$NET-receiver
SENDER_ADDR=10.47.1.1 RECEIVER_ADDR=10.47.2.1
RATES=(24 12 6 3)
DELAYS=(5 20 10 40)
QUEUE_MS=100
LINKS=${#RATES[@]}
LAPSMP_UDP_PORT=4795

# net_netem LINK: what its queue is told. The limit counts what is under way, too.
net_netem()
{
	local rate=${RATES[$1 - 1]} delay=${DELAYS[$1 - 1]}
	echo "netem limit $((rate * (delay + QUEUE_MS) * 1000 / 12112 + 1)) rate ${rate}mbit delay ${delay}ms"
}

# net_up: says why if it fails.
net_up()
{
	local ns i
	for ns in "$SENDER" "$WEST" "$EAST" "$RECEIVER"; do
		ip netns add "$ns" || return
	done
	{
		net_wire e0 "$SENDER" 1:1 e0 "$WEST" 1:2
		net_wire e0 "$RECEIVER" 2:1 e0 "$EAST" 2:2
		for ((i = 1; i <= LINKS; i++)); do
			net_wire "l$i" "$WEST" "1:1$i" "l$i" "$EAST" "2:1$i"
		done
	} | ip -batch - &&
		net_host 1 | ip -n "$SENDER" -batch - &&
		net_host 2 | ip -n "$RECEIVER" -batch - &&
		net_router 1 2 | ip -n "$WEST" -batch - &&
		net_router 2 1 | ip -n "$EAST" -batch - &&
		net_queues | tc -n "$WEST" -batch - &&
		net_queues | tc -n "$EAST" -batch - &&
		net_forward "$WEST" && net_forward "$EAST"
}

net_down()
{
	local ns
	for ns in "$SENDER" "$WEST" "$EAST" "$RECEIVER"; do
		ip netns del "$ns"
	done 2>/dev/null
}

# net_wire DEV NETNS MAC DEV NETNS MAC, of each address the last two bytes.
net_wire()
{
	echo "link add $1 netns $2 address 02:00:00:00:${3/#/0} type veth peer name $4 netns $5 address 02:00:00:00:${6/#/0}"
}

# net_host SIDE
net_host()
{
	printf '%s\n' \
		"link set lo up" \
		"link set e0 up" \
		"addr add 10.47.$1.1/24 dev e0" \
		"neigh add 10.47.$1.2 lladdr 02:00:00:00:0$1:2 dev e0 nud permanent" \
		"route add default via 10.47.$1.2"
}

# net_router SIDE OTHER_SIDE: neighbours are fixed, so that a link that fails is
# only that, and the routers notice nothing.
net_router()
{
	local i hops=''
	printf '%s\n' \
		"link set lo up" \
		"link set e0 up" \
		"addr add 10.47.$1.2/24 dev e0" \
		"neigh add 10.47.$1.1 lladdr 02:00:00:00:0$1:1 dev e0 nud permanent"
	for ((i = 1; i <= LINKS; i++)); do
		printf '%s\n' \
			"link set l$i up" \
			"addr add 10.48.$i.$1/30 dev l$i" \
			"neigh add 10.48.$i.$2 lladdr 02:00:00:00:0$2:1$i dev l$i nud permanent"
		hops+=" nexthop via 10.48.$i.$2 dev l$i"
	done
	echo "route add 10.47.$2.0/24$hops"
}

net_queues()
{
	local i
	for ((i = 1; i <= LINKS; i++)); do
		echo "qdisc add dev l$i root $(net_netem $i)"
	done
}

net_forward()
{
	ip netns exec "$1" sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.fib_multipath_hash_policy=1
}

# net_cut LINK: it swallows everything in both directions, and nobody is told.
# net_mend LINK
net_cut() { net_link "$1" loss 100%; }
net_mend() { net_link "$1"; }

net_link()
{
	local link=$1 args
	shift
	args="qdisc change dev l$link root $(net_netem "$link") $*"
	tc -n "$WEST" -batch - <<<"$args" && tc -n "$EAST" -batch - <<<"$args"
}

# net_ports FIRST: PORT[i] is a source port of the sender whose packets take link
# i, and whose answers come back over it: asked from the routers.
net_ports()
{
	local port there back found=0 last=$(($1 + 99))
	PORT=()
	while read -r port there back; do
		[[ $there == "$back" && -z ${PORT[${there#l}]:-} ]] || continue
		PORT[${there#l}]=$port
		((++found < LINKS)) || return 0
	done < <(paste -d ' ' <(seq "$1" "$last") \
		<(seq -f "route get $RECEIVER_ADDR from $SENDER_ADDR iif e0 ipproto 17 sport %g dport $LAPSMP_UDP_PORT" "$1" "$last" |
			net_which "$WEST") \
		<(seq -f "route get $SENDER_ADDR from $RECEIVER_ADDR iif e0 ipproto 17 sport $LAPSMP_UDP_PORT dport %g" "$1" "$last" |
			net_which "$EAST"))
	echo "demo: the routers do not send any of the ports $1 to $last over some of the links" >&2
	return 1
}

# net_which NETNS: of the routes asked on standard input, which link.
net_which()
{
	ip -n "$1" -batch - | sed -n 's/.* dev \(l[0-9]*\).*/\1/p'
}
