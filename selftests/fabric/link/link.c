// SPDX-License-Identifier: GPL-2.0
/*
 * The queueing discipline "lapslink": one direction of an emulated link, exact to
 * the nanosecond. It is the root of the device that leads into the link.
 *
 *	           +--------+
 *	           |  high  |---+
 *	           +--------+   |
 *	           | class1 |---+
 *	           +--------+   |
 *	 arrivals  | class2 |---+     +--------+     propagation
 *	---------->+--------+   +---->| server |---> delay_ns ---> far end
 *	           | class3 |---+     +--------+     (flight)
 *	           +--------+   |      rate, no preemption
 *	           |  data  |---+
 *	           +--------+
 *
 * Nothing happens when a packet begins or ends to be sent: only a delivery needs an
 * event. What the server did in between is computed afterwards, from the time when
 * it becomes free:
 *
 *	free    = max(free, arrival) + len / rate
 *	deliver = free + delay_ns
 *
 * lapslink_catch_up() does that before a packet is queued, and before one is
 * delivered. So the server's choices are those of a real one: each is made with what
 * had arrived when it became free, and nothing else. Two things follow.
 *
 * - A packet waits only if the server is busy beyond the packet's arrival. So in
 *   catch-up a packet starts at the time when the server becomes free, never later.
 * - While packets wait, the one being sent is in flight: the flight is not empty and
 *   its first packet is what to wake up for.
 *
 * If several things happen at one instant, the server chooses before packets arrive,
 * and packets arrive in the order in which they are queued.
 *
 * A packet is its sender's until its first byte is sent, as with a network card, and
 * counts for TCP's small queues until then; see lapslink_wake_ns().
 *
 * All state is under the lock of the root qdisc. What the kernel calls besides, to configure it
 * and to ask it, is in qdisc.c.
 */
#include <linux/math64.h>
#include <net/inet_ecn.h>
#include <net/pkt_sched.h>
/* Has skb_gso_segment(), whose own header is new in 6.5. */
#include <net/udp.h>

#include "classify.h"
#include "link.h"

/*
 * How late a sender may learn that its packets have left. Cards gather such events,
 * too. A power of two.
 */
#define LAPSLINK_SENT_NS	16384

/**
 * struct lapslink_cb - what belongs to a packet
 * @deliver_ns: set when it is sent
 * @band: where it waits or has waited
 * @is_lost: it takes its time, and then is not delivered
 */
struct lapslink_cb {
	u64	deliver_ns;
	u8	band;
	bool	is_lost;
};

static struct lapslink_cb *lapslink_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct lapslink_cb));
	return (struct lapslink_cb *)qdisc_skb_cb(skb)->data;
}

/* --- statistics of the backlog -------------------------------------------------- */

static unsigned int lapslink_bucket(u64 bytes)
{
	if (!bytes)
		return 0;
	return min_t(unsigned int, 1 + fls64(bytes >> 10), LAPSLINK_BUCKETS - 1);
}

void lapslink_count_backlog(struct lapslink *q, u64 now_ns)
{
	u64 bytes = q->waiting_bytes[LAPSLINK_DATA];
	u64 passed_ns = now_ns - q->counted_ns;
	u32 rest;

	q->counted_ns = now_ns;
	q->stats.data_hist_ns[lapslink_bucket(bytes)] += passed_ns;
	if (!bytes)
		return;
	/* In one product of bytes and ns, 4 GB would not fit for 5 s. */
	q->stats.data_byte_us += bytes * div_u64_rem(passed_ns, NSEC_PER_USEC, &rest);
	q->counted_rest += bytes * rest;
	q->stats.data_byte_us += div_u64_rem(q->counted_rest, NSEC_PER_USEC, &rest);
	q->counted_rest = rest;
}

void lapslink_zero(struct lapslink *q, u64 now_ns)
{
	memset(&q->stats, 0, sizeof(q->stats));
	q->stats.since_ns = now_ns;
	/* What waits now has waited, too. */
	q->stats.data_max_bytes = q->waiting_bytes[LAPSLINK_DATA];
	q->counted_ns = now_ns;
	q->counted_rest = 0;
}

/* --- the server ------------------------------------------------------------------ */

/* The first whole nanosecond at which the server is free. */
static u64 lapslink_free_ns(const struct lapslink *q)
{
	return q->free_ns + !!q->free_rest;
}

