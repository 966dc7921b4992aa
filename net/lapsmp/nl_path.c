// SPDX-License-Identifier: GPL-2.0
/* Netlink: paths. */
#include <net/sock.h>
#include "addr.h"
#include "clock.h"
#include "event.h"
#include "nl_pathspec.h"
#include "nl_segs.h"
#include "nl_util.h"
#include "pathplan.h"
#include "pathset.h"

/* Paths are numbered for the wire and for people by the same enums. */
static_assert((int)LAPSMP_PATH_KIND_SPORT == (int)LAPSMP_PATH_SPORT);
static_assert((int)LAPSMP_PATH_KIND_FLOWLABEL == (int)LAPSMP_PATH_FLOWLABEL);
static_assert((int)LAPSMP_PATH_KIND_SEGS == (int)LAPSMP_PATH_SEGS);
static_assert((int)LAPSMP_PATH_KIND_ADDRS == (int)LAPSMP_PATH_ADDRS);
static_assert((int)LAPSMP_PATH_STATE_UNKNOWN == (int)LAPSMP_PATH_UNKNOWN);
static_assert((int)LAPSMP_PATH_STATE_PROBING == (int)LAPSMP_PATH_PROBING);
static_assert((int)LAPSMP_PATH_STATE_UP == (int)LAPSMP_PATH_UP);
static_assert((int)LAPSMP_PATH_STATE_DEGRADED == (int)LAPSMP_PATH_DEGRADED);
static_assert((int)LAPSMP_PATH_STATE_DOWN == (int)LAPSMP_PATH_DOWN);

/* --- show ------------------------------------------------------------------- */

static int lapsmp_nl_path_fill_conf(struct sk_buff *skb,
				    const struct lapsmp_path *p)
{
	if (nla_put_u16(skb, LAPSMP_A_PATH_ID, p->id) ||
	    nla_put_u8(skb, LAPSMP_A_PATH_KIND, p->kind) ||
	    nla_put_u16(skb, LAPSMP_A_PATH_SPORT, ntohs(p->sport)) ||
	    (p->flowlabel &&
	     nla_put_u32(skb, LAPSMP_A_PATH_FLOWLABEL, p->flowlabel)) ||
	    lapsmp_nl_segs_put(skb, LAPSMP_A_PATH_SEGS, p->segs) ||
	    (p->segs && p->segs->hmac &&
	     nla_put_u32(skb, LAPSMP_A_PATH_HMAC, p->segs->hmac)) ||
	    (p->own_sport && nla_put_flag(skb, LAPSMP_A_PATH_OWN_SPORT)) ||
	    (p->automatic && nla_put_flag(skb, LAPSMP_A_PATH_AUTOMATIC)) ||
	    nla_put_u8(skb, LAPSMP_A_PATH_STATE, READ_ONCE(p->state)) ||
	    nla_put_string(skb, LAPSMP_A_PATH_REASON, READ_ONCE(p->why)) ||
	    nla_put_u64_64bit(skb, LAPSMP_A_PATH_CONF_RATE,
			      READ_ONCE(p->conf_rate), LAPSMP_A_PATH_PAD) ||
	    nla_put_u64_64bit(skb, LAPSMP_A_PATH_CONF_BASE_NS,
			      READ_ONCE(p->conf_base_ns), LAPSMP_A_PATH_PAD) ||
	    nla_put_u32(skb, LAPSMP_A_PATH_WEIGHT, READ_ONCE(p->conf_weight)) ||
	    nla_put_u32(skb, LAPSMP_A_PATH_COST, READ_ONCE(p->conf_cost)))
		return -EMSGSIZE;
	return 0;
}

