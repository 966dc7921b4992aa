#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Short messages leave in classes by their length, if the network is said to have such; long ones, long ones in pieces and those of programs that
# have chosen a class do not. Whatever is lost of them arrives in the end.
. "$(dirname "$0")/lib.sh"
plan 50
# Two links of 20 us hold eight segments, and who is left with a window of less is not short any
# more: so was now and then a message of 209, by its own queue.
links_up 1000:60 1000:60

# What class I is called by, in a TOS byte and by the routers' filter.
TOS=(0xc0 0x68 0x48 0x28) DSCP=(cs6 af31 af21 af11)
{
	echo 'add table inet d'
	echo 'add chain inet d f { type filter hook forward priority 0; }'
	echo 'add rule inet d f oifname != { "l1", "l2" } return'
	echo 'add rule inet d f udp dport != 4795 return'
	for dscp in "${DSCP[@]}" cs0; do
		echo "add counter inet d $dscp"
		for ip in ip ip6; do
			echo "add rule inet d f $ip dscp $dscp counter name $dscp return"
		done
	done
	echo 'add counter inet d other'
	echo 'add rule inet d f counter name other'
} | in_ns r1 nft -f -

packets()
{
	local all
	all=$(in_ns r1 nft reset counter inet d "$1")
	[[ $all =~ packets\ ([0-9]+) ]] && echo "${BASH_REMATCH[1]}"
}

# count: packets of each class that h1's data had since the last time, in IN; in PLAIN
# those of none, in OTHER those of another.
count()
{
	local i
	for i in "${!DSCP[@]}"; do
		IN[i]=$(packets "${DSCP[i]}")
	done
	PLAIN=$(packets cs0) OTHER=$(packets other)
	note "${IN[*]} in classes, $PLAIN in none, $OTHER in another one"
}

# some_messages NAME ADDRESS COUNT SIZE [ARG...]: their packets, by class.
some_messages()
{
	local name=$1
	shift
	count >"$WORK/before"
	check "$name" transfer h1 h2 "$@"
	count
}

# none_but I: all that passed was in class I.
none_but()
{
	local i all=0
	for i in "${!IN[@]}"; do
		[[ $i == "$1" ]] || ((all += IN[i]))
	done
	[[ $all -eq 0 ]]
}

# classes TOS...: of h1.
classes() { in_ns h1 sysctl -q -w "net.lapsmp.express_tos=$*"; }

some_messages 'off: short messages' "$H2" 100 1000 --rate 1000
check_that 'off: they leave as all others' "${IN[0]} + ${IN[1]} + ${IN[2]} + ${IN[3]} + $OTHER == 0"
check_that 'off: none is counted' "$(stat h1 express_messages) == 0"
check 'three numbers are not four' bash -c '! ip netns exec h1 sysctl -q -w net.lapsmp.express_tos="1 2 3" 2>/dev/null'
check 'nor are five' bash -c '! ip netns exec h1 sysctl -q -w net.lapsmp.express_tos="1 2 3 4 5" 2>/dev/null'
check_that 'nothing was written' "$(in_ns h1 sysctl -n net.lapsmp.express_tos | tr -d '[:space:]') == 0"

check 'four classes' classes $((TOS[0])) $((TOS[1])) $((TOS[2])) $((TOS[3]))
ns_sysctl h1 net.lapsmp.ack_tos=$((TOS[0]))
FEW=$(some 20)
SIZE=(1000 40000 100000 300000) SEGS=(1 28 70 209)
for addr in "$H2" "$H2_6"; do
	for i in 0 1 2 3; do
		some_messages "$addr: of ${SEGS[i]} segments" "$addr" 20 "${SIZE[i]}" --rate 50
		# Who meets a full queue, and be it his own, is as all others from there on.
		timing "$addr: they are in class $i" \
			"${IN[i]} >= $FEW * ${SEGS[i]} * 0.75 && $PLAIN <= $FEW * ${SEGS[i]} / 4"
		timing "$addr: and in none else" "$(none_but $i && echo 1 || echo 0)"
	done
	some_messages "$addr: of a thousand" "$addr" 10 1400000 --rate 20
	check_that "$addr: they are in none" "${IN[0]} + ${IN[1]} + ${IN[2]} + ${IN[3]} == 0"
done
passed=$(stat h1 express_messages)
timing 'so many short messages were sent' "$passed >= 8 * $FEW"

# A burst of 512 KiB may pass, 12.5 % of the rate after it; what is queued behind counts at once.
some_messages 'a long one in pieces' "$H2" 200 60000 --sndbuf 8000000
timing 'leaves as a long one' \
	"${IN[0]} + ${IN[1]} + ${IN[2]} + ${IN[3]} <= 100 && $PLAIN >= $(some 200) * 40"

some_messages 'a program that has chosen a class' "$H2" 100 1000 --rate 1000 --tos 0x20
check_that 'has that one' "${IN[0]} + ${IN[1]} + ${IN[2]} + ${IN[3]} == 0 && $OTHER >= $(some 100)"

check 'one class for all' classes 0 0 0 $((TOS[3]))
some_messages 'with one class' "$H2" 100 1000 --rate 1000
timing 'short ones are in it' "${IN[3]} >= $(some 100) && ${IN[0]} + ${IN[1]} + ${IN[2]} == 0"
check 'one class for the shortest' classes $((TOS[0])) 0 0 0
some_messages 'without a class for longer ones' "$H2" 20 40000 --rate 50
check_that 'they are in none' "${IN[0]} + ${IN[1]} + ${IN[2]} + ${IN[3]} == 0"

classes $((TOS[0])) $((TOS[1])) $((TOS[2])) $((TOS[3]))
# Sizes of all classes, between which a flow changes while some of it is under way.
links_are loss 3%
some_messages 'with losses, of all sizes' "$H2" 300 24-600000 --rate 100
check_that 'some that passed were lost' "$(stat h1 express_lost_segs) > 0"
links_are delay 2ms 1ms
some_messages 'out of order, of all sizes' "$H2" 100 24-600000 --rate 50
links_heal
check 'nothing stays charged' until_true 10 memory_is_free
