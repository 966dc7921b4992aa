# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables for the scripts that source this
#
# What the tests of lapsctl that boot nothing share: a directory of their own, in which
# they run and build, results in KTAP, and a small network.

readonly SKIP=4
here=$(dirname "$(readlink -f "$0")")
top=$(readlink -f "$here/../..")
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# Complaints name files: these have the same names each time.
cd "$tmp" || exit 1

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

# build TARGET...: of tools/lapsctl, here.
build()
{
	command -v make "${CC:-cc}" pkg-config >/dev/null ||
		skip "make, a C compiler or pkg-config is missing"
	pkg-config --exists libmnl jansson ||
		skip "libraries are missing (Debian: libmnl-dev libjansson-dev)"
	make -s -C "$top/tools/lapsctl" O="$tmp" "$@" >make.log 2>&1 ||
		bail "cannot build lapsctl: $(tail -n 3 make.log | tr '\n' ' ')"
}

number=0
failed=0

# report STATUS NAME
report()
{
	number=$((number + 1))
	if [[ $1 -eq 0 ]]; then
		echo "ok $number $2"
	else
		echo "not ok $number $2"
		failed=1
	fi
}

# check NAME: what is in the file "got" is what is on standard input
check()
{
	local status=0
	diff -u - got >difference || status=1
	sed 's/^/# /' difference
	report "$status" "$1"
}

lapsctl() { "$tmp/lapsctl" "$@"; }

# refused COMMAND...: what the command complains of, without its name, into "got"
refused()
{
	"$@" 2>&1 >/dev/null | sed 's/^lapsctl: [a-z ]*: //' >>got
}

# Two hosts on a switch each, and four ways between these: direct, by t, and by two
# links to u.
write_small()
{
	cat >small.json <<'END'
{
  "packet": 1250,
  "defaults": { "delay": "10us", "rate": "1gbit" },
  "nodes": [
    { "name": "a", "kind": "host", "addr": "fd00::a" },
    { "name": "b", "kind": "host", "addr": "fd00::b" },
    { "name": "r", "kind": "switch", "sid": "fd00::1" },
    { "name": "s", "kind": "switch", "sid": "fd00::2" },
    { "name": "t", "kind": "switch", "sid": "fd00::3" },
    { "name": "u", "kind": "switch", "sid": "fd00::4" }
  ],
  "links": [
    { "a": "a", "b": "r", "delay": 0 },
    { "a": "r", "b": "s", "delay": "50us" },
    { "a": "r", "b": "t" },
    { "a": "t", "b": "s", "rate": "100mbit" },
    { "a": "r", "b": "u", "a-sid": "fd00::5" },
    { "a": "r", "b": "u", "delay": "12us" },
    { "a": "u", "b": "s" },
    { "a": "s", "b": "b", "delay": 0 }
  ]
}
END
}
