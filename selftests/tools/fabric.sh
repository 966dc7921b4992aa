#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The programs that plan fabrics and what is sent over them: their unit tests. Runs on
# any machine, without the module.
set -uo pipefail

# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

echo "KTAP version 1"
command -v python3 >/dev/null || skip "python3 is missing"
build "$tmp/lapsctl"
cd "$top/selftests/fabric" || exit 1
# What they print of each test: "name (where) ... ok", behind its description perhaps.
PYTHONDONTWRITEBYTECODE=1 LAPSCTL=$tmp/lapsctl python3 -m unittest -v >"$tmp/out" 2>&1
status=$?
while read -r line; do
	if [[ $line =~ ^(test_[a-z0-9_]*)\ \( ]]; then
		name=${BASH_REMATCH[1]}
	fi
	[[ $line == *' ... '* ]] || continue
	[[ $line == *' ... ok' ]]
	report $? "$name"
done <"$tmp/out"
[[ $number -gt 0 ]] || status=1
report "$status" "all of them"
[[ $status -eq 0 ]] || sed 's/^/# /' "$tmp/out"
echo "1..$number"
exit $failed
