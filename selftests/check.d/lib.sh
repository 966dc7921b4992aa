# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What a check says about itself, and where.

# All that any check installs; each check names its own again.
# shellcheck disable=SC2034 # for the script that sources this
PACKAGES_CHECK=(
	"${PACKAGES_BUILD[@]}" "${PACKAGES_TOOLS[@]}" "${PACKAGES_GUEST[@]}"
	linux-source-6.12 linux-image-6.12-amd64 linux-headers-6.12-amd64
	linux-image-amd64 linux-headers-amd64 dwarves qemu-system-x86 cpio
	sparse perl shellcheck python3-yaml python3-jsonschema
	clang libclang-rt-14-dev tshark git
)

# log_of NAME [SUFFIX]
log_of()
{
	printf '%s/%s.%s\n' "$RESULTS" "${1//\//-}" "${2:-log}"
}

# check_run NAME FUNCTION [ARG...]: everything that it says goes to its log, its
# single tests to the file beside it.
check_run()
{
	CHECK=$1
	CHECK_RESULTS=$(log_of "$CHECK" results)
	: >"$CHECK_RESULTS"
	exec >"$(log_of "$CHECK")" 2>&1
	shift
	"$@"
}

# result pass|fail|skip NAME...
result()
{
	printf '%s\n' "$*" >>"$CHECK_RESULTS"
}

# one COMMAND [ARG...]: a check that is one test; status 4 means skipped.
one()
{
	local status=0
	"$@" || status=$?
	case $status in
	0) result pass "$CHECK" ;;
	4) result skip "$CHECK" ;;
	*) result fail "$CHECK: status $status" ;;
	esac
}

# ktap FILE NAME STATUS: the tests that FILE reports in KTAP, or NAME as one test
# by its exit status if it reports none.
ktap()
{
	local found
	found=$(awk -v prefix="$2" -f "$CHECK_DIR/ktap.awk" "$1")
	[[ -z $found ]] || printf '%s\n' "$found" >>"$CHECK_RESULTS"
	case $3 in
	0)	[[ -n $found ]] || result pass "$2" ;;
	4)	[[ -n $found ]] || result skip "$2" ;;
	*)	grep -q '^fail ' <<<"$found" || result fail "$2: status $3" ;;
	esac
}

# shellcheck disable=SC2317
kernel_missing()
{
	cat "$RESULTS/kernel-$1.log"
	result fail "$CHECK: there is no kernel $1"
}

# since EPOCHREALTIME: seconds, one decimal.
since()
{
	local us=$((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}))
	printf '%d.%d\n' $((us / 1000000)) $((us / 100000 % 10))
}

counts()
{
	local text=''
	[[ $1 -eq 0 ]] || text="$1 passed"
	[[ $2 -eq 0 ]] || text+="${text:+, }$2 failed"
	[[ $3 -eq 0 ]] || text+="${text:+, }$3 skipped"
	printf '%s\n' "$text"
}

# files_like PATTERN...: of this checkout, as git knows them, or what there is.
files_like()
{
	local file dir=(git -C "$TOP" -c "safe.directory=$TOP")
	if "${dir[@]}" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		"${dir[@]}" ls-files --cached --others --exclude-standard -- "$@"
	else
		(cd "$TOP" && for file; do
			find . -path ./results -prune -o -type f -name "$file" -printf '%P\n'
		done)
	fi | while IFS= read -r file; do
		[[ ! -f $TOP/$file ]] || printf '%s\n' "$file"
	done
}