/* The server sends @skb, from when it becomes free. */
static void lapslink_send(struct lapslink *q, struct sk_buff *skb)
{
	/* At most 2^32 * 10^9 + 10^13, which is less than 2^63. */
	u64 work = (u64)qdisc_pkt_len(skb) * NSEC_PER_SEC + q->free_rest;

	q->free_ns += div64_u64_rem(work, q->parms.rate, &q->free_rest);
	/* Packets do not overtake each other where the delay became shorter. */
	q->last_ns = max(lapslink_free_ns(q) + q->parms.delay_ns, q->last_ns);
	lapslink_cb(skb)->deliver_ns = q->last_ns;
	skb_orphan(skb);
	/* Nor does a wire carry the sender's own hash, which routers would take for theirs. */
	skb_clear_hash(skb);
	__qdisc_enqueue_tail(skb, &q->flight);
}

/* The packet to be sent next is taken out of its band. */
static struct sk_buff *lapslink_choose(struct lapslink *q)
{
	unsigned int band = LAPSLINK_HIGH;
	struct sk_buff *skb;

	while (!q->band[band].head)
		if (++band == LAPSLINK_BANDS)
			return NULL;
	skb = __qdisc_dequeue_head(&q->band[band]);
	/* The nearest nanosecond: errors of always the same sign would add up. */
	if (band == LAPSLINK_DATA)
		lapslink_count_backlog(q, q->free_ns + (2 * q->free_rest >= q->parms.rate));
	q->waiting_bytes[band] -= qdisc_pkt_len(skb);
	return skb;
}

/* All that the server did until @now_ns. */
void lapslink_catch_up(struct lapslink *q, u64 now_ns)
{
	struct sk_buff *skb;

	while (lapslink_free_ns(q) <= now_ns) {
		skb = lapslink_choose(q);
		if (!skb)
			break;
		lapslink_send(q, skb);
	}
}

/*
 * When to look again, while there is something in flight: at the next delivery. A
 * local sender that is limited by what it has in the queue must learn earlier that
 * packets have left, or a long delay would leave the link idle. All such times in one
 * slot are its end, which does not move while packets come and go.
 */
static u64 lapslink_wake_ns(const struct lapslink *q)
{
	const struct sk_buff *data = q->band[LAPSLINK_DATA].head;
	u64 wake_ns = lapslink_cb(q->flight.head)->deliver_ns;

	if (data && data->destructor)
		wake_ns = min(wake_ns, round_up(lapslink_free_ns(q), LAPSLINK_SENT_NS));
	return wake_ns;
}

/* --- arrivals ---------------------------------------------------------------------- */

/*
 * SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
 * 2014): seeds that follow each other give streams that have nothing in common.
 */
static u32 lapslink_random(struct lapslink *q)
{
	u64 x = q->random += 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return (x ^ (x >> 31)) >> 32;
}

/* Its sender is not told, as the sender of a packet into a broken wire is not. */
static int lapslink_drop_down(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	struct lapslink *q = qdisc_priv(sch);

	q->stats.down_drops++;
	qdisc_qstats_drop(sch);
	__qdisc_drop(skb, to_free);
	return NET_XMIT_SUCCESS | __NET_XMIT_BYPASS;
}

/* The server is busy: @skb waits in its band, marked perhaps. */
static void lapslink_wait(struct lapslink *q, struct sk_buff *skb, unsigned int band, u64 now_ns)
{
	u64 *bytes = &q->waiting_bytes[band];

	if (band != LAPSLINK_HIGH && q->parms.ecn_bytes && *bytes > q->parms.ecn_bytes &&
	    INET_ECN_set_ce(skb))
		q->stats.ce_marks++;
	if (band == LAPSLINK_DATA)
		lapslink_count_backlog(q, now_ns);
	*bytes += qdisc_pkt_len(skb);
	if (band == LAPSLINK_DATA)
		q->stats.data_max_bytes = max(q->stats.data_max_bytes, *bytes);
	__qdisc_enqueue_tail(skb, &q->band[band]);
}

/*
 * Each band has a limit of its own, or all have one buffer, and each some times what is free in
 * it: who is alone has most of it, and leaves room for who comes (Choudhury, Hahne, "Dynamic Queue
 * Length Thresholds for Shared-Memory Packet Switches", 1998).
 */
