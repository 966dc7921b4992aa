/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Multiplications whose product does not fit 64 bits, and the three quantities
 * that several algorithms form with them. All saturate: on x86-64 the kernel's
 * mul_u64_u64_div_u64() is one instruction that traps when the quotient does not
 * fit, and delays and rates come from the network.
 */
#ifndef _LAPSMP_ALG_ARITH_H
#define _LAPSMP_ALG_ARITH_H

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/types.h>

/* One segment in a congestion window's unit. */
#define LAPSMP_SEG_Q16		0x10000ULL

/* @a * @b / @c, U64_MAX if it does not fit or @c is 0. */
static inline u64 lapsmp_arith_muldiv(u64 a, u64 b, u64 c)
{
	if (mul_u64_u64_shr(a, b, 64) >= c)
		return U64_MAX;
	return mul_u64_u64_div_u64(a, b, c);
}

/* How long @bytes take at @rate bytes/s, ns; at most S64_MAX. */
static inline u64 lapsmp_arith_drain_ns(u64 bytes, u64 rate)
{
	u64 ns;

	/* Up to 18 GB a plain division will do; it is the per-packet case. */
	if (rate && bytes <= U64_MAX / NSEC_PER_SEC)
		ns = div64_u64(bytes * NSEC_PER_SEC, rate);
	else
		ns = lapsmp_arith_muldiv(bytes, NSEC_PER_SEC, rate);
	return ns < S64_MAX ? ns : S64_MAX;
}

/* What one segment takes at @rate bytes/s, ns with 8 fractional bits. */
static inline u64 lapsmp_arith_seg_ns_q8(u32 seg_bytes, u64 rate)
{
	/* 32 bits times 30 times 8 are more than 64. */
	return lapsmp_arith_muldiv((u64)seg_bytes << 8, NSEC_PER_SEC, rate);
}

/* 2^32 / @root, as it divides by multiplication; U32_MAX for 0 and 1. */
static inline u32 lapsmp_arith_inverse(u32 root)
{
	return root > 1 ? div_u64(1ULL << 32, root) : U32_MAX;
}

/* Segments of @seg_bytes that @rate bytes/s carries in @ns, 16 fractional bits. */
static inline u64 lapsmp_arith_segs_q16(u64 rate, u64 ns, u32 seg_bytes)
{
	u64 bytes = lapsmp_arith_muldiv(rate, ns, NSEC_PER_SEC);

	return lapsmp_arith_muldiv(bytes, LAPSMP_SEG_Q16, seg_bytes);
}

#endif /* _LAPSMP_ALG_ARITH_H */
