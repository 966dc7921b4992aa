# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2317 # the functions are called by name
#
# The selftests in selftests/net: one behaviour a script, each run in lab kernels.
# In its comments a script may say
#
#   # lab: core         also on stock-6.12 and smp-debug, with two CPUs
#   # lab: long         only with --long
#   # lab-args: ARGS    for lab/run, such as --allow-log REGEX or --mem 4G
#   # kernels: NAME...  there; with --long on all
#
# A boot takes from two seconds to a minute: most scripts share one.

# Seconds for each script, of the clock that the kernel has.
NET_LIMIT=600

# net_share KERNEL: how many scripts share a boot.
net_share()
{
	case $1 in
	uml)		echo 10 ;;
	uml-debug)	echo 20 ;;
	*)		echo 1000 ;;
	esac
}

# net_word SCRIPT KEY: what it says about itself.
net_word()
{
	sed -n "s/^# $2: *//p" "$1" | head -n 1
}

# net_kernels SCRIPT: where it runs now.
net_kernels()
{
	local lab kernels
	lab=$(net_word "$1" lab) kernels=$(net_word "$1" kernels)
	[[ $lab != *long* || -n $LONG ]] || return 0
	[[ -n $kernels ]] || kernels='uml uml-debug'
	[[ $lab != *core* ]] || kernels='uml uml-debug stock-6.12 smp-debug'
	[[ -z $LONG ]] || kernels='uml uml-debug stock-6.12 stock-6.1 smp-debug'
	printf '%s\n' "$kernels"
}

# net_checks: the table; see check. Boots that take long come first.
net_checks()
{
	local script kernel name found=''
	declare -A names=()
	for script in "$TOP"/selftests/net/*.sh; do
		[[ -x $script ]] || continue
		found=1
		for kernel in $(net_kernels "$script"); do
			names[$kernel]+=" ${script##*/}"
		done
	done
	for kernel in smp-debug stock-6.12 stock-6.1 uml-debug uml; do
		for name in ${names[$kernel]:-}; do
			echo "net/$kernel/${name%.sh} $kernel net_boot $kernel $name"
		done
	done
	for kernel in uml uml-debug stock-6.12 smp-debug; do
		[[ -n ${names[$kernel]:-} ]] || echo "net/$kernel/none - net_none $kernel $found"
	done
}

# net_join: of the table on standard input, scripts that may share a boot as one.
net_join()
{
	local name kernel command first='' what='' rest='' n=0
	while read -r name kernel command; do
		if [[ $kernel == "$what" && $command == 'net_boot '* && $n -lt $(net_share "$kernel") ]]; then
			rest+=" ${command##* }"
			n=$((n + 1))
			continue
		fi
		net_joined
		first=$name rest="$kernel $command" what='' n=1
		[[ $command != 'net_boot '* ]] || what=$kernel
	done
	net_joined
}

net_joined()
{
	[[ $n -le 1 ]] || first+=+$((n - 1))
	[[ $n -eq 0 ]] || printf '%s %s\n' "$first" "$rest"
}

net_none()
{
	echo "There is no executable script in selftests/net for $1."
	result fail "$CHECK: no selftests for $1"
}

# net_args SCRIPT...: their arguments for lab/run, in ARGS; what is allowed in
# the log is allowed for all of them.
net_args()
{
	local script word words=() allow=''
	ARGS=()
	for script; do
		mapfile -t words < <(net_word "$TOP/selftests/net/$script" lab-args | xargs -r -n 1 printf '%s\n')
		while [[ ${#words[@]} -gt 0 ]]; do
			word=${words[0]}
			words=("${words[@]:1}")
			if [[ $word == --allow-log && ${#words[@]} -gt 0 ]]; then
				allow+="${allow:+|}${words[0]}"
				words=("${words[@]:1}")
			else
				ARGS+=("$word")
			fi
		done
	done
	[[ -z $allow ]] || ARGS+=(--allow-log "$allow")
}

# net_boot KERNEL SCRIPT...: all of them in one boot, in simulated time where there
# is any.
net_boot()
{
	local kernel=$1 log name status=0 how ARGS=()
	shift
	how=(--smp 2 --timeout $((120 + NET_LIMIT * $#)))
	# An endless loop stops the simulated clock, not the other.
	[[ $kernel != uml* ]] ||
		how=(--time virtual --timeout $((240 + 60 * $#)) --virtual-timeout $((120 + NET_LIMIT * $#)))
	log=$(log_of "$CHECK" ktap)
	net_args "$@"
	"$LAB_DIR/run" --kernel "$kernel" "${how[@]}" --keep-log "$(log_of "$CHECK" dmesg)" "${ARGS[@]}" -- \
		"$CHECK_DIR/batch" "$NET_LIMIT" "$@" >"$log" || status=$?
	cat "$log"
	for name; do
		net_split "$log" "$name" >"$log.part"
		net_count "$log.part" "net/$kernel/${name%.sh}" \
			"$(sed -n "s/^=== end $name //p" "$log" | grep -x '[0-9]*' || echo 70)"
	done
	rm -f "$log.part"
	# With 1 a script has failed, which was counted already.
	[[ $status -le 1 ]] ||
		result fail "$CHECK and what ran with it: the kernel run ended with $status" \
			"$(kernlog_cause "$(log_of "$CHECK" dmesg)")"
}

# net_split LOG SCRIPT: what batch says that this script said.
net_split()
{
	awk -v name="$2" '$0 == "=== end " name " " $NF { on = 0 }
		on { print }
		$0 == "=== begin " name { on = 1 }' "$1"
}

# net_count LOG NAME STATUS
net_count()
{
	ktap "$@"
	# A skip is for machines that lack something, and the lab has it all.
	[[ $3 -ne 4 ]] || echo "# skipped: $2"
}
