// SPDX-License-Identifier: GPL-2.0
/*
 * A flow looks at all its paths for every acknowledgment and every turn of the
 * pump, and most of them are as they were: a path counts its changes (path->gen),
 * and only what has changed is copied and summed up anew. How many segments are
 * under way, and when they will have been passed on, is read each time; within a turn, only on
 * the path that was taken.
 */
#include <linux/slab.h>
#include "flowmem.h"
#include "mib.h"
#include "output.h"
#include "rtx.h"
#include "view.h"
#include "wire.h"

/* --- which paths ---------------------------------------------------------------- */

static int lapsmp_view_find(const struct lapsmp_flow *f,
			    const struct lapsmp_path *p)
{
	int i;

	for (i = 0; i < f->n_paths; i++)
		if (f->fpaths[i].path == p)
			return i;
	return -1;
}

/* What it has on paths that are no longer in the set moves to others. */
static void lapsmp_view_leave(struct lapsmp_flow *f,
			      const struct lapsmp_pathset *ps)
{
	int i, j;

	for (i = 0; i < f->n_paths; i++) {
		for (j = 0; ps && j < ps->n; j++)
			if (ps->path[j] == f->fpaths[i].path)
				break;
		if (ps && j < ps->n)
			continue;
		lapsmp_rtx_drop_ring(f, &f->fpaths[i]);
		lapsmp_path_put(f->fpaths[i].path);
		f->fpaths[i].path = NULL;
	}
}

static void lapsmp_view_free(struct lapsmp_flow *f)
{
	kfree(f->fpaths);
	kfree(f->views);
	kfree(f->weights);
}

void lapsmp_view_drop(struct lapsmp_flow *f)
{
	lapsmp_view_leave(f, NULL);
	lapsmp_view_free(f);
}

static void lapsmp_view_join(struct lapsmp_fpath *fp, struct lapsmp_path *p)
{
	lapsmp_path_hold(p);
	fp->path = p;
	fp->cuts = READ_ONCE(p->cuts);
	fp->joined = !p->away;
	lapsmp_ring_init(&fp->ring, NULL, 1, 1);
}

static void lapsmp_view_move(struct lapsmp_flow *f,
			     const struct lapsmp_pathset *ps,
			     struct lapsmp_fpath *fpaths)
{
	int i, j;

	for (i = 0; i < ps->n; i++) {
		j = lapsmp_view_find(f, ps->path[i]);
		if (j >= 0)
			fpaths[i] = f->fpaths[j];
		else
			lapsmp_view_join(&fpaths[i], ps->path[i]);
		fpaths[i].seen_gen = 0;
	}
}

/* As fast as all devices that its paths leave by together. */
static u64 lapsmp_view_line_rate(const struct lapsmp_flow *f,
				 const struct lapsmp_pathset *ps)
{
	u64 sum = 0;
	int i, j;

	for (i = 0; i < ps->n; i++) {
		for (j = 0; j < i; j++)
			if (ps->path[j]->line_dev == ps->path[i]->line_dev)
				break;
		if (j == i)
			sum += ps->path[i]->line_rate;
	}
	return sum ?: f->peer->line_rate;
}

/* Segments are counted as the largest; the smallest is worth sending, too. */
static void lapsmp_view_sizes(struct lapsmp_flow *f,
			      const struct lapsmp_pathset *ps)
{
	u32 most = 0, least = U32_MAX, mtu, overhead;
	int i;

	for (i = 0; i < ps->n; i++) {
		mtu = READ_ONCE(ps->path[i]->mtu);
		most = max(most, mtu);
		least = min(least, mtu - min(mtu, lapsmp_path_segs_len(ps->path[i])));
	}
	f->frame_bytes = lapsmp_output_frame(most);
	f->cc_cfg.seg_bytes = f->frame_bytes;
	f->cc_cfg.line_rate = lapsmp_view_line_rate(f, ps);
	overhead = LAPSMP_DATA_HLEN +
		   lapsmp_output_overhead(lapsmp_addr_is_v4(&f->peer->key.raddr));
	f->piece_bytes = ps->n && least > overhead ? least - overhead : 0;
}

