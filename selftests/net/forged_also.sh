#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Changed copies of packets of which one acknowledgment tells of several ports. Who does not
# know the flow's id changes nothing of any of them; who sees everything must not do any harm
# to the kernel, nor to those who come later.
. "$(dirname "$0")/lib.sh"
plan 9
links_up 10000:5
# So that packets wait for each other: over all ports one comes each 1.2 us, for 3 us.
ns_sysctl h2 net.lapsmp.ack_wait_ns=9000
for ((port = 50001; port <= 50008; port++)); do
	lapsctl -n h1 path add peer $H2 sport $port >/dev/null
done

# shared NAME: whether a transfer is whole; of SEGS segments ALSO paths were acknowledged beside
# others.
shared()
{
	local segs also

	segs=$(stat h2 rx_segs) also=$(stat h2 also_acks)
	check "$1" transfer h1 h2 $H2 40 100000
	SEGS=$(($(stat h2 rx_segs) - segs)) ALSO=$(($(stat h2 also_acks) - also))
}

all_up() { lapsctl -j -n h1 path show peer $H2 | jq -e 'length == 8 and all(.state == "up")'; }

# Who lost something, or was answered by forged packets only, is asked by who sends.
revived()
{
	transfer h1 h2 $H2 200 10000 --rate 1000 && all_up
}

# attack SEED [FORGE_ARG...]: of both hosts, until attack_ends. Sets SENT.
attack()
{
	local seed=$1
	shift
	FORGERS=()
	forging h1 e0 "$seed" "$@"
	forging h2 e0 "$((seed + 1))" "$@"
}

attack_ends()
{
	stop "${FORGERS[0]}"
	stop "${FORGERS[1]}"
	note "from h1: $(says h1.forge sent), from h2: $(says h2.forge sent)"
	SENT=$(says h2.forge sent)
}

attack 1 --blind
shared 'blind: all of it arrives'
attack_ends
check_that 'blind: acknowledgments were changed' "$SENT > $(some 500)"
# There are as many copies between them.
timing "blind: some of them told of several ports: $ALSO of $SEGS" "$ALSO * 25 >= $SEGS"
check 'blind: all ports are up' until_true 20 revived

total=0
for ((seed = 10; seed < 10 + $(some 50); seed += 10)); do
	attack $seed
	receiver h2 victim --lossy --wait 5000
	sender h1 victim $H2 --count 40 --size 100000 --patience 60000 --drain 5000 --user-timeout 5000
	stop "$RECEIVER"
	attack_ends
	total=$((total + SENT))
done
check_that 'seeing: acknowledgments were changed' "$total > $(some 500)"
check 'afterwards: all ports are up' until_true 20 revived
shared 'and all of it arrives'
timing "and told of several ports: $ALSO of $SEGS" "$ALSO * 5 >= $SEGS"
check 'nothing stays charged' until_true 10 memory_is_free
