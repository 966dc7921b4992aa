#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml
#
# What stands in the way is what "lapsctl diag" says first, with what mends it: each
# thing is made wrong, is named, and is mended by the command that it says.
. "$(dirname "$0")/lib.sh"
plan 68
KO=${LAPSMP_KO_DIR:?}/lapsmp.ko
links_up 200:100 50:500
printf '%s\n' 'netns add e' 'netns add f' | ip -batch -

# diag NS [WORD...]: what it says, in SAID, and its status in STATUS.
diag()
{
	STATUS=0
	SAID=$(lapsctl -n "$1" diag "${@:2}" 2>&1) || STATUS=$?
	echo "status $STATUS"
	echo "$SAID"
}

# first TEXT VALUE NS [WORD...]: something stands in the way, and of all that is said
# this is first, with this value.
first()
{
	local line
	diag "${@:3}"
	mapfile -t line <<<"$SAID"
	[[ $STATUS -eq 1 && ${line[0]} == "$1"* && ${line[1]} == "    "*"$2"* &&
		${line[2]} == '    do: '* ]]
}

# also STATUS TEXT NS [WORD...]: it is among what is said.
also()
{
	diag "${@:3}"
	[[ $STATUS -eq $1 && $SAID == *"$2"* ]]
}

# well NS [WORD...]: nothing stands in the way.
well()
{
	diag "$@"
	[[ $STATUS -eq 0 && $SAID == 'nothing stands in the way here'* && $SAID != *error:* &&
		$SAID != *warning:* ]]
}

# silent NS [WORD...]: and there is nothing else to say.
silent() { well "$@" && [[ $SAID == 'nothing stands in the way here' ]]; }

# mend NS: by the first command that was said.
mend()
{
	local words
	words=${SAID#*    do: }
	words=${words%%$'\n'*}
	echo "$words"
	read -ra words <<<"$words"
	case ${words[0]} in
	sysctl)		in_ns "$1" busybox "${words[@]}" ;;
	modprobe)	insmod "$KO" ;;
	kill)		kill "${words[1]%,}" ;;
	*)		return 1 ;;
	esac
}

# mended NS [WORD...]
mended() { mend "$1" && well "$@"; }

path() { lapsctl -n h1 path "$1" peer "${@:2}"; }
state_is() { [[ $(lapsctl -j -n h1 path show peer $H2_6 | jq -r ".[] | select(.sport == $1).state") == "$2" ]]; }
use_until() { transfer h1 h2 $H2_6 50 20000 --sched spray && state_is "$1" "$2"; }

# wrong STATUS TEXT COMMAND...: an error, with nothing on standard output.
wrong()
{
	local status=0
	"${@:3}" >"$WORK/out" 2>"$WORK/err" || status=$?
	cat "$WORK/out" "$WORK/err"
	[[ $status -eq $1 && ! -s $WORK/out ]] && has "$2" "$WORK/err"
}

# --- the module ----------------------------------------------------------------------

check 'an empty namespace: nothing at all' silent e
check 'nor in JSON' test "$(lapsctl -j -n e diag)" = '[]'
until_true 10 rmmod lapsmp
check 'no module: said first' first 'error: lapsmp is not in the kernel' '/proc/sys/net/lapsmp' h1
check 'a router does without it' well r1
check 'and says so' also 0 'note: lapsmp is not in the kernel' r1
ns_sysctl r1 net.ipv6.conf.all.seg6_enabled=1 net.ipv6.conf.l1.seg6_enabled=1
check 'what it does not take is said there, too' first \
	'warning: packets by SRv6 segments that come in by' 'net.ipv6.conf.l2.seg6_enabled=0' r1
check 'and mended' mended r1
segs_allowed 0 r1
diag h1 >/dev/null
check 'the module is back' mended h1

# --- SRv6: a node --------------------------------------------------------------------

check 'segments are not taken, and nobody said that they should be' well r1
check 'it is a note' also 0 'note: packets by SRv6 segments are dropped here' r1
check 'with the values' also 0 'net.ipv6.conf.all.seg6_enabled=0, net.ipv6.conf.' r1
check 'not where there is no IPv6' silent e
ns_sysctl r1 net.ipv6.conf.l1.seg6_enabled=1
check 'all is smaller than that of a device' first \
	'warning: packets by SRv6 segments are dropped here, on all devices' \
	'net.ipv6.conf.all.seg6_enabled=0' r1
