// SPDX-License-Identifier: GPL-2.0
/* Counters of a namespace: per CPU, summed when read. */
#include "mib.h"

#define LAPSMP_MIB_NAME(f, text)	#f,
const char * const lapsmp_mib_names[LAPSMP_MIB_COUNT] = {
	LAPSMP_MIB_LIST(LAPSMP_MIB_NAME)
};

void lapsmp_mib_read(const struct lapsmp_net *ln, u64 sum[LAPSMP_MIB_COUNT])
{
	unsigned int i;
	int cpu;

	memset(sum, 0, LAPSMP_MIB_COUNT * sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const u64 *m = (const u64 *)per_cpu_ptr(ln->mib, cpu);

		for (i = 0; i < LAPSMP_MIB_COUNT; i++)
			sum[i] += READ_ONCE(m[i]);
	}
}

int lapsmp_mib_init(struct lapsmp_net *ln)
{
	ln->mib = alloc_percpu(struct lapsmp_mib);
	return ln->mib ? 0 : -ENOMEM;
}

void lapsmp_mib_exit(struct lapsmp_net *ln)
{
	free_percpu(ln->mib);
}
