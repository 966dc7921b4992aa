# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables for the scripts that source this
#
# What the selftests share: results in KTAP, hosts and links, transfers. A test
# is a script that sources this, says how many results it has, and gives them:
#
#	. "$(dirname "$0")/lib.sh"
#	plan 2
#	check 'the sky is blue' test "$(sky)" = blue
#
# Everything that it starts and makes is gone when it ends. In simulated time
# waiting costs nothing and clocks are exact; elsewhere only order is certain.
set -uo pipefail

NET_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=../bench/topo.sh
. "$NET_DIR/../bench/topo.sh"
# shellcheck source=netns.sh
. "$NET_DIR/netns.sh"

WORK=$(mktemp -d)
KTAP_N=0 KTAP_BAD=0 KTAP_PLAN=0

# --- results ---------------------------------------------------------------------

plan()
{
	KTAP_PLAN=$1
	printf 'TAP version 13\n1..%d\n' "$1"
}

# skip_all REASON: nothing can be tested here.
skip_all()
{
	printf 'TAP version 13\n1..0 # SKIP %s\n' "$1"
	exit 4
}

note() { printf '# %s\n' "$@"; }

# result STATUS NAME
result()
{
	KTAP_N=$((KTAP_N + 1))
	if [[ $1 -eq 0 ]]; then
		printf 'ok %d - %s\n' $KTAP_N "$2"
	else
		KTAP_BAD=$((KTAP_BAD + 1))
		printf 'not ok %d - %s\n' $KTAP_N "$2"
	fi
}

# quote PREFIX FILE: each line with this before it, but not the head of KTAP.
quote()
{
	local line
	while IFS= read -r line || [[ -n $line ]]; do
		[[ $line == 'TAP version'* ]] || printf '%s%s\n' "$1" "$line"
	done <"$2"
}

# check NAME COMMAND [ARG...]: what it prints becomes comments.
check()
{
	local name=$1 status=0
	shift
	"$@" >"$WORK/check.out" 2>&1 || status=$?
	quote '# ' "$WORK/check.out"
	[[ $status -eq 0 ]] || note "status $status: $*"
	result $status "$name"
}

# check_that NAME EXPRESSION: of awk, over numbers; the shell can compare some.
check_that()
{
	local status=0
	if [[ $2 =~ ^[0-9\ \<\>=\&\|+-]*$ && ! $2 =~ (^|[^0-9])0[0-9] ]]; then
		(($2)) || status=1
	else
		awk "BEGIN { exit !($2) }" || status=1
	fi
	[[ $status -eq 0 ]] || note "not so: $2"
	result $status "$1"
}

# suite PROGRAM [ARG...]: one that speaks KTAP itself becomes a subtest.
suite()
{
	local status=0
	printf '    # Subtest: %s\n' "$*"
	"$@" >"$WORK/suite.out" 2>&1 || status=$?
	quote '    ' "$WORK/suite.out"
	result $status "$*"
}

# shellcheck disable=SC2317 # called by the trap
finish()
{
	local status=$?
	trap - EXIT
	# The shell would say how each of them ended.
	exec 2>/dev/null
	# shellcheck disable=SC2046
	kill -KILL $(jobs -p)
	netns_end_all
	parts_are 0
	rm -rf "$WORK"
	if [[ $KTAP_N -ne $KTAP_PLAN ]]; then
		note "$KTAP_N of $KTAP_PLAN results, status $status"
		exit 1
	fi
	[[ $KTAP_BAD -eq 0 ]] || exit 1
	exit "$status"
}
trap finish EXIT

# --- time ------------------------------------------------------------------------

virtual() { [[ ${LAPSMP_TIME:-} == virtual ]]; }

# timing NAME EXPRESSION: as check_that, about rates and durations. Where time is
# real they are those of a machine that is emulated, beside others.
timing()
{
	if virtual; then
		check_that "$@"
		return
	fi
	KTAP_N=$((KTAP_N + 1))
	note "not judged: $2"
	printf 'ok %d - %s # SKIP time is real\n' $KTAP_N "$1"
}

# sleep SECONDS: without a process, which is the most expensive thing there is in
# an emulated machine or in simulated time.
mkfifo "$WORK/nap"
exec {NAP}<>"$WORK/nap"
sleep() { read -rt "$1" -u "$NAP" _ || :; }

# some N: how many are enough where each takes long.
some()
{
	case ${LAPSMP_KERNEL:-} in
	smp-debug)	echo $(($1 / 20 + 1)) ;;
	*-debug)	echo $(($1 / 10 + 1)) ;;
	*)		echo "$1" ;;
	esac
}

# span MILLISECONDS: in seconds, and how long is enough where each second takes long.
span()
{
	local ms=$1

	[[ ${LAPSMP_KERNEL:-} != *-debug ]] || ms=$((ms / 4))
	printf '%d.%03d\n' $((ms / 1000)) $((ms % 1000))
}