static bool lapslink_has_room(const struct lapslink *q, unsigned int band, unsigned int len)
{
	u64 limit = q->parms.limit_bytes, all = len;
	unsigned int other;

	if (q->parms.alpha_q8) {
		for (other = 0; other < LAPSLINK_BANDS; other++)
			all += q->waiting_bytes[other];
		if (all > limit)
			return false;
		limit = (limit - (all - len)) * q->parms.alpha_q8 >> 8;
	}
	return q->waiting_bytes[band] + len <= limit;
}

/* One packet arrives; the server has been caught up with. */
static int lapslink_accept(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free,
			   u64 now_ns)
{
	struct lapslink *q = qdisc_priv(sch);
	bool is_free = lapslink_free_ns(q) <= now_ns;
	unsigned int band;

	if (q->parms.flags & LAPSLINK_F_DOWN)
		return lapslink_drop_down(skb, sch, to_free);
	band = lapslink_classify(&q->parms, skb);
	if (!is_free && !lapslink_has_room(q, band, qdisc_pkt_len(skb))) {
		q->stats.queue_drops[band]++;
		return qdisc_drop(skb, sch, to_free);
	}
	lapslink_cb(skb)->band = band;
	lapslink_cb(skb)->is_lost = q->parms.loss && lapslink_random(q) < q->parms.loss;
	sch->q.qlen++;
	qdisc_qstats_backlog_inc(sch, skb);
	if (is_free) {
		q->free_ns = now_ns;
		q->free_rest = 0;
		lapslink_send(q, skb);
	} else {
		lapslink_wait(q, skb, band, now_ns);
	}
	return NET_XMIT_SUCCESS;
}

/*
 * A link carries frames: what is left to be cut by a card is cut here, or its headers
 * would be missing in the time that it takes, one mark would stand for many, and a
 * full queue would drop all of it or nothing.
 */
static int lapslink_accept_gso(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free,
			       u64 now_ns)
{
	netdev_features_t features = netif_skb_features(skb) & ~NETIF_F_GSO_MASK;
	struct sk_buff *segs, *next;
	int ret = NET_XMIT_DROP;

	segs = skb_gso_segment(skb, features);
	if (IS_ERR_OR_NULL(segs))
		return qdisc_drop(skb, sch, to_free);
	skb_list_walk_safe(segs, segs, next) {
		skb_mark_not_on_list(segs);
		qdisc_skb_cb(segs)->pkt_len = segs->len;
		if (lapslink_accept(segs, sch, to_free, now_ns) != NET_XMIT_DROP)
			ret = NET_XMIT_SUCCESS;
	}
	consume_skb(skb);
	return ret;
}

int lapslink_enqueue(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	u64 now_ns = ktime_get_ns();

	lapslink_catch_up(qdisc_priv(sch), now_ns);
	if (skb_is_gso(skb))
		return lapslink_accept_gso(skb, sch, to_free, now_ns);
	return lapslink_accept(skb, sch, to_free, now_ns);
}

/* --- deliveries -------------------------------------------------------------------- */

/* The first packet in flight, if its time has come. */
static struct sk_buff *lapslink_land(struct Qdisc *sch, u64 now_ns)
{
	struct lapslink *q = qdisc_priv(sch);
	struct sk_buff *skb = q->flight.head;

	if (!skb || lapslink_cb(skb)->deliver_ns > now_ns)
		return NULL;
	__qdisc_dequeue_head(&q->flight);
	sch->q.qlen--;
	qdisc_qstats_backlog_dec(sch, skb);
	return skb;
}

struct sk_buff *lapslink_dequeue(struct Qdisc *sch)
{
	struct lapslink *q = qdisc_priv(sch);
	u64 now_ns = ktime_get_ns();
	struct sk_buff *skb;
	u8 band;

	lapslink_catch_up(q, now_ns);
	while ((skb = lapslink_land(sch, now_ns))) {
		if (!lapslink_cb(skb)->is_lost)
			break;
		/* As the root, there are no parents to be told. */
		q->stats.loss_drops++;
		qdisc_qstats_drop(sch);
		kfree_skb(skb);
	}
	if (!skb) {
		if (q->flight.head)
			qdisc_watchdog_schedule_ns(&q->watchdog, lapslink_wake_ns(q));
		return NULL;
	}
	band = lapslink_cb(skb)->band;
	q->stats.delivered_packets[band]++;
	q->stats.delivered_bytes[band] += qdisc_pkt_len(skb);
	qdisc_bstats_update(sch, skb);
	return skb;
}
