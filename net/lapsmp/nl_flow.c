// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink: flows, those that send and those that receive. A flow's id is all that
 * an attacker has to guess, so it is shown to administrators only.
 */
#include "clock.h"
#include "event.h"
#include "flow.h"
#include "nl_segs.h"
#include "nl_util.h"
#include "ropen.h"

static_assert((int)LAPSMP_FLOW_STATE_OPENING == (int)LAPSMP_FLOW_OPENING);
static_assert((int)LAPSMP_FLOW_STATE_SENT == (int)LAPSMP_FLOW_SENT);
static_assert((int)LAPSMP_FLOW_STATE_OPEN == (int)LAPSMP_FLOW_OPEN);
static_assert((int)LAPSMP_FLOW_STATE_DEAD == (int)LAPSMP_FLOW_DEAD);

static int lapsmp_nl_flow_put64(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, LAPSMP_A_FLOW_PAD);
}

/* --- sending ------------------------------------------------------------------ */

static int lapsmp_nl_flow_fill_name(struct sk_buff *skb,
				    const struct lapsmp_flow *f, bool admin)
{
	return lapsmp_event_put_key(skb, &f->peer->key) ?:
	       nla_put_u8(skb, LAPSMP_A_FLOW_DIRECTION, LAPSMP_DIRECTION_TX) ?:
	       (admin ? lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_ID, f->id) : 0) ?:
	       nla_put_u16(skb, LAPSMP_A_FLOW_SPORT, ntohs(f->sport)) ?:
	       nla_put_u16(skb, LAPSMP_A_FLOW_DPORT, ntohs(f->dport)) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_NUMBER, f->number);
}

static int __lapsmp_nl_flow_fill_state(struct sk_buff *skb,
				       const struct lapsmp_flow *f)
{
	return nla_put_u8(skb, LAPSMP_A_FLOW_STATE, f->state) ?:
	       (f->err ? nla_put_u32(skb, LAPSMP_A_FLOW_ERROR, f->err) : 0) ?:
	       (f->ls ? 0 : nla_put_flag(skb, LAPSMP_A_FLOW_ORPHAN)) ?:
	       (f->sched_ops ? nla_put_string(skb, LAPSMP_A_FLOW_SCHED,
					      f->sched_ops->name) : 0) ?:
	       (f->cc_ops ? nla_put_string(skb, LAPSMP_A_FLOW_CC,
					   f->cc_ops->name) : 0) ?:
	       nla_put_u32(skb, LAPSMP_A_FLOW_PATHS, f->n_paths) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_CWND_Q16,
				    f->cc.cwnd_q16) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_PACING_RATE,
				    f->cc.pacing_rate) ?:
	       nla_put_u32(skb, LAPSMP_A_FLOW_INFLIGHT, f->inflight) ?:
	       nla_put_u32(skb, LAPSMP_A_FLOW_LOST, f->n_lost) ?:
	       nla_put_u32(skb, LAPSMP_A_FLOW_MESSAGES, f->n_msgs) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_QUEUED_BYTES,
				    f->queued) ?:
	       nla_put_u32(skb, LAPSMP_A_FLOW_CREDIT,
			   f->credit_limit - f->credit_used);
}

static int __lapsmp_nl_flow_fill_stats(struct sk_buff *skb,
				       const struct lapsmp_flow *f)
{
	return lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_TX_SEGS,
				    f->stats_segs) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_RETRANS_SEGS,
				    f->stats_retrans) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_LOST_SEGS,
				    f->stats_lost) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_SPURIOUS_SEGS,
				    f->stats_spurious) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_ACKED_BYTES,
				    f->stats_acked_bytes) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_IDLE_NS,
				    lapsmp_clock_now() - f->active_ns);
}

static int lapsmp_nl_flow_fill(struct sk_buff *skb, struct lapsmp_flow *f,
			       bool admin)
{
	int err = lapsmp_nl_flow_fill_name(skb, f, admin);

	if (err)
		return err;
	spin_lock_bh(&f->lock);
	err = __lapsmp_nl_flow_fill_state(skb, f) ?:
	      __lapsmp_nl_flow_fill_stats(skb, f);
	spin_unlock_bh(&f->lock);
	return err;
}

