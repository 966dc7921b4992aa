#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The Wireshark dissector reads every kind of packet as net/lapsmp/wire.c writes
# it, and objects to whatever wire.c refuses. Runs on any machine, without the
# module; installs tshark if it is missing and it may.
set -uo pipefail

readonly SKIP=4
top=$(readlink -f "$(dirname "$0")/../..")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

skip()
{
	echo "1..0 # SKIP $1"
	exit $SKIP
}

bail()
{
	echo "Bail out! $1"
	exit 1
}

install_tshark()
{
	command -v tshark text2pcap >/dev/null && return
	if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
		skip "tshark is missing (Debian: tshark)"
	fi
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
		--no-install-recommends tshark >"$tmp/apt" 2>&1 ||
		skip "tshark cannot be installed"
}

# capture KIND: the packets of "wire_seed hexKIND" as $tmp/captureKIND.pcap
capture()
{
	"$tmp/wire_seed" "hex$1" >"$tmp/hex$1" || bail "wire_seed hex$1"
	"$tmp/wire_seed" "names$1" >"$tmp/names$1" || bail "wire_seed names$1"
	text2pcap -q -u 40000,4795 "$tmp/hex$1" "$tmp/capture$1.pcap" \
		>"$tmp/text2pcap" 2>&1 || bail "text2pcap: $(cat "$tmp/text2pcap")"
}

# decode KIND FIELD...: a line a packet, its name first
decode()
{
	local kind=$1 field args=()

	shift
	for field in "$@"; do
		args+=(-e "$field")
	done
	tshark -r "$tmp/capture$kind.pcap" -X "lua_script:$top/tools/wireshark/lapsmp.lua" \
		-T fields -E separator=' ' "${args[@]}" 2>"$tmp/stderr" >"$tmp/fields"
	if grep -q 'Lua: Error' "$tmp/stderr"; then
		bail "$(grep -A2 'Lua: Error' "$tmp/stderr" | tr '\n' ' ')"
	fi
	# Fields that a packet has not leave nothing but blanks.
	paste -d ' ' "$tmp/names$kind" "$tmp/fields" | tr -s ' ' | sed 's/ $//'
}

number=0
failed=0

# check NAME: the decoded lines in $tmp/got are those on stdin
check()
{
	number=$((number + 1))
	if diff -u - "$tmp/got" >"$tmp/diff"; then
		echo "ok $number $1"
		return
	fi
	sed 's/^/# /' "$tmp/diff"
	echo "not ok $number $1"
	failed=1
}

echo "KTAP version 1"
install_tshark
command -v make "${CC:-cc}" >/dev/null || skip "make or a C compiler is missing"
make -s -C "$top/tools/fuzz" OUT="$tmp" "$tmp/wire_seed" >"$tmp/make" 2>&1 ||
	bail "cannot build wire_seed"
capture ""
capture -bad

echo "1..10"

decode "" lapsmp.version lapsmp.type lapsmp.hlen lapsmp.path lapsmp.flow \
	lapsmp.seq lapsmp.time lapsmp.payload_len >"$tmp/got"
check "common header of every type" <<'END'
data 1 1 9 3 0x0123456789abcdef 101 4294967280 20
data-empty 1 1 9 3 0x0123456789abcdef 102 4294967280 0
data-rtx 1 1 9 3 0x0123456789abcdef 103 4294967280 8
data-open 1 1 17 3 0x0123456789abcdef 104 4294967280 4
data-open-cookie 1 1 22 3 0x0123456789abcdef 105 4294967280 4
ack 1 2 14 3 0x0123456789abcdef 106 4294967280 0
ack-ecn 1 2 18 3 0x0123456789abcdef 107 4294967280 0
probe 1 3 6 3 0x0123456789abcdef 108 4294967280 72
probe-open 1 3 14 3 0x0123456789abcdef 109 4294967280 0
probe-ack 1 4 14 3 0x0123456789abcdef 110 4294967280 0
wprobe 1 5 6 3 0x0123456789abcdef 111 4294967280 32
wupdate 1 6 14 3 0x0123456789abcdef 112 4294967280 0
abort 1 7 9 3 0x0123456789abcdef 113 4294967280 0
close-idle 1 8 8 3 0x0123456789abcdef 114 4294967280 0
close-abort 1 8 8 3 0x0123456789abcdef 115 4294967280 0
reset-unknown 1 9 8 3 0x0123456789abcdef 116 4294967280 0
reset-unread 1 9 8 3 0x0123456789abcdef 117 4294967280 0
cookie 1 10 12 3 0x0123456789abcdef 118 4294967280 0
version 1 11 7 3 0x0123456789abcdef 119 4294967280 0
challenge 1 12 10 3 0x0123456789abcdef 120 4294967280 0
data-from 1 1 16 3 0x0123456789abcdef 121 4294967280 4
probe-from 1 3 13 3 0x0123456789abcdef 122 4294967280 4
wprobe-from 1 5 13 3 0x0123456789abcdef 123 4294967280 4
abort-from 1 7 16 3 0x0123456789abcdef 124 4294967280 0
ack-also 1 2 28 3 0x0123456789abcdef 125 4294967280 0
ack-ecn-also 1 2 25 3 0x0123456789abcdef 126 4294967280 0
END

