# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Booting in QEMU. The root file system is this machine's /, over 9p; what the
# guest writes for this machine goes through shares of its own, without a cache.

# qemu_initrd FILE: busybox, the modules for 9p, and a script that mounts /.
qemu_initrd()
{
	local dir=$1.dir module names='' release file
	mkdir -p "$dir"/{bin,mnt,modules,proc}
	cp /bin/busybox "$dir/bin/busybox"
	if [[ -n $KERNEL_MODDIR ]]; then
		release=${KERNEL_MODDIR##*/}
		while read -r _ file _; do
			module=$(basename "${file%.xz}")
			case $file in
			*.xz) xz -dc "$file" >"$dir/modules/$module" ;;
			*)    cp "$file" "$dir/modules/$module" ;;
			esac
			[[ " $names " == *" $module "* ]] || names+=" $module"
		done < <(modprobe -S "$release" --show-depends -a virtio_pci 9pnet_virtio 9p virtio_rng | grep ^insmod)
	fi
	cat >"$dir/init" <<END
#!/bin/busybox sh
cd /modules
for m in $names; do /bin/busybox insmod \$m; done
/bin/busybox mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288,cache=loose host /mnt ||
	/bin/busybox poweroff -f
exec /bin/busybox switch_root /mnt "\$LAPSMP_RUN/init"
END
	chmod +x "$dir/init"
	(cd "$dir" && find . | cpio --quiet -o -H newc | gzip -1) >"$1"
	rm -rf "$dir"
}

# KVM hangs where it cannot run an unmodified guest, so it is used on request
# only, and only if a kernel gets as far as its own panic within 20 seconds.
qemu_accel()
{
	local thread=multi
	[[ -z $OPT_ICOUNT ]] || thread=single
	if [[ ${LAPSMP_KVM:-} == 1 && -z $OPT_ICOUNT && -w /dev/kvm ]] && qemu_kvm_works; then
		printf 'kvm\n'
	else
		printf 'tcg,thread=%s,tb-size=512\n' "$thread"
	fi
}

qemu_kvm_works()
{
	timeout 20 qemu-system-x86_64 -accel kvm -cpu max -m 512M -nic none -nodefaults \
		-display none -no-reboot -kernel "$KERNEL_IMAGE" -append 'panic=-1 quiet' \
		>/dev/null 2>&1 </dev/null
}

# qemu_cpu: string instructions are emulated one repetition after the other, so
# copying by bytes (ERMS) takes eight times as long as by words. After CMPXCHG16B
# QEMU 7.2 once had an address in the flags, and the kernel a double fault: it does
# without where there is none. Where instructions are counted, it is what kernels do
# on today's processors that is to be counted.
qemu_cpu()
{
	local model=max,erms=off,cx16=off
	[[ -z $OPT_ICOUNT ]] || model=max
	printf '%s\n' "${OPT_CPU:-$model}"
}

# qemu_exec RUN: replaces this process by QEMU.
qemu_exec()
{
	local run=$1 arg=() append
	append="console=ttyS0 kunit.enable=1 loglevel=5 panic=-1 mitigations=off audit=0 apparmor=0"
	append+=" random.trust_cpu=on watchdog_thresh=30 rcupdate.rcu_cpu_stall_timeout=60"
	[[ -z ${LAPSMP_LEAKS:-} ]] || append+=" kmemleak=on"
	append+=" LAPSMP_RUN=$run"
	qemu_initrd "$run/initrd"
	[[ -z $OPT_ICOUNT ]] || arg+=(-icount "shift=0,sleep=off")
	if [[ -n ${LAPSMP_OUT:-} ]]; then
		arg+=(-virtfs "local,path=${LAPSMP_OUT//,/,,},mount_tag=out,security_model=none,multidevs=remap")
	fi
	if [[ -n $OPT_INTERACTIVE ]]; then
		arg+=(-serial mon:stdio)
	else
		arg+=(-serial "file:$run/console.log")
	fi
	exec qemu-system-x86_64 -M q35 -accel "$(qemu_accel)" -cpu "$(qemu_cpu)" -smp "$OPT_SMP" -m "$OPT_MEM" \
		-nodefaults -nic none -display none -no-reboot "${arg[@]}" \
		-device virtio-rng-pci \
		-virtfs local,path=/,mount_tag=host,security_model=none,multidevs=remap \
		-virtfs "local,path=$run,mount_tag=run,security_model=none,multidevs=remap" \
		-kernel "$KERNEL_IMAGE" -initrd "$run/initrd" -append "$append" 2>>"$run/vm.log"
}