/* What is the peer's is not repeated. */
static int lapsmp_nl_path_fill_ends(struct sk_buff *skb,
				    const struct lapsmp_peer *peer,
				    const struct lapsmp_path *p)
{
	if ((p->own & LAPSMP_PATH_OWN_LOCAL ||
	     !ipv6_addr_equal(&p->saddr, &peer->saddr)) &&
	    nla_put_in6_addr(skb, LAPSMP_A_PATH_SOURCE, &p->saddr))
		return -EMSGSIZE;
	if (p->own & LAPSMP_PATH_OWN_REMOTE &&
	    nla_put_in6_addr(skb, LAPSMP_A_PATH_REMOTE, &p->daddr))
		return -EMSGSIZE;
	if (p->own & LAPSMP_PATH_OWN_DEV &&
	    nla_put_u32(skb, LAPSMP_A_PATH_DEVICE, p->ifindex))
		return -EMSGSIZE;
	return 0;
}

static int lapsmp_nl_path_fill_delay(struct sk_buff *skb,
				     struct lapsmp_peer *peer,
				     const struct lapsmp_path *p)
{
	u64 min_rtt_ns;
	u32 jitter_ns, noise_ns;

	spin_lock_bh(&peer->lock);
	min_rtt_ns = p->owd.min_rtt_ns;
	jitter_ns = lapsmp_pathplan_jitter(peer, p);
	noise_ns = peer->noise.ns;
	spin_unlock_bh(&peer->lock);

	if (nla_put_s64(skb, LAPSMP_A_PATH_OWD_NS, READ_ONCE(p->owd_ns),
			LAPSMP_A_PATH_PAD) ||
	    nla_put_s64(skb, LAPSMP_A_PATH_BASE_NS, READ_ONCE(p->base_ns),
			LAPSMP_A_PATH_PAD) ||
	    nla_put_s64(skb, LAPSMP_A_PATH_MARGIN_NS, READ_ONCE(p->margin_ns),
			LAPSMP_A_PATH_PAD) ||
	    nla_put_u64_64bit(skb, LAPSMP_A_PATH_SRTT_NS,
			      READ_ONCE(p->srtt_ns), LAPSMP_A_PATH_PAD) ||
	    nla_put_u64_64bit(skb, LAPSMP_A_PATH_RTO_NS, READ_ONCE(p->rto_ns),
			      LAPSMP_A_PATH_PAD) ||
	    nla_put_u64_64bit(skb, LAPSMP_A_PATH_MIN_RTT_NS, min_rtt_ns,
			      LAPSMP_A_PATH_PAD) ||
	    nla_put_u32(skb, LAPSMP_A_PATH_JITTER_NS, jitter_ns) ||
	    nla_put_u32(skb, LAPSMP_A_PATH_NOISE_NS, noise_ns) ||
	    nla_put_u32(skb, LAPSMP_A_PATH_LEAN_Q16, READ_ONCE(p->lean_q16)))
		return -EMSGSIZE;
	return 0;
}

static int lapsmp_nl_path_fill_use(struct sk_buff *skb,
				   const struct lapsmp_path *p)
{
	u64 acked = READ_ONCE(p->last_ack_ns);
	int inflight = atomic_read(&p->inflight);

	if (nla_put_u64_64bit(skb, LAPSMP_A_PATH_RATE, READ_ONCE(p->rate),
			      LAPSMP_A_PATH_PAD) ||
	    nla_put_u32(skb, LAPSMP_A_PATH_MTU, READ_ONCE(p->mtu)) ||
	    nla_put_u32(skb, LAPSMP_A_PATH_INFLIGHT, max(inflight, 0)) ||
	    nla_put_u32(skb, LAPSMP_A_PATH_BACKOFF, READ_ONCE(p->timeouts)))
		return -EMSGSIZE;
	if (!acked)
		return 0;
	return nla_put_u64_64bit(skb, LAPSMP_A_PATH_LAST_ACK_AGE_NS,
				 lapsmp_clock_now() - acked,
				 LAPSMP_A_PATH_PAD);
}

