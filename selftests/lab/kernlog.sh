# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What in a kernel's log means that something is wrong, whatever the command
# that ran has to say.

# Reports of the kernel's own checks. Not in here: warnings of single drivers,
# the taint by an out-of-tree module, clocksources that suffer under emulation,
# "Call Trace", which fault injection prints too, and kmemleak's first suspicion,
# which guest-init looks into.
KERNLOG_BAD='WARNING:|\bBUG[: ]|\bOops\b|kernel BUG at|Kernel panic|general protection fault'
KERNLOG_BAD+='|[Uu]nable to handle kernel|KASAN:|KCSAN:|KFENCE:|UBSAN:|ODEBUG:|DEBUG_LOCKS_WARN'
KERNLOG_BAD+='|INFO: possible|INFO: inconsistent|INFO: trying to register non-static key|INFO: task .* blocked'
KERNLOG_BAD+='|INFO: rcu|rcu: INFO|suspicious RCU|possible (circular|recursive|irq) lock|inconsistent lock state'
KERNLOG_BAD+='|scheduling while atomic|sleeping function called|soft lockup|hard LOCKUP|workqueue lockup'
KERNLOG_BAD+='|refcount_t|list_(add|del) corruption|unregister_netdevice: waiting|leaked reference|ref_tracker'
KERNLOG_BAD+='|Objects remaining|[Bb]ad page|page allocation failure|Out of memory'
KERNLOG_BAD+='|Attempt to release (alive|TCP)|memory leak\b|stack-protector|stack is corrupted|slab corruption'

# kernlog_complaints FILE [ALLOWED]: prints the bad lines after the mark that
# guest-init makes, with some context; those matching ALLOWED are forgiven.
# Returns 0 if there are any.
kernlog_complaints()
{
	local bad
	bad=$(sed -n '/lapsmp-lab: begin/,$p' "$1" | grep -aE "$KERNLOG_BAD" |
		grep -avE -- "${2:-^\$}" | head -n 20) || true
	[[ -n $bad ]] || return 1
	printf '%s\n' "$bad"
}

# kernlog_panic FILE: the same for the console of a kernel that never got to the
# end, from its beginning.
kernlog_panic()
{
	grep -aE "$KERNLOG_BAD|not syncing|Segfault" "$1" | head -n 20
}

# kernlog_cause FILE: of a kernel that died, what it said first and where it was, in a line.
kernlog_cause()
{
	local bad
	bad=$(kernlog_panic "$1" | head -n 1 | sed 's/^\[[^]]*\] *//')
	[[ -z $bad ]] ||
		printf '%s%s\n' "$bad" "$(grep -aoEm 1 'RIP: 0010:[^ ]*' "$1" | sed 's/^/, /')"
}

# kernlog_tail FILE: how a kernel ended, without its boot if it got that far, and
# without the noise of its consoles.
kernlog_tail()
{
	local from
	from=$(grep -anm 1 'lapsmp-lab: begin' "$1" | cut -d: -f1)
	tail -n "+${from:-1}" "$1" | grep -av epollctl | tail -n 60
}
