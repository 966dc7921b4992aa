# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables for the scripts that source this
#
# The module and the tools, built out of this checkout into the cache. No object
# is written into the checkout, so kernels do not disturb each other.
#
# module_build [MAKE_ARG...] after kernel_prepare sets MODULE_DIR, where
# lapsmp.ko is; tools_build sets TOOLS_DIR, where lapsctl, lapsperf and the
# selftests' programs are. If MODULE_COPY and TOOLS_COPY are set, what was built
# is copied there, too. extra_build FOLDER adds another folder's modules and programs.

module_build()
{
	local variant=''
	# Other flags would rebuild everything, and again without them.
	[[ $# -eq 0 ]] || variant=-$(printf '%s\n' "$@" | sha256sum | cut -c1-8)
	local dir
	dir=$CACHE/build/$KERNEL_KEY/$(checkout_key)$variant
	MODULE_DIR=$dir/net/lapsmp
	[[ -f $TOP/net/lapsmp/Kbuild ]] ||
		die "$EX_UNAVAILABLE" "nothing to build: $TOP/net/lapsmp/Kbuild is missing (--no-module runs without)"
	with_lock "module-${dir//\//_}" module_make "$dir" "$@"
}

module_make()
{
	local dir=$1 log=$1/build.log status=0
	shift
	mkdir -p "$dir"
	module_sync "$dir"
	module_is_sound "$dir" || make --no-print-directory -C "$KERNEL_KDIR" "${KERNEL_MAKE[@]}" M="$dir/net/lapsmp" clean >/dev/null
	make --no-print-directory -C "$KERNEL_KDIR" "${KERNEL_MAKE[@]}" M="$dir/net/lapsmp" -j"$(nproc)" "$@" modules >"$log" 2>&1 ||
		status=$?
	module_report "$dir" "$log" "$status" "$#"
	module_tools >"$dir/sound"
	[[ -z ${MODULE_COPY:-} ]] || install -D -t "$MODULE_COPY" "$dir"/net/lapsmp/*.ko
}

# module_is_sound DIR: what is built there was built without a complaint, by these
# tools; what has changed since is compiled again, and nothing else can complain.
# It is no longer said to be from here on.
module_is_sound()
{
	local sound=''
	[[ ! -s $1/sound || $(<"$1/sound") != "$(module_tools)" ]] || sound=1
	rm -f "$1/sound"
	[[ -n $sound ]]
}

module_tools()
{
	"${CC:-gcc}" --version | head -n 1
	! command -v sparse >/dev/null || sparse --version
}

module_sync()
{
	local part
	for part in net include; do
		[[ ! -d $TOP/$part ]] || folder_sync "$part" "$1/$part"
	done
}

# folder_sync FOLDER DIR: copies what changed and deletes what is gone, but neither
# objects nor, by -c and the lack of -t, the time stamps of equal files.
folder_sync()
{
	mkdir -p "$2"
	rsync -rlpc --delete \
		--exclude='*.o' --exclude='*.ko' --exclude='*.mod' --exclude='*.mod.c' \
		--exclude='.*.cmd' --exclude='.*.d' --exclude='*.symvers' --exclude='modules.order' \
		--exclude='*.gcno' --exclude='*.o.*' --exclude='.tmp_*' \
		"$TOP/$1/" "$2/" ||
		die 1 "cannot copy $TOP/$1 to $2"
}

# module_report DIR LOG STATUS FLAGS: shows what the compiler had to say. With
# extra flags (W=1e, C=1) the caller is after warnings, and they are failures.
module_report()
{
	local dir=$1 log=$2 status=$3 flags=$4
	local said
	# The paths shown are those of the checkout, and two remarks are about
	# the machine and not about the code.
	said=$(sed "s|$dir/||g" "$log" | grep -v \
		-e 'the compiler differs from the one used to build the kernel' \
		-e 'Skipping BTF generation')
	if [[ $status -ne 0 ]]; then
		grep -v '^  [A-Z]' <<<"$said" >&2
		die 1 "the module does not build for $KERNEL_KEY (log: $log)"
	fi
	if grep -qi 'warning:' <<<"$said"; then
		grep -v '^  [A-Z]' <<<"$said" >&2
		[[ $flags -eq 0 ]] || die 1 "the build for $KERNEL_KEY has warnings (log: $log)"
	fi
}

tools_build()
{
	TOOLS_DIR=$CACHE/build/tools/$(checkout_key)
	packages_need "${PACKAGES_TOOLS[@]}"
	with_lock "tools-$(checkout_key)" tools_make
}

tools_make()
{
	local tool
	mkdir -p "$TOOLS_DIR/bin"
	for tool in lapsctl lapsperf; do
		if [[ ! -f $TOP/tools/$tool/Makefile ]]; then
			rm -f "$TOOLS_DIR/bin/$tool"
			continue
		fi
		tools_make_one "tools/$tool" "$TOOLS_DIR/$tool"
		ln -sfn "../$tool/$tool" "$TOOLS_DIR/bin/$tool"
		[[ -z ${TOOLS_COPY:-} ]] || install -D -t "$TOOLS_COPY" "$TOOLS_DIR/$tool/$tool"
	done
	tools_make_one selftests/progs "$TOOLS_DIR/progs"
	[[ -z ${TOOLS_COPY:-} ]] || install -D -t "$TOOLS_COPY" "$TOOLS_DIR"/progs/bin/*
}

# tools_make_one SOURCE OUTPUT
tools_make_one()
{
	local out
	mkdir -p "$2"
	out=$(make -s -C "$TOP/$1" O="$2" 2>&1) || {
		printf '%s\n' "$out" >&2
		die 1 "$1 does not build"
	}
	[[ -z $out ]] || printf '%s\n' "$out" >&2
}

extra_build()
{
	local dir
	dir=$CACHE/build/$KERNEL_KEY/$(checkout_key)-extra/$1
	with_lock "extra-${dir//\//_}" extra_make "$1" "$dir"
}

# extra_make FOLDER DIR
extra_make()
{
	local status=0
	folder_sync "$1" "$2/src"
	make --no-print-directory -C "$KERNEL_KDIR" "${KERNEL_MAKE[@]}" M="$2/src" -j"$(nproc)" modules \
		>"$2/build.log" 2>&1 || status=$?
	module_report "$2/src" "$2/build.log" "$status" 1
	tools_make_one "$1" "$2/bin"
	[[ -z ${MODULE_COPY:-} ]] || install -D -t "$MODULE_COPY" "$2"/src/*.ko
	[[ -z ${TOOLS_COPY:-} ]] || find "$2/bin" -maxdepth 1 -type f -perm -u+x -exec install -D -t "$TOOLS_COPY" {} +
}
