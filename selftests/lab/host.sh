# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables for the scripts that source this
#
# --kernel host: this machine's own kernel, with the same rules.

host_run()
{
	local status=0 dep
	: >"$RUN/console.log"
	: >"$RUN/timed-out"
	TIMED_OUT=
	if [[ -z $OPT_NO_MODULE ]]; then
		! grep -q '^lapsmp ' /proc/modules ||
			die "$EX_UNAVAILABLE" "lapsmp is loaded on this machine already; rmmod lapsmp first"
		for dep in $(modinfo -F depends "$RUN/ko/lapsmp.ko" | tr ',' ' '); do
			modprobe "$dep"
		done
		echo 'lapsmp-lab: begin' >/dev/kmsg
		insmod "$RUN/ko/lapsmp.ko" ||
			die "$EX_UNAVAILABLE" "this machine's kernel does not load $RUN/ko/lapsmp.ko"
	else
		echo 'lapsmp-lab: begin' >/dev/kmsg
	fi
	(cd "$TOP" && PATH=$RUN/bin:$PATH timeout -k 10 "$OPT_TIMEOUT" "${COMMAND[@]}") || status=$?
	[[ $status -ne 124 ]] || echo "the command ran for $OPT_TIMEOUT s" >"$RUN/timed-out"
	if [[ -z $OPT_NO_MODULE ]] && grep -q '^lapsmp ' /proc/modules; then
		rmmod lapsmp 2>"$RUN/rmmod" ||
			echo "the module could not be unloaded after the command: $(<"$RUN/rmmod")" >"$RUN/verdict"
	fi
	# Only what this run added: the last mark and what follows it.
	dmesg | tac | sed '/lapsmp-lab: begin/q' | tac >"$RUN/dmesg"
	echo "$status" >"$RUN/status"
}