mend r1 >/dev/null
check 'that of other devices' first 'warning: packets by SRv6 segments that come in by' \
	'net.ipv6.conf.e0.seg6_enabled=0' r1
check 'mended' mended r1
check 'in full' silent r1

# Nothing here uses lapsmp, and there are three devices: what is this host, if no node?
ns_sysctl r1 net.ipv6.conf.all.forwarding=0
check 'nothing is sent on' first 'warning: IPv6 packets are not sent on' \
	'net.ipv6.conf.all.forwarding=0' r1
in_ns h1 busybox ping -6 -c 1 -W 1 $H2_6 >/dev/null
check 'and something should have been' first 'error: IPv6 packets are not sent on' \
	'net.ipv6.conf.all.forwarding=0, Ip6InAddrErrors' r1
check 'mended' mended r1
ns_sysctl r1 net.ipv6.conf.l1.seg6_require_hmac=1
check 'an HMAC is wanted' first 'warning: packets by SRv6 segments are dropped where they must' \
	'net.ipv6.conf.l1.seg6_require_hmac=1' r1
check 'mended' mended r1
ip -n f link set lo up
ip -n f -6 route add fd00:7::4/128 encap seg6local action End.DX4 nh4 0.0.0.0 dev lo
check 'what takes packets out sends none on' silent f
ip -n f -6 route add fd00:7::1/128 encap seg6local action End dev lo
check 'a node by its routes' first 'error: IPv6 packets are not sent on' 'seg6local' f
check 'mended' mended f

# --- SRv6: the ends ------------------------------------------------------------------

path add $H2_6 segs "$(segs_of 1)" sport 50001
check 'a sender drops answers' first \
	'error: answers of paths by segments are dropped on e0' \
	'net.ipv6.conf.all.seg6_enabled=0, net.ipv6.conf.e0.seg6_enabled=0' h1
ns_sysctl h1 net.ipv6.conf.all.seg6_enabled=1
check 'of one device' first 'error: answers of paths by segments are dropped on e0' \
	'net.ipv6.conf.e0.seg6_enabled=0' h1
check 'not on the way to another peer' well h1 peer $H2
check 'but to that one' first 'error: answers of paths by segments' e0 h1 peer $H2_6
check 'mended' mended h1 peer $H2_6
segs_allowed 1 r2 h2
path add $H2_6 sport 50003
check 'messages arrive' transfer h1 h2 $H2_6 50 20000 --sched spray
check 'nothing stands in the way of the sender' well h1
check 'nor of the receiver, which does not send on' silent h2
segs_allowed 0 h2
check 'the receiver drops them' until_true 60 use_until 50001 down
check 'the sender knows which path' first \
	"warning: peer $H2_6 did not answer on 1 of 2 paths (1 up)" 'path 1 down' h1
check 'the receiver knows why' also 0 'note: packets by SRv6 segments are dropped here' h2
segs_allowed 1 h2
check 'it is up again' until_true 60 use_until 50001 up
check 'and nothing stands in the way' well h1
ns_sysctl h2 net.lapsmp.ack_segs=0
check 'the plain route for answers is a note' also 0 'net.lapsmp.ack_segs=0' h2
path add $H2_6 segs fd00:9:7::1 sport 50004
ip -n h1 route add unreachable fd00:9:7::/64
check 'no route to a segment' first \
	"error: there is no route to the first segment of path 3 to peer $H2_6" fd00:9:7::1 h1
lapsctl -n h1 peer flush
segs_allowed 0 h1
path add $H2 segs "$(segs_of 1),fd00:2::d4" sport 50006
check 'answers over IPv4 do not come so' well h1
lapsctl -n h1 peer flush

# --- the host ------------------------------------------------------------------------

ip -n h1 route del default
check 'no route' first "error: there is no route to peer $H2" unreachable h1 peer $H2
printf '%s\n' "route add default via 10.1.255.254 dev e0 onlink src $H1" | ip -n h1 -batch -
check 'a peer that is not known yet' also 0 'note: nothing was sent to this peer yet' h1 peer $H2
path add $H2 bound 10.1.1.1 sport 50005
ip -n h1 addr del 10.1.1.1/32 dev e0
check 'a bound address that is gone' first "error: the bound address of peer $H2" 10.1.1.1 h1
ip -n h1 addr add 10.1.1.1/32 dev e0
check 'it is back' well h1
lapsctl -n h1 peer flush
path add $H2 local 10.1.1.1 id 5
ip -n h1 addr del 10.1.1.1/32 dev e0
check 'an address of a path that is gone' first "error: the local address of path 5 to peer $H2" \
	10.1.1.1 h1
