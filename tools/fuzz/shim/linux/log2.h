/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_LOG2_H
#define _SHIM_LINUX_LOG2_H

#include <linux/bitops.h>

/* Of 0 it is not defined, there neither. */
static inline unsigned long roundup_pow_of_two(unsigned long x)
{
	return 1UL << fls64(x - 1);
}

#endif /* _SHIM_LINUX_LOG2_H */
