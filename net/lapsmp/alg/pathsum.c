// SPDX-License-Identifier: GPL-2.0
/*
 * What the paths of a flow say together, for schedulers that compare each with all
 * others: a path is full or empty, long or short, only beside them.
 *
 * A path in back-off is one that did not answer of late. It counts only where all
 * are (policy.h).
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "../compat.h"
#include "policy.h"

static void lapsmp_path_sum_add(struct lapsmp_path_sum *sum,
				const struct lapsmp_path_view *v)
{
	sum->n++;
	sum->heard |= v->pipe_ns;
	sum->top_inv = min(sum->top_inv, v->swing_inv);
	sum->top_rate = max(sum->top_rate, v->rate);
	/* Saturates: rates may be configured. */
	sum->rate = min(sum->rate, U64_MAX - v->rate) + v->rate;
	sum->low_ns = min(sum->low_ns, v->base_ns);
	sum->high_ns = max(sum->high_ns, v->base_ns);
	sum->low_lean_q16 = min(sum->low_lean_q16, v->lean_q16);
}

static bool lapsmp_path_sum_counts(const struct lapsmp_path_sum *sum,
				   const struct lapsmp_path_view *v)
{
	return v->usable && (sum->backoff || !v->backoff);
}

/* Has it answered, and is it not left to others? */
static bool lapsmp_path_sum_is_ours(const struct lapsmp_path_sum *sum,
				    const struct lapsmp_path_view *v)
{
	return lapsmp_path_sum_counts(sum, v) && v->pipe_ns && !lapsmp_path_is_left(v, sum);
}

/* Of those of which this is said: is the longest one much longer than any other? */
static bool lapsmp_path_sum_is_unlike(const struct lapsmp_path_sum *sum,
				      const struct lapsmp_path_view *paths, u16 n)
{
	const struct lapsmp_path_view *top = NULL;
	u16 i;

	for (i = 0; i < n; i++)
		if (lapsmp_path_sum_is_ours(sum, &paths[i]) &&
		    (!top || paths[i].base_ns > top->base_ns))
			top = &paths[i];
	for (i = 0; top && i < n; i++)
		if (lapsmp_path_sum_is_ours(sum, &paths[i]) &&
		    lapsmp_path_is_longer(top, &paths[i]))
			return true;
	return false;
}

static void lapsmp_path_sum_of(struct lapsmp_path_sum *sum,
			       const struct lapsmp_path_view *paths, u16 n,
			       bool backoff)
{
	const struct lapsmp_path_view *v;
	s64 margin_ns = S64_MAX;
	u64 alike = 0;
	u32 low_root = U32_MAX, top_root = 0;
	u16 n_alike = 0, i;

	*sum = (struct lapsmp_path_sum){
		.backoff = backoff,
		.top_inv = U32_MAX,
		.low_lean_q16 = U32_MAX,
		.low_ns = S64_MAX,
		.high_ns = S64_MIN,
	};
	for (i = 0; i < n; i++) {
		v = &paths[i];
		if (!lapsmp_path_sum_counts(sum, v))
			continue;
		lapsmp_path_sum_add(sum, v);
		margin_ns = min(margin_ns, v->margin_ns);
		if (v->pipe_ns) {
			low_root = min(low_root, v->swing_root);
			top_root = max(top_root, v->swing_root);
		}
		if (!v->alike)
			continue;
		alike = min(alike, U64_MAX - v->rate) + v->rate;
		n_alike++;
	}
	/* Mostly none can be, and with each acknowledgment this is asked anew. */
	sum->unlike = lapsmp_path_base_is_longer(sum->high_ns, sum->low_ns, margin_ns) &&
		      lapsmp_path_sum_is_unlike(sum, paths, n);
	if (top_root)
		sum->price_ns = (u64)low_root * top_root;
	if (n_alike)
		sum->alike_rate = div_u64(alike, n_alike);
}

void lapsmp_path_sum(struct lapsmp_path_sum *sum,
		     const struct lapsmp_path_view *paths, u16 n)
{
	lapsmp_path_sum_of(sum, paths, n, false);
	if (!sum->n)
		lapsmp_path_sum_of(sum, paths, n, true);
}

LAPSMP_EXPORT_FOR_TEST(lapsmp_path_sum);