static int lapsmp_nl_path_fill_stats(struct sk_buff *skb,
				     const struct lapsmp_path_stats *s)
{
	const struct {
		int attr;
		const atomic64_t *value;
	} list[] = {
		{ LAPSMP_A_PATH_TX_SEGS, &s->tx_segs },
		{ LAPSMP_A_PATH_TX_BYTES, &s->tx_bytes },
		{ LAPSMP_A_PATH_ACKED_SEGS, &s->acked_segs },
		{ LAPSMP_A_PATH_LOST_SEGS, &s->lost_segs },
		{ LAPSMP_A_PATH_RETRANS_SEGS, &s->retrans_segs },
		{ LAPSMP_A_PATH_SPURIOUS_SEGS, &s->spurious_segs },
		{ LAPSMP_A_PATH_TIMEOUTS, &s->timeouts },
		{ LAPSMP_A_PATH_PROBES, &s->probes },
	};
	int i, err = 0;

	for (i = 0; i < ARRAY_SIZE(list) && !err; i++)
		err = nla_put_u64_64bit(skb, list[i].attr,
					atomic64_read(list[i].value),
					LAPSMP_A_PATH_PAD);
	return err;
}

static int lapsmp_nl_path_fill(struct sk_buff *skb, struct lapsmp_peer *peer,
			       const struct lapsmp_path *p)
{
	return lapsmp_event_put_key(skb, &peer->key) ?:
	       lapsmp_nl_path_fill_conf(skb, p) ?:
	       lapsmp_nl_path_fill_ends(skb, peer, p) ?:
	       lapsmp_nl_path_fill_delay(skb, peer, p) ?:
	       lapsmp_nl_path_fill_use(skb, p) ?:
	       lapsmp_nl_path_fill_stats(skb, &p->stats);
}

/* Paths are in order of id, so a dump goes on with the next id. */
static int lapsmp_nl_path_dump_peer(struct sk_buff *skb,
				    struct netlink_callback *cb, void *obj)
{
	struct lapsmp_nl_walk *w = lapsmp_nl_walk(cb);
	const struct lapsmp_pathset *ps;
	struct lapsmp_peer *peer = obj;
	void *hdr;
	int i;

	if (!lapsmp_nl_key_matches(&peer->key, lapsmp_dump_attrs(cb)))
		return 0;
	if (w->at != peer)
		w->next = 0;
	ps = rcu_dereference(peer->paths);
	for (i = 0; i < ps->n; i++) {
		if (ps->path[i]->id < w->next)
			continue;
		hdr = lapsmp_nl_dump_begin(skb, cb, LAPSMP_CMD_PATH_GET);
		if (!hdr || lapsmp_nl_path_fill(skb, peer, ps->path[i])) {
			if (hdr)
				genlmsg_cancel(skb, hdr);
			w->at = peer;
			w->next = ps->path[i]->id;
			return -EMSGSIZE;
		}
		genlmsg_end(skb, hdr);
	}
	w->at = NULL;
	return 0;
}

int lapsmp_nl_path_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(skb->sk));

	if (lapsmp_dump_attrs(cb)[LAPSMP_A_PATH_ID]) {
		NL_SET_ERR_MSG(cb->extack, "a dump is not of one id");
		return -EINVAL;
	}
	return lapsmp_nl_walk_tables(skb, cb, &(struct lapsmp_nl_table) {
		&ln->peers, lapsmp_nl_path_dump_peer }, 1);
}

/* --- one path ----------------------------------------------------------------- */

/* Under RCU. */
static struct lapsmp_path *lapsmp_nl_path_by_id(const struct lapsmp_peer *peer,
						u16 id)
{
	const struct lapsmp_pathset *ps = rcu_dereference(peer->paths);
	int i;

	for (i = 0; i < ps->n; i++)
		if (ps->path[i]->id == id)
			return ps->path[i];
	return NULL;
}

static int lapsmp_nl_path_no_id(struct genl_info *info, u16 id)
{
	LAPSMP_ERR_VALUE(info->extack, info->attrs[LAPSMP_A_PATH_ID],
			 "peer has no path of this id", "%u", id);
	return -ENOENT;
}

