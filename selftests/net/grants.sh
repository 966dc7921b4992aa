#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Large messages of several senders, of which only some may go on at a time: those
# with the smallest rest go first, and every message arrives, whoever dies, reads
# late or changes his mind.
. "$(dirname "$0")/lib.sh"
plan 28
pair_up
pair_rate "$(some 2000)" 20

# part BYTES: less where each packet takes milliseconds of a processor; senders wait for 100 s
# to be told that all has arrived.
part()
{
	if [[ ${LAPSMP_KERNEL:-} = smp-debug ]]; then echo $(($1 / 8)); else echo "$1"; fi
}
ns_sysctl b net.lapsmp.grant_bytes="$(part 524288)"

# lasts BYTES: the same, but it must be under way still when something happens to its sender.
lasts()
{
	if [[ ${LAPSMP_KERNEL:-} = smp-debug ]]; then echo $(($1 / 2)); else echo "$1"; fi
}

# A third host, whose wire can be cut.
cut_up()
{
	printf '%s\n' 'netns add c' 'link add e1 netns c type veth peer name e1 netns b' | ip -batch -
	printf '%s\n' 'link set e1 up' 'addr add 198.51.100.2/24 dev e1' | ip -n b -batch -
	printf '%s\n' 'link set lo up' 'link set e1 up' 'addr add 198.51.100.1/24 dev e1' |
		ip -n c -batch -
	# shellcheck disable=SC2046
	tc -n c qdisc replace dev e1 root $(netem_args "$(some 2000)" 20)
	offloads c off e1
}

# grants K: of the receiver.
grants() { ns_sysctl b net.lapsmp.grants="$1"; }

# send NAME SIZE ADDRESS [ARG...]: two messages of a sender of its own; its PIDs
# are in SENDERS.
send()
{
	local name=$1 size=$2 addr=$3
	shift 3
	in_ns a msg_send "$addr" --count 2 --size "$size" --drain 100000 \
		--stream ${#SENDERS[@]} "$@" >"$WORK/$name.${#SENDERS[@]}" 2>&1 &
	SENDERS+=($!)
}

# all_sent: each of them heard that its messages arrived.
all_sent()
{
	local pid bad=0
	for pid in "${SENDERS[@]}"; do
		wait "$pid" || bad=1
	done
	SENDERS=()
	return $bad
}

SENDERS=()
SIZES=(900000 3000000 300000 2000000 2000000 1000000 70000 2000000)

# all_arrive NAME ADDRESS [RECEIVER_ARG...]: of many senders. MEANWHILE is a command
# that is run when they have begun.
MEANWHILE=()
all_arrive()
{
	local name=$1 addr=$2 size
	shift 2
	receiver b "$name" --count $((2 * ${#SIZES[@]})) "$@"
	for size in "${SIZES[@]}"; do
		send "$name" "$(part "$size")" "$addr"
	done
	"${MEANWHILE[@]}"
	wait "$RECEIVER"
	result $? "$name: every message arrives"
	note "$(tail -n 1 "$WORK/$name.recv")"
	all_sent
	result $? "$name: the senders hear of it"
}

# acked: bytes of all who still send in host a.
acked() { lapsctl -j -n a flow show direction tx | jq 'map(."acked-bytes") | add // 0'; }

# passed_on TURNS: more than these were.
passed_on() { [[ $(stat b grants_slow) -gt $1 ]]; }

for k in 1 2; do
	grants $k
	told=$(stat b grants_told)
	all_arrive "$k at a time, IPv$((2 + 2 * k))" "$([[ $k = 1 ]] && echo $B4 || echo $B6)"
	check_that "$k at a time: some had to wait" "$(stat b grants_told) > $told"
done

# The larger one has begun, and is overtaken.
grants 1
receiver b order --count 4
send order "$(part 9000000)" $B4
amid a 0.002
send order "$(part 3000000)" $B4
wait "${SENDERS[1]}"
result $? 'the smaller one ends'
timing 'the larger one has waited for it' "$(acked) < $(part 5000000)"
wait "$RECEIVER"
all_sent
result $? 'the larger one ends'

# Two whose wires lead to the receiver apart from each other: one alone does not fill both,
# as the receiver knows since it once had both at a time. Its second one begins when a whole period
# of 10 ms has shown that, so up to 20 after the first (9 to 18 by 24 draws, once 19.9); in turn it
# would end as long after that as it takes, 36 ms.
cut_up
for k in 2 1; do
	name="by a wire of their own, $k at a time"
	grants $k
	receiver b apart --count 2
	in_ns c msg_send 198.51.100.2 --count 1 --size "$(part 9000000)" --stream 80 \
		--drain 100000 >"$WORK/apart.far" 2>&1 &
	SENDERS+=($!)
	send apart "$(part 9000000)" $B4 --count 1
	wait "$RECEIVER"
	result $? "$name: both messages arrive"
	note "$(tail -n 1 "$WORK/apart.recv")"
	all_sent
	result $? "$name: the senders hear of it"
done
timing 'one at a time: the second one soon after the first' \
	"$(says apart.recv elapsed_ns) < 24e6"

# Who has the turn dies without a word; the second one dies and says so.
receiver b dead --lossy --count 2
in_ns c msg_send 198.51.100.2 --count 1 --size "$(lasts 20000000)" --stream 90 >/dev/null 2>&1 &
lost=$!
amid c 0.003
send dead "$(lasts 30000000)" $B4
slow=$(stat b grants_slow)
ip -n c link set e1 down
until_true 60 passed_on "$slow"
result $? 'a turn of one that is silent is passed on'
wait "$RECEIVER"
result $? 'the other one goes on'
all_sent
result $? 'and hears of it'
murder $lost
receiver b killed --lossy --count 2
in_ns a msg_send $B4 --count 1 --size "$(lasts 20000000)" --stream 91 >/dev/null 2>&1 &
killed=$!
amid a 0.003
send killed "$(lasts 30000000)" $B4
sleep 0.02
murder $killed
wait "$RECEIVER"
all_sent
result $? 'who dies and says so: the other one goes on'

grants 2
all_arrive 'reads late' $B4 --no-read 3000 --rcvbuf 200000

# One that reads pieces gets no more than it has room for, and keeps nobody else waiting.
grants 1
receiver b pieces --port 7001 --count 3 --partial --pause-us 20000 --rcvbuf 400000
slow_reader=$RECEIVER
in_ns a msg_send $B6 --port 7001 --count 3 --size "$(part 2500000)" --drain 100000 >"$WORK/pieces.send" 2>&1 &
slow_sender=$!
all_arrive 'beside one who reads pieces' $B6
wait $slow_reader && wait $slow_sender
result $? 'who reads pieces gets them all'
note "$(tail -n 1 "$WORK/pieces.recv")"

# shellcheck disable=SC2317
changes()
{
	local k
	for k in 0 1 16 1 0 3 1 2 0; do
		sleep 0.003
		grants $k
		ns_sysctl b net.lapsmp.grant_bytes=$((k % 2 ? 65536 : large))
	done
}
large=$(part 1048576)
grants 1
MEANWHILE=(changes)
all_arrive 'settings change' $B4
MEANWHILE=()
ns_sysctl b net.lapsmp.grant_bytes="$(part 524288)"

grants 1
netem=$(netem_args "$(some 2000)" 20)
for ns in a b; do
	# shellcheck disable=SC2086
	tc -n $ns qdisc change dev e0 root $netem loss 5%
done
all_arrive 'loss' $B6
check 'nothing stays charged' until_true 10 memory_is_free
