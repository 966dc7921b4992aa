# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A fabric of two tiers with four routes each way, over IPv4 and IPv6:
#
#	                 core1
#	          agg1 <
#	                 core2
#	h1 - leaf1 <             > leaf2 - h2
#	                 core3
#	          agg2 <
#	                 core4
#
# A device is named after who is at its other end. Each router has an address of its
# own, 10.0.TIER.N and fd00::TIER:N, which its ICMP errors come from by whatever device
# they leave. The hosts are 10.1.0.1 and 10.2.0.1, fd00:1::1 and fd00:2::1. Core i
# delays what goes to h2 by i * 100 us.

FABRIC_LINKS=(h1:leaf1 leaf1:agg1 leaf1:agg2 agg1:core1 agg1:core2 agg2:core3 agg2:core4
	core1:leaf2 core2:leaf2 core3:leaf2 core4:leaf2 leaf2:h2)
FABRIC_ROUTERS=(leaf1 agg1 agg2 core1 core2 core3 core4 leaf2)
declare -A FABRIC_ID=([leaf1]=1:1 [agg1]=2:1 [agg2]=2:2 [core1]=3:1 [core2]=3:2 [core3]=3:3
	[core4]=3:4 [leaf2]=4:1)
# Who is next on the way to h2, and to h1.
declare -A FABRIC_NEXT2=([leaf1]='agg1 agg2' [agg1]='core1 core2' [agg2]='core3 core4'
	[core1]=leaf2 [core2]=leaf2 [core3]=leaf2 [core4]=leaf2 [leaf2]=h2)
declare -A FABRIC_NEXT1=([leaf2]='core1 core2 core3 core4' [core1]=agg1 [core2]=agg1
	[core3]=agg2 [core4]=agg2 [agg1]=leaf1 [agg2]=leaf1 [leaf1]=h1)

# Processes are what is expensive here, so nothing is asked of a subshell: addresses of
# all, by their names.
declare -A FABRIC_4=([h1]=10.1.0.1 [h2]=10.2.0.1) FABRIC_6=([h1]=fd00:1::1 [h2]=fd00:2::1)
for router in "${FABRIC_ROUTERS[@]}"; do
	FABRIC_4[$router]=10.0.${FABRIC_ID[$router]/:/.}
	FABRIC_6[$router]=fd00::${FABRIC_ID[$router]}
done

fabric_links()
{
	local i link
	for i in "${!FABRIC_LINKS[@]}"; do
		link=${FABRIC_LINKS[i]}
		printf 'link add %s netns %s address 02:00:00:00:%02d:01 type veth peer name %s netns %s address 02:00:00:00:%02d:02\n' \
			"${link#*:}" "${link%:*}" "$i" "${link%:*}" "${link#*:}" "$i"
	done
}

# fabric_node NODE: its devices and who is behind them.
fabric_node()
{
	local i link other end
	echo 'link set lo up'
	for i in "${!FABRIC_LINKS[@]}"; do
		link=${FABRIC_LINKS[i]}
		case $1 in
		"${link%:*}")	other=${link#*:} end=2 ;;
		"${link#*:}")	other=${link%:*} end=1 ;;
		*)		continue ;;
		esac
		echo "link set $other up"
		printf "neigh replace %s lladdr 02:00:00:00:$((i / 10))$((i % 10)):0$end dev $other nud permanent\n" \
			"${FABRIC_4[$other]}" "${FABRIC_6[$other]}"
	done
}

# fabric_route PREFIX4 PREFIX6 ROUTER NODE...: to these, by all of the nodes.
fabric_route()
{
	local hop to4="$1 src ${FABRIC_4[$3]}" to6="$2 src ${FABRIC_6[$3]}"
	shift 3
	for hop; do
		to4+=" nexthop via ${FABRIC_4[$hop]} dev $hop onlink"
		to6+=" nexthop via ${FABRIC_6[$hop]} dev $hop onlink"
	done
	printf 'route add %s\n' "$to4" "$to6"
}