void __lapsmp_view_cut(struct lapsmp_flow *f, struct lapsmp_fpath *fp)
{
	u32 cuts = READ_ONCE(fp->path->cuts);

	if (cuts == fp->cuts)
		return;
	fp->cuts = cuts;
	lapsmp_rtx_drop_ring(f, fp);
}

int __lapsmp_view_sync(struct lapsmp_flow *f)
{
	struct lapsmp_path_view *views;
	const struct lapsmp_pathset *ps;
	struct lapsmp_fpath *fpaths;
	u32 *weights;
	int i, err;

	lockdep_assert_held(&f->lock);
	f->turn++;
	for (i = 0; i < f->n_paths; i++)
		__lapsmp_view_cut(f, &f->fpaths[i]);
	ps = rcu_dereference_bh(f->peer->paths);
	if (ps->gen == f->paths_gen)
		return 0;
	err = __lapsmp_flowmem_grow(f, ps->n);
	if (err) {
		LAPSMP_INC(f->ln, nomem);
		return err;
	}
	fpaths = kcalloc(ps->n, sizeof(*fpaths), GFP_ATOMIC);
	views = kcalloc(ps->n, sizeof(*views), GFP_ATOMIC);
	weights = kcalloc(ps->n, sizeof(*weights), GFP_ATOMIC);
	if (!fpaths || !views || !weights) {
		kfree(fpaths);
		kfree(views);
		kfree(weights);
		LAPSMP_INC(f->ln, nomem);
		return -ENOMEM;
	}
	lapsmp_view_leave(f, ps);
	lapsmp_view_move(f, ps, fpaths);
	lapsmp_view_free(f);
	f->fpaths = fpaths;
	f->views = views;
	f->weights = weights;
	f->n_paths = ps->n;
	f->paths_gen = ps->gen;
	lapsmp_view_sizes(f, ps);
	return 0;
}

/* --- how they are --------------------------------------------------------------- */

/*
 * The path with most room decides whether the flow has some. Of a path that is left to others
 * it is no room of the flow: nothing is sent there that another path is spared. And there has
 * to be room on the average, too: queues swing, of several one is always short just now,
 * and who has several paths would never have to yield to who has one of them.
 */
static void lapsmp_view_room(struct lapsmp_sight *s, const struct lapsmp_path_sum *sum,
			     const struct lapsmp_path_view *v)
{
	s64 queue_ns = max_t(s64, v->owd_ns - v->base_ns, v->queue_ns);
	s64 over = queue_ns - v->margin_ns;

	if (lapsmp_path_is_left(v, sum))
		return;
	/* What was not heard of yet has room, but not enough to rush. */
	if (!v->pipe_ns)
		over = v->inflight_segs ? -v->margin_ns / 2 : -v->margin_ns;
	if (over < s->over_ns) {
		s->over_ns = over;
		s->margin_ns = v->margin_ns;
	}
}

static void lapsmp_view_add(struct lapsmp_sight *s, const struct lapsmp_path_sum *sum,
			    const struct lapsmp_path_view *v)
{
	if (!v->usable)
		return;
	s->any_usable = true;
	if (!v->backoff)
		lapsmp_view_room(s, sum, v);
	if (!v->pipe_ns)
		return;
	s->T_ns = max(s->T_ns, v->base_ns + v->margin_ns);
	s->base0_ns = min(s->base0_ns, v->base_ns);
	if (!v->backoff)
		s->t_ns = min(s->t_ns, v->owd_ns);
}