/* --- receiving ---------------------------------------------------------------- */

static int lapsmp_nl_rflow_fill_name(struct sk_buff *skb,
				     const struct lapsmp_rflow *rf, bool admin)
{
	return nla_put_in6_addr(skb, LAPSMP_A_FLOW_PEER, &rf->key.raddr) ?:
	       nla_put_in6_addr(skb, LAPSMP_A_FLOW_LOCAL, &rf->laddr) ?:
	       (rf->ifindex ? nla_put_u32(skb, LAPSMP_A_FLOW_IFINDEX,
					  rf->ifindex) : 0) ?:
	       nla_put_u8(skb, LAPSMP_A_FLOW_DIRECTION, LAPSMP_DIRECTION_RX) ?:
	       (admin ? lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_ID,
					     rf->key.id) : 0) ?:
	       nla_put_u16(skb, LAPSMP_A_FLOW_SPORT, ntohs(rf->rport)) ?:
	       nla_put_u16(skb, LAPSMP_A_FLOW_DPORT, ntohs(rf->lport));
}

/* Of the path that the newest packet came by. */
static int __lapsmp_nl_rflow_fill_answers(struct sk_buff *skb,
					  struct lapsmp_rflow *rf)
{
	/* Without it, none was received yet. */
	const struct lapsmp_rpath *rp = xa_load(&rf->paths, rf->last_path);

	return lapsmp_nl_segs_put(skb, LAPSMP_A_FLOW_ANSWERS, rp ? rp->by : NULL);
}

static int __lapsmp_nl_rflow_fill_state(struct sk_buff *skb,
					struct lapsmp_rflow *rf)
{
	return __lapsmp_nl_rflow_fill_answers(skb, rf) ?:
	       (rf->ls ? 0 : nla_put_flag(skb, LAPSMP_A_FLOW_ORPHAN)) ?:
	       nla_put_u32(skb, LAPSMP_A_FLOW_PATHS, rf->n_paths) ?:
	       nla_put_u32(skb, LAPSMP_A_FLOW_MESSAGES, rf->n_unread) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_QUEUED_BYTES,
				    rf->queued) ?:
	       nla_put_u32(skb, LAPSMP_A_FLOW_CREDIT,
			   rf->limit - rf->credit_done) ?:
	       lapsmp_nl_flow_put64(skb, LAPSMP_A_FLOW_IDLE_NS,
				    lapsmp_clock_now() - rf->used_ns);
}

static int lapsmp_nl_rflow_fill(struct sk_buff *skb, struct lapsmp_rflow *rf,
				bool admin)
{
	int err = lapsmp_nl_rflow_fill_name(skb, rf, admin);

	if (err)
		return err;
	spin_lock_bh(&rf->lock);
	err = __lapsmp_nl_rflow_fill_state(skb, rf);
	spin_unlock_bh(&rf->lock);
	return err;
}

/* --- requests ----------------------------------------------------------------- */

static bool lapsmp_nl_flow_wanted(struct netlink_callback *cb, u8 direction,
				  const struct in6_addr *raddr)
{
	struct nlattr **a = lapsmp_dump_attrs(cb);

	return (!a[LAPSMP_A_FLOW_DIRECTION] ||
		nla_get_u8(a[LAPSMP_A_FLOW_DIRECTION]) == direction) &&
	       (!a[LAPSMP_A_FLOW_PEER] ||
		!nla_memcmp(a[LAPSMP_A_FLOW_PEER], raddr, sizeof(*raddr)));
}

static int lapsmp_nl_flow_dump_tx(struct sk_buff *skb,
				  struct netlink_callback *cb, void *obj)
{
	struct lapsmp_flow *f = obj;
	void *hdr;

