#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A peer can have 512 configured paths: some looks compare each with each, and with thousands the
# end of a link would stop a CPU for as long as it takes.
. "$(dirname "$0")/lib.sh"
plan 7
pair_up
ns_sysctl a net.lapsmp.scheduler=spray

path() { lapsctl -n a path "$1" peer $B6 "${@:2}"; }
# Those that were not used are not known to be.
none_up() { [[ $(lapsctl -j -n a path show | jq 'map(select(.state == "up")) | length') -eq 0 ]]; }

# Why one more is refused.
refused()
{
	! path add flowlabel 600 2>"$WORK/err" && cat "$WORK/err" && grep -q '512 configured paths' "$WORK/err"
}

for ((i = 1; i <= 512; i++)); do
	echo "path add peer $B6 flowlabel $i cost 1"
done >"$WORK/batch"
check '512 are added' lapsctl -n a -b "$WORK/batch"
check 'one more is not, and it is said why' refused
check 'they are used' transfer a b $B6 4096 1000
check 'the link ends' ip -n a link set e0 down
check 'none is up soon after' until_true 10 none_up
check 'one goes' path del id 1
check 'another one has its place' path add flowlabel 600
