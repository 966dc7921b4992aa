// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the algorithms in net/lapsmp/alg. The first byte of an input says which
 * of them, the rest are its operands. The sanitizers watch for undefined
 * behaviour; what the algorithms promise is checked after each step. The Makefile
 * gives alg_fuzz_one() the name that libFuzzer calls.
 */
#include <linux/kernel.h>

#include "alg_fuzz.h"

static void (*const targets[])(struct fuzz_in *in) = {
	fuzz_ring, fuzz_replay, fuzz_owd, fuzz_skew, fuzz_softmax, fuzz_rates,
	fuzz_pmtu, fuzz_sched, fuzz_cc, fuzz_seqmap, fuzz_srh,
	fuzz_lean, fuzz_express, fuzz_noise,
};

int alg_fuzz_one(const u8 *data, size_t size)
{
	struct fuzz_in in = { data, size };

	if (size)
		targets[fuzz_u8(&in) % ARRAY_SIZE(targets)](&in);
	return 0;
}
