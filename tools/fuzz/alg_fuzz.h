/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the fuzzers of net/lapsmp/alg share: a reader that turns the input into
 * numbers, and a check that stops at the first thing that must not be.
 */
#ifndef _ALG_FUZZ_H
#define _ALG_FUZZ_H

#include <stdio.h>
#include <stdlib.h>

#include <linux/types.h>

#define MUST(cond) \
	do { \
		if (!(cond)) { \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond); \
			abort(); \
		} \
	} while (0)

/* What is left of the input; at its end all numbers are 0. */
struct fuzz_in {
	const u8 *data;
	size_t size;
};

static inline u64 fuzz_bytes(struct fuzz_in *in, unsigned int n)
{
	u64 v = 0;

	while (n-- && in->size) {
		v = v << 8 | *in->data++;
		in->size--;
	}
	return v;
}

static inline u8 fuzz_u8(struct fuzz_in *in)
{
	return fuzz_bytes(in, 1);
}

/*
 * A number of any size: one byte tells how many follow, shifted by how much and
 * inverted or not, so that small, huge and negative ones are all a short input.
 */
static inline u64 fuzz_u64(struct fuzz_in *in)
{
	u8 how = fuzz_u8(in);
	u64 v = fuzz_bytes(in, how & 7);

	if (how & 8)
		v <<= (how >> 4) * 4;
	else if (how & 0x40)
		v = ~v;
	return v;
}

void fuzz_ring(struct fuzz_in *in);
void fuzz_replay(struct fuzz_in *in);
void fuzz_seqmap(struct fuzz_in *in);
void fuzz_srh(struct fuzz_in *in);
void fuzz_lean(struct fuzz_in *in);
void fuzz_noise(struct fuzz_in *in);
void fuzz_express(struct fuzz_in *in);
void fuzz_owd(struct fuzz_in *in);
void fuzz_skew(struct fuzz_in *in);
void fuzz_softmax(struct fuzz_in *in);
void fuzz_rates(struct fuzz_in *in);
void fuzz_pmtu(struct fuzz_in *in);
void fuzz_sched(struct fuzz_in *in);
void fuzz_cc(struct fuzz_in *in);

#endif /* _ALG_FUZZ_H */
