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
set_ports 8 >/dev/null

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

attack h1 h2 e0 1 --blind
shared 'blind: all of it arrives'
attack_ends
check_that 'blind: acknowledgments were changed' "$(says h2.forge sent) > $(some 500)"
# There are as many copies between them.
timing "blind: some of them told of several ports: $ALSO of $SEGS" "$ALSO * 25 >= $SEGS"
check 'blind: all ports are up' until_true 20 revived

total=0
for ((seed = 10; seed < 10 + $(some 50); seed += 10)); do
	attack h1 h2 e0 $seed
	receiver h2 victim --lossy --wait 5000
	sender h1 victim $H2 --count 40 --size 100000 --patience 60000 --drain 5000 --user-timeout 5000
	stop "$RECEIVER"
	attack_ends
	total=$((total + $(says h2.forge sent)))
done
check_that 'seeing: acknowledgments were changed' "$total > $(some 500)"
check 'afterwards: all ports are up' until_true 20 revived
shared 'and all of it arrives'
timing "and told of several ports: $ALSO of $SEGS" "$ALSO * 5 >= $SEGS"
check 'nothing stays charged' until_true 10 memory_is_free
