# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Booting User-mode Linux. con0 is the command's output, con2 its error output,
# con1 the kernel's own messages: three files that can never block the guest.

# uml_exec RUN: replaces this process by the kernel.
uml_exec()
{
	local run=$1 time=() con0="null,fd:1"
	[[ $OPT_TIME != virtual ]] || time=(time-travel=inf-cpu time-travel-start=1700000000000000000)
	[[ -z $OPT_INTERACTIVE ]] || con0="fd:0,fd:1"
	# The guest's memory is a file: in memory where there is room for it.
	export TMPDIR=/dev/shm
	[[ $(df --output=avail -B1M /dev/shm 2>/dev/null | tail -n 1) -gt $(mem_megabytes) ]] ||
		TMPDIR=$run
	ulimit -c 0
	exec "$KERNEL_IMAGE" mem="$OPT_MEM" root=/dev/root rootfstype=hostfs rootflags=/ rw \
		init="$run/init" "LAPSMP_RUN=$run" umid="${run##*/}" uml_dir="$run/" \
		"${time[@]}" kunit.enable=1 panic=-1 loglevel=7 console=tty1 \
		con0="$con0" con1=null,fd:3 con2=null,fd:4 con=null \
		3>>"$run/console.log" 4>>"$run/stderr" 2>>"$run/console.log"
}
