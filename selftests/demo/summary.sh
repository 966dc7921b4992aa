# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How it went, in the end. What filesend and filerecv say has the form
# NAME=NUMBER; the rest is asked from lapsctl. Arithmetic is the shell's own: an
# emulated processor takes long to start programs.

# number NAME TEXT
number()
{
	[[ " $2 " =~ \ $1=([0-9]+)\  ]] && echo "${BASH_REMATCH[1]}"
}

# ratio A B DIGITS: A / B with so many decimals, 1 to 3.
ratio()
{
	local scale=$((10 ** $3)) n
	n=$((($1 * scale + $2 / 2) / ($2 > 0 ? $2 : 1)))
	printf '%d.%0*d' $((n / scale)) "$3" $((n % scale))
}

# grouped NUMBER: with a comma after each three digits.
grouped()
{
	local n=$1
	while [[ $n =~ ^([0-9]+)([0-9]{3}.*)$ ]]; do
		n=${BASH_REMATCH[1]},${BASH_REMATCH[2]}
	done
	echo "$n"
}

# duration US
duration()
{
	if (($1 < 1000000)); then
		echo "$((($1 + 500) / 1000)) ms"
	else
		echo "$(ratio "$1" 1000000 2) s"
	fi
}

# pause NUMBER: one of those that the receiver measured.
pause() { duration $(($(number "pause_$1" "$END") / 1000)); }

# row NAME FORMAT [ARG...]
row()
{
	local name=$1 format=$2
	shift 2
	# shellcheck disable=SC2059 # the callers' formats
	printf "  %-11s $format\n" "$name" "$@"
}

summary()
{
	local sent got sum status=0
	sent=$(<"$DIR/sent")
	got=$(number got "$END")
	read -r sum _ <"$DIR/sha256"
	echo "Summary"
	row file '%s, %s bytes in %d messages' "${LAPSMP_DEMO_FILE##*/}" "$(grouped "$got")" \
		$(($(number messages "$END") - 1))
	if [[ $sum == "$LAPSMP_DEMO_SHA256" && $got == "$LAPSMP_DEMO_BYTES" ]]; then
		row SHA-256 'equal: %s' "$sum"
	else
		row SHA-256 'NOT EQUAL: sent %s, arrived %s' "$LAPSMP_DEMO_SHA256" "$sum"
		status=1
	fi
	summary_speed "$got" "$sent"
	summary_failure
	echo
	summary_paths
	echo
	if [[ $status -eq 0 ]]; then
		echo "The file arrived intact."
	else
		echo "THE FILE DID NOT ARRIVE INTACT."
	fi
	return $status
}

# summary_speed BYTES SENT
summary_speed()
{
	local us=$(($(number send_ns "$2") / 1000)) rate could=0 segs resent dup
	segs=$(number segs "$2") resent=$(number resent "$2") dup=$(number dup "$END")
	for rate in "${RATES[@]}"; do
		((could += rate * us))
	done
	((could -= RATES[CUT_LINK - 1] * (MEND_US - CUT_US)))
	row goodput '%s Mbit/s over %s s: %s %% of what the working links could carry, with headers' \
		"$(ratio $(($1 * 8)) "$us" 1)" "$(ratio "$us" 1000000 1)" \
		"$(ratio $(($1 * 800)) "$could" 1)"
	row resent '%s of %s segments (%s %%)' "$(grouped "$resent")" "$(grouped "$segs")" \
		"$(ratio $((resent * 100)) "$segs" 2)"
	row duplicates '%s segments arrived twice and were dropped; no message was delivered twice' \
		"$(grouped "$dup")"
}

summary_failure()
{
	local down up=''
	row failover 'longest pause between two messages %s after the failure; before it %s' \
		"$(pause 1)" "$(pause 0)"
	down=$(monitor_find "$CUT_LINK" down "$CUT_US")
	if [[ -n $down ]]; then
		row '' 'path %d was given up %s after its link failed' "$CUT_LINK" \
			"$(duration $((down - CUT_US)))"
		up=$(monitor_find "$CUT_LINK" up "$down")
	fi
	[[ -z $up ]] ||
		row '' 'path %d was in use again %s after its link was mended' "$CUT_LINK" \
			"$(duration $((up - MEND_US)))"
}

# Of each path: what lapsctl counted.
summary_paths()
{
	local i id sport state sent lost resent sum=0 lines=()
	mapfile -t lines < <(lapsctl -n "$SENDER" -j path show | jq -r '.[] | select(.["tx-bytes"] > 0) |
		"\(.id) \(.sport) \(.state) \(.["tx-bytes"]) \(.["lost-segs"]) \(.["retrans-segs"])"')
	for i in "${lines[@]}"; do
		read -r _ _ _ sent _ <<<"$i"
		((sum += sent))
	done
	printf '  %4s  %5s  %-17s  %-7s  %12s  %7s  %6s  %6s\n' \
		path sport link state bytes share lost resent
	for i in "${lines[@]}"; do
		read -r id sport state sent lost resent <<<"$i"
		printf '  %4d  %5d  %2d Mbit/s, %2d ms  %-7s  %12s  %5s %%  %6d  %6d\n' "$id" "$sport" \
			"${RATES[id - 1]}" "${DELAYS[id - 1]}" "$state" "$(grouped "$sent")" \
			"$(ratio $((sent * 100)) "$sum" 1)" "$lost" "$resent"
	done
}
