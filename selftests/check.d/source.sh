# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Checks that read or compile the source and boot nothing.

# shellcheck source=../lab/kernels.sh
. "$LAB_DIR/kernels.sh"

# source_checks: the table; see check.
source_checks()
{
	local kernel
	for kernel in stock-6.12 stock-6.1; do
		echo "build/$kernel $kernel one build_module $kernel W=1e C=1 CF=-D__CHECK_ENDIAN__"
	done
	echo "checkpatch - checkpatch_all"
	echo "shellcheck - shellcheck_all"
	echo "purity stock-6.12 purity_all stock-6.12"
	echo "nlgen - one nlgen_check"
}

# shellcheck disable=SC2317
build_module()
{
	"$LAB_DIR/build" "$@"
}

# linux_source: unpacks Debian's kernel source, sets LINUX_SOURCE.
linux_source()
{
	local version
	packages_need linux-source-6.12 patch xz-utils
	version=$(package_version linux-source-6.12)
	with_lock "source-6.12_$version" kernel_source "$version" || exit
	LINUX_SOURCE=$(kernel_source_dir "$version")
}

# checkpatch_ignored FILE: the types to ignore there; see checkpatch.ignore.
checkpatch_ignored()
{
	local pattern types
	while read -r pattern types; do
		# shellcheck disable=SC2053 # a pattern is meant
		[[ $pattern == '#' || $1 != $pattern ]] || printf '%s,' "$types"
	done <"$CHECK_DIR/checkpatch.ignore"
}

# What has passed is kept in the cache by all that the verdict depends on, so that
# only what has changed is looked at again.
#
# verdict_key WORD... <CONTENTS: of a tool's verdict, in KEY.
verdict_key()
{
	KEY=$CACHE/passed/$({ printf '%s\n' "$@"; cat; } | sha256sum | cut -c1-64)
}

# verdict_keep KEY: passed.
verdict_keep()
{
	mkdir -p "$CACHE/passed" && : >"$1"
}

# shellcheck disable=SC2317
checkpatch_all()
{
	local file types KEY
	declare -A alike=() keys=()
	packages_need perl git
	linux_source
	while read -r file; do
		types=$(checkpatch_ignored "$file")
		verdict_key checkpatch "$LINUX_SOURCE" "$types" "$file" <"$TOP/$file"
		keys[$file]=$KEY
		if [[ -e $KEY ]]; then
			result pass "$file"
		else
			alike[$types]+=" $file"
		fi
	done < <(files_like '*.c' '*.h' | grep -vE '(^|/)(nl_gen\.[ch]|lapsmp_nl\.h)$')
	for types in "${!alike[@]}"; do
		# shellcheck disable=SC2086 # our files' names have no blanks
		checkpatch_some "$types" ${alike[$types]}
	done
	# It leaves its notes in the working directory.
	rm -f "$TOP"/.checkpatch-camelcase.*
}

# checkpatch_some TYPES FILE...: its start takes as long as a file of 200 lines. Uses
# keys.
checkpatch_some()
{
	local types=$1 out status=0 file
	shift
	out=$(cd "$TOP" && "$LINUX_SOURCE/scripts/checkpatch.pl" --no-tree --strict \
		--quiet --no-summary --terse --show-types --color=never \
		--ignore "$types" -f "$@" 2>&1) || status=$?
	printf '%s' "${out:+$out$'\n'}"
	for file; do
		if [[ $out != *"$file:"* ]]; then
			result pass "$file"
			[[ $status -ne 0 ]] || verdict_keep "${keys[$file]}"
		else
			status=0
			result fail "$file"
		fi
	done
	[[ $status -eq 0 ]] || result fail "checkpatch.pl: status $status"
}

# shellcheck disable=SC2317
shellcheck_all()
{
	local file files=() bad='' KEY
	packages_need shellcheck git
	mapfile -t files < <(files_like '*' | (cd "$TOP" && while IFS= read -r file; do
		head -n 1 "$file" | tr -d '\0' | grep -qE '^#!.*\b(ba)?sh\b' ||
			[[ $file == *.sh ]] || continue
		printf '%s\n' "$file"
	done))
	# Each sources others: all of them, or none.
	verdict_key "$(shellcheck --version)" "${files[@]}" < <(cd "$TOP" && cat "${files[@]}")
	for file in "${files[@]}"; do
		# Functions are called across files: SC2317 cannot see that.
		if [[ -e $KEY ]] || (cd "$TOP" && shellcheck -x -P SCRIPTDIR "$file"); then
			result pass "$file"
		else
			result fail "$file"
			bad=1
		fi
	done
	[[ -n $bad ]] || verdict_keep "$KEY"
}

# What the algorithms may need from the kernel: memory that they are given is
# all that they touch. The rest is what compilers and instrumentation add.
PURE_SYMBOLS='mem(cpy|set|move|cmp)|sort|int_sqrt(64)?|mul_u64_u64_div_u64|div64_[us]64|__this_module'
PURE_SYMBOLS+='|__fentry__|__x86_return_thunk|__x86_indirect_thunk_.*|__stack_chk_fail'
PURE_SYMBOLS+='|__ubsan_handle_.*|__asan_.*|_GLOBAL_OFFSET_TABLE_'

# purity_all KERNEL: each file of alg/ needs nothing but this and alg/.
# shellcheck disable=SC2317
purity_all()
{
	local dir object found=''
	packages_need binutils
	dir=$("$LAB_DIR/build" "$1") || return
	dir=${dir%%$'\n'*}
	nm --defined-only "$dir"/alg/*.o | awk 'NF == 3 { print $3 }' | sort -u >"$CHECK_RESULTS.own"
	for object in "$dir"/alg/*.o; do
		found=$(nm -u "$object" | awk '{ print $2 }' | grep -vxE "$PURE_SYMBOLS" |
			grep -vxF -f "$CHECK_RESULTS.own")
		if [[ -z $found ]]; then
			result pass "alg/$(basename "$object")"
		else
			printf '%s needs: %s\n' "alg/$(basename "$object")" "${found//$'\n'/ }"
			result fail "alg/$(basename "$object")"
		fi
	done
	rm -f "$CHECK_RESULTS.own"
}

# shellcheck disable=SC2317
nlgen_check()
{
	packages_need python3 python3-yaml python3-jsonschema
	linux_source
	"$TOP/tools/nlgen/regen" --check "$LINUX_SOURCE" || return 1
}
