# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The namespaces of "ip netns", and who is in them. Without a process where that is
# possible: processes are what most of an emulated machine's time goes to.

NETNS_DIR=/run/netns

# netns_pids NS: the processes in there.
netns_pids()
{
	local dir
	for dir in /proc/[0-9]*; do
		[[ ! $dir/ns/net -ef $NETNS_DIR/$1 ]] || echo "${dir#/proc/}"
	done
}

# netns_end_all: none is left, nor who was in them.
netns_end_all()
{
	local ns pids
	for ns in "$NETNS_DIR"/*; do
		[[ -e $ns ]] || return 0
		pids=$(netns_pids "${ns##*/}")
		# shellcheck disable=SC2086
		[[ -z $pids ]] || kill -KILL $pids
	done
	for ns in "$NETNS_DIR"/*; do
		echo "netns delete ${ns##*/}"
	done | ip -batch -
}
