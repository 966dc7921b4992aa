# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables for the scripts that source this
#
# The kernels: Debian's own, and three small ones built from Debian's source and
# kept in the cache, keyed by source version, compiler and configuration.
#
# kernel_prepare KERNEL sets:
#   KERNEL_KEY    names this very kernel (build directories)
#   KERNEL_KDIR   for "make -C"
#   KERNEL_MAKE   further arguments for make (an array)
#   KERNEL_IMAGE  what to boot; empty for host
#   KERNEL_KIND   uml, qemu or host
#   KERNEL_MODDIR modules that the initrd needs; empty if they are built in

KERNELS=(stock-6.12 stock-6.1 uml uml-debug smp-debug)

kernel_prepare()
{
	KERNEL_MAKE=() KERNEL_IMAGE='' KERNEL_MODDIR=''
	case $1 in
	stock-6.12)	kernel_prepare_stock linux-image-6.12-amd64 linux-headers-6.12-amd64 6.12 ;;
	stock-6.1)	kernel_prepare_stock linux-image-amd64 linux-headers-amd64 6.1 ;;
	uml)		kernel_prepare_built uml um base uml ;;
	uml-debug)	kernel_prepare_built uml-debug um base uml debug uml-debug ;;
	smp-debug)	kernel_prepare_built smp-debug x86_64 base debug smp-debug ;;
	host)		kernel_prepare_host ;;
	*)		die "$EX_USAGE" "unknown kernel '$1'; known: ${KERNELS[*]} host" ;;
	esac
}

# kernel_prepare_stock IMAGE_PACKAGE HEADERS_PACKAGE SERIES
kernel_prepare_stock()
{
	local release
	packages_need "$1" "$2" dwarves "${PACKAGES_BUILD[@]}"
	# The metapackage depends on the one package that holds the kernel.
	release=$(dpkg-query -W -f '${Depends}' "$1" | tr -s ',|' '\n' |
		sed -n 's/^ *linux-image-\([0-9][^ ]*\).*/\1/p' | head -n 1)
	[[ $release == "$3".* ]] ||
		die "$EX_UNAVAILABLE" "package $1 brings kernel '$release', not a $3"
	KERNEL_KIND=qemu
	KERNEL_KEY=$release-$(package_version "linux-image-$release")
	KERNEL_KDIR=/lib/modules/$release/build
	KERNEL_IMAGE=/boot/vmlinuz-$release
	KERNEL_MODDIR=/lib/modules/$release
	[[ -r $KERNEL_IMAGE && -d $KERNEL_KDIR ]] ||
		die "$EX_UNAVAILABLE" "$KERNEL_IMAGE or $KERNEL_KDIR is missing; reinstall $1 and $2"
}

kernel_prepare_host()
{
	KERNEL_KIND=host
	KERNEL_KEY=host-$(uname -r)
	KERNEL_KDIR=/lib/modules/$(uname -r)/build
	[[ $(id -u) -eq 0 ]] ||
		die "$EX_UNAVAILABLE" "--kernel host loads a module into this machine: run it as root"
	[[ -r /proc/modules ]] ||
		die "$EX_UNAVAILABLE" "this machine's kernel $(uname -r) cannot load modules; choose another kernel"
	[[ -d $KERNEL_KDIR ]] ||
		die "$EX_UNAVAILABLE" "no headers for this machine's kernel: $KERNEL_KDIR is missing; install linux-headers-$(uname -r)"
}

# kernel_prepare_built NAME ARCH FRAGMENT...
kernel_prepare_built()
{
	local name=$1 arch=$2 fragments=() patches=() version hash f
	shift 2
	for f in "$@"; do
		fragments+=("$LAB_DIR/config/$f.config")
	done
	# What is for User-mode Linux changes no other kernel.
	for f in "$LAB_DIR"/patches/*; do
		[[ $arch != um && $f == */uml-* ]] || patches+=("$f")
	done
	packages_need linux-source-6.12 "${PACKAGES_BUILD[@]}"
	version=$(package_version linux-source-6.12)
	hash=$({ gcc -dumpfullversion; cat "${fragments[@]}" "${patches[@]}"; } | sha256sum | cut -c1-12)
	KERNEL_KEY=$name-$version-$hash
	KERNEL_KDIR=$CACHE/kernels/$KERNEL_KEY
	KERNEL_MAKE=("ARCH=$arch")
	if [[ $arch == um ]]; then
		KERNEL_KIND=uml
		KERNEL_IMAGE=$KERNEL_KDIR/linux
	else
		KERNEL_KIND=qemu
		KERNEL_IMAGE=$KERNEL_KDIR/arch/x86/boot/bzImage
	fi
	[[ -e $KERNEL_KDIR/.complete ]] ||
		with_lock "kernel-$KERNEL_KEY" kernel_build "$arch" "$version" "${fragments[@]}" || exit
}

