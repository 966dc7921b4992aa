// SPDX-License-Identifier: GPL-2.0
/* Segments: stretches of messages, as they are transmitted. What becomes of them: rtx.c. */
#include <linux/slab.h>
#include "seg.h"
#include "tmsg.h"

static struct kmem_cache *lapsmp_seg_cache;

struct lapsmp_seg *lapsmp_seg_alloc(u8 kind, struct lapsmp_tmsg *m)
{
	struct lapsmp_seg *seg;

	seg = kmem_cache_zalloc(lapsmp_seg_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!seg)
		return NULL;
	RB_CLEAR_NODE(&seg->node);
	seg->kind = kind;
	seg->msg = m;
	if (m)
		m->refs++;
	return seg;
}

static void lapsmp_seg_free(struct lapsmp_seg *seg)
{
	if (seg->msg)
		lapsmp_tmsg_put(seg->msg);
	kmem_cache_free(lapsmp_seg_cache, seg);
}

void lapsmp_seg_put(struct lapsmp_seg *seg)
{
	if (!--seg->refs)
		lapsmp_seg_free(seg);
}

struct lapsmp_seg *lapsmp_seg_probe(u32 ip_bytes)
{
	struct lapsmp_seg *seg = lapsmp_seg_alloc(LAPSMP_SEG_PROBE, NULL);

	if (seg)
		seg->len = ip_bytes;
	return seg;
}

bool lapsmp_seg_over(const struct lapsmp_seg *seg)
{
	if (seg->done || seg->kind == LAPSMP_SEG_PROBE || seg->msg->whole)
		return true;
	return seg->msg->aborted && seg->kind == LAPSMP_SEG_DATA;
}

void lapsmp_seg_done(struct lapsmp_flow *f, struct lapsmp_seg *seg)
{
	struct lapsmp_tmsg *m = seg->msg;
	struct lapsmp_chunk *c, *next;
	u32 off = seg->off, left = seg->len, n;

	seg->done = true;
	if (seg->kind == LAPSMP_SEG_ABORT) {
		lapsmp_tmsg_done(f, m, 0);
		return;
	}
	m->acked += left;
	f->stats_acked_bytes += left;
	for (c = seg->chunk; left; c = next) {
		next = list_next_entry(c, node);
		n = min(left, c->off + c->len - off);
		c->unacked -= n;
		off += n;
		left -= n;
		if (!c->unacked)
			lapsmp_tmsg_chunk_free(f, m, c);
	}
	if (m->acked == m->len)
		lapsmp_tmsg_done(f, m, 0);
}

u32 lapsmp_seg_fit(const struct lapsmp_chunk *c, u32 off, u32 len, u32 mss)
{
	u32 end = off + min(len, mss);
	int i;

	for (i = 1; i < LAPSMP_SEG_FRAGS && c->off + c->len < end; i++)
		c = list_next_entry(c, node);
	return min(end, c->off + c->len) - off;
}

/* The chunk that holds byte @off, from @c on. */
static struct lapsmp_chunk *lapsmp_seg_seek(struct lapsmp_chunk *c, u32 off)
{
	while (c->off + c->len <= off)
		c = list_next_entry(c, node);
	return c;
}

struct lapsmp_seg *lapsmp_seg_split(struct lapsmp_seg *seg, u32 len)
{
	struct lapsmp_seg *rest = lapsmp_seg_alloc(LAPSMP_SEG_DATA, seg->msg);

	if (!rest)
		return NULL;
	rest->off = seg->off + len;
	rest->len = seg->len - len;
	rest->chunk = lapsmp_seg_seek(seg->chunk, rest->off);
	rest->tx = seg->tx;
	rest->refs = 1;
	seg->len = len;
	return rest;
}

int lapsmp_seg_init(void)
{
	lapsmp_seg_cache = KMEM_CACHE(lapsmp_seg, SLAB_HWCACHE_ALIGN);
	return lapsmp_seg_cache ? 0 : -ENOMEM;
}

void lapsmp_seg_exit(void)
{
	kmem_cache_destroy(lapsmp_seg_cache);
}