# fabric_host NODE LEAF
fabric_host()
{
	fabric_node "$1"
	echo "addr add ${FABRIC_4[$1]}/32 dev $2"
	echo "addr add ${FABRIC_6[$1]}/128 dev $2 nodad"
	echo "route add default via ${FABRIC_4[$2]} dev $2 onlink"
	echo "route add default via ${FABRIC_6[$2]} dev $2 onlink"
}

fabric_router()
{
	fabric_node "$1"
	echo "addr add ${FABRIC_4[$1]}/32 dev lo"
	echo "addr add ${FABRIC_6[$1]}/128 dev lo nodad"
	# shellcheck disable=SC2086 # words
	fabric_route 10.1.0.0/24 fd00:1::/64 "$1" ${FABRIC_NEXT1[$1]}
	# shellcheck disable=SC2086
	fabric_route 10.2.0.0/24 fd00:2::/64 "$1" ${FABRIC_NEXT2[$1]}
}

# fabric_hash 0|1 [SETTING...]: what routers hash over IPv6: labels, or ports; and more. Those of two tiers must
# not hash alike, or all packets that the first sends to agg1 would go on to core1: they
# have seeds of their own or, before Linux 6.11, the second tier hashes less.
fabric_hash()
{
	local i ns policy=$1 fields=16 sets
	shift
	[[ $policy -eq 1 ]] || fields=8
	for i in "${!FABRIC_ROUTERS[@]}"; do
		ns=${FABRIC_ROUTERS[i]}
		sets=(net.ipv4.fib_multipath_hash_policy=1 net.ipv6.fib_multipath_hash_policy="$policy")
		if [[ -e /proc/sys/net/ipv4/fib_multipath_hash_seed ]]; then
			sets+=(net.ipv4.fib_multipath_hash_seed=$((1000 + i)))
		elif [[ $ns == agg* ]]; then
			sets=(net.ipv4.fib_multipath_hash_policy=3
				net.ipv4.fib_multipath_hash_fields=16
				net.ipv6.fib_multipath_hash_policy=3
				net.ipv6.fib_multipath_hash_fields="$fields")
		fi
		ns_sysctl "$ns" "${sets[@]}" "$@"
	done
}

# fabric_icmp MS: the routers' limit, of errors to one address; 0: none.
fabric_icmp()
{
	local ns
	for ns in "${FABRIC_ROUTERS[@]}"; do
		ns_sysctl "$ns" net.ipv4.icmp_ratelimit="$1" net.ipv6.icmp.ratelimit="$1"
	done
}

fabric_up()
{
	local ns i
	printf 'netns add %s\n' h1 h2 "${FABRIC_ROUTERS[@]}" | ip -batch -
	fabric_links | ip -batch -
	fabric_hash 1 net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 \
		net.ipv4.icmp_ratelimit=0 net.ipv6.icmp.ratelimit=0
	for ns in "${FABRIC_ROUTERS[@]}"; do
		fabric_router "$ns" | ip -n "$ns" -batch -
	done
	fabric_host h1 leaf1 | ip -n h1 -batch -
	fabric_host h2 leaf2 | ip -n h2 -batch -
	for i in 1 2 3 4; do
		tc -n core$i qdisc add dev leaf2 root netem limit 10000 delay ${i}00us
	done
}

# fabric_watch: each router notes the source ports of what it forwards to lapsmp's port.
fabric_watch()
{
	local ns
	for ns in "${FABRIC_ROUTERS[@]}"; do
		in_ns "$ns" nft -f - <<-'END'
			table inet watch {
				set ports { type inet_service; flags dynamic; size 65535; }
				chain forward {
					type filter hook forward priority 0;
					udp dport 4795 add @ports { udp sport } counter
				}
			}
		END
	done
}

# fabric_seen 4|6: lines "PORT ROUTER", as they have noted it; and forgets it.
fabric_seen()
{
	local ns
	declare -n addr=FABRIC_$1
	for ns in "${FABRIC_ROUTERS[@]}"; do
		in_ns "$ns" nft -j list set inet watch ports |
			jq -r --arg addr "${addr[$ns]}" \
				'.nftables[].set // empty | .elem // [] | .[] | "\(.) \($addr)"'
		in_ns "$ns" nft flush set inet watch ports
	done | sort
}
