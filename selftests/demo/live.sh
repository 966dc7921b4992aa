# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What is seen while the transfer runs: lapsctl's live table, and between its
# appearances what happened. On a terminal the table is drawn over itself; in a
# log there is one every few seconds.

LOG_INTERVAL_MS=3000
TERMINAL_INTERVAL_MS=500

now_us() { echo "${EPOCHREALTIME/[.,]/}"; }

# seconds_since_start US
seconds_since_start()
{
	local us=$(($1 - START_US))
	printf '%d.%d s' $((us / 1000000)) $((us % 1000000 / 100000))
}

# say TEXT: an event, never in the middle of a table.
say()
{
	printf -- '--- %s  %s\n\n' "$(seconds_since_start "$(now_us)")" "$*"
}

on_terminal() { [[ -n ${LAPSMP_DEMO_WIDTH:-} ]]; }

# A log has one table after the other, whatever happens. On a terminal, what
# happened stays between two tables.
live_start()
{
	local top="lapsctl -n $SENDER top"
	[[ -z ${TOP_PID:-} ]] || return 0
	if on_terminal; then
		# The table is drawn over itself on a terminal only, so it gets one.
		mkfifo "$DIR/top"
		script -qec "stty cols $LAPSMP_DEMO_WIDTH rows 40; echo \$\$ >$DIR/top; exec $top interval $TERMINAL_INTERVAL_MS" \
			/dev/null </dev/null &
		SCRIPT_PID=$!
		read -r TOP_PID <"$DIR/top"
		rm "$DIR/top"
	else
		$top interval $LOG_INTERVAL_MS > >(live_tables) &
		TOP_PID=$!
	fi
}

live_stop()
{
	[[ -n ${TOP_PID:-} ]] || return 0
	if on_terminal; then
		kill "$TOP_PID"
		wait "$SCRIPT_PID"
		TOP_PID=''
		monitor_told
	elif [[ -n $END ]]; then
		kill "$TOP_PID"
		wait "$TOP_PID"
		TOP_PID=''
	fi
}

# Whole tables at once, so that nothing gets into them. The first one is from
# before the first packet and says nothing.
live_tables()
{
	local line text='' n=0
	while IFS= read -r line; do
		text+=$line$'\n'
		[[ -z $line ]] || continue
		((n++ == 0)) || printf '%s' "$text"
		text=''
	done
}

# monitor_start: $DIR/monitor gets a line for each path that changes its state:
# when in microseconds, which, the old state, the new one, and why.
monitor_start()
{
	: >"$DIR/monitor"
	: >"$DIR/told"
	lapsctl -n "$SENDER" -j monitor path > >(monitor_lines) &
	MONITOR_PID=$!
}

monitor_stop()
{
	kill "$MONITOR_PID"
	wait "$MONITOR_PID"
}

# monitor_field NAME: of the JSON in $line.
monitor_field()
{
	[[ $line =~ \"$1\":\"?([^\",}]*) ]] && printf '%s' "${BASH_REMATCH[1]}"
}

# Told are ends and returns of paths, not how they come up at first or hesitate.
monitor_lines()
{
	local line us id old new why
	while IFS= read -r line; do
		us=$(monitor_field time-ns) id=$(monitor_field id) why=$(monitor_field reason)
		old=$(monitor_field old-state) new=$(monitor_field state)
		us=${us%???}
		echo "$us $id $old $new $why" >>"$DIR/monitor"
		[[ $old == down || $new == down ]] || continue
		line=$(printf -- '--- %s  lapsmp: path %s was %s and is %s: %s\n' \
			"$(seconds_since_start "$us")" "$id" "$old" "$new" "$why")
		if on_terminal; then
			printf '%s\n' "$line" >>"$DIR/told"
		else
			printf '%s\n\n' "$line"
		fi
	done
}

# monitor_told: on a terminal, what was kept back while a table was drawn.
monitor_told()
{
	[[ ! -s $DIR/told ]] || { cat "$DIR/told"; echo; }
	: >"$DIR/told"
}

# monitor_find PATH STATE FROM_US: when it first was in it, after a time.
monitor_find()
{
	awk -v id="$1" -v state="$2" -v from="$3" \
		'$2 == id && $4 == state && $1 >= from { print $1; exit }' "$DIR/monitor"
}
