/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The mean of the delays that one acknowledgment is for.
 *
 * A window is sent as it is acknowledged, so an acknowledgment for sixteen packets is followed
 * by sixteen in a row, of which the last one is measured next: always the same place in the same
 * queue. Two flows that shared a link so each took its own place for the queue, and one of them
 * got three and a half times what the other did, for as long as one looked.
 *
 * Delays are modulo 2^32 ns, and less than 2^31 from each other. This file reads no clock.
 */
#ifndef _LAPSMP_ALG_OWDMEAN_H
#define _LAPSMP_ALG_OWDMEAN_H

#include <linux/math64.h>
#include <linux/types.h>

/**
 * struct lapsmp_owdmean - delays since the last acknowledgment; zeroed before the first
 * @first_ns: that the others are counted from
 * @n: how many
 * @more_ns: by how much they are more, together
 */
struct lapsmp_owdmean {
	u32	first_ns;
	u32	n;
	s64	more_ns;
};

static inline void lapsmp_owdmean_add(struct lapsmp_owdmean *m, u32 owd_ns)
{
	if (!m->n)
		m->first_ns = owd_ns;
	m->n++;
	m->more_ns += (s32)(owd_ns - m->first_ns);
}

/* Return: the mean, and @newest_ns if there were none; from now on there are none. */
static inline u32 lapsmp_owdmean_take(struct lapsmp_owdmean *m, u32 newest_ns)
{
	u32 mean_ns = m->n ? m->first_ns + (u32)div_s64(m->more_ns, m->n) : newest_ns;

	*m = (struct lapsmp_owdmean){};
	return mean_ns;
}

#endif /* _LAPSMP_ALG_OWDMEAN_H */
