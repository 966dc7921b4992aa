/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stands in for net/lapsmp/compat.h in user space. It takes that header's
 * guard: the compiler is told to read this file first (-include), so that the
 * one beside the source has nothing left to say.
 */
#ifndef _LAPSMP_COMPAT_H
#define _LAPSMP_COMPAT_H

#include <string.h>

#include <linux/types.h>

#define LAPSMP_EXPORT_FOR_TEST(sym) extern int lapsmp_shim_##sym

static inline u16 get_unaligned_be16(const void *p)
{
	const u8 *b = p;

	return b[0] << 8 | b[1];
}

static inline u32 get_unaligned_be32(const void *p)
{
	const u8 *b = p;

	return (u32)get_unaligned_be16(b) << 16 | get_unaligned_be16(b + 2);
}

static inline u64 get_unaligned_be64(const void *p)
{
	const u8 *b = p;

	return (u64)get_unaligned_be32(b) << 32 | get_unaligned_be32(b + 4);
}

static inline void put_unaligned_be16(u16 v, void *p)
{
	u8 *b = p;

	b[0] = v >> 8;
	b[1] = (u8)v;
}

static inline void put_unaligned_be32(u32 v, void *p)
{
	put_unaligned_be16(v >> 16, p);
	put_unaligned_be16((u16)v, (u8 *)p + 2);
}

static inline void put_unaligned_be64(u64 v, void *p)
{
	put_unaligned_be32(v >> 32, p);
	put_unaligned_be32((u32)v, (u8 *)p + 4);
}

#endif /* _LAPSMP_COMPAT_H */
