#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# Paths of IPv4 by SRv6 segments: packets travel in others, go by the link that is
# named, and are taken out by the receiver (End.DX4). Answers are by the plain route,
# or by the segments that the receiver was told.
. "$(dirname "$0")/lib.sh"
plan 36
links_up 200:100 100:200
OUT1=fd00:1::d4 OUT2=fd00:2::d4

# takes_out HOST ROUTER ADDRESS: packets of IPv4 that are sent there in others.
takes_out()
{
	ip -n "$1" -6 route add "$3/128" encap seg6local action End.DX4 nh4 0.0.0.0 dev e0
	ip -n "$2" -6 route add "$3/128" via "fd00:${1#h}::1" dev e0
}

path() { lapsctl -n h1 path "$1" peer "${@:2}"; }
paths() { lapsctl -j -n h1 path show peer $H2; }
state_is() { [[ $(paths | jq -r ".[] | select(.sport == $1).state") == "$2" ]]; }
use_until() { transfer h1 h2 $H2 50 20000 --sched spray && state_is "$1" "$2"; }

# takes NS LINK BYTES: at least so many of a transfer leave it by this link, and next
# to nothing by the other one.
takes()
{
	local other=$((3 - $2)) own=0 rest=0
	own=$(link_bytes "$1" "$2") rest=$(link_bytes "$1" $other)
	transfer h1 h2 $H2 50 20000 || return
	own=$(($(link_bytes "$1" "$2") - own)) rest=$(($(link_bytes "$1" $other) - rest))
	echo "$own and $rest bytes"
	((own >= $3 && rest * 10 < own))
}

refused()
{
	local pattern=$1
	shift
	! "$@" >"$WORK/refused" 2>&1 || return 1
	cat "$WORK/refused"
	grep -q -- "$pattern" "$WORK/refused"
}

answers() { lapsctl -n h2 peer set $H1 answers "$@"; }
# Of a flow that goes on: what it shows is of the newest answer.
answers_go_by()
{
	[[ $(lapsctl -j -n h2 flow show | jq -c '.[] | select(.dport == 7001).answers') == "$1" ]]
}

segs_allowed 1 r1 r2
takes_out h1 r1 $OUT1
takes_out h2 r2 $OUT2
for link in 1 2; do
	check "by link $link" path add $H2 segs "$(segs_of $link),$OUT2" sport 5000$link
	if [[ $link == 1 ]]; then
		check 'messages arrive' transfer h1 h2 $H2 20 20000
		check 'by it alone' takes r1 1 $(($(some 50) * 20000))
	fi
done
check_that 'they are of their kind' "$(paths | jq 'map(select(.kind == "segs")) | length') == 2"
check 'both are used' until_true 60 use_until 50002 up
check 'more messages' transfer h1 h2 $H2 400 24-50000
check 'small ones' transfer h1 h2 $H2 200 24-2000
check_that 'nothing was damaged' "$(stat h2 rx_bad) == 0"
timing 'nothing was too large' "$(stat h1 pmtu_changes) == 0"

check 'the first alone' path del $H2 id 2
receiver h2 steady --port 7001 --count 1000000
in_ns h1 msg_send $H2 --port 7001 --rate 50 --size 100 --time 100000000 >"$WORK/steady.send" 2>&1 &
STEADY=$! LISTENER=$RECEIVER
check 'answers by the plain route' until_true 10 answers_go_by null
check 'answers by segments' answers "fd00:9:2::2,fd00:9:2::1,$OUT1"
check 'they take that link' takes r2 2 1000
check 'they are shown' until_true 10 answers_go_by "[\"fd00:9:2::2\",\"fd00:9:2::1\",\"$OUT1\"]"
saved()
{
	lapsctl -n h2 save >"$WORK/saved"
	cat "$WORK/saved"
	lapsctl -n h2 restore "$WORK/saved" && lapsctl -n h2 save | diff "$WORK/saved" - &&
		grep -q " answers fd00:9:2::2,fd00:9:2::1,$OUT1\$" "$WORK/saved"
}
check 'saved and restored' saved
check 'they take that link still' takes r2 2 1000
ip -n h2 route add unreachable fd00:9:2::2/128
check 'no way to the first of them: the plain route' transfer h1 h2 $H2 20 1000
check 'it is shown' until_true 10 answers_go_by null
ip -n h2 route del unreachable fd00:9:2::2/128
check 'a way again: by segments' until_true 10 answers_go_by \
	"[\"fd00:9:2::2\",\"fd00:9:2::1\",\"$OUT1\"]"
check 'paths are flushed' lapsctl -n h2 path flush peer $H1
check 'answers go by segments still' takes r2 2 1000
check 'answers by the plain route again' answers plain
check 'they do' until_true 10 answers_go_by null
murder $STEADY
murder $LISTENER

check 'one segment, which needs no header' path add $H2 segs $OUT2 sport 50003
check 'and one by port' path add $H2 sport 50004
check 'all are used' until_true 60 use_until 50003 up
# Where routers choose, by seeds that old kernels draw, all may have chosen link 1.
check 'and one by link 2' path add $H2 segs "$(segs_of 2),$OUT2" sport 50002
check 'answers by link 2' answers "fd00:9:2::2,fd00:9:2::1,$OUT1"
check 'it is used, too' until_true 60 use_until 50002 up
link_is 1 loss 100%
check 'a link swallows everything: its path goes down' until_true 60 use_until 50001 down
links_heal
check 'it comes back' until_true 60 use_until 50001 up
check 'answers are plain' answers plain

check 'answers over IPv6' refused 'over IPv6' lapsctl -n h2 peer set $H1_6 answers "$OUT1"
check 'answers of one local address' refused 'answers are of an address' \
	lapsctl -n h2 peer set $H1 bound $H2 answers "$OUT1"
check 'segments that name no node' refused 'not a usable segment' \
	lapsctl -n h2 peer set $H1 answers fe80::1
