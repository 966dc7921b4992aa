#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# 100 MB over two unequal links on paths by source port, by flow label and by SRv6
# segments, over IPv6: what each gets of what its headers leave.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

ROWS=("10000:5 10000:5" "10000:5 3000:5" "10000:5 3000:50" "10000:5 1000:20")
AMOUNT=(--size 1M --bytes 100M)
# Bytes of a full frame, and what is not data in it: Ethernet's header, IPv6's, UDP's,
# lapsmp's; and that of a list of two segments and the receiver.
FRAME=1514 HEADERS=$((14 + 40 + 8 + 36)) SEGS_HEADER=$((8 + 3 * 16))

# Of the peer as lapsperf speaks to it, from a fixed address.
path() { lapsctl -n h1 path "$1" peer $H2 bound $H1 "${@:2}"; }

# label_find LINK: LABEL is the first one whose packets take it, there and back.
label_find()
{
	local there back
	for LABEL in {1..64}; do
		path flush
		path add flowlabel "$LABEL" || return
		there=$(link_bytes r1 "$1") back=$(link_bytes r2 "$1")
		perf_lapsmp "$NAME-label" --size 100k --count 10 >/dev/null || return
		there=$(($(link_bytes r1 "$1") - there)) back=$(($(link_bytes r2 "$1") - back))
		((there < 1000000 || back < 1000)) || return 0
	done
	return 1
}

# paths_by KIND: one for each link.
paths_by()
{
	local i labels=()
	ns_sysctl h1 net.lapsmp.auto_paths=0
	case $1 in
	sport)	lapsmp_paths ;;
	segs)	segs_allowed 1 h1 r1 r2 h2
		for ((i = 1; i <= ${#LINKS[@]}; i++)); do
			path add segs "$(segs_of $i)" || return
		done ;;
	flowlabel)
		ns_sysctl r1 net.ipv6.fib_multipath_hash_policy=0
		ns_sysctl r2 net.ipv6.fib_multipath_hash_policy=0
		for ((i = 1; i <= ${#LINKS[@]}; i++)); do
			label_find $i || return
			labels+=("$LABEL")
		done
		path flush
		for i in "${labels[@]}"; do
			path add flowlabel "$i" || return
		done ;;
	esac
}

run_kind()
{
	local kind=$1 ok=1
	PAYLOAD=$(calc "($FRAME - $HEADERS) / $FRAME")
	[[ $kind != segs ]] || PAYLOAD=$(calc "($FRAME - $HEADERS - $SEGS_HEADER) / $FRAME")
	# shellcheck disable=SC2086
	topo_up $ROW
	topo_up6
	lapsmp_seed 1 && paths_by "$kind" && perf_lapsmp "$NAME-$kind" "${AMOUNT[@]}" || ok=''
	lapsmp_stats "$NAME-$kind"
	[[ -n $ok ]] || trouble "$ROW" "$kind" "$PERF_ERROR"
	topo_down
}

H1=$H1_6 H2=$H2_6
! quick || ROWS=("${ROWS[@]:2:1}")
for ROW in "${ROWS[@]}"; do
	NAME=${ROW//[: ]/_} BEST=0 PERF_ERROR='no path for each link'
	declare -A SHARES=()
	for kind in sport flowlabel segs; do
		run_kind $kind
		SHARES[$kind]=$(share_of_limit)
		result "$ROW" $kind goodput "$(gbps "$GOODPUT")" Gbit/s
		[[ ${SHARES[$kind]} == null ]] || BEST=$(calc "$BEST > ${SHARES[$kind]} ? $BEST : ${SHARES[$kind]}")
	done
	for kind in sport flowlabel segs; do
		judge "$ROW" $kind share-of-limit "${SHARES[$kind]}" '>=' "$(calc "0.98 * $BEST")" ''
	done
done
