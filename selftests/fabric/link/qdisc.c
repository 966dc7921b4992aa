// SPDX-License-Identifier: GPL-2.0
/* The queueing discipline "lapslink" as the kernel knows it: how it is configured and asked. */
#include <linux/module.h>
#include <net/gen_stats.h>
#include <net/netlink.h>
#include <net/pkt_sched.h>

#include "link.h"

static bool lapslink_has_dscps(const struct lapslink_parms *p)
{
	unsigned int class;

	for (class = 0; class < LAPSLINK_CLASSES; class++)
		if (p->dscp[class] > LAPSLINK_DSCP_MAX && p->dscp[class] != LAPSLINK_DSCP_NONE)
			return false;
	return true;
}

/* What a class may hold at most, with nothing in the others. */
static u64 lapslink_most_bytes(const struct lapslink_parms *p)
{
	u64 parts = 256ULL + p->alpha_q8;

	return p->alpha_q8 ? div64_u64((u64)p->limit_bytes * p->alpha_q8, parts) : p->limit_bytes;
}

static int lapslink_validate(const struct lapslink_parms *p, struct netlink_ext_ack *extack)
{
	const char *wrong = NULL;

	if (p->rate < LAPSLINK_RATE_MIN || p->rate > LAPSLINK_RATE_MAX)
		wrong = "rate: 1000 to 10^13 bytes/s";
	else if (p->delay_ns > LAPSLINK_DELAY_MAX_NS)
		wrong = "delay: at most 10^10 ns";
	else if (p->limit_bytes < LAPSLINK_LIMIT_MIN)
		wrong = "limit: at least 2000 bytes";
	else if (lapslink_most_bytes(p) < LAPSLINK_LIMIT_MIN)
		wrong = "alpha: by so little no frame would fit";
	else if (p->ecn_bytes > lapslink_most_bytes(p))
		wrong = "ecn: more than a class may hold would never mark";
	else if (p->flags & ~(LAPSLINK_F_TCP_ACKS | LAPSLINK_F_DOWN))
		wrong = "flags: some are unknown, or not possible here";
	else if (!lapslink_has_dscps(p))
		wrong = "dscp: 0 to 63, or 255 for none";
	if (!wrong)
		return 0;
	if (extack)
		extack->_msg = wrong;
	return -EINVAL;
}

static const struct nla_policy lapslink_policy[LAPSLINK_A_MAX + 1] = {
	[LAPSLINK_A_PARMS] = NLA_POLICY_EXACT_LEN(sizeof(struct lapslink_parms)),
};

/* Takes the parameters out of TCA_OPTIONS. */
static int lapslink_parse(struct nlattr *opt, struct lapslink_parms *p,
			  struct netlink_ext_ack *extack)
{
	struct nlattr *tb[LAPSLINK_A_MAX + 1];
	int err;

	/* Nothing in it is left to chance by a compiler. */
	BUILD_BUG_ON(sizeof(*p) != 48);
	BUILD_BUG_ON(sizeof(struct lapslink_xstats) != (7 + 4 * LAPSLINK_BANDS + LAPSLINK_BUCKETS) * 8);

	if (!opt) {
		NL_SET_ERR_MSG(extack, "a link needs parameters");
		return -EINVAL;
	}
	err = nla_parse_nested(tb, LAPSLINK_A_MAX, opt, lapslink_policy, extack);
	if (err)
		return err;
	if (!tb[LAPSLINK_A_PARMS]) {
		NL_SET_ERR_MSG(extack, "a link needs parameters");
		return -EINVAL;
	}
	nla_memcpy(p, tb[LAPSLINK_A_PARMS], sizeof(*p));
	return 0;
}

static void lapslink_apply(struct lapslink *q, const struct lapslink_parms *p)
{
	if (p->seed != q->parms.seed)
		q->random = p->seed;
	/* It counts parts of the old rate. What is lost is below a nanosecond. */
	if (p->rate != q->parms.rate)
		q->free_rest = 0;
	q->parms = *p;
}

static int lapslink_init(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct lapslink *q = qdisc_priv(sch);
	struct lapslink_parms p;
	int err;

	/* First, since destroy() follows if we fail. */
	qdisc_watchdog_init(&q->watchdog, sch);
	if (sch->parent != TC_H_ROOT) {
		NL_SET_ERR_MSG(extack, "a link is the root of its device");
		return -EINVAL;
	}
	err = lapslink_parse(opt, &p, extack);
	if (!err)
		err = lapslink_validate(&p, extack);
	if (err)
		return err;
	lapslink_apply(q, &p);
	lapslink_zero(q, ktime_get_ns());
	return 0;
}

