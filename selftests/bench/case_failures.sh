#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two hosts on two wires of 10 Gbit/s, base RTT 50 us, 4 KB messages. Something happens
# to the second wire in mid-transfer: how much longer is the longest pause between two
# messages than without that, in us and in round trips? After 30 ms it is over: how long
# until the path is up again? And in a longer transfer, until the wire carries data again?
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

RATE=10000 DELAY=25 RTT_US=50
AMOUNT=(--size 4000 --bytes 200M --verify --sndbuf 1M)
LONGER=(--size 4000 --bytes 500M --sndbuf 1M)
FAULT_US=10000 HEAL_US=40000
H1=10.1.0.1 H2=10.0.0.2

# Kind, what the pause must be below in ms or -, and what it is.
KINDS=(
	'carrier 1 its other end is taken down'
	'route 1 the route over it is withdrawn'
	'hole 3 it swallows everything'
	'one-way 3 it swallows what is sent, not what comes back'
	'loss30 - it loses 30 %'
	'delay10 - it takes ten times as long'
	'flapping - its other end goes down and comes up every 10 ms'
)

# What of lapsmp (by port) and of MPTCP (by address) takes the second wire.
wires_up()
{
	local ns self other dev
	printf 'netns add %s\n' h1 h2 | ip -batch -
	printf 'link add e%s netns h1 type veth peer name e%s netns h2\n' 0 0 1 1 | ip -batch -
	for ns in h1 h2; do
		self=${ns#h} other=$((3 - self))
		{
			echo 'link set lo up'
			echo "addr add 10.0.0.$self/32 dev lo"
			for dev in 0 1; do
				echo "link set e$dev up"
				echo "addr add 10.1.$dev.$self/24 dev e$dev"
			done
			echo "route add 10.0.0.$other via 10.1.0.$other"
			echo "rule add from 10.1.1.$self lookup 102"
			echo "rule add ipproto udp $([[ $ns == h1 ]] && echo sport || echo dport) 50002 lookup 102"
			echo 'route add unreachable default metric 9999 table 102'
			echo "route add default via 10.1.1.$other table 102"
		} | ip -n $ns -batch -
		for dev in e0 e1; do
			# shellcheck disable=SC2046
			tc -n $ns qdisc add dev $dev root $(netem_args $RATE $DELAY)
		done
		offloads $ns off e0 e1
		ns_sysctl $ns "${host_sysctls[@]}"
	done
	ip -n h1 mptcp limits set subflow 8 add_addr_accepted 8
	ip -n h2 mptcp limits set subflow 8 add_addr_accepted 8
	ip -n h1 mptcp endpoint add 10.1.1.1 dev e1 subflow
}

wires_down() { topo_down h1 h2; }

# wire NETEM_ARG...: the second one, as h1 sends by it.
wire()
{
	# shellcheck disable=SC2046
	tc -n h1 qdisc change dev e1 root $(netem_args $RATE "${WIRE_DELAY:-$DELAY}") "$@"
}

cut_end() { ip -n h2 link set e1 down; }
mend_end()
{
	ip -n h2 link set e1 up
	ip -n h2 route add default via 10.1.1.1 table 102
}

flap()
{
	cut_end
	sleep 0.01
	mend_end
	sleep 0.01
}

fault_of()
{
	case $1 in
	carrier)	cut_end ;;
	route)		ip -n h1 route del default via 10.1.1.2 table 102 ;;
	hole)		wire loss 100%
			# shellcheck disable=SC2046
			tc -n h2 qdisc change dev e1 root $(netem_args $RATE $DELAY) loss 100% ;;
	one-way)	wire loss 100% ;;
	loss30)		wire loss 30% ;;
	delay10)	WIRE_DELAY=$((10 * DELAY)) wire ;;
	flapping)	flap; flap ;;
	esac
}

heal_of()
{
	case $1 in
	carrier)	mend_end ;;
	route)		ip -n h1 route add default via 10.1.1.2 table 102 ;;
	hole)		wire loss 0%
			# shellcheck disable=SC2046
			tc -n h2 qdisc change dev e1 root $(netem_args $RATE $DELAY) loss 0% ;;
	one-way | loss30) wire loss 0% ;;
	delay10)	wire ;;
	esac
}

# at START_NS US: until so long after it.
at()
{
	local left
	left=$(calc "($1 + $2 * 1000 - $(lapsperf clock)) / 1e9")
	[[ $left == -* ]] || sleep "$left"
}

lapsmp_wires()
{
	lapsmp_seed 1
	lapsctl -n h1 path add peer $H2 bound $H1 sport 50001 &&
		lapsctl -n h1 path add peer $H2 bound $H1 sport 50002
}