/* The id that a request must have. */
static int lapsmp_nl_path_id(struct genl_info *info)
{
	struct nlattr *attr = info->attrs[LAPSMP_A_PATH_ID];

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "id of the path is missing");
		return -EINVAL;
	}
	if (!nla_get_u16(attr)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "id of a path is 1 to 65535");
		return -EINVAL;
	}
	return nla_get_u16(attr);
}

/* Both that a request about one path must have; the peer with a reference. */
static struct lapsmp_peer *lapsmp_nl_path_target(struct genl_info *info, int *id)
{
	*id = lapsmp_nl_path_id(info);
	if (*id < 0)
		return ERR_PTR(*id);
	return lapsmp_nl_peer_find(lapsmp_net(genl_info_net(info)), info);
}

int lapsmp_nl_path_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct lapsmp_path *p;
	struct lapsmp_nl_reply r;
	struct lapsmp_peer *peer;
	int id, err;

	peer = lapsmp_nl_path_target(info, &id);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	err = lapsmp_nl_reply_begin(&r, info);
	if (!err) {
		rcu_read_lock();
		p = lapsmp_nl_path_by_id(peer, id);
		err = p ? lapsmp_nl_path_fill(r.skb, peer, p) :
			  lapsmp_nl_path_no_id(info, id);
		rcu_read_unlock();
		err = lapsmp_nl_reply_end(&r, info, err);
	}
	lapsmp_peer_put(peer);
	return err;
}

/* --- change -------------------------------------------------------------------- */

static int lapsmp_nl_path_check_conf(struct genl_info *info)
{
	struct nlattr *attr = info->attrs[LAPSMP_A_PATH_CONF_RATE];

	if (attr && nla_get_u64(attr) && nla_get_u64(attr) < LAPSMP_RATE_MIN) {
		LAPSMP_ERR_VALUE(info->extack, attr,
				 "rate is below 1000 bytes/s and not 0", "%llu",
				 nla_get_u64(attr));
		return -ERANGE;
	}
	return 0;
}

/*
 * What is configured counts at once, but for a rate, as far as it is more than what other paths
 * have learned allows; a base that is less than what was measured, which counts with the next
 * acknowledgment, as far as it is believed; and a cost, if the path has learned already: that
 * moves the path's rest, to which it comes in its own time. That a rate is no longer configured
 * counts in the same bounds.
 */
static void lapsmp_nl_path_configure(struct lapsmp_peer *peer,
				     struct lapsmp_path *p,
				     struct nlattr **attrs)
{
	spin_lock_bh(&peer->lock);
	if (attrs[LAPSMP_A_PATH_WEIGHT])
		WRITE_ONCE(p->conf_weight,
			   nla_get_u32(attrs[LAPSMP_A_PATH_WEIGHT]));
	if (attrs[LAPSMP_A_PATH_CONF_RATE]) {
		lapsmp_path_configure_rate(p, nla_get_u64(attrs[LAPSMP_A_PATH_CONF_RATE]));
		lapsmp_pathplan_compare_rates(peer, rcu_dereference_bh(peer->paths));
	}
	if (attrs[LAPSMP_A_PATH_CONF_BASE_NS]) {
		WRITE_ONCE(p->conf_base_ns,
			   nla_get_u64(attrs[LAPSMP_A_PATH_CONF_BASE_NS]));
		if (p->conf_base_ns &&
		    (!p->owd.valid || p->conf_base_ns > p->base_ns))
			WRITE_ONCE(p->base_ns, p->conf_base_ns);
	}
	if (attrs[LAPSMP_A_PATH_COST])
		WRITE_ONCE(p->conf_cost, nla_get_u32(attrs[LAPSMP_A_PATH_COST]));
	lapsmp_pathplan_compare_costs(peer, rcu_dereference_bh(peer->paths));
	lapsmp_path_changed(p);
	spin_unlock_bh(&peer->lock);
}