/*
 * What has begun to be sent keeps its times. What waits is sent as the link is now, and
 * is not dropped by a lower limit.
 */
static int lapslink_change(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct lapslink *q = qdisc_priv(sch);
	struct lapslink_parms p;
	bool zero;
	u64 now_ns;
	int err;

	err = lapslink_parse(opt, &p, extack);
	if (err)
		return err;
	zero = p.flags & LAPSLINK_F_ZERO;
	err = zero ? 0 : lapslink_validate(&p, extack);
	if (err)
		return err;
	sch_tree_lock(sch);
	now_ns = ktime_get_ns();
	/*
	 * The first packet in flight, if any, stays the first: the watchdog is right
	 * as it is.
	 */
	lapslink_catch_up(q, now_ns);
	if (zero)
		lapslink_zero(q, now_ns);
	else
		lapslink_apply(q, &p);
	sch_tree_unlock(sch);
	return 0;
}

/* Whatever is held is dropped: the device goes down, or away. Counters stay. */
static void lapslink_reset(struct Qdisc *sch)
{
	struct lapslink *q = qdisc_priv(sch);
	u64 now_ns = ktime_get_ns();
	unsigned int band;

	lapslink_catch_up(q, now_ns);
	lapslink_count_backlog(q, now_ns);
	for (band = 0; band < LAPSLINK_BANDS; band++) {
		__qdisc_reset_queue(&q->band[band]);
		q->waiting_bytes[band] = 0;
	}
	__qdisc_reset_queue(&q->flight);
	sch->q.qlen = 0;
	sch->qstats.backlog = 0;
	q->free_ns = 0;
	q->free_rest = 0;
	q->last_ns = 0;
	qdisc_watchdog_cancel(&q->watchdog);
}

static void lapslink_destroy(struct Qdisc *sch)
{
	struct lapslink *q = qdisc_priv(sch);

	qdisc_watchdog_cancel(&q->watchdog);
}

static int lapslink_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	const struct lapslink *q = qdisc_priv(sch);
	struct nlattr *opts = nla_nest_start(skb, TCA_OPTIONS);

	if (!opts)
		return -EMSGSIZE;
	if (nla_put(skb, LAPSLINK_A_PARMS, sizeof(q->parms), &q->parms)) {
		nla_nest_cancel(skb, opts);
		return -EMSGSIZE;
	}
	return nla_nest_end(skb, opts);
}

static int lapslink_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct lapslink *q = qdisc_priv(sch);
	struct lapslink_xstats stats;
	unsigned int band;
	u64 now_ns;

	sch_tree_lock(sch);
	now_ns = ktime_get_ns();
	lapslink_catch_up(q, now_ns);
	lapslink_count_backlog(q, now_ns);
	stats = q->stats;
	stats.now_ns = now_ns;
	for (band = 0; band < LAPSLINK_BANDS; band++)
		stats.waiting_bytes[band] = q->waiting_bytes[band];
	sch_tree_unlock(sch);
	return gnet_stats_copy_app(d, &stats, sizeof(stats));
}

static struct Qdisc_ops lapslink_qdisc_ops __read_mostly = {
	.id		= LAPSLINK_KIND,
	.priv_size	= sizeof(struct lapslink),
	.enqueue	= lapslink_enqueue,
	.dequeue	= lapslink_dequeue,
	/*
	 * What comes next depends on the time: a packet that was seen is kept for
	 * whoever looked.
	 */
	.peek		= qdisc_peek_dequeued,
	.init		= lapslink_init,
	.reset		= lapslink_reset,
	.destroy	= lapslink_destroy,
	.change		= lapslink_change,
	.dump		= lapslink_dump,
	.dump_stats	= lapslink_dump_stats,
	.owner		= THIS_MODULE,
};

#ifdef MODULE_ALIAS_NET_SCH
MODULE_ALIAS_NET_SCH(LAPSLINK_KIND);
#endif

static int __init lapslink_module_init(void)
{
	return register_qdisc(&lapslink_qdisc_ops);
}

static void __exit lapslink_module_exit(void)
{
	unregister_qdisc(&lapslink_qdisc_ops);
}

module_init(lapslink_module_init);
module_exit(lapslink_module_exit);
MODULE_DESCRIPTION("An exact emulated link, for simulated time");
MODULE_LICENSE("GPL");
