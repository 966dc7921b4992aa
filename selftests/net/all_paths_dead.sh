#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All paths die in mid-transfer and come back: nothing is lost if that is within
# the user time-out; else the sender is told, and later messages arrive again.
. "$(dirname "$0")/lib.sh"
plan 15
links_up 100:50 100:50 30:100 10:20

dead_for()
{
	amid h1 0.2
	links_are loss 100%
	sleep "$1"
	links_heal
}

receiver h2 back --count 2000
dead_for 5 &
sender h1 back $H2 --count 2000 --size 10000
result $? 'five seconds without any path: no error'
wait "$RECEIVER"
result $? 'every message arrives'
note "$(tail -n 1 "$WORK/back.recv")"
check_that 'it was dead' "$(says back.recv max_gap_ns) > 4e9"
timing 'it goes on soon after' "$(says back.recv max_gap_ns) < 11e9"

receiver h2 lost --lossy
dead_for 20 &
sender h1 lost $H2 --count 2000 --size 10000 --user-timeout 3000 --connect
note "$(cat "$WORK/lost.send")"
check 'longer than the user time-out' test "$(says lost.send error)" = ETIMEDOUT
check_that 'not sooner than that' "$(says lost.send error_ns) > 3e9"
timing 'nor much later' "$(says lost.send error_ns) < 10e9"
stop "$RECEIVER"
result $? 'what had arrived is in order and unaltered'
wait
check 'new messages arrive' transfer h1 h2 $H2 100 1000

# With one path nothing but its own probes can find out that it is back.
lapsctl -n h1 peer del $H2
ns_sysctl h1 net.lapsmp.auto_paths=1
receiver h2 only --count 1000
dead_for 1 &
# shellcheck disable=SC2046
sender h1 only $H2 --count 1000 --size 10000 $(pace 1000)
result $? 'a second without the only path: no error'
wait "$RECEIVER"
result $? 'every message arrives'
note "$(tail -n 1 "$WORK/only.recv")"
timing 'it goes on soon after' "$(says only.recv max_gap_ns) < 2e9"
wait

# Every answer comes later than it was waited for; it is an answer even so. Of a message of two
# segments a pause would say that others were sent between them: one of them each 1.2 s.
lapsctl -n h1 peer del $H2
receiver h2 longer --count 500
{ amid h1 0.2; links_are loss 100%; sleep 0.5; links_are loss 0% delay 600ms; } &
sender h1 longer $H2 --count 500 --size 1000 --rate 250
result $? 'half a second without the only path, which is thousands of times as long then: no error'
wait "$RECEIVER"
result $? 'every message arrives'
note "$(tail -n 1 "$WORK/longer.recv")"
timing 'it goes on after a few round trips' "$(says longer.recv max_gap_ns) < 4e9"
wait
