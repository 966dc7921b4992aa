# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the lab's scripts: where things are, and how to say what is wrong.

# Exit statuses of the lab itself; everything else is the command's own.
# shellcheck disable=SC2034
EX_USAGE=64 EX_UNAVAILABLE=69 EX_KERNEL_LOG=70 EX_TIMEOUT=124

LAB_DIR=$(cd -P "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd -P "$LAB_DIR/../.." && pwd)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/lapsmp

# note MESSAGE: progress, on stderr, unless LAPSMP_QUIET is set.
note()
{
	[[ -n ${LAPSMP_QUIET:-} ]] || printf 'lab: %s\n' "$*" >&2
}

# die STATUS MESSAGE...
die()
{
	local status=$1
	shift
	printf 'lab: %s\n' "$@" >&2
	exit "$status"
}

# with_lock NAME FUNCTION [ARG...]: one such function at a time on this machine.
# The lock is inherited by nothing that outlives the function.
with_lock()
{
	local name=$1 fd
	shift
	mkdir -p "$CACHE/lock"
	exec {fd}>"$CACHE/lock/$name"
	if ! flock -w 5 "$fd"; then
		note "waiting for another run that is preparing $name"
		flock "$fd"
	fi
	# A subshell, so that a failure inside cannot leave the lock held.
	local status=0
	("$@") || status=$?
	exec {fd}>&-
	return "$status"
}

# checkout_key: names the build directories of this checkout in the cache.
checkout_key()
{
	printf '%s' "$TOP" | sha256sum | cut -c1-12
}
