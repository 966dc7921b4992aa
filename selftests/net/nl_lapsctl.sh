#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What people and scripts rely on in lapsctl: where it prints, how it exits, that
# JSON is complete, that what was saved can be restored, and that it shows what
# happens.
. "$(dirname "$0")/lib.sh"
plan 37
pair_up

ctl() { lapsctl -n a "$@"; }

# gives STATUS PATTERN COMMAND...: exits like this and says it on standard error,
# with nothing on standard output.
gives()
{
	local want=$1 pattern=$2 status=0
	shift 2
	"$@" >"$WORK/out" 2>"$WORK/err" || status=$?
	cat "$WORK/out" "$WORK/err"
	[[ $status -eq $want && ! -s $WORK/out ]] && grep -q -- "$pattern" "$WORK/err"
}

prints()
{
	local pattern=$1
	shift
	"$@" >"$WORK/out" 2>"$WORK/err" || return
	cat "$WORK/out"
	[[ ! -s $WORK/err ]] && grep -q -- "$pattern" "$WORK/out"
}

# json FILTER COMMAND...: jq's verdict.
json()
{
	local filter=$1
	shift
	"$@" >"$WORK/out" || return
	jq -e "$filter" "$WORK/out"
}

same_json() { diff <(ctl -j "$@" | jq -S .) <(ctl -p "$@" | jq -S .); }

restores()
{
	ctl save >"$WORK/saved" && ctl peer flush && ctl sched set ecmp && ctl cc set fixed || return
	"$@" <"$WORK/saved" && ctl save | diff - "$WORK/saved"
}

# A peer by another key, which lapsmp has made, has the same paths; one that was set
# has its own.
restores_others()
{
	transfer a b $B4 10 1000 --bind $A4 || return
	json 'length == 2' ctl -j path show peer $B4 bound $A4 || return
	ctl path add peer $B4 mark 7 sport 50003 && restores "$@" || return
	cat "$WORK/saved"
	! grep bound "$WORK/saved" && json 'length == 3' ctl -j path show peer $B4 mark 7
}

# A line in the middle is wrong: nothing must happen.
restore_refuses()
{
	ctl save >"$WORK/before"
	sed '2i path add peer nowhere' "$WORK/before" >"$WORK/bad"
	gives 1 'bad:2: path add: ' ctl restore "$WORK/bad" && ctl save | diff - "$WORK/before"
}

batch_stops()
{
	printf '# nothing\n\nsched set spray\nsched set nosuch\nsched set ecmp\n' >"$WORK/batch"
	gives 2 'batch:4: sched set: ' ctl -b "$WORK/batch" && prints 'spray *(default)' ctl sched
}

# A title, a header, and one flow: sent here, received there.
flows_by_line()
{
	local ns sender status=0
	receiver b flows --lossy
	in_ns a msg_send $B4 --time 60000 --rate 100 >/dev/null 2>&1 &
	sender=$!
	until_true 20 flows_are_there || status=1
	for ns in a b; do
		lapsctl -n $ns flow | tee "$WORK/out"
		[[ $(wc -l <"$WORK/out") -eq 3 && $(sed -n 3p "$WORK/out") == *'>'* ]] || status=1
	done
	murder $sender
	murder "$RECEIVER"
	return $status
}
flows_are_there() { lapsctl -n a flow | grep -q open && lapsctl -n b flow | grep -q receiving; }

monitor_tells()
{
	ctl -j monitor path count 2 >"$WORK/events" &
	until_true 10 events_come || return
	cat "$WORK/events"
	[[ $(jq -r .event "$WORK/events" | sort -u) == path-event ]]
}

events_come()
{
	ctl path change peer $B4 id "$ID" weight 3
	[[ $(wc -l <"$WORK/events") -ge 2 ]]
}

# offers LINE WORD: completion does, at the end of the line, of what is here.
offers()
{
	"$NET_DIR/../tools/complete" "lapsctl -n a $1" >"$WORK/out"
	cat "$WORK/out"
	[[ " $(<"$WORK/out") " == *" $2 "* ]]
}