static void lapsmp_view_sight(struct lapsmp_flow *f)
{
	struct lapsmp_sight *s = &f->sight;
	u64 srtt = 0;
	int i;

	*s = (struct lapsmp_sight){
		.t_ns = S64_MAX, .base0_ns = S64_MAX, .over_ns = S64_MAX,
	};
	for (i = 0; i < f->n_paths; i++) {
		const struct lapsmp_path_view *v = &f->views[i];

		lapsmp_view_add(s, &f->path_sum, v);
		s->any_silent |= READ_ONCE(f->fpaths[i].path->state) != LAPSMP_PATH_UP;
		if (v->usable && v->pipe_ns) {
			srtt += READ_ONCE(f->fpaths[i].path->srtt_ns);
			s->n_heard++;
		}
	}
	if (s->n_heard)
		s->srtt_ns = div_u64(srtt, s->n_heard);
	if (s->base0_ns == S64_MAX)
		s->base0_ns = 0;
	/* Every path is in back-off: worse than any delay that was measured. */
	if (s->t_ns == S64_MAX)
		s->t_ns = s->n_heard ? 2 * s->T_ns : 0;
	if (s->over_ns == S64_MAX)
		s->over_ns = s->T_ns;
}

static void lapsmp_view_sum(struct lapsmp_flow *f)
{
	lapsmp_path_sum(&f->path_sum, f->views, f->n_paths);
	lapsmp_view_sight(f);
}

/*
 * More than probes. To other addresses than the peer's nothing goes that they have not
 * answered before: what is there need not be the peer.
 */
static bool lapsmp_view_may_carry(const struct lapsmp_flow *f,
				  const struct lapsmp_fpath *fp,
				  const struct lapsmp_path_view *v)
{
	return lapsmp_view_may_use(f, fp) && !fp->challenged &&
	       (!fp->path->away || v->pipe_ns);
}

/*
 * What passes others passes those of this host, too; but all together tell how much is at
 * stake where nobody has heard of the path.
 */
static u32 lapsmp_view_inflight(const struct lapsmp_flow *f, const struct lapsmp_fpath *fp,
				const struct lapsmp_path_view *v)
{
	return f->express.level && v->pipe_ns ? fp->ring.out :
						lapsmp_path_inflight(fp->path);
}

/* Return: whether the sum has to be made anew. */
static bool lapsmp_view_refresh(struct lapsmp_flow *f, int i)
{
	struct lapsmp_fpath *fp = &f->fpaths[i];
	struct lapsmp_path_view *v = &f->views[i];
	/* Pairs with lapsmp_path_changed(). */
	u32 gen = smp_load_acquire(&fp->path->gen);

	if (gen != fp->seen_gen)
		__lapsmp_view_cut(f, fp);
	v->inflight_segs = lapsmp_view_inflight(f, fp, v);
	v->clear_ns = READ_ONCE(fp->path->clear_ns);
	if (gen == fp->seen_gen)
		/* Of one not heard of, what is under way counts. */
		return !v->pipe_ns;
	fp->seen_gen = gen;
	lapsmp_path_view(fp->path, f->frame_bytes, v);
	v->inflight_segs = lapsmp_view_inflight(f, fp, v);
	v->usable &= lapsmp_view_may_carry(f, fp, v);
	return true;
}

void __lapsmp_view_joined(struct lapsmp_fpath *fp)
{
	fp->joined = true;
	fp->challenged = false;
	fp->seen_gen = 0;
}

void __lapsmp_view_challenged(struct lapsmp_fpath *fp)
{
	fp->challenged = true;
	fp->seen_gen = 0;
}

void __lapsmp_view_opened(struct lapsmp_flow *f)
{
	int i;

	for (i = 0; i < f->n_paths; i++)
		f->fpaths[i].seen_gen = 0;
}

void __lapsmp_view_look(struct lapsmp_flow *f)
{
	/* While the set is changed it may be empty: then none is usable. */
	bool anew = !f->n_paths;
	int i;

	for (i = 0; i < f->n_paths; i++)
		anew |= lapsmp_view_refresh(f, i);
	if (anew)
		lapsmp_view_sum(f);
}

void __lapsmp_view_look_at(struct lapsmp_flow *f, int i)
{
	if (lapsmp_view_refresh(f, i))
		lapsmp_view_sum(f);
}