static int lapsmp_nl_path_add(struct lapsmp_peer *peer, struct genl_info *info)
{
	struct lapsmp_path_spec spec;
	struct lapsmp_segs segs;

	lapsmp_nl_pathspec_get(info->attrs, &spec, &segs);
	return lapsmp_nl_pathspec_why(info, lapsmp_pathset_add(peer, &spec));
}

int lapsmp_nl_path_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_net *ln = lapsmp_net(genl_info_net(info));
	struct lapsmp_nl_reply r;
	struct lapsmp_peer *peer;
	struct lapsmp_path *p;
	int id = 0, err;
	bool made;

	err = lapsmp_nl_pathspec_check(info) ?: lapsmp_nl_path_check_conf(info);
	if (err)
		return err;
	peer = lapsmp_nl_peer_make(ln, info, &made);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	err = lapsmp_nl_reply_begin(&r, info);
	if (err)
		goto out;
	id = lapsmp_nl_path_add(peer, info);
	if (id < 0) {
		err = lapsmp_nl_reply_end(&r, info, id);
		goto out;
	}
	rcu_read_lock();
	p = lapsmp_nl_path_by_id(peer, id);
	if (p)
		lapsmp_nl_path_configure(peer, p, info->attrs);
	rcu_read_unlock();
	err = nla_put_in6_addr(r.skb, LAPSMP_A_PATH_PEER, &peer->key.raddr) ?:
	      nla_put_u16(r.skb, LAPSMP_A_PATH_ID, id);
	err = lapsmp_nl_reply_end(&r, info, err);
out:
	/* A peer that was made for a path that could not be is not left behind. */
	if (id <= 0 && made)
		lapsmp_peer_del(peer);
	lapsmp_peer_put(peer);
	return err;
}

int lapsmp_nl_path_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_peer *peer;
	struct lapsmp_path *p;
	int id, err;

	if (!info->attrs[LAPSMP_A_PATH_CONF_RATE] &&
	    !info->attrs[LAPSMP_A_PATH_CONF_BASE_NS] &&
	    !info->attrs[LAPSMP_A_PATH_WEIGHT] &&
	    !info->attrs[LAPSMP_A_PATH_COST]) {
		NL_SET_ERR_MSG(info->extack,
			       "nothing to change: give rate, base, weight or cost");
		return -EINVAL;
	}
	err = lapsmp_nl_path_check_conf(info);
	if (err)
		return err;
	peer = lapsmp_nl_path_target(info, &id);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	rcu_read_lock();
	p = lapsmp_nl_path_by_id(peer, id);
	if (p) {
		lapsmp_nl_path_configure(peer, p, info->attrs);
		/* What was copied from another peer is this one's own from now on. */
		if (!p->automatic)
			WRITE_ONCE(peer->configured, true);
		lapsmp_event_path(peer, p, READ_ONCE(p->state),
				  READ_ONCE(p->state), "changed");
	} else {
		err = lapsmp_nl_path_no_id(info, id);
	}
	rcu_read_unlock();
	lapsmp_peer_put(peer);
	return err;
}

int lapsmp_nl_path_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_peer *peer;
	int id, err;

	peer = lapsmp_nl_path_target(info, &id);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	err = lapsmp_pathset_del(peer, id);
	if (err == -ENOENT)
		lapsmp_nl_path_no_id(info, id);
	lapsmp_peer_put(peer);
	return err;
}

int lapsmp_nl_path_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_net *ln = lapsmp_net(genl_info_net(info));
	struct lapsmp_peer_key key;
	struct lapsmp_peer *peer;
	int err;

	err = lapsmp_nl_key(ln, info, &key);
	if (err)
		return err;
	/* A peer that is not there has no paths, which is what is asked for. */
	peer = lapsmp_peer_find(ln, &key);
	if (peer) {
		lapsmp_pathset_flush(peer);
		lapsmp_peer_put(peer);
	}
	return 0;
}
