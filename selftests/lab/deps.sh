# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # variables for the scripts that source this
#
# Debian packages, installed by name and only when missing: a fresh machine has
# none of them.

PACKAGES_BUILD=(gcc make flex bison bc libelf-dev libssl-dev xz-utils patch rsync kmod)
PACKAGES_TOOLS=(gcc make libc6-dev libmnl-dev libjansson-dev pkg-config)
# What the guest runs: it has no files of its own, only this machine's.
PACKAGES_GUEST=(busybox-static iproute2 iputils-ping ethtool procps util-linux kmod nftables
	iperf3 tcpdump jq python3 python3-yaml)

# packages_need NAME...: install those that are not.
packages_need()
{
	local name missing=()
	for name in "$@"; do
		[[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] ||
			missing+=("$name")
	done
	[[ ${#missing[@]} -eq 0 ]] || with_lock packages packages_install "${missing[@]}" || exit
}

packages_install()
{
	local sudo=() log
	command -v apt-get >/dev/null ||
		die "$EX_UNAVAILABLE" "these Debian packages are needed and there is no apt-get: $*"
	if [[ $(id -u) -ne 0 ]]; then
		sudo -n true 2>/dev/null ||
			die "$EX_UNAVAILABLE" "missing packages; as root: apt-get install $*"
		sudo=(sudo -n)
	fi
	note "installing $*"
	log=$(mktemp)
	# The second try is for a machine whose package lists are old or absent.
	if ! packages_apt "$log" "${sudo[@]}" -- "$@" && {
		"${sudo[@]}" apt-get -qq update >>"$log" 2>&1
		! packages_apt "$log" "${sudo[@]}" -- "$@"
	}; then
		tail -n 20 "$log" >&2
		rm -f "$log"
		die "$EX_UNAVAILABLE" "apt-get could not install: $*"
	fi
	rm -f "$log"
}

# packages_apt LOG [SUDO...] -- NAME...
packages_apt()
{
	local log=$1 sudo=()
	shift
	while [[ $1 != -- ]]; do
		sudo+=("$1")
		shift
	done
	shift
	"${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y \
		-o DPkg::Lock::Timeout=600 install --no-install-recommends "$@" >>"$log" 2>&1
}

# package_version NAME
package_version()
{
	dpkg-query -W -f '${Version}' "$1"
}