# has WORD FILE
has()
{
	local line
	while IFS= read -r line; do
		[[ $line != *"$1"* ]] || return 0
	done <"$2"
	return 1
}

# until_true SECONDS COMMAND [ARG...]: tries again until it succeeds. What it said when
# it was tried last is told if it did not.
until_true()
{
	local end=$((SECONDS + $1)) said="$WORK/until.${#FUNCNAME[@]}"
	shift
	until "$@" >"$said" 2>&1; do
		if ((SECONDS >= end)); then
			quote '# ' "$said"
			return 1
		fi
		# Where time is real, asking slows down what is waited for.
		if virtual; then sleep 0.02; else sleep 0.1; fi
	done
}

# --- hosts -----------------------------------------------------------------------

# in_ns NS PROGRAM [ARG...] is "ip netns exec" for what needs no /sys of its own, at
# a third of the price; see selftests/progs.

# pair_up: hosts a and b on one wire: 192.0.2.1 and .2, 2001:db8::1 and ::2.
pair_up()
{
	printf '%s\n' 'netns add a' 'netns add b' \
		"link add e0 netns a address 02:00:00:00:00:0a type veth \
		peer name e0 netns b address 02:00:00:00:00:0b" | ip -batch -
	pair_host 1 | ip -n a -batch -
	pair_host 2 | ip -n b -batch -
}

pair_host()
{
	echo "link set lo up"
	echo "link set e0 mtu $PAIR_MTU up"
	echo "addr add 192.0.2.$1/24 dev e0"
	echo "addr add 2001:db8::$1/64 dev e0 nodad"
}
PAIR_MTU=1500

# pair_rate MBIT DELAY_US: of that wire, which else is as fast as the machine, and
# in simulated time carries anything at once.
pair_rate()
{
	local ns
	for ns in a b; do
		# shellcheck disable=SC2046
		tc -n $ns qdisc replace dev e0 root $(netem_args "$1" "$2")
		offloads $ns off e0
	done
}
A4=192.0.2.1 B4=192.0.2.2
A6=2001:db8::1 B6=2001:db8::2

# links_up RATE_MBIT:DELAY_US...: h1 - r1 = links = r2 - h2, over both families;
# see bench/topo.sh.
# Drawn source ports would once in 128 runs all take the same one of two links:
# the hosts' draws and the routers' hashes are the same in every run.
links_up()
{
	topo_up "$@" || return
	ns_sysctl h1 net.lapsmp.seed=1
	ns_sysctl h2 net.lapsmp.seed=2
	topo_up6
}

# set_ports [N]: six source ports, or N, from h1 to h2 instead of drawn ones. Six take both of two
# links.
set_ports()
{
	local port
	ns_sysctl h1 net.lapsmp.auto_paths=0
	for ((port = 40000; port < 40000 + ${1:-6}; port++)); do
		lapsctl -n h1 path add peer $H2 sport $port || return
	done
}

# link_is LINK [NETEM_ARG...]: what both ends do beside rate, delay and queue.
link_is()
{
	local i=$1 ns
	shift
	for ns in r1 r2; do
		# shellcheck disable=SC2046
		tc -n $ns qdisc change dev "l$i" root \
			$(netem_args "$(link_rate "$i")" "$(link_delay "$i")") "$@" || return
	done
}

