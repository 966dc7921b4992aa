#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Instructions per byte and per message, both hosts together: run with one
# instruction per nanosecond (lab/run --icount), so that time is instructions.
# A veth pair without queues or delays. Time that a sender spends waiting for its
# own pacing counts too. Of a string instruction each repetition is counted, so a
# byte that is copied or cleared is one instruction here (REP MOVSB, with ERMS):
# that is most of what TCP with offloads takes, and makes ratios to it look better
# than they are. See case_cpu_words.sh.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

BULK=(--size 1M --bytes 50M --warm 5)
SMALL=(--size 1000 --count 20000 --warm 500)
UDP=(--size 1436 --bytes 30M --warm 100 --rcvbuf 256M)
! quick || BULK=(--size 1M --bytes 20M --warm 5) SMALL=(--size 1000 --count 5000 --warm 500)

veth_up()
{
	ip -batch - <<-END
		netns add h1
		netns add h2
		link add e0 netns h1 address 02:00:00:00:01:01 type veth peer name e0 netns h2 address 02:00:00:00:02:01
	END
	local ns me peer
	for ns in h1 h2; do
		me=${ns#h} peer=$((3 - me))
		ip -n $ns -batch - <<-END
			link set lo up
			addr add 10.$me.0.1/32 dev e0
			link set e0 up
			route add 10.$peer.0.0/16 dev e0 src 10.$me.0.1
			neigh add 10.$peer.0.1 lladdr 02:00:00:00:0$peer:01 dev e0 nud permanent
		END
		ns_sysctl $ns "${host_sysctls[@]}"
		offloads $ns "$1" e0
	done
}

# cost WHO ROW ARG...: sets NS_PER_BYTE and NS_PER_MSG.
cost()
{
	local who=$1 row=$2 n ok=1
	shift 2
	NS_PER_BYTE=null NS_PER_MSG=null
	veth_up "${row%% *}"
	case $who in
	lapsmp-*)
		lapsmp_seed 1
		ns_sysctl h1 net.lapsmp.auto_paths=0
		for ((n = 0; n < ${who#lapsmp-}; n++)); do
			lapsctl -n h1 path add peer $H2 sport $((50000 + n)) || ok=''
		done
		perf "${row// /-}-$who" --proto lapsmp --local $H1 "$@" || ok='' ;;
	*)	perf "${row// /-}-$who" --proto "$who" --local $H1 "$@" || ok='' ;;
	esac
	[[ -z $ok ]] || NS_PER_BYTE=$(jq '.elapsed_ns / .bytes' "$RAW") \
		NS_PER_MSG=$(jq '.elapsed_ns / .messages' "$RAW")
	[[ -n $ok ]] || trouble "$row" "$who" "$PERF_ERROR"
	topo_down h1 h2
	result "$row" "$who" instructions-per-byte "$(ratio "$NS_PER_BYTE" 1)" ''
	result "$row" "$who" instructions-per-message "$(ratio "$NS_PER_MSG" 1)" ''
}

# over_tcp ROW WHO RATIO: the bar is for the processor that most machines have.
over_tcp()
{
	if [[ $CASE == cpu ]]; then
		judge "$1" "$2" per-byte-over-tcp "$3" '<=' 3 ''
	else
		result "$1" "$2" per-byte-over-tcp "$3" ''
	fi
}

sysctl -q -w net.core.rmem_max=536870912 net.ipv4.udp_mem='262144 393216 524288'
for offload in on off; do
	row="$offload bulk"
	cost tcp "$row" "${BULK[@]}"
	tcp=$NS_PER_BYTE
	cost udp "$row" "${UDP[@]}"
	for who in mptcp lapsmp-1 lapsmp-4; do
		wants $who || continue
		cost $who "$row" "${BULK[@]}"
		[[ $who == lapsmp* && $tcp != null ]] || continue
		over_tcp "$row" $who "$(ratio "$NS_PER_BYTE" "$tcp")"
	done
	row="$offload small"
	for who in tcp udp lapsmp-1 lapsmp-4; do
		wants $who || continue
		args=("${SMALL[@]}")
		[[ $who != udp ]] || args+=(--rcvbuf 256M)
		cost $who "$row" "${args[@]}"
	done
done
