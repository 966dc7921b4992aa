/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The few kernel names that the pure files of the module use, for building them
 * as ordinary programs. The kernel's own <linux/types.h> for user space hides
 * u8 and friends, so this one stands before it in the include path.
 */
#ifndef _SHIM_LINUX_TYPES_H
#define _SHIM_LINUX_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef uint16_t __be16;
typedef uint32_t __be32;
typedef uint64_t __be64;

#define U8_MAX	UINT8_MAX
#define U16_MAX	UINT16_MAX
#define U32_MAX	UINT32_MAX
#define U64_MAX	((u64)UINT64_MAX)
#define S32_MAX	INT32_MAX
#define S64_MAX	((s64)INT64_MAX)
#define S64_MIN	((s64)INT64_MIN)

#endif /* _SHIM_LINUX_TYPES_H */