	if (!lapsmp_nl_flow_wanted(cb, LAPSMP_DIRECTION_TX, &f->peer->key.raddr))
		return 0;
	hdr = lapsmp_nl_dump_begin(skb, cb, LAPSMP_CMD_FLOW_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (lapsmp_nl_flow_fill(skb, f, lapsmp_nl_walk(cb)->admin)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

static int lapsmp_nl_flow_dump_rx(struct sk_buff *skb,
				  struct netlink_callback *cb, void *obj)
{
	struct lapsmp_rflow *rf = obj;
	void *hdr;

	if (!lapsmp_nl_flow_wanted(cb, LAPSMP_DIRECTION_RX, &rf->key.raddr))
		return 0;
	hdr = lapsmp_nl_dump_begin(skb, cb, LAPSMP_CMD_FLOW_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (lapsmp_nl_rflow_fill(skb, rf, lapsmp_nl_walk(cb)->admin)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

int lapsmp_nl_flow_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(skb->sk));
	const struct lapsmp_nl_table tables[] = {
		{ &ln->flows, lapsmp_nl_flow_dump_tx },
		{ &ln->rflows.ht, lapsmp_nl_flow_dump_rx },
	};

	if (lapsmp_dump_attrs(cb)[LAPSMP_A_FLOW_ID]) {
		NL_SET_ERR_MSG(cb->extack, "a dump is not of one id");
		return -EINVAL;
	}
	return lapsmp_nl_walk_tables(skb, cb, tables, ARRAY_SIZE(tables));
}

static int lapsmp_nl_flow_get_tx(struct lapsmp_net *ln, struct sk_buff *skb,
				 u64 id)
{
	struct lapsmp_flow *f;
	int err = -ENOENT;

	rcu_read_lock();
	f = lapsmp_flow_lookup(ln, id);
	rcu_read_unlock();
	if (f) {
		err = lapsmp_nl_flow_fill(skb, f, true);
		lapsmp_flow_put(f);
	}
	return err;
}

static int lapsmp_nl_flow_get_rx(struct lapsmp_net *ln, struct sk_buff *skb,
				 struct nlattr *peer, u64 id)
{
	struct lapsmp_rflow_key key = {};
	struct lapsmp_rflow *rf;
	int err = -ENOENT;

	key.raddr = nla_get_in6_addr(peer);
	key.id = id;
	rcu_read_lock();
	rf = lapsmp_rflow_lookup(ln, &key);
	rcu_read_unlock();
	if (rf) {
		err = lapsmp_nl_rflow_fill(skb, rf, true);
		lapsmp_rflow_put(rf);
	}
	return err;
}

static int lapsmp_nl_flow_check(struct sk_buff *skb, struct genl_info *info,
				bool rx)
{
	if (!lapsmp_nl_is_admin(skb, genl_info_net(info))) {
		NL_SET_ERR_MSG(info->extack,
			       "only administrators may ask for one flow");
		return -EPERM;
	}
	if (!info->attrs[LAPSMP_A_FLOW_ID]) {
		NL_SET_ERR_MSG(info->extack, "id of the flow is missing");
		return -EINVAL;
	}
	if (rx && !info->attrs[LAPSMP_A_FLOW_PEER]) {
		NL_SET_ERR_MSG(info->extack,
			       "a receiving flow is named by peer and id");
		return -EINVAL;
	}
	return 0;
}

int lapsmp_nl_flow_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *dir = info->attrs[LAPSMP_A_FLOW_DIRECTION];
	struct lapsmp_net *ln = lapsmp_net(genl_info_net(info));
	bool rx = dir && nla_get_u8(dir) == LAPSMP_DIRECTION_RX;
	struct lapsmp_nl_reply r;
	u64 id;
	int err;

	err = lapsmp_nl_flow_check(skb, info, rx);
	if (err)
		return err;
	err = lapsmp_nl_reply_begin(&r, info);
	if (err)
		return err;
	id = nla_get_u64(info->attrs[LAPSMP_A_FLOW_ID]);
	err = rx ? lapsmp_nl_flow_get_rx(ln, r.skb,
					 info->attrs[LAPSMP_A_FLOW_PEER], id) :
		   lapsmp_nl_flow_get_tx(ln, r.skb, id);
	if (err == -ENOENT)
		NL_SET_ERR_MSG(info->extack, "no such flow");
	return lapsmp_nl_reply_end(&r, info, err);
}