# back_after NAME: us from the healing until path 2 was up, or null.
back_after()
{
	local healed
	healed=$(cat "$OUT/raw/$1.healed" 2>/dev/null)
	jq -rs --argjson t "${healed:-0}" '[.[] | select(.id == 2 and .state == "up" and
		."time-ns" > $t)][0]["time-ns"] // null | if . then (. - $t) / 1000 else . end' \
		"$OUT/raw/$1.events"
}

# resumed NAME: from now on, until the second wire has carried ten full frames, in us to
# NAME.resumed; nothing if that takes longer than two seconds.
resumed()
{
	# shellcheck disable=SC2016
	ip netns exec h1 bash -c '
		file=/sys/class/net/e1/statistics/tx_bytes start=${EPOCHREALTIME/./}
		exec {nap}<> <(:)
		read -r was <$file
		for ((tries = 0; tries < 10000; tries++)); do
			read -r now <$file
			if ((now - was >= 15140)); then
				echo $((${EPOCHREALTIME/./} - start))
				break
			fi
			read -rt 0.0002 -u $nap _
		done' >"$OUT/raw/$1.resumed"
}

# run NAME KIND WHO [AMOUNT...]: without a failure if KIND is empty. With AMOUNT, how long
# until the wire is used again.
run()
{
	local name=$1 kind=$2 who=$3 status=0 start faulter='' monitor='' amount=("${@:4}") look=:
	if [[ ${#amount[@]} -gt 0 ]]; then
		look=resumed
	else
		amount=("${AMOUNT[@]}")
	fi
	wires_up
	[[ $who != lapsmp ]] || lapsmp_wires || status=1
	start=$(($(lapsperf clock) + 200000000))
	if [[ -n $kind ]]; then
		(
			at "$start" $FAULT_US
			fault_of "$kind"
			at "$start" $HEAL_US
			heal_of "$kind"
			date +%s%N >"$OUT/raw/$name.healed"
			$look "$name"
		) &
		faulter=$!
	fi
	if [[ $who == lapsmp ]]; then
		lapsctl -j -n h1 monitor path >"$OUT/raw/$name.events" &
		monitor=$!
	fi
	case $who in
	lapsmp)	perf "$name" --proto lapsmp --local $H1 "${amount[@]}" --start-at "$start" || status=$? ;;
	mptcp)	perf "$name" --proto mptcp --local $H1 "${amount[@]}" --start-at "$start" || status=$? ;;
	esac
	[[ -z $faulter ]] || wait "$faulter"
	[[ -z $monitor ]] || kill "$monitor"
	[[ $who != lapsmp ]] || lapsmp_stats "$name"
	wires_down
	return $status
}

us() { ratio "$1" 1000; }

used_again() { [[ -s $OUT/raw/$1.resumed ]] && cat "$OUT/raw/$1.resumed" || echo null; }

for who in mptcp lapsmp; do
	wants $who || continue
	run "$who-calm" '' $who || trouble 'no failure' $who "$PERF_ERROR"
	CALM=$GAP
	result 'no failure' $who longest-pause "$(us "$GAP")" us
	result 'no failure' $who goodput "$(gbps "$GOODPUT")" Gbit/s
	for line in "${KINDS[@]}"; do
		read -r kind bar _ <<<"$line"
		run "$who-$kind" "$kind" $who || trouble "$kind" $who "$PERF_ERROR"
		pause=null
		[[ $CALM == null || $GAP == null ]] || pause=$(calc "($GAP - $CALM) / 1e6")
		if [[ $who == lapsmp && $bar != - ]]; then
			judge "$kind" $who pause "$pause" '<' "$bar" ms
		else
			result "$kind" $who pause "$pause" ms
		fi
		result "$kind" $who pause-in-round-trips "$(ratio "$pause" "$(calc "$RTT_US / 1000")")" ''
		[[ $who != lapsmp ]] ||
			judge "$kind" $who missing-or-twice "$(calc "${MISSING/null/1} + ${DUPS/null/1}")" '<=' 0 messages
		case $kind in
		carrier | route | hole | one-way)
			# Twice as long as it was gone: probes that are not answered get rare.
			[[ $who != lapsmp ]] ||
				judge "$kind" $who up-after-healing "$(back_after "$who-$kind")" '<' 60000 us
			! quick || continue
			run "$who-$kind-longer" "$kind" $who "${LONGER[@]}" || trouble "$kind" $who "$PERF_ERROR"
			result "$kind" $who used-again-after-healing "$(used_again "$who-$kind-longer")" us ;;
		esac
	done
done
