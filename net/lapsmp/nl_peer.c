// SPDX-License-Identifier: GPL-2.0
/* Netlink: peers. */
#include <net/sock.h>
#include "addr.h"
#include "clock.h"
#include "event.h"
#include "nl_segs.h"
#include "nl_util.h"
#include "policy.h"

/* --- show ------------------------------------------------------------------- */

static int lapsmp_nl_peer_fill_policy(struct sk_buff *skb,
				      struct lapsmp_peer *peer)
{
	char name[LAPSMP_NAME_MAX];

	lapsmp_policy_name(peer->ln, &lapsmp_policy_sched,
			   (void **)&peer->sched, name);
	if (name[0] && nla_put_string(skb, LAPSMP_A_PEER_SCHED, name))
		return -EMSGSIZE;
	lapsmp_policy_name(peer->ln, &lapsmp_policy_cc, (void **)&peer->cc,
			   name);
	if (name[0] && nla_put_string(skb, LAPSMP_A_PEER_CC, name))
		return -EMSGSIZE;
	return 0;
}

static int lapsmp_nl_peer_fill_paths(struct sk_buff *skb,
				     const struct lapsmp_peer *peer)
{
	const struct lapsmp_pathset *ps;
	u32 n, up = 0, i;

	rcu_read_lock();
	ps = rcu_dereference(peer->paths);
	n = ps->n;
	for (i = 0; i < n; i++)
		up += READ_ONCE(ps->path[i]->state) == LAPSMP_PATH_UP;
	rcu_read_unlock();
	return nla_put_u32(skb, LAPSMP_A_PEER_PATHS, n) ?:
	       nla_put_u32(skb, LAPSMP_A_PEER_PATHS_UP, up);
}

static int lapsmp_nl_peer_fill_answers(struct sk_buff *skb,
				       const struct lapsmp_peer *peer)
{
	const struct lapsmp_answers *answers;
	int err;

	rcu_read_lock();
	answers = rcu_dereference(peer->answers);
	err = lapsmp_nl_segs_put(skb, LAPSMP_A_PEER_ANSWERS,
				 answers ? &answers->segs : NULL);
	rcu_read_unlock();
	return err;
}

static int lapsmp_nl_peer_fill(struct sk_buff *skb, struct lapsmp_peer *peer)
{
	u64 used_ns = READ_ONCE(peer->used_ns);
	s64 offset_ns, skew_ppb;

	spin_lock_bh(&peer->lock);
	/* As it is now: the peer's own is without what has drifted since. */
	offset_ns = (s64)((u64)peer->offset_ns +
			  (u64)lapsmp_skew_corrected(&peer->skew, lapsmp_clock_now()));
	skew_ppb = peer->skew.ppb;
	spin_unlock_bh(&peer->lock);

	if (lapsmp_event_put_key(skb, &peer->key) ||
	    lapsmp_nl_peer_fill_policy(skb, peer) ||
	    (READ_ONCE(peer->configured) &&
	     nla_put_flag(skb, LAPSMP_A_PEER_CONFIGURED)) ||
	    lapsmp_nl_peer_fill_paths(skb, peer) ||
	    lapsmp_nl_peer_fill_answers(skb, peer) ||
	    nla_put_s64(skb, LAPSMP_A_PEER_OFFSET_NS, offset_ns,
			LAPSMP_A_PEER_PAD) ||
	    nla_put_s64(skb, LAPSMP_A_PEER_SKEW_PPB, skew_ppb,
			LAPSMP_A_PEER_PAD) ||
	    nla_put_in6_addr(skb, LAPSMP_A_PEER_SOURCE, &peer->saddr) ||
	    nla_put_u64_64bit(skb, LAPSMP_A_PEER_LINE_RATE, peer->line_rate,
			      LAPSMP_A_PEER_PAD) ||
	    nla_put_u64_64bit(skb, LAPSMP_A_PEER_IDLE_NS,
			      lapsmp_clock_now() - used_ns, LAPSMP_A_PEER_PAD))
		return -EMSGSIZE;
	return 0;
}

static int lapsmp_nl_peer_dump_one(struct sk_buff *skb,
				   struct netlink_callback *cb, void *obj)
{
	struct lapsmp_peer *peer = obj;
	void *hdr;

	if (!lapsmp_nl_key_matches(&peer->key, lapsmp_dump_attrs(cb)))
		return 0;
	hdr = lapsmp_nl_dump_begin(skb, cb, LAPSMP_CMD_PEER_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (lapsmp_nl_peer_fill(skb, peer)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

int lapsmp_nl_peer_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(skb->sk));
	const struct lapsmp_nl_table table = {
		&ln->peers, lapsmp_nl_peer_dump_one
	};

	return lapsmp_nl_walk_tables(skb, cb, &table, 1);
}

int lapsmp_nl_peer_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_nl_reply r;
	struct lapsmp_peer *peer;
	int err;

	peer = lapsmp_nl_peer_find(lapsmp_net(genl_info_net(info)), info);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	err = lapsmp_nl_reply_begin(&r, info);
	if (!err)
		err = lapsmp_nl_reply_end(&r, info,
					  lapsmp_nl_peer_fill(r.skb, peer));
	lapsmp_peer_put(peer);
	return err;
}

/* --- change ------------------------------------------------------------------ */