ip -n h1 addr add 10.1.1.1/32 dev e0
check 'it is back' well h1
printf '%s\n' 'link add x0 type veth peer name x1' 'link set x0 up' | ip -n h1 -batch -
path add $H2 dev x0 local 10.1.1.1 id 6
check 'no route by a device' first "error: there is no route for path 6 to peer $H2" \
	'from 10.1.1.1 oif x0' h1
lapsctl -n h1 peer flush
ip -n h1 link del x0
path add $H2 sport 50007
links_are loss 100%
sender h1 lost $H2 --count 1 --user-timeout 3000
check 'a peer that never answered' first "error: peer $H2 did not answer on 1 of 1 paths (0 up)" \
	'no answer yet' h1
links_heal
check 'it does now' transfer h1 h2 $H2 20 1000
check 'and nothing stands in the way' well h1
ns_sysctl e net.ipv6.conf.all.disable_ipv6=1
check 'no IPv6' first "error: IPv6 is off here" net.ipv6.conf.all.disable_ipv6=1 e peer $H2_6

ip -n e link set lo up
ns_sysctl e net.ipv4.ip_local_port_range='4795 4795'
# shellcheck disable=SC2016
in_ns e bash -c 'exec 3<>/dev/udp/127.0.0.1/9; : >"$0"; read -rt 1000 -u 3' "$WORK/held" &
until_true 20 test -e "$WORK/held"
check 'the UDP port is taken' first 'error: UDP port 4795, which lapsmp needs, is taken by bash' \
	"net.lapsmp.port=4795, process $!" e
check 'JSON says the same' test "$(lapsctl -j -n e diag | jq -r '.[0] | .severity, .what, .value, .do')" = \
	"$(printf 'error\n%s' "$(lapsctl -n e diag | sed -n '1s/^error: //p; 2s/^ *//p; 3s/^ *do: //p')")"
mend e >/dev/null
wait $! 2>/dev/null
check 'and free again' silent e
ns_sysctl e net.ipv4.ip_local_port_range='32768 60999'

printf '%s\n' 'link add blue type vrf table 10' 'link set blue up' | ip -n e -batch -
check 'a path in a VRF' lapsctl -n e path add peer 127.0.0.1 bound-dev blue sport 50006
check 'a VRF that nothing comes out of' first 'error: nothing that comes in by blue' \
	net.ipv4.udp_l3mdev_accept=0 e
mend e >/dev/null
diag e >/dev/null
check 'mended' test "${SAID/udp_l3mdev_accept/}" = "$SAID"

for family in 4 6; do
	ns_sysctl r1 net.ipv$family.fib_multipath_hash_policy=0
	check "IPv$family: ports choose no route" first "warning: IPv$family routes here have several next hops" \
		net.ipv$family.fib_multipath_hash_policy=0 r1
	check 'mended' mended r1
done

# 10.2.0.9 is behind the links, and comes from the other side.
ns_sysctl r1 net.ipv4.conf.all.rp_filter=1
ip -n h1 addr add 10.2.0.9/32 dev e0
in_ns h1 busybox ping -c 1 -W 1 -I 10.2.0.9 10.9.1.1 >/dev/null
check 'strict filtering' first 'warning: packets that came in by another device' rp_filter=1 r1
check 'mended' mended r1

# --- what was, and errors --------------------------------------------------------------

in_ns h1 bash -c "printf '\\021\\001 nonsense' >/dev/udp/$H2/4795"
until_true 10 also 0 'rx-bad 1' h2
check 'a packet that is none is a note' also 0 'rx-bad 1' h2
check 'a word too much' wrong 1 'nonsense' lapsctl -n e diag nonsense
check 'a namespace that is not there' wrong 2 'nowhere' lapsctl -n nowhere diag
check 'help' grep -q 'diag .peer ADDRESS.' <(lapsctl diag help)
check 'a pretty one is JSON, too' jq -e 'length > 0 and all(.severity == "note")' <(lapsctl -p -n h2 diag)
