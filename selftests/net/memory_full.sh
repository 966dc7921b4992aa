#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A host whose programs have queued as much as the protocol has memory for, for one who does
# not answer: it can send nothing more, and says so, but receives what others send.
. "$(dirname "$0")/lib.sh"
plan 8
pair_up

# A third host, which hears nothing.
printf '%s\n' 'netns add c' 'link add e1 netns a type veth peer name e1 netns c' | ip -batch -
printf '%s\n' 'link set lo up' 'link set e1 up' 'addr add 198.51.100.2/24 dev e1' |
	ip -n c -batch -
printf '%s\n' 'link set e1 up' 'addr add 198.51.100.1/24 dev e1' \
	"neigh add 198.51.100.2 lladdr 02:00:00:00:00:02 nud permanent dev e1" | ip -n a -batch -
tc -n a qdisc replace dev e1 root netem loss 100%

filled() { grep -q "^full" "$WORK/fill"; }

# fill: host a's sockets have all that there is.
fill()
{
	in_ns a fill 198.51.100.2 7000 >"$WORK/fill" 2>&1 &
	FILL=$!
	until_true 100 grep -q . "$WORK/fill"
	note "$(cat "$WORK/fill")"
	filled
}

# queued BYTES: host b has more than that to send.
queued()
{
	(($(lapsctl -j -n b flow show direction tx | jq 'map(."queued-bytes") | add // 0') > $1))
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
fill
result $? 'no socket can queue any more'
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
murder "$FILL"
receiver b after --count 20
sender a after $B4 --count 20 --size 100000
result $? 'with room again, it sends'
wait "$RECEIVER"
check 'nothing stays charged' until_true 200 memory_is_free
