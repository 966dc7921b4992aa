#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml uml-debug
#
# Of two links one is long, and dies. Until it is known to be down nothing is to wait for it, nor
# for as long as it is: what delays waver by on the other one is found meanwhile.
. "$(dirname "$0")/lib.sh"
plan 9
SIZE=100000

noise()
{
	lapsctl -j -n h1 path show peer $H2 | jq '[.[]."noise-ns" // error("not told")] | max'
}
noisy() { [[ $(noise) -gt 0 ]]; }
state() { lapsctl -j -n h1 path show peer $H2 | jq -r ".[] | select(.id == $1).state"; }
in_doubt() { [[ $(state 2) == degraded ]]; }
used()
{
	rate_over 0.1 $SIZE
	awk "BEGIN { exit !($RATE > 7000) }"
}

links_up 10000:5 1000:100000
sports_find 50000
ns_sysctl h1 net.lapsmp.auto_paths=0
for link in 1 2; do
	check "a port by link $link" \
		lapsctl -n h1 path add peer $H2 sport "${SPORT[link]}" id $link
done
receiver h2 all --lossy
in_ns h1 msg_send $H2 --time 60000 --size $SIZE --no-drain >"$WORK/all.send" 2>&1 &
flow=$!
sleep 0.5
rate_over "$(span 100)" $SIZE
timing "the short link is full: $RATE Mbit/s" "$RATE > 9000"
check_that 'there is no noise' "$(noise) == 0"

tc -n h1 qdisc replace dev e0 root netem limit 10000 rate 100gbit delay 40us 30us
link_is 2 loss 100%
check 'the long one times out' until_true 200 in_doubt
# When is a matter of ticks: of 17 ms, or of 67 and 268 if it took a queue for none before.
until_true 5 noisy
sleep 0.05
# A first look that finds less than there is (49 of 60 us) leaves half of the link until the next.
until_true 1 used
note "$(lapsctl -n h1 path show)"
check 'and is not down yet' in_doubt
timing "meanwhile noise is found: $(noise) ns" "$(noise) > 20000 && $(noise) < 200000"
timing "and the short link is used: $RATE Mbit/s" "$RATE > 7000"
murder $flow
murder "$RECEIVER"
check 'nothing stays charged' until_true 200 memory_is_free
