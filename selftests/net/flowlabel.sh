#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Paths by IPv6 flow label, among routers that hash addresses and labels, not ports:
# each takes one link, its answers have the same label, and one that dies is survived.
. "$(dirname "$0")/lib.sh"
plan 23
links_up 200:100 50:500
# So many that they will not all take the same link, whatever the routers' seed.
LABELS=(1 2 3 5 8 13 21 34 55 74565 703710 1048575)

# Rules that count packets of each label on each link, 0 too: "dport" the segments
# that leave r1, "sport" the answers that leave r2.
labels_count()
{
	local ns=$1 port=$2 label link
	ns_sysctl "$ns" net.ipv6.fib_multipath_hash_policy=0
	{
		echo 'add table inet m'
		echo 'add chain inet m f { type filter hook forward priority 0; }'
		for label in 0 "${LABELS[@]}"; do
			for link in 1 2; do
				echo "add rule inet m f oifname l$link udp $port 4795" \
					"ip6 flowlabel $label counter comment \"$label.$link\""
			done
		done
	} | in_ns "$ns" nft -f -
}

# labels_seen NS: lines of a label, and the packets on both links.
labels_seen()
{
	in_ns "$1" nft -j list table inet m | jq -r '[.nftables[].rule | values |
		{ key: .comment, value: (.expr[].counter | values.packets) }] | from_entries as $n |
		($n | keys | map(.[:-2]) | unique)[] | "\(.) \($n[. + ".1"]) \($n[. + ".2"])"'
}

# unlabelled NS: packets without a label.
unlabelled() { labels_seen "$1" | awk '$1 == 0 { print $2 + $3 }'; }

# pinned NS: every label was seen, on one link only, and each link had some.
pinned()
{
	labels_seen "$1" | awk '$1 != 0' | tee "$WORK/$1.seen"
	awk -v want=${#LABELS[@]} '($2 > 0) + ($3 > 0) != 1 { bad = 1 } { one += $2; two += $3 }
		END { exit bad || NR != want || !one || !two }' "$WORK/$1.seen"
}

path() { lapsctl -n h1 path "$1" peer "${@:2}"; }
paths() { lapsctl -j -n h1 path show peer $H2_6 "$@"; }

# use_until LINK STATE: messages, until the paths whose labels take it are in it.
use_until()
{
	local on
	on=$(awk -v link="$1" '$(link + 1) > 0 { print $1 }' "$WORK/r1.seen" | jq -sc .)
	transfer h1 h2 $H2_6 100 20000 || return
	paths | jq -e --argjson on "$on" --arg state "$2" \
		'[.[] | select(IN(.flowlabel; $on[])).state] | length > 0 and all(. == $state)'
}

# refused PATTERN COMMAND...: with these words, and nothing changed.
refused()
{
	local pattern=$1 before
	shift
	before=$(paths | jq length)
	! "$@" >"$WORK/refused" 2>&1 || return 1
	cat "$WORK/refused"
	grep -q -- "$pattern" "$WORK/refused" && [[ $(paths | jq length) -eq $before ]]
}

labels_count r1 dport
labels_count r2 sport
check 'automatic paths: messages arrive' transfer h1 h2 $H2_6 20 20000
UNLABELLED=$(unlabelled r1) ANSWERS=$(unlabelled r2)
check_that 'they have no labels' "$UNLABELLED > 0 && $ANSWERS > 0"

add_all()
{
	local label
	for label in "${LABELS[@]}"; do
		path add $H2_6 flowlabel "$label" || return
	done
}
check 'paths by label' add_all
check_that 'they share one source port' "$(paths | jq 'map(.sport) | unique | length') == 1"
check_that 'and are of their kind' "$(paths | jq 'map(select(.kind == "flowlabel")) | length') == ${#LABELS[@]}"
check 'messages arrive' transfer h1 h2 $H2_6 400 20000
check 'each label takes one link, and both are used' pinned r1
check 'answers have the labels of what they answer' pinned r2
check_that 'nothing is without a label' "$(unlabelled r1) == $UNLABELLED && $(unlabelled r2) == $ANSWERS"

link_is 1 loss 100%
check 'a link swallows everything: its paths go down' until_true 60 use_until 1 down
check 'the others are up' use_until 2 up
links_heal
check 'they come back' until_true 60 use_until 1 up

check 'from a fixed address' transfer h1 h2 $H2_6 20 1000 --bind $H1_6
check 'the same labels' test "$(paths bound $H1_6 | jq -c 'map(.flowlabel) | sort')" = \
	"$(printf '%s\n' "${LABELS[@]}" | jq -sc .)"
check 'a label and a port' path add $H2_6 sport 50001 flowlabel 1
check 'not twice' refused 'path of this id, source port, flow label or segments' \
	path add $H2_6 sport 50001 flowlabel 1
check 'no label twice' refused 'path of this id, source port, flow label or segments' \
	path add $H2_6 flowlabel 1048575
check '0 is none' refused 'flowlabel' path add $H2_6 flowlabel 0
check 'it has 20 bits' refused 'flowlabel' path add $H2_6 flowlabel 0x100000
check 'IPv4 has none' refused 'IPv4 has no flow labels' path add $H2 flowlabel 5
check 'they are shown' grep -q 0xabcde <(path show $H2_6)
lapsctl -n h2 path add peer $H1_6 sport 50002
check 'but not where there are none' test "$(lapsctl -n h2 path | grep -c flowlabel)" = 0
saved()
{
	lapsctl -n h1 save >"$WORK/saved"
	cat "$WORK/saved"
	lapsctl -n h1 restore "$WORK/saved" && lapsctl -n h1 save | diff "$WORK/saved" - &&
		grep -q ' sport 50001 flowlabel 1$' "$WORK/saved" &&
		grep -q ' id [0-9]* flowlabel 703710$' "$WORK/saved"
}
check 'saved and restored' saved