# kernel_source_dir VERSION: where it is, with these patches; another checkout may have
# others, and build meanwhile.
kernel_source_dir()
{
	echo "$CACHE/src/linux-source-6.12_$1-$(cat "$LAB_DIR"/patches/* | sha256sum | cut -c1-8)"
}

# kernel_source VERSION: unpack Debian's source once and patch it; see patches/.
kernel_source()
{
	local dir p
	dir=$(kernel_source_dir "$1")
	[[ ! -e $dir/.complete ]] || return 0
	note "unpacking linux-source-6.12 $1"
	rm -rf "$dir"
	mkdir -p "$dir"
	tar -xf /usr/src/linux-source-6.12.tar.xz --strip-components=1 -C "$dir" ||
		die "$EX_UNAVAILABLE" "cannot unpack /usr/src/linux-source-6.12.tar.xz into $dir"
	for p in "$LAB_DIR"/patches/*; do
		patch -s -d "$dir" -p1 <"$p" ||
			die "$EX_UNAVAILABLE" "$p does not apply to linux-source-6.12 $1"
	done
	: >"$dir/.complete"
}

# kernel_build ARCH VERSION FRAGMENT...: into $KERNEL_KDIR.
kernel_build()
{
	local arch=$1 version=$2 src log=$KERNEL_KDIR/build.log start=$SECONDS targets
	shift 2
	# Another run may have finished it while this one waited for the lock.
	[[ ! -e $KERNEL_KDIR/.complete ]] || return 0
	with_lock "source-6.12_$version" kernel_source "$version" || exit
	src=$(kernel_source_dir "$version")
	mkdir -p "$KERNEL_KDIR"
	cat "$@" >"$KERNEL_KDIR/requested.config"
	: >"$log"
	note "building kernel $KERNEL_KEY, once (3 to 12 minutes; log: $log)"
	kernel_make "$src" "$arch" KCONFIG_ALLCONFIG="$KERNEL_KDIR/requested.config" allnoconfig >>"$log" 2>&1 ||
		die "$EX_UNAVAILABLE" "the configuration failed; see $log"
	kernel_config_check
	targets=(bzImage modules)
	[[ $arch != um ]] || targets=(linux modules)
	kernel_make "$src" "$arch" -j"$(nproc)" "${targets[@]}" >>"$log" 2>&1 &
	local make=$!
	while kill -0 "$make" 2>/dev/null; do
		sleep 1
		(( (SECONDS - start) % 30 )) ||
			note "building $KERNEL_KEY: $((SECONDS - start)) s, $(grep -c '^  [A-Z]' "$log") steps"
	done
	if ! wait "$make"; then
		grep -E -B2 -A5 'error|Error' "$log" | tail -n 30 >&2
		die "$EX_UNAVAILABLE" "building kernel $KERNEL_KEY failed; see $log"
	fi
	: >"$KERNEL_KDIR/.complete"
	note "built $KERNEL_KEY in $((SECONDS - start)) s"
}

# kernel_make SOURCE ARCH ARG...: at low priority, others use this machine too.
kernel_make()
{
	local src=$1 arch=$2
	shift 2
	# A silent "make check" must not silence what progress is counted by.
	nice env -u MAKEFLAGS make -C "$src" O="$KERNEL_KDIR" ARCH="$arch" "$@"
}

# Options depend on each other, and Kconfig drops what cannot be without a word.
# Where fragments disagree, the last one holds.
kernel_config_check()
{
	local line bad=0
	while IFS= read -r line; do
		case $line in
		CONFIG_*=n)
			! grep -q "^${line%=n}=" "$KERNEL_KDIR/.config" || {
				note "still set in the configuration: $line"
				bad=1
			} ;;
		CONFIG_*)
			grep -qxF "$line" "$KERNEL_KDIR/.config" || {
				note "not taken by the configuration: $line"
				bad=1
			} ;;
		esac
	done < <(tac "$KERNEL_KDIR/requested.config" | awk -F= '/^CONFIG/ && !seen[$1]++')
	[[ $bad -eq 0 ]] ||
		die "$EX_UNAVAILABLE" "selftests/lab/config asks for what this kernel source cannot give (above)"
}
