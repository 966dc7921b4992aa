#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A host with programs that read nothing, and as much for them as the protocol has memory for:
# what comes for others is received all the same, if it is not too much. And large messages to
# several namespaces, which together are more than that memory: one after the other.
. "$(dirname "$0")/lib.sh"
plan 14
PAIR_MTU=9000
pair_up
PART=64
parts_are $PART
for ns in a b; do
	ns_sysctl $ns net.lapsmp.max_msg_bytes=200000000 net.lapsmp.budget_bytes=200000000
done

# still: what all sockets have, when it does not change any more.
still()
{
	local was=-1
	while [[ $was != "$(memory)" ]]; do
		was=$(memory)
		sleep 3
	done
}

# quiet: there is a second in which little is sent again.
quiet()
{
	local was again

	was=$(stat a retrans_segs)
	sleep 1
	again=$(($(stat a retrans_segs) - was))
	echo "$again sent again"
	((again > 0 && again < 200))
}

some_memory() { (($(memory) > 1000)); }

# part N DIVISOR: N bytes of DIVISOR of the part.
part() { echo $((PART * 1048576 * $1 / $2)); }

# Four that may have half of 256 MB each, and do not run. The last one reads at last.
PIDS=()
for ((i = 1; i <= 4; i++)); do
	receiver b unread$i --port $((7100 + i)) --rcvbuf 256M --max 200000 --count $((PART * 5))
	kill -STOP "$RECEIVER"
	PIDS+=("$RECEIVER")
	in_ns a msg_send $B4 --port $((7100 + i)) --count $((PART * 5)) --size 100000 --sndbuf 300000 \
		--drain 1000000000 >"$WORK/unread$i.send" 2>&1 &
	PIDS+=($!)
done
RECEIVER4=$RECEIVER
until_true 100 some_memory
still
note "$PART MiB; $(memory) pages; dropped: $(stat b rx_overflow_segs)"
check_that 'what is not read takes the part of what is received' \
	"$(memory) * 4096 > $(part 4 5)"
check_that 'and not much more' "$(memory) * 4096 < $(part 4 3)"
# Something is dropped, or this would show nothing.
check_that 'nor will it' "$(stat b rx_overflow_segs) > 0"
# By 2500 a second and flow they asked when only paths were backed off.
check 'who finds no room does not ask all the time' until_true 30 quiet
check 'others receive' transfer a b $B4 100 24-100000
check 'a message larger than the buffer' transfer a b $B4 1 5000000
# Of one that is promised room, and finds none for long, what is there is given back. Nobody
# sleeps until then: KASAN keeps what interrupts have freed until a program allocates anything.
receiver b stuck --lossy
sender a stuck $B4 --connect --count 1 --size "$(part 1 3)" &
until_true 100 has error= "$WORK/stuck.send"
check 'what finds no room is given up, and its sender told' \
	test "$(says stuck.send error)" = ENOBUFS
stop "$RECEIVER"
check 'others still receive' transfer a b $B4 100 24-100000
kill -CONT "$RECEIVER4"
until_true 200 has drained=1 "$WORK/unread4.send"
check_that 'what was refused comes when it is read' \
	"$(says unread4.send acked) == $((PART * 5)) && $(says unread4.send failed) == 0"
note "$(tail -n 1 "$WORK/unread4.send")"
for pid in "${PIDS[@]}"; do
	murder "$pid"
done
until_true 200 memory_is_free
result $? 'and then it is free'

receiver b wide
sender a wide $B4 --connect --count 1 --size "$(part 4 7)"
check 'more than half of the part is for no message' test "$(says wide.send error)" = EMSGSIZE
stop "$RECEIVER"

# Another host, whose namespace has as much of a budget.
printf '%s\n' 'netns add c' 'link add e1 netns a type veth peer name e0 netns c' | ip -batch -
printf '%s\n' 'link set lo up' 'link set e0 up' 'addr add 198.51.100.2/24 dev e0' |
	ip -n c -batch -
printf '%s\n' 'link set e1 up' 'addr add 198.51.100.1/24 dev e1' | ip -n a -batch -
ns_sysctl c net.lapsmp.max_msg_bytes=200000000 net.lapsmp.budget_bytes=200000000
LARGE=$(part 4 11)
in_ns c msg_recv --count 1 --max "$LARGE" --wait 200000 >"$WORK/c.recv" 2>&1 &
other=$!
until_true 60 has ready "$WORK/c.recv"
receiver b wide --count 1 --max "$LARGE" --wait 200000
in_ns a msg_send 198.51.100.2 --count 1 --size "$LARGE" >"$WORK/c.send" 2>&1 &
sender a wide $B4 --count 1 --size "$LARGE"
wait "$RECEIVER"
result $? 'a message of most of what is promised'
wait "$other"
result $? 'and one to another namespace at the same time'
for end in wide c; do
	note "$end: $(tail -n 1 "$WORK/$end.send")" "$(tail -n 1 "$WORK/$end.recv")"
done
check 'nothing stays charged' until_true 10 memory_is_free
