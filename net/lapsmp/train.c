// SPDX-License-Identifier: GPL-2.0
/*
 * A train, as the stack's UDP segmentation wants it: the first header in the
 * linear part, behind it fragments that repeat bytes, header, bytes... Every
 * packet but the last is gso_size long, and each has a header of its own.
 */
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/udp.h>
#include <net/dst.h>
#include "path.h"
#include "train.h"

/* As long as a batch of acknowledgments; and as many fragments as an skb has. */
#define LAPSMP_TRAIN_SEGS	8
/* Of UDP payload: with all headers an IP packet has 65535. */
#define LAPSMP_TRAIN_BYTES	65000

void lapsmp_train_pages(struct sk_buff *skb, const struct lapsmp_seg *seg)
{
	struct lapsmp_chunk *c = seg->chunk;
	u32 off = seg->off, left = seg->len, in, n;

	for (; left; c = list_next_entry(c, node)) {
		in = off - c->off;
		n = min(left, c->len - in);
		get_page(c->page);
		skb_fill_page_desc(skb, skb_shinfo(skb)->nr_frags, c->page,
				   c->page_off + in, n);
		off += n;
		left -= n;
	}
	skb->len += seg->len;
	skb->data_len += seg->len;
	skb->truesize += seg->len;
}

/* Fragments that lapsmp_train_pages() will add. */
static unsigned int lapsmp_train_frags(const struct lapsmp_seg *seg)
{
	const struct lapsmp_chunk *c = seg->chunk;
	u32 end = seg->off + seg->len;
	unsigned int n = 1;

	for (; c->off + c->len < end; c = list_next_entry(c, node))
		n++;
	return n;
}

bool lapsmp_train_may(const struct lapsmp_route *r)
{
	const struct dst_entry *dst = r->dst;

	/* What a tunnel or IPsec makes of it is not ours to know. */
	return READ_ONCE(dst->dev)->features & NETIF_F_GSO && !dst->lwtstate &&
	       !dst_xfrm(dst);
}

static bool lapsmp_train_fits(const struct sk_buff *skb, u32 bytes,
			      const struct lapsmp_seg *seg)
{
	const struct skb_shared_info *info = skb_shinfo(skb);
	u32 segs = max_t(u32, info->gso_segs, 1);
	u32 size = info->gso_size ?: skb->len;

	/* A shorter one was the last. */
	if (skb->len != size * segs || bytes > size)
		return false;
	return segs < LAPSMP_TRAIN_SEGS &&
	       skb->len + bytes <= LAPSMP_TRAIN_BYTES &&
	       info->nr_frags + 1 + lapsmp_train_frags(seg) <= MAX_SKB_FRAGS;
}

/* From here on the checksum is the device's business, or that of who cuts it. */
static void lapsmp_train_begin(struct sk_buff *skb)
{
	struct skb_shared_info *info = skb_shinfo(skb);

	info->gso_type = SKB_GSO_UDP_L4;
	info->gso_size = skb->len;
	info->gso_segs = 1;
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_headroom(skb) - sizeof(struct udphdr);
	skb->csum_offset = offsetof(struct udphdr, check);
}

bool lapsmp_train_join(struct sk_buff *skb, const struct lapsmp_hdr *h,
		       const struct lapsmp_seg *seg, u64 stamp)
{
	u32 hlen = lapsmp_wire_hlen(h);
	struct page *page;
	void *buf;

	if (!lapsmp_train_fits(skb, hlen + seg->len, seg))
		return false;
	buf = netdev_alloc_frag(SKB_DATA_ALIGN(hlen));
	if (!buf)
		return false;
	lapsmp_wire_build(buf, h);
	lapsmp_wire_stamp(buf, stamp);
	if (!skb_is_gso(skb))
		lapsmp_train_begin(skb);
	page = virt_to_head_page(buf);
	skb_fill_page_desc(skb, skb_shinfo(skb)->nr_frags, page,
			   buf - page_address(page), hlen);
	skb->len += hlen;
	skb->data_len += hlen;
	skb->truesize += SKB_DATA_ALIGN(hlen);
	lapsmp_train_pages(skb, seg);
	skb_shinfo(skb)->gso_segs++;
	return true;
}