# links_are NETEM_ARG...: all of them; links_heal: nothing any more.
links_are()
{
	local link
	for ((link = 1; link <= ${#LINKS[@]}; link++)); do
		link_is $link "$@" || return
	done
}

links_heal() { links_are loss 0%; }

# --- lapsmp -------------------------------------------------------------------------

# stat NS NAME: a counter, such as retrans_segs.
stat()
{
	local all
	all=$(lapsctl -j -n "$1" stats show)
	if [[ $all =~ \"${2//_/-}\":\ *([0-9]+) ]]; then
		echo "${BASH_REMATCH[1]}"
	else
		note "no counter $2 in $1: $all" >&2
		return 1
	fi
}

# amid NS SECONDS: beside a program that begins to send there, for what is to happen
# so long after. Where time is real nobody knows how long it takes to begin.
amid()
{
	virtual || until_true 60 sends_since "$1" "$(stat "$1" tx_segs)"
	sleep "$2"
}
sends_since() { [[ $(stat "$1" tx_segs) -gt $2 ]]; }

# pace N: what makes a sender of N messages still be at it then: five seconds.
pace() { virtual || echo "--rate $(($1 / 5))"; }

# memory: pages that all lapsmp sockets are charged for; one count for both
# families. Each CPU may keep up to 256 of what was given back.
memory()
{
	local name pages
	while read -r name _ _ pages _; do
		[[ $name != LAPSMP ]] || echo "$pages"
	done </proc/net/protocols
}

memory_is_free()
{
	local cpus
	read -r cpus </sys/devices/system/cpu/present
	[[ $(memory) -le $((256 * (${cpus#*-} + 1))) ]]
}

# parts_are MIB: so much may wait to be sent, and be received, on this machine; 0: as much as
# ever, which is more than some of the tests' kernels can spare.
parts_are() { echo "$1" >/sys/module/lapsmp/parameters/memory_mb; }

# count_sockets: of lapsmp, in the /proc/net/protocols on standard input.
count_sockets()
{
	local name count n=0
	while read -r name _ count _; do
		[[ $name != LAPSMP* ]] || n=$((n + count))
	done
	echo $n
}

# sockets NS: how many lapsmp sockets are open there.
sockets() { in_ns "$1" cat /proc/net/protocols | count_sockets; }

# sockets_of PID: the same, in the namespace of this process, and without another one.
sockets_of() { count_sockets <"/proc/$1/net/protocols"; }

# --- transfers ----------------------------------------------------------------------

# receiver NS NAME [ARG...]: starts msg_recv; what it says goes to NAME.recv. Sets
# RECEIVER.
receiver()
{
	local ns=$1 name=$2
	shift 2
	# Now, or what one of this name said before would be taken for this one's.
	: >"$WORK/$name.recv"
	in_ns "$ns" msg_recv "$@" >"$WORK/$name.recv" 2>&1 &
	RECEIVER=$!
	until_true 60 has ready "$WORK/$name.recv" || quote '' "$WORK/$name.recv"
}

# sender NS NAME ADDRESS [ARG...]: runs msg_send; what it says goes to NAME.send.
sender()
{
	local ns=$1 name=$2
	shift 2
	in_ns "$ns" msg_send "$@" >"$WORK/$name.send" 2>&1
}

# rate_over SECONDS SIZE: what arrives at h2 of messages of so many bytes, in Mbit/s. Sets RATE.
rate_over()
{
	local before after
	before=$(stat h2 rx_messages)
	sleep "$1"
	after=$(stat h2 rx_messages)
	RATE=$(awk "BEGIN { print ($after - $before) * $2 * 8 / 1e6 / $1 }")
}

# longest_over SECONDS: packets that wait for l1, at most, in so long. Sets LONGEST.
longest_over()
{
	local i now
	LONGEST=0
	for ((i = 0; i < $1 * 50; i++)); do
		now=$(tc -n r1 -s -j qdisc show dev l1 | jq '.[0].qlen')
		((now <= LONGEST)) || LONGEST=$now
		sleep 0.02
	done
}

# forging NS DEVICE SEED [FORGE_ARG...]: changed copies of all that leaves by it, from now on;
# one more of FORGERS.
forging()
{
	local ns=$1 device=$2 seed=$3
	shift 3
	: >"$WORK/$ns.forge"
	in_ns "$ns" forge live "$device" --seconds 600 --seed "$seed" "$@" >"$WORK/$ns.forge" &
	FORGERS+=($!)
	until_true 30 has ready "$WORK/$ns.forge"
}

# stop PID: its status.
stop()
{
	kill -TERM "$1" 2>/dev/null
	wait "$1"
}

# attack NS NS DEVICE SEED [FORGE_ARG...]: forging by both, until attack_ends.
attack()
{
	ATTACKERS=("$1" "$2")
	FORGERS=()
	forging "$1" "$3" "$4" "${@:5}"
	forging "$2" "$3" "$(($4 + 1))" "${@:5}"
}

attack_ends()
{
	stop "${FORGERS[0]}"
	stop "${FORGERS[1]}"
	note "from ${ATTACKERS[0]}: $(says "${ATTACKERS[0]}.forge" sent), from ${ATTACKERS[1]}: $(says "${ATTACKERS[1]}.forge" sent)"
}

# murder PID: without a word.
murder()
{
	kill -KILL "$1" 2>/dev/null
	wait "$1" 2>/dev/null
}

# says NAME.send|NAME.recv KEY: a value of its summary, the last one.
says()
{
	local line value=''
	while IFS= read -r line; do
		[[ ! $line =~ (^|.*[^a-zA-Z0-9_])"$2"=([^\ ]*) ]] || value=${BASH_REMATCH[2]}
	done <"$WORK/$1"
	[[ -z $value ]] || printf '%s\n' "$value"
}

# transfer FROM TO ADDRESS COUNT SIZE [SENDER_ARG...]: messages, of which each
# arrives once, in order, whole and unaltered. COUNT is for a fast kernel; what is
# in RECV_ARGS is added.
RECV_ARGS=()
transfer()
{
	local from=$1 to=$2 addr=$3 count size=$5 name=transfer bad=0
	count=$(some "$4")
	shift 5
	receiver "$to" $name --count "$count" "${RECV_ARGS[@]}"
	sender "$from" $name "$addr" --count "$count" --size "$size" "$@" || bad=1
	wait "$RECEIVER" || bad=1
	quote '' "$WORK/$name.send"
	quote '' "$WORK/$name.recv"
	return $bad
}
