// SPDX-License-Identifier: GPL-2.0
/*
 * Notifications. The family is registered by nl.c, far above; it attaches
 * itself here, so that the rooms that have something to tell know nothing of it.
 */
#include <net/genetlink.h>
#include "addr.h"
#include "event.h"
#include "flow.h"
#include "nl_gen.h"

static const struct genl_family __rcu *lapsmp_event_family;

struct lapsmp_event {
	const struct genl_family *family;
	struct sk_buff *skb;
	void *hdr;
};

void lapsmp_event_attach(const struct genl_family *family)
{
	rcu_assign_pointer(lapsmp_event_family, family);
	if (!family)
		synchronize_rcu();
}

/* Under RCU. False if nobody listens, which is the usual case. */
static bool lapsmp_event_begin(struct lapsmp_event *ev, struct net *net, u8 cmd)
{
	ev->family = rcu_dereference(lapsmp_event_family);
	if (!ev->family ||
	    !genl_has_listeners(ev->family, net, LAPSMP_NLGRP_EVENTS))
		return false;
	ev->skb = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_ATOMIC);
	if (!ev->skb)
		return false;
	ev->hdr = genlmsg_put(ev->skb, 0, 0, ev->family, 0, cmd);
	if (ev->hdr)
		return true;
	nlmsg_free(ev->skb);
	return false;
}

static void lapsmp_event_end(struct lapsmp_event *ev, struct net *net, int err)
{
	if (err) {
		nlmsg_free(ev->skb);
		return;
	}
	genlmsg_end(ev->skb, ev->hdr);
	genlmsg_multicast_netns(ev->family, net, ev->skb, 0,
				LAPSMP_NLGRP_EVENTS, GFP_ATOMIC);
}