# terminal PATTERN COMMAND...: whether it prints this on a terminal.
terminal()
{
	local pattern=$1
	shift
	script -qec "$*" /dev/null </dev/null >"$WORK/out" || return 2
	grep -q -- "$pattern" "$WORK/out"
}

colours()
{
	terminal $'\033\\[' env -u NO_COLOR TERM=xterm lapsctl -n a path || return
	terminal $'\033\\[' env NO_COLOR=1 TERM=xterm lapsctl -n a path
	[[ $? -eq 1 ]]
}

# Up over its own table.
redraws() { terminal $'\033\\[[0-9]*A' env TERM=xterm lapsctl -n a top interval 10 count 2; }

appends()
{
	ctl top interval 10 count 3 >"$WORK/out" || return
	cat "$WORK/out"
	! grep -q $'\033' "$WORK/out" && [[ $(grep -c "peer $B4" "$WORK/out") -eq 3 ]] &&
		[[ $(awk '{ if (length > n) n = length } END { print n }' "$WORK/out") -le 100 ]]
}

check 'help is on standard output' prints 'monitor' lapsctl help
check 'each object has help' prints 'path add peer ADDRESS' lapsctl path help
check 'no command is an error' gives 1 'try: lapsctl help' lapsctl
check 'an unknown object is an error' gives 1 "'pth'" lapsctl pth
check 'verbs are exact words' gives 1 "'sho'" ctl path sho
check 'what is missing is named' gives 1 'missing: id ID' ctl path change peer $B4 weight 2
check 'of two either' gives 1 'one of: sport PORT flowlabel LABEL segs' ctl path add peer $B4
check 'a rate needs a unit' gives 1 'no unit' ctl path add peer $B4 sport 50001 rate 10
check 'an unknown namespace' gives 2 'nowhere' lapsctl -n nowhere path
check 'a namespace is a path, too' prints laps lapsctl -n /run/netns/a sched

check 'path add' ctl path add peer $B4 sport 50001
check 'path add tells the id' json '.[0].id > 0' ctl -j path add peer $B4 sport 50002 rate 10gbit \
	base 5us weight 2
ID=$(ctl -j path show peer $B4 | jq -r '.[0].id')
check 'the spec'\''s names and units' json \
	'.[1] | .["conf-rate"] == 1250000000 and .["conf-base-ns"] == 5000 and .state == "unknown"' \
	ctl -j path show peer $B4
# Linux 6.1 cannot put a value into its words.
VALUE=': 999'
[[ $(uname -r) != 6.1.* ]] || VALUE=''
check 'the kernel'\''s words' gives 2 "no path of this id$VALUE" ctl path del peer $B4 id 999
check 'what is out of range is named' gives 2 'weight: .*65535' ctl path change peer $B4 id "$ID" \
	weight 70000
check 'change' ctl path change peer $B4 id "$ID" weight 7
check 'changed' json '.[0].weight == 7' ctl -j path show peer $B4
check 'a cost' ctl path change peer $B4 id "$ID" cost 5
check 'a cost is saved' prints 'weight 7 cost 5$' ctl save
check 'completion: peers' offers 'path show peer 192' $B4
check 'completion: ids' offers "path del peer $B4 id " "$ID"
check 'completion: schedulers' offers 'sched set spr' spray
check 'completion: devices' offers "path add peer $B4 dev e" e0
check 'completion: addresses' offers "path add peer $B4 local 192" $A4
check 'peer set' ctl peer set $B6 sched spray cc laps-paper
check 'pretty is the same' same_json path
check 'restore' restores ctl restore
check '-b' restores ctl -b -
check 'a file with an error is not begun' restore_refuses
check 'a batch ends where it fails' batch_stops
check 'counters' json '.["tx-segs"] == 0' ctl -j stats
check 'monitor' monitor_tells
check 'colours on terminals, unless NO_COLOR' colours
check 'top over itself on terminals' redraws
check 'top one below the other elsewhere' appends
check 'flows, each on a line' flows_by_line
check 'restore, with peers by other keys' restores_others ctl restore
