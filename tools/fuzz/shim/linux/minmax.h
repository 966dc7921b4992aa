/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_MINMAX_H
#define _SHIM_LINUX_MINMAX_H

#include <linux/types.h>

#define max(a, b) \
	({ __auto_type _a = (a); __auto_type _b = (b); _a > _b ? _a : _b; })
#define min(a, b) \
	({ __auto_type _a = (a); __auto_type _b = (b); _a < _b ? _a : _b; })
#define max_t(t, a, b)		max((t)(a), (t)(b))
#define min_t(t, a, b)		min((t)(a), (t)(b))
#define max3(a, b, c) \
	({ __auto_type _m = max(a, b); __auto_type _c = (c); _m > _c ? _m : _c; })
#define min3(a, b, c) \
	({ __auto_type _m = min(a, b); __auto_type _c = (c); _m < _c ? _m : _c; })
#define clamp_t(t, v, lo, hi)	min_t(t, max_t(t, v, lo), hi)
#define clamp(v, lo, hi)	clamp_t(typeof(v), v, lo, hi)

#endif /* _SHIM_LINUX_MINMAX_H */