/* One numbering of what names a peer, whatever the object is. */
#define LAPSMP_EVENT_SAME(x)						\
	static_assert((int)LAPSMP_A_PATH_##x == (int)LAPSMP_A_PEER_##x &&	\
		      (int)LAPSMP_A_PATH_##x == (int)LAPSMP_A_FLOW_##x)
LAPSMP_EVENT_SAME(PEER);
LAPSMP_EVENT_SAME(PORT);
LAPSMP_EVENT_SAME(LOCAL);
LAPSMP_EVENT_SAME(IFINDEX);
LAPSMP_EVENT_SAME(MARK);
LAPSMP_EVENT_SAME(TOS);
LAPSMP_EVENT_SAME(PAD);

int lapsmp_event_put_key(struct sk_buff *skb, const struct lapsmp_peer_key *key)
{
	if (nla_put_in6_addr(skb, LAPSMP_A_PEER_PEER, &key->raddr) ||
	    nla_put_u16(skb, LAPSMP_A_PEER_PORT, ntohs(key->rport)))
		return -EMSGSIZE;
	if (!ipv6_addr_any(&key->laddr) &&
	    nla_put_in6_addr(skb, LAPSMP_A_PEER_LOCAL, &key->laddr))
		return -EMSGSIZE;
	if (key->ifindex &&
	    nla_put_u32(skb, LAPSMP_A_PEER_IFINDEX, key->ifindex))
		return -EMSGSIZE;
	if (key->mark && nla_put_u32(skb, LAPSMP_A_PEER_MARK, key->mark))
		return -EMSGSIZE;
	if (key->tos && nla_put_u8(skb, LAPSMP_A_PEER_TOS, key->tos))
		return -EMSGSIZE;
	return 0;
}

static int lapsmp_event_fill_path(struct sk_buff *skb,
				  const struct lapsmp_path *p, u8 old, u8 new,
				  const char *reason)
{
	if (nla_put_u16(skb, LAPSMP_A_PATH_ID, p->id) ||
	    nla_put_u8(skb, LAPSMP_A_PATH_KIND, p->kind) ||
	    nla_put_u16(skb, LAPSMP_A_PATH_SPORT, ntohs(p->sport)) ||
	    (p->flowlabel &&
	     nla_put_u32(skb, LAPSMP_A_PATH_FLOWLABEL, p->flowlabel)) ||
	    (p->segs && nla_put(skb, LAPSMP_A_PATH_SEGS,
				p->segs->n * LAPSMP_SID_LEN, p->segs->sid)) ||
	    (p->own & LAPSMP_PATH_OWN_LOCAL &&
	     nla_put_in6_addr(skb, LAPSMP_A_PATH_SOURCE, &p->saddr)) ||
	    (p->own & LAPSMP_PATH_OWN_REMOTE &&
	     nla_put_in6_addr(skb, LAPSMP_A_PATH_REMOTE, &p->daddr)) ||
	    (p->own & LAPSMP_PATH_OWN_DEV &&
	     nla_put_u32(skb, LAPSMP_A_PATH_DEVICE, p->ifindex)) ||
	    (p->automatic && nla_put_flag(skb, LAPSMP_A_PATH_AUTOMATIC)) ||
	    nla_put_u8(skb, LAPSMP_A_PATH_STATE, new) ||
	    nla_put_u8(skb, LAPSMP_A_PATH_OLD_STATE, old) ||
	    nla_put_string(skb, LAPSMP_A_PATH_REASON, reason))
		return -EMSGSIZE;
	return 0;
}

void lapsmp_event_path(const struct lapsmp_peer *peer,
		       const struct lapsmp_path *p, u8 old, u8 new,
		       const char *reason)
{
	struct net *net = peer->ln->net;
	struct lapsmp_event ev;

	rcu_read_lock();
	if (lapsmp_event_begin(&ev, net, LAPSMP_CMD_PATH_EVENT)) {
		int err = lapsmp_event_put_key(ev.skb, &peer->key);

		err = err ?: lapsmp_event_fill_path(ev.skb, p, old, new, reason);
		lapsmp_event_end(&ev, net, err);
	}
	rcu_read_unlock();
}

void lapsmp_event_peer(const struct lapsmp_peer *peer, const char *reason)
{
	struct net *net = peer->ln->net;
	struct lapsmp_event ev;

	rcu_read_lock();
	if (lapsmp_event_begin(&ev, net, LAPSMP_CMD_PEER_EVENT)) {
		int err = lapsmp_event_put_key(ev.skb, &peer->key);

		if (!err && READ_ONCE(peer->configured))
			err = nla_put_flag(ev.skb, LAPSMP_A_PEER_CONFIGURED);
		err = err ?: nla_put_string(ev.skb, LAPSMP_A_PEER_REASON, reason);
		lapsmp_event_end(&ev, net, err);
	}
	rcu_read_unlock();
}

/* Not the flow's id: the group is open to all. */
static int lapsmp_event_fill_flow(struct sk_buff *skb,
				  const struct lapsmp_flow *f, int err)
{
	if (nla_put_u8(skb, LAPSMP_A_FLOW_DIRECTION, LAPSMP_DIRECTION_TX) ||
	    nla_put_u16(skb, LAPSMP_A_FLOW_SPORT, ntohs(f->sport)) ||
	    nla_put_u16(skb, LAPSMP_A_FLOW_DPORT, ntohs(f->dport)) ||
	    nla_put_u64_64bit(skb, LAPSMP_A_FLOW_NUMBER, f->number,
			      LAPSMP_A_FLOW_PAD) ||
	    nla_put_u32(skb, LAPSMP_A_FLOW_ERROR, err) ||
	    nla_put_string(skb, LAPSMP_A_FLOW_REASON, "failed"))
		return -EMSGSIZE;
	return 0;
}

void lapsmp_event_flow_failed(const struct lapsmp_flow *f, int err)
{
	struct net *net = f->ln->net;
	struct lapsmp_event ev;

	rcu_read_lock();
	if (lapsmp_event_begin(&ev, net, LAPSMP_CMD_FLOW_EVENT)) {
		int bad = lapsmp_event_put_key(ev.skb, &f->peer->key);

		bad = bad ?: lapsmp_event_fill_flow(ev.skb, f, err);
		lapsmp_event_end(&ev, net, bad);
	}
	rcu_read_unlock();
}
