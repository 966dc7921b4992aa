#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The demo itself, run by selftests/demo/demo as root in a kernel that has lapsmp
# loaded. Its environment:
#
#   LAPSMP_DEMO_BIN     where filesend and filerecv are
#   LAPSMP_DEMO_FILE    what to send
#   LAPSMP_DEMO_BYTES   how much of it
#   LAPSMP_DEMO_SHA256  of that
#   LAPSMP_DEMO_WIDTH   columns of the terminal; empty: this goes to a log
set -uo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=net.sh
. "$here/net.sh"
# shellcheck source=live.sh
. "$here/live.sh"
# shellcheck source=summary.sh
. "$here/summary.sh"

BYTES=${LAPSMP_DEMO_BYTES:?run selftests/demo/demo}
# The fastest of the links, and when it fails and works again.
CUT_LINK=1
CUT_AT=$((BYTES * 35 / 100)) MEND_AT=$((BYTES * 60 / 100))
# What the receiver says at the end; see filerecv.c.
END=''

fail()
{
	printf 'demo: %s\n' "$@" >&2
	exit 1
}

# shellcheck disable=SC2317
cleanup()
{
	local pid
	for pid in $(jobs -p) ${TOP_PID:-}; do
		kill "$pid"
	done 2>/dev/null
	wait
	net_down
	rm -rf "$DIR"
}

# Path i takes link i.
paths_add()
{
	local i
	net_ports 40000 || fail "please report it: this run's network has no such ways"
	for ((i = 1; i <= LINKS; i++)); do
		echo "path add peer $RECEIVER_ADDR bound $SENDER_ADDR id $i sport ${PORT[i]}"
	done | lapsctl -n "$SENDER" -b - || fail "lapsctl could not add the paths"
}

receiver_start()
{
	mkfifo "$DIR/events" "$DIR/content"
	sha256sum <"$DIR/content" >"$DIR/sha256" &
	SUM_PID=$!
	ip netns exec "$RECEIVER" "$LAPSMP_DEMO_BIN/filerecv" "$RECEIVER_ADDR" "$DIR/events" \
		"$CUT_AT" "$MEND_AT" >"$DIR/content" &
	RECV_PID=$!
	exec {EVENTS}<"$DIR/events"
}

# Without the sender the receiver would wait for long.
sender_start()
{
	{
		ip netns exec "$SENDER" "$LAPSMP_DEMO_BIN/filesend" "$RECEIVER_ADDR" \
			"$LAPSMP_DEMO_FILE" "$BYTES" >"$DIR/sent" || kill "$RECV_PID"
	} &
	SEND_PID=$!
}

# One line from the receiver at a time, until it ends.
follow()
{
	local event what rates="${RATES[CUT_LINK - 1]} Mbit/s"
	while read -r -u "$EVENTS" event what; do
		case $event in
		ready)
			START_US=$(now_us)
			monitor_start
			live_start
			sender_start ;;
		mark1)
			live_stop
			CUT_US=$(now_us)
			say "link $CUT_LINK ($rates) swallows everything from now on; nobody is told"
			net_cut $CUT_LINK || fail "tc could not cut link $CUT_LINK"
			live_start ;;
		mark2)
			live_stop
			MEND_US=$(now_us)
			say "link $CUT_LINK ($rates) works again; nobody is told"
			net_mend $CUT_LINK || fail "tc could not mend link $CUT_LINK"
			live_start ;;
		end)
			END=$what ;;
		esac
	done
	live_stop
}

main()
{
	DIR=$(mktemp -d) || fail "no directory for temporary files"
	trap cleanup EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	net_up || fail "the network could not be built (above); this needs ip, tc and the kernel's netem and veth"
	paths_add
	echo "The network is there; source ports ${PORT[*]} take links 1 to $LINKS. The transfer begins."
	echo
	receiver_start
	follow
	[[ -n $END ]] ||
		fail "the transfer failed (above); what the kernel counted:" "$(lapsctl -n "$SENDER" stats)"
	wait "$SEND_PID" "$SUM_PID"
	[[ -s $DIR/sent ]] || fail "the receiver has everything, but the sender does not know it"
	monitor_stop
	summary
}

main
