#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A host whose programs have queued as much as the protocol has memory for, for one who does
# not answer: they wait until there is more, and are told when there is; but the host receives
# what others send. When those programs end, what they have queued is still kept for a while,
# half as much at most.
. "$(dirname "$0")/lib.sh"
plan 14
pair_up
parts_are 64

# A third host, which hears nothing.
printf '%s\n' 'netns add c' 'link add e1 netns a type veth peer name e1 netns c' | ip -batch -
printf '%s\n' 'link set lo up' 'link set e1 up' 'addr add 198.51.100.2/24 dev e1' |
	ip -n c -batch -
printf '%s\n' 'link set e1 up' 'addr add 198.51.100.1/24 dev e1' \
	"neigh add 198.51.100.2 lladdr 02:00:00:00:00:02 nud permanent dev e1" | ip -n a -batch -
tc -n a qdisc replace dev e1 root netem loss 100%
# How long a closed socket's messages are kept.
ns_sysctl a net.lapsmp.linger_ms=20000 net.lapsmp.user_timeout_ms=3600000

# fill NAME: host a's sockets have all that there is. Sets FILL.
fill()
{
	: >"$WORK/$1.fill"
	in_ns a fill 198.51.100.2 7000 >"$WORK/$1.fill" 2>&1 &
	FILL=$!
	until_true 100 grep -q . "$WORK/$1.fill"
	note "$1: $(cat "$WORK/$1.fill")"
	has full "$WORK/$1.fill"
}

# queued BYTES: host b has more than that to send.
queued()
{
	(($(lapsctl -j -n b flow show direction tx | jq 'map(."queued-bytes") | add // 0') > $1))
}

# begun N: so many of host a's flows to host b have begun.
begun()
{
	(($(lapsctl -j -n a flow show peer $B4 direction tx | jq length) >= $1))
}

# What host b sends is lost until host a is full: it must have queued it before, since both
# are of one kernel.
ip -n b neigh add $A4 lladdr 02:00:00:00:00:0a nud permanent dev e0
tc -n b qdisc replace dev e0 root netem loss 100%
receiver a full --count 20
in_ns b msg_send $A4 --count 20 --size 100000 --drain 200000 >"$WORK/full.send" 2>&1 &
sender=$!
until_true 60 queued 1900000
result $? 'the other host has something to send'
fill all
all=$FILL
result $? 'no socket can queue any more, and poll() says so'
receives=$(stat a rx_messages)
dropped=$(stat a rx_overflow_segs)
tc -n b qdisc del dev e0 root
wait "$RECEIVER"
result $? 'what was sent to it arrives'
note "$(tail -n 1 "$WORK/full.recv")"
check_that 'while nothing could be sent' "$(stat a rx_messages) > $receives"
check_that 'nothing was dropped for want of memory' "$(stat a rx_overflow_segs) == $dropped"
wait "$sender"
result $? 'and its sender hears of it'

# Who waits for what others have, in the call and by poll(). What the other host has sent
# since is free again.
fill more
more=$FILL
receiver b after --count 21
in_ns a msg_send $B4 --count 20 --size 100000 >"$WORK/after.send" 2>&1 &
sender=$!
in_ns a msg_send $B4 --count 1 --size 100000 --stream 1 --nonblock >"$WORK/poll.send" 2>&1 &
polls=$!
until_true 60 begun 2
sleep 3
check_that 'who would send more waits' "$(stat b rx_messages) == 0"
failed=$(stat a tx_failed_messages)
murder "$all"
murder "$more"
wait "$sender"
result $? 'and goes on when there is room'
wait "$polls"
result $? 'who has asked poll() is told of it'
wait "$RECEIVER"
check_that 'of those closed with all of it, some end at once' "$(stat a tx_failed_messages) > $failed"
fill 'with orphans'
result $? 'what the others have queued is still there'
check_that 'half of all at most' \
	"$(says all.fill bytes) < 2.3 * $(says 'with orphans.fill' bytes) && \
	 $(says all.fill bytes) > 1.7 * $(says 'with orphans.fill' bytes)"
murder "$FILL"
sleep 25
fill again
check_that 'until they are given up' "$(says again.fill bytes) > 0.9 * $(says all.fill bytes)"
murder "$FILL"
check 'nothing stays charged' until_true 200 memory_is_free
