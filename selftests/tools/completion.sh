#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Completion of lapsctl in bash: words as lapsctl itself says, and values that a kernel
# would know. Runs on any machine, without the module: of the kernel's objects and the
# host's devices a few are made up.
set -uo pipefail

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

# offers [WORD...]: what is offered at the end of "lapsctl WORD...", into "got"; the last
# WORD is the one that is being written.
offers() { PATH=$tmp/bin:$PATH "$here/complete" "lapsctl $*" >>got; }

# Words are lapsctl's own. In the namespace blue there is another peer.
write_stubs()
{
	mkdir bin
	cat >bin/lapsctl <<-END
		#!/bin/bash
		case "\$*" in
		'help --words'*) exec "$tmp/lapsctl" "\$@" ;;
		'-j peer show') echo '[{"peer":"10.0.0.2","port":4795,"sched":"laps"},{"peer":"2001:db8::2","port":4795},{"peer":"2001:db8::2","port":5000}]' ;;
		'-n blue -j peer show') echo '[{"peer":"192.0.2.9","port":4795}]' ;;
		'-j path show') echo '[{"peer":"10.0.0.2","id":1},{"peer":"2001:db8::2","id":2},{"peer":"2001:db8::2","id":32768}]' ;;
		'-j path show peer 10.0.0.2') echo '[{"peer":"10.0.0.2","id":1,"sport":50001}]' ;;
		'-j path show peer 10.0.0.2 bound 10.0.0.1') echo '[{"peer":"10.0.0.2","id":7,"sport":50001}]' ;;
		'-j flow show peer 10.0.0.2') echo '[{"peer":"10.0.0.2","id":"0x00000000000000aa"}]' ;;
		'-j sched show') echo '[{"name":"laps","default":true},{"name":"spray"}]' ;;
		'-j cc show') echo '[{"name":"laps"},{"name":"laps-paper"}]' ;;
		*) echo "lapsctl: lapsmp is not in the kernel" >&2; exit 2 ;;
		esac
	END
	cat >bin/ip <<-'END'
		#!/bin/bash
		case "$*" in
		'-o link show') printf '%d: %s: <UP> mtu 1500\n' 1 lo 2 eth0 3 eth1@if7 ;;
		'-n blue -o link show') echo '1: vrf-blue: <UP> mtu 65575' ;;
		'-o addr show') printf '%d: %s    %s %s scope global\n' 2 eth0 inet 10.0.0.1/24 2 eth0 inet6 2001:db8::1/64 ;;
		'netns list') printf '%s\n' blue 'green (id: 3)' ;;
		*) echo "ip $*: cannot" >&2; exit 1 ;;
		esac
	END
	chmod +x bin/*
}

echo "KTAP version 1"
build "$tmp/lapsctl"
write_stubs
echo "1..10"

: >got
offers ''
offers p
offers -
offers -b commands ''
offers path ''
offers help s
offers path help ''
check "options, objects and verbs" <<'END'
-b -j -n -p cc diag flow help monitor path peer restore save sched stats top topology version
path peer
-b -j -n -p
-b -j -n -p
add change compute del discover flush help show
save sched stats

END

# sorted: words of lines, the name before them not.
sorted()
{
	local name words
	while read -r name words; do
		echo "$name $(tr ' ' '\n' <<<"$words" | LC_ALL=C sort | paste -s -d ' ')"
	done
}

# By what people read.
for object in path peer flow sched cc stats topology; do
	echo "$object help $(lapsctl help $object | sed -n "s/^  lapsctl $object \([a-z]*\).*/\1/p" | paste -s -d ' ')"
done | sorted >wanted
for object in path peer flow sched cc stats topology; do
	: >got
	offers $object ''
	echo "$object $(cat got)"
done >offered
mv offered got
check "every verb of the help" <wanted

keys=$(lapsctl help path | sed -n '$p' | grep -o '[a-z][a-z-]*' | paste -s -d ' ')
# Not where a value may stand as well.
lapsctl help path | sed -n 's/^  lapsctl path //p' | grep -vE '^(compute|discover) ' >verbs
while read -r verb words; do
	echo "$verb $(tr -d '[]' <<<"${words/\[KEY\]/ $keys }" | tr ' ' '\n' | grep -x -e '-*[a-z][a-z-]*' | paste -s -d ' ')"
done <verbs | sorted >wanted
while read -r verb _; do
	: >got
	offers path "$verb" ''
	echo "$verb $(cat got)"
done <verbs >offered
mv offered got
check "every parameter of the help" <wanted

: >got
offers path add peer 10.0.0.2 local 10.0.0.1 p
offers path add peer 10.0.0.2 local 10.0.0.1 lo
offers path change peer 10.0.0.2 id 1 weight 3 w
offers path compute net.json --from a --
offers path flush peer 10.0.0.2 bound
offers stats show ''
offers monitor path ''
offers flow show direction ''
offers topology generate rail --h
offers topology generate f
check "parameters, each of them once" <<'END'
port


--all --anchors --apply --disjoint --measure --metric --out --ports --to
bound bound-dev
all
count flow peer
rx tx
--host-rate --hosts
fat-tree
END

: >got
offers path add peer ''
offers peer del 1
offers top peer 2001:d
offers path discover 10
offers path add remote ''
check "addresses of peers; of IPv6, what the shell takes for a word" <<'END'
10.0.0.2 2001:db8::2
10.0.0.2
db8::2
10.0.0.2

END

: >got
offers path del peer 10.0.0.2 id ''
offers path del peer 10.0.0.2 bound 10.0.0.1 id ''
offers path show id 3
offers flow show peer 10.0.0.2 id ''
check "ids, of the peer that was named" <<'END'
1
7
32768
0x00000000000000aa
END

: >got
offers sched set ''
offers cc show ''
offers peer set 10.0.0.2 sched ''
offers peer set 10.0.0.2 sched laps cc laps-
offers peer set 10.0.0.2 answers ''
check "schedulers and congestion controls" <<'END'
laps spray
laps laps-paper
default laps spray
laps-paper
plain
END

: >got
offers path add peer 10.0.0.2 dev ''
offers path add peer 10.0.0.2 bound-dev e
offers path add peer 10.0.0.2 local ''
offers path add peer 10.0.0.2 bound 2001:db8:
offers -n ''
offers -jn blue path add dev ''
offers -n blue path add peer ''
offers -n nowhere path add peer ''
check "devices, addresses and namespaces" <<'END'
eth0 eth1 lo
eth0 eth1
10.0.0.1 2001:db8::1
:1
blue green
vrf-blue
192.0.2.9

END

mkdir nets
touch nets/a.json nets/b.json
: >got
offers -b "$tmp/net"
offers restore "$tmp/nets/a"
offers topology show "$tmp/nets/"
offers path compute nets/b
offers path compute --all --out "$tmp/net"
offers path compute nets/a.json --out nets/
sed -i "s|$tmp|TMP|g" got
check "files and directories" <<'END'
TMP/nets
TMP/nets/a.json
TMP/nets/a.json TMP/nets/b.json
nets/b.json
TMP/nets

END

: >got
offers pth ''
offers path ad ''
offers path add per ''
offers path add peer 10.0.0.2 peer ''
offers path add sport ''
offers -x ''
offers path show peer 10.0.0.99 id ''
PATH=$tmp/bin:$PATH "$here/complete" "$tmp/nosuch/lapsctl p" >>got
check "nothing, without a word, where nothing is known" <<'END'








END

exit $failed