/* What a request names: NULL if nothing, or if it takes back the choice. */
static void *lapsmp_nl_peer_policy(struct genl_info *info, int type,
				   const struct lapsmp_policy_kind *kind)
{
	struct nlattr *attr = info->attrs[type];
	void *ops;

	if (!attr || !*(char *)nla_data(attr))
		return NULL;
	ops = lapsmp_policy_get(kind, nla_data(attr));
	if (IS_ERR(ops))
		LAPSMP_ERR_VALUE(info->extack, attr, "not a loaded policy",
				 "%s", (char *)nla_data(attr));
	return ops;
}

/* How answers travel is asked by address alone. An empty list takes it back. */
static int lapsmp_nl_peer_check_answers(const struct lapsmp_net *ln,
					struct genl_info *info)
{
	struct nlattr *port = info->attrs[LAPSMP_A_PEER_PORT];
	struct nlattr *attr = info->attrs[LAPSMP_A_PEER_ANSWERS];
	struct nlattr *addr = info->attrs[LAPSMP_A_PEER_PEER];

	if (!attr || !addr)
		return 0;
	if (!lapsmp_addr_is_v4(nla_data(addr))) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "answers over IPv6 go by the segments that the data came by");
		return -EAFNOSUPPORT;
	}
	if (info->attrs[LAPSMP_A_PEER_LOCAL] || info->attrs[LAPSMP_A_PEER_IFINDEX] ||
	    info->attrs[LAPSMP_A_PEER_MARK] || info->attrs[LAPSMP_A_PEER_TOS]) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "answers are of an address: give no local address, device, mark or tos");
		return -EINVAL;
	}
	if (port && nla_get_u16(port) != READ_ONCE(ln->conf.port)) {
		LAPSMP_ERR_VALUE(info->extack, port,
				 "answers are of an address, with the port of this namespace",
				 "%u", nla_get_u16(port));
		return -EINVAL;
	}
	return nla_len(attr) ? lapsmp_nl_segs_check(info, attr) : 0;
}

static int lapsmp_nl_peer_set_answers(struct lapsmp_peer *peer,
				      struct nlattr *attr)
{
	struct lapsmp_segs segs = {};

	if (!attr)
		return 0;
	lapsmp_nl_segs_get(attr, &segs);
	return lapsmp_peer_set_answers(peer, segs.n ? &segs : NULL);
}

static int lapsmp_nl_peer_choose(struct lapsmp_net *ln, struct genl_info *info,
				 void *sched, void *cc)
{
	struct lapsmp_peer *peer;
	bool made;
	int err;

	peer = lapsmp_nl_peer_make(ln, info, &made);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	err = lapsmp_nl_peer_set_answers(peer, info->attrs[LAPSMP_A_PEER_ANSWERS]);
	if (err) {
		if (made)
			lapsmp_peer_del(peer);
		lapsmp_peer_put(peer);
		return err;
	}
	if (info->attrs[LAPSMP_A_PEER_SCHED])
		lapsmp_policy_swap(ln, &lapsmp_policy_sched,
				   (void **)&peer->sched, sched);
	if (info->attrs[LAPSMP_A_PEER_CC])
		lapsmp_policy_swap(ln, &lapsmp_policy_cc, (void **)&peer->cc,
				   cc);
	if (sched || cc)
		WRITE_ONCE(peer->configured, true);
	lapsmp_peer_put(peer);
	return 0;
}

int lapsmp_nl_peer_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_net *ln = lapsmp_net(genl_info_net(info));
	void *sched, *cc;
	int err;

	if (!info->attrs[LAPSMP_A_PEER_SCHED] && !info->attrs[LAPSMP_A_PEER_CC] &&
	    !info->attrs[LAPSMP_A_PEER_ANSWERS]) {
		NL_SET_ERR_MSG(info->extack,
			       "nothing to change: give sched, cc or answers");
		return -EINVAL;
	}
	err = lapsmp_nl_peer_check_answers(ln, info);
	if (err)
		return err;
	sched = lapsmp_nl_peer_policy(info, LAPSMP_A_PEER_SCHED,
				      &lapsmp_policy_sched);
	if (IS_ERR(sched))
		return PTR_ERR(sched);
	cc = lapsmp_nl_peer_policy(info, LAPSMP_A_PEER_CC, &lapsmp_policy_cc);
	err = IS_ERR(cc) ? PTR_ERR(cc) :
	      lapsmp_nl_peer_choose(ln, info, sched, cc);
	if (!err)
		return 0;
	if (sched)
		lapsmp_policy_sched.put(sched);
	if (!IS_ERR_OR_NULL(cc))
		lapsmp_policy_cc.put(cc);
	return err;
}

int lapsmp_nl_peer_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_peer *peer;

	peer = lapsmp_nl_peer_find(lapsmp_net(genl_info_net(info)), info);
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	lapsmp_peer_del(peer);
	lapsmp_peer_put(peer);
	return 0;
}

int lapsmp_nl_peer_flush_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct lapsmp_net *ln = lapsmp_net(genl_info_net(info));
	struct nlattr *attr = info->attrs[LAPSMP_A_PEER_PEER];
	struct rhashtable_iter it;
	struct lapsmp_peer *peer;

	rhashtable_walk_enter(&ln->peers, &it);
	rhashtable_walk_start(&it);
	while ((peer = rhashtable_walk_next(&it))) {
		if (IS_ERR(peer))
			continue;
		if (!attr || !nla_memcmp(attr, &peer->key.raddr,
					 sizeof(peer->key.raddr)))
			lapsmp_peer_del(peer);
	}
	rhashtable_walk_stop(&it);
	rhashtable_walk_exit(&it);
	return 0;
}
