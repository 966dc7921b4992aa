/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_KERNEL_H
#define _SHIM_LINUX_KERNEL_H

#include <linux/types.h>

#define ARRAY_SIZE(arr)		(sizeof(arr) / sizeof((arr)[0]))
#define sizeof_field(t, m)	sizeof(((t *)0)->m)

/* There is one thread. */
#define READ_ONCE(x)		(x)
#define WRITE_ONCE(x, v)	((x) = (v))

#endif /* _SHIM_LINUX_KERNEL_H */