decode "" lapsmp.msg lapsmp.off lapsmp.msg_len lapsmp.flags lapsmp.payload |
	grep ^data >"$tmp/got"
check "DATA" <<'END'
data 5 1460 1480 0x00 000102030405060708090a0b0c0d0e0f10111213
data-empty 6 0 0 0x02
data-rtx 5 0 8 0x05 0001020304050607
data-open 1 0 4 0x00 00010203
data-open-cookie 1 0 4 0x00 00010203
data-from 5 0 4 0x00 00010203
END

decode "" lapsmp.map lapsmp.owd lapsmp.owd_mean lapsmp.ack_delay lapsmp.rcv_msg \
	lapsmp.rcv_off lapsmp.limit lapsmp.ecn.ect0 lapsmp.ecn.ect1 \
	lapsmp.ecn.ce | grep ' 0x' >"$tmp/got"
check "ACK, PROBE_ACK, WUPDATE" <<'END'
ack 0xf0f0f0f000000001 25000 21000 900 5 1460 65536
ack-ecn 0xf0f0f0f000000001 25000 21000 900 5 1460 65536 90 4 6
probe-ack 0xf0f0f0f000000001 25000 21000 900 5 1460 65536
wupdate 0xf0f0f0f000000001 25000 21000 900 5 1460 65536
ack-also 0xf0f0f0f000000001 25000 21000 900 5 1460 65536
ack-ecn-also 0xf0f0f0f000000001 25000 21000 900 5 1460 65536 90 4 6
END

decode "" lapsmp.also.path lapsmp.also.seq lapsmp.also.map lapsmp.also.owd \
	lapsmp.also.owd_mean lapsmp.also.ack_delay | grep ' ' >"$tmp/got"
check "ALSO option" <<'END'
ack-also 4,9 200,201 0x0000000000000001,0x8000000000000000 30000,40000 29000,39000 700,500
ack-ecn-also 4 200 0x0000000000000001 30000 29000 700
END

decode "" lapsmp.msg lapsmp.msg_len lapsmp.abort lapsmp.close lapsmp.reset |
	grep -E '^(abort|close|reset)' >"$tmp/got"
check "ABORT, CLOSE, RESET" <<'END'
abort 5 1480 0
close-idle 9 0
close-abort 9 1
reset-unknown 0 1
reset-unread 5 4
abort-from 5 1480 0
END

decode "" lapsmp.srcport lapsmp.dstport lapsmp.open.number lapsmp.open.snd_inc \
	lapsmp.open.rcv_inc lapsmp.cookie.inc lapsmp.cookie.time \
	lapsmp.cookie.mac | grep ' ' >"$tmp/got"
check "OPEN and COOKIE options, COOKIE" <<'END'
data-open 2000 4000 7 0x1111222233334444 0x0000000000000000
data-open-cookie 2000 4000 7 0x1111222233334444 0x5555666677778888 123456 0xa1a2a3a4a5a6a7a8
probe-open 2000 4000 7 0x1111222233334444 0x5555666677778888
cookie 0x5555666677778888 123456 0xa1a2a3a4a5a6a7a8
END

decode "" lapsmp.from.snd_inc lapsmp.token.time lapsmp.token.mac |
	grep ' ' >"$tmp/got"
check "FROM option, CHALLENGE" <<'END'
challenge 654321 0xb1b2b3b4b5b6b7b8
data-from 0x1111222233334444 654321 0xb1b2b3b4b5b6b7b8
probe-from 0x0000000000000009 654321 0xb1b2b3b4b5b6b7b8
wprobe-from 0x1111222233334444 654321 0xb1b2b3b4b5b6b7b8
abort-from 0x1111222233334444 654321 0xb1b2b3b4b5b6b7b8
END

decode "" lapsmp.versions | grep ' ' >"$tmp/got"
check "VERSION" <<'END'
version 0x00000002
END

decode "" lapsmp.malformed lapsmp.unsupported _ws.malformed |
	grep ' ' >"$tmp/got"
check "well-formed packets cause no objection" </dev/null

decode -bad _ws.col.Info | sed -E 's/^([^ ]+) .*\[(.*)\]$/\1 \2/' >"$tmp/got"
check "what must be refused is objected to" <<'END'
short malformed
flow-zero malformed
hlen-short malformed
hlen-long malformed
msg-zero malformed
off-beyond malformed
payload-beyond malformed
payload-missing malformed
probe-short malformed
reason-zero malformed
versions-zero malformed
challenge-short malformed
opt-len-zero malformed
opt-len-odd malformed
opt-len-long malformed
opt-open-length malformed
opt-cookie-alone malformed
opt-open-on-close malformed
opt-from-length malformed
opt-from-zero malformed
opt-from-on-ack malformed
opt-from-with-open malformed
opt-from-with-cookie malformed
opt-also-length malformed
opt-also-second-length malformed
opt-critical not supported
type-zero malformed
type-reserved not supported
type-unassigned not supported
type-unassigned-13 not supported
other-version not supported
END

exit $failed
