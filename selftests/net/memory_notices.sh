#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kernels: uml uml-debug
#
# Who asks for a notice of each message and reads none: they are charged like messages, whatever
# the namespace's buffers are.
. "$(dirname "$0")/lib.sh"
plan 6
pair_up
COUNT=20000
ns_sysctl a net.lapsmp.rmem_default=1000000000

# notices MIB: how many there are of $COUNT, with so much memory to receive. Sets NOTICES.
notices()
{
	local ret
	parts_are "$1"
	receiver b all --count $COUNT
	in_ns a notices $B4 7000 $COUNT >"$WORK/notices" 2>&1
	ret=$?
	note "$1 MB: $(cat "$WORK/notices")"
	# Of messages that say nothing it finds that they are damaged.
	wait "$RECEIVER"
	NOTICES=$(sed -n 's/^notices=//p' "$WORK/notices")
	return "$ret"
}

notices 64
result $? 'all messages arrive'
check_that 'each has its notice' "$NOTICES == $COUNT"
notices 16
result $? 'all arrive where there is less memory'
check_that 'notices have some of it' "$NOTICES > $COUNT / 4"
check_that 'and no more than four fifths' "$NOTICES * 768 < 16 * 1024 * 1024 * 4 / 5"
check 'nothing stays charged' until_true 100 memory_is_free
