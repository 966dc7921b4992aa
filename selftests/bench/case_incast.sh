#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fifteen hosts send 4 MB each to one at the same moment. All links are 100
# Gbit/s and 1 us; the switch's port to the receiver holds 100 packets (150 KB).
#
#	s1..s15 -- sw -- h2
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

SENDERS=15
RATE=100000
SIZE=4000000
SEEDS=20
! quick || SEEDS=5

incast_up()
{
	local i q
	{
		echo "netns add sw"
		echo "netns add h2"
		echo "link add e0 netns h2 address 02:00:00:00:02:01 type veth peer name e0 netns sw address 02:00:00:00:02:02"
		for ((i = 1; i <= SENDERS; i++)); do
			echo "netns add s$i"
			echo "link add e0 netns s$i address $(mac 1 "$i") type veth peer name p$i netns sw address $(mac 2 "$i")"
		done
	} | ip -batch -
	topo_host h2 2 0 | ip -n h2 -batch -
	ns_sysctl h2 "${host_sysctls[@]}"
	{
		echo "link set e0 up"
		echo "route add $H2/32 dev e0"
		echo "neigh add $H2 lladdr 02:00:00:00:02:01 dev e0 nud permanent"
		for ((i = 1; i <= SENDERS; i++)); do
			echo "link set p$i up"
			echo "route add 10.1.$i.1/32 dev p$i"
			echo "neigh add 10.1.$i.1 lladdr $(mac 1 "$i") dev p$i nud permanent"
		done
	} | ip -n sw -batch -
	ns_sysctl sw net.ipv4.ip_forward=1
	# The port's buffer is 100 packets, all others' are no bottleneck.
	{
		echo "qdisc add dev e0 root $(netem_args $RATE 1 100)"
		for ((i = 1; i <= SENDERS; i++)); do
			echo "qdisc add dev p$i root $(netem_args $RATE 1 1000)"
		done
	} | tc -n sw -batch -
	q=$(netem_args $RATE 1 1000)
	# shellcheck disable=SC2086
	tc -n h2 qdisc add dev e0 root $q
	for ((i = 1; i <= SENDERS; i++)); do
		incast_sender "$i" | ip -n "s$i" -batch -
		# shellcheck disable=SC2086
		tc -n "s$i" qdisc add dev e0 root $q
		ns_sysctl "s$i" "${host_sysctls[@]}"
		offloads "s$i" off e0
	done
	offloads h2 off e0
	# shellcheck disable=SC2046
	offloads sw off e0 $(seq -f 'p%g' $SENDERS)
}

mac() { printf '02:00:00:01:%02x:%02x' "$1" "$2"; }

incast_sender()
{
	echo "link set lo up"
	echo "link set e0 up"
	echo "addr add 10.1.$1.1/32 dev e0"
	echo "neigh add 10.1.255.254 lladdr $(mac 2 "$1") dev e0 nud permanent"
	echo "route add default via 10.1.255.254 dev e0 onlink"
}

incast_down()
{
	# shellcheck disable=SC2046
	topo_down sw h2 $(seq -f 's%g' $SENDERS)
}

# incast_run NAME PROTO [ARG...]: sets LAST (ns) and LOSS (share), or fails.
incast_run()
{
	local name=$1 proto=$2 i start pids=() server status=0 raw=$OUT/raw/$CASE-$1
	shift 2
	ip netns exec h2 lapsperf server 2>"$raw.server" &
	server=$!
	start=$(($(lapsperf clock) + 1000000000))
	for ((i = 1; i <= SENDERS; i++)); do
		ip netns exec "s$i" lapsperf client $H2 --json --proto "$proto" --size $SIZE --count 1 \
			--start-at $start "$@" >"$raw-$i.json" 2>"$raw-$i.err" &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || status=$?
	done
	kill $server
	wait $server 2>/dev/null
	PERF_ERROR=$(cat "$raw"-*.err | tail -n 1)
	LAST=$(jq -s --argjson t $start 'map(.last_recv_ns) | max - $t' "$raw"-*.json)
	LOSS=$(tc -n sw -s -j qdisc show dev e0 | jq '.[0] | .drops / (.drops + .packets)')
	jq -s . "$raw"-*.json >"$raw.json"
	rm -f "$raw"-*.json "$raw"-*.err "$raw.server"
	return $status
}

limit=$(calc "$SENDERS * $SIZE * 8 / ($RATE * 1e6 * $PAYLOAD) * 1e9 + 3000")
row="$SENDERS x 4 MB"
result "$row" - wire-limit "$(calc "$limit / 1e3")" us
for who in tcp lapsmp; do
	wants $who || continue
	ratios=() losses=()
	n=$SEEDS
	[[ $who == lapsmp ]] || n=3
	for ((seed = 1; seed <= n; seed++)); do
		incast_up
		ok=1
		case $who in
		tcp)	incast_run "$who-$seed" tcp || ok='' ;;
		*)	for ((i = 1; i <= SENDERS; i++)); do
				ns_sysctl "s$i" net.lapsmp.seed=$((seed * 100 + i))
			done
			ns_sysctl h2 net.lapsmp.seed=$((seed * 100))
			incast_run "$who-$seed" lapsmp || ok='' ;;
		esac
		[[ -n $ok ]] || trouble "$row" $who "$PERF_ERROR"
		[[ -z $ok || $LAST == null ]] || ratios+=("$(calc "$LAST / $limit")") losses+=("$LOSS")
		incast_down
	done
	[[ ${#ratios[@]} -gt 0 ]] || continue
	p95=$(percentile 95 "${ratios[@]}")
	worst=$(percentile 100 "${losses[@]}")
	result "$row" $who seeds ${#ratios[@]} ''
	result "$row" $who last-over-limit-median "$(percentile 50 "${ratios[@]}")" ''
	if [[ $who == lapsmp ]]; then
		judge "$row" $who last-over-limit-p95 "$p95" '<=' 1.10 ''
		judge "$row" $who loss-max "$worst" '<' 0.02 ''
	else
		result "$row" $who last-over-limit-p95 "$p95" ''
		result "$row" $who loss-max "$worst" ''
	fi
done
