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
#   # kernels: NAME...  exactly there

# The kernels that boot fast have one boot per script; the others boot once for
# all scripts. Real time there: the limit is for each script.
NET_BATCH_LIMIT=600

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
	if [[ -z $kernels ]]; then
		kernels='uml uml-debug'
		[[ $lab != *core* && -z $LONG ]] || kernels+=' stock-6.12 smp-debug'
	fi
	printf '%s\n' "$kernels"
}

# net_checks: the table; see check. Boots that take long come first.
net_checks()
{
	local script kernel name found=''
	declare -A batch=()
	for script in "$TOP"/selftests/net/*.sh; do
		[[ -x $script ]] || continue
		found=1
		for kernel in $(net_kernels "$script"); do
			batch[$kernel]+=" ${script##*/}"
		done
	done
	for kernel in smp-debug stock-6.12 stock-6.1; do
		[[ -z ${batch[$kernel]:-} ]] || echo "net/$kernel $kernel net_batch $kernel${batch[$kernel]}"
	done
	for kernel in uml-debug uml; do
		for name in ${batch[$kernel]:-}; do
			echo "net/$kernel/${name%.sh} $kernel net_one $kernel $name"
		done
	done
	for kernel in uml uml-debug stock-6.12 smp-debug; do
		[[ -n ${batch[$kernel]:-} ]] || echo "net/$kernel/none - net_none $kernel $found"
	done
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

# net_one KERNEL SCRIPT: in simulated time, unless the script wants another.
net_one()
{
	local log status=0 ARGS=()
	log=$(log_of "$CHECK" ktap)
	net_args "$2"
	"$LAB_DIR/run" --kernel "$1" --time virtual --timeout 300 --keep-log "$(log_of "$CHECK" dmesg)" \
		"${ARGS[@]}" -- "selftests/net/$2" >"$log" || status=$?
	cat "$log"
	net_count "$log" "$CHECK" "$status"
}

# net_batch KERNEL SCRIPT...: all of them in one boot.
net_batch()
{
	local kernel=$1 log name status=0 ARGS=()
	shift
	log=$(log_of "$CHECK" ktap)
	net_args "$@"
	"$LAB_DIR/run" --kernel "$kernel" --smp 2 --timeout $((120 + NET_BATCH_LIMIT * $#)) \
		--keep-log "$(log_of "$CHECK" dmesg)" "${ARGS[@]}" -- \
		"$CHECK_DIR/batch" "$NET_BATCH_LIMIT" "$@" >"$log" || status=$?
	cat "$log"
	for name; do
		net_split "$log" "$name" >"$log.part"
		net_count "$log.part" "$CHECK/${name%.sh}" \
			"$(sed -n "s/^=== end $name //p" "$log" | grep -x '[0-9]*' || echo 70)"
	done
	rm -f "$log.part"
	# With 1 a script has failed, which was counted already.
	[[ $status -le 1 ]] || result fail "$CHECK: the kernel run ended with $status"
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
