#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# What is told of a path's life, compared with a golden sequence: each change with its
# reason, and no other. A link swallows everything, the route goes; paths are added,
# used, changed and removed.
. "$(dirname "$0")/lib.sh"
virtual || skip_all 'a machine that is late makes events of its own'
plan 11
links_up 200:100 200:100
PEER=$H2

# The ports of a path for each link.
sports_find 50000

# watch NAME, told_of NAME: what happens until then, a line for each: ID STATE (REASON).
watch()
{
	lapsctl -j -n h1 monitor path >"$WORK/$1.events" &
	MONITOR=$!
	sleep 0.2
}
told_of()
{
	sleep 0.2
	murder $MONITOR
	jq -r '"\(.id) \(.state) (\(.reason))"' "$WORK/$1.events"
}

# same NAME: as on standard input, of each path. Which of two is used first is drawn.
same()
{
	sort -s -n -k 1,1 >"$WORK/golden"
	told_of "$1" | sort -s -n -k 1,1 >"$WORK/told"
	cmp "$WORK/golden" "$WORK/told" && return
	cat "$WORK/told"
	return 1
}

path() { lapsctl -n h1 path "$1" peer $PEER "${@:2}"; }
state_is() { [[ $(lapsctl -j -n h1 path show peer $PEER | jq -r ".[] | select(.id == $1).state") == "$2" ]]; }

watch born
path add id 1 sport "${SPORT[1]}"
path add id 2 sport "${SPORT[2]}"
path change id 2 weight 3
check 'a transfer' transfer h1 h2 $PEER 50 20000 --sched spray
check 'added, changed, used' same born < <(
	# The peer is made with automatic ones, whose place the first of ours takes.
	seq -f '%g unknown (added)' 32768 32775
	seq -f '%g down (removed)' 32768 32775
	cat <<'END'
1 unknown (added)
2 unknown (added)
2 unknown (changed)
2 probing (first use)
1 probing (first use)
2 up (acknowledged)
1 up (acknowledged)
END
)

# steady: messages all the while. The scheduler leaves a path alone that is degraded: its
# probes have to tell the rest.
receiver h2 steady --lossy
in_ns h1 msg_send $PEER --size 8000 --rate 200 --time 100000000 >"$WORK/steady.send" 2>&1 &
STEADY=$!
sleep 0.5

watch swallowed
link_is 2 loss 100%
check 'a link swallows everything' until_true 10 state_is 2 down
check 'degraded, then down' same swallowed <<'END'
2 degraded (timeout)
2 down (timeout)
END

watch healed
links_heal
check 'it does no longer' until_true 10 state_is 2 up
check 'up by a probe' same healed <<'END'
2 up (acknowledged)
END

watch cut
ip -n h1 route del default
sleep 0.1
ip -n h1 route add default via 10.1.255.254 dev e0 onlink src 10.1.0.1
check 'this host has no route, and one again' until_true 10 state_is 2 up
check 'down at once, and from the beginning' same cut <<'END'
2 down (no route)
1 down (no route)
1 unknown (back)
2 unknown (back)
1 probing (first use)
2 probing (first use)
1 up (acknowledged)
2 up (acknowledged)
END
murder $STEADY
stop "$RECEIVER"

# A peer that nothing is sent to is left alone: its socket is open, its flow lives.
receiver h2 idle --count 2
in_ns h1 msg_send $PEER --count 2 --size 1000 --pause 20000 >"$WORK/idle.send" 2>&1 &
IDLE=$!
sleep 2
PROBES=$(stat h1 tx_probes)
sleep 15
check_that 'no probes to an idle peer' "$(stat h1 tx_probes) == $PROBES"
wait $IDLE
result $? 'it is used again'
wait "$RECEIVER"

watch gone
path del id 2
path flush
check 'removed; others take their place' same gone < <(
	printf '%s down (removed)\n' 2 1
	seq -f '%g unknown (added)' 32776 32783
)
