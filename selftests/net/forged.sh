#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets of every type and version, cut at every length, with every byte bent,
# and without any sense: none is answered by a larger one or by one that it must
# not be, nothing is kept, and a transfer at the same time does not notice.
. "$(dirname "$0")/lib.sh"
plan 14
pair_up
EVERY=$((1000 / $(some 1000)))

# beside NAME FORGE_ARG...: while messages are sent.
beside()
{
	local name=$1 pid
	shift
	in_ns a forge "$@" --every "$EVERY" >"$WORK/forge.out" &
	pid=$!
	transfer a b $B4 2000 24-4000 --rate 500 >"$WORK/beside.out"
	result $? "$name: a transfer does not notice"
	[[ $(says transfer.recv messages) -eq $(some 2000) ]] || note "$(cat "$WORK/beside.out")"
	wait $pid
	result $? "$name: no answer that must not be"
	note "$(cat "$WORK/forge.out")"
}

# Bound for good: there must be somebody to attack.
in_ns b msg_recv --port 7001 --lossy --wait 1000000 >"$WORK/victim.recv" &
victim=$!
until_true 20 has ready "$WORK/victim.recv"
beside 'every type, IPv4' types $B4 --dport 7001
check_that 'versions are told' "$(says forge.out versions) > 10"
check_that 'cookies are asked for' "$(says forge.out cookies) > 10"
beside 'every type, IPv6' types $B6 --dport 7001
beside 'no sense' random $B4 --count 20000
beside 'first packets' flood $B6 --count 5000 --dport 7001

check_that 'bad ones are counted' "$(stat b rx_bad) > $(some 1000)"
check_that 'nothing is kept' "$(lapsctl -j -n b flow show | jq length) < 20"
stop $victim
check_that 'nothing was delivered' "$(says victim.recv messages) == 0"
check 'nothing stays charged' until_true 10 memory_is_free
