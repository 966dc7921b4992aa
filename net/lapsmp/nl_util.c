// SPDX-License-Identifier: GPL-2.0
/* What the nl_*.c files share: names of peers, replies, walks over tables. */
#include <net/sock.h>
#include <linux/capability.h>
#include <linux/netdevice.h>
#include "addr.h"
#include "event.h"
#include "nl_util.h"

/* --- messages ------------------------------------------------------------- */

int lapsmp_nl_reply_begin(struct lapsmp_nl_reply *r, struct genl_info *info)
{
	r->skb = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!r->skb)
		return -ENOMEM;
	r->hdr = genlmsg_put_reply(r->skb, info, &lapsmp_nl_family, 0,
				   info->genlhdr->cmd);
	if (r->hdr)
		return 0;
	nlmsg_free(r->skb);
	return -EMSGSIZE;
}

int lapsmp_nl_reply_end(struct lapsmp_nl_reply *r, struct genl_info *info,
			int err)
{
	if (err) {
		nlmsg_free(r->skb);
		return err;
	}
	genlmsg_end(r->skb, r->hdr);
	return genlmsg_reply(r->skb, info);
}

void *lapsmp_nl_dump_begin(struct sk_buff *skb, struct netlink_callback *cb,
			   u8 cmd)
{
	return genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
			   &lapsmp_nl_family, NLM_F_MULTI, cmd);
}

bool lapsmp_nl_is_admin(struct sk_buff *skb, struct net *net)
{
	return netlink_ns_capable(skb, net->user_ns, CAP_NET_ADMIN);
}

/* --- which peer ------------------------------------------------------------ */

bool lapsmp_nl_is_unicast(const struct in6_addr *addr)
{
	__be32 v4 = lapsmp_addr_v4(addr);

	if (lapsmp_addr_any(addr) || ipv6_addr_is_multicast(addr))
		return false;
	return !lapsmp_addr_is_v4(addr) ||
	       !(ipv4_is_multicast(v4) || ipv4_is_lbcast(v4));
}

static int lapsmp_nl_remote(struct genl_info *info, struct in6_addr *addr)
{
	struct nlattr *attr = info->attrs[LAPSMP_A_PEER_PEER];

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "address of the peer is missing");
		return -EINVAL;
	}
	*addr = nla_get_in6_addr(attr);
	if (!lapsmp_nl_is_unicast(addr)) {
		LAPSMP_ERR_VALUE(info->extack, attr,
				 "peer is not a unicast address", "%pI6c", addr);
		return -EINVAL;
	}
	return 0;
}

static int lapsmp_nl_local(struct genl_info *info,
			   const struct in6_addr *remote, struct in6_addr *addr)
{
	struct nlattr *attr = info->attrs[LAPSMP_A_PEER_LOCAL];

	if (!attr)
		return 0;
	*addr = nla_get_in6_addr(attr);
	if (lapsmp_addr_is_v4(addr) != lapsmp_addr_is_v4(remote)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "local address and peer are of different families");
		return -EINVAL;
	}
	if (!lapsmp_nl_is_unicast(addr)) {
		LAPSMP_ERR_VALUE(info->extack, attr,
				 "local address is not unicast", "%pI6c", addr);
		return -EINVAL;
	}
	return 0;
}

static int lapsmp_nl_ifindex(struct lapsmp_net *ln, struct genl_info *info,
			     struct lapsmp_peer_key *key)
{
	struct nlattr *attr = info->attrs[LAPSMP_A_PEER_IFINDEX];
	bool found;

	if (attr)
		key->ifindex = nla_get_u32(attr);
	if (key->ifindex) {
		rcu_read_lock();
		found = dev_get_by_index_rcu(ln->net, key->ifindex);
		rcu_read_unlock();
		if (found)
			return 0;
		LAPSMP_ERR_VALUE(info->extack, attr, "no device of this index",
				 "%d", key->ifindex);
		return -ENODEV;
	}
	if (ipv6_addr_type(&key->raddr) & IPV6_ADDR_LINKLOCAL) {
		NL_SET_ERR_MSG(info->extack,
			       "a link-local peer needs a device (ifindex)");
		return -EINVAL;
	}
	return 0;
}

int lapsmp_nl_key(struct lapsmp_net *ln, struct genl_info *info,
		  struct lapsmp_peer_key *key)
{
	struct nlattr **attrs = info->attrs;
	int err;

	memset(key, 0, sizeof(*key));
	err = lapsmp_nl_remote(info, &key->raddr);
	if (!err)
		err = lapsmp_nl_local(info, &key->raddr, &key->laddr);
	if (!err)
		err = lapsmp_nl_ifindex(ln, info, key);
	if (err)
		return err;
	key->rport = htons(attrs[LAPSMP_A_PEER_PORT] ?
			   nla_get_u16(attrs[LAPSMP_A_PEER_PORT]) :
			   READ_ONCE(ln->conf.port));
	if (attrs[LAPSMP_A_PEER_MARK])
		key->mark = nla_get_u32(attrs[LAPSMP_A_PEER_MARK]);
	if (attrs[LAPSMP_A_PEER_TOS])
		key->tos = nla_get_u8(attrs[LAPSMP_A_PEER_TOS]);
	return 0;
}

bool lapsmp_nl_key_matches(const struct lapsmp_peer_key *key,
			   struct nlattr **a)
{
	return (!a[LAPSMP_A_PEER_PEER] ||
		!nla_memcmp(a[LAPSMP_A_PEER_PEER], &key->raddr,
			    sizeof(key->raddr))) &&
	       (!a[LAPSMP_A_PEER_LOCAL] ||
		!nla_memcmp(a[LAPSMP_A_PEER_LOCAL], &key->laddr,
			    sizeof(key->laddr))) &&
	       (!a[LAPSMP_A_PEER_PORT] ||
		nla_get_u16(a[LAPSMP_A_PEER_PORT]) == ntohs(key->rport)) &&
	       (!a[LAPSMP_A_PEER_IFINDEX] ||
		nla_get_u32(a[LAPSMP_A_PEER_IFINDEX]) == key->ifindex) &&
	       (!a[LAPSMP_A_PEER_MARK] ||
		nla_get_u32(a[LAPSMP_A_PEER_MARK]) == key->mark) &&
	       (!a[LAPSMP_A_PEER_TOS] ||
		nla_get_u8(a[LAPSMP_A_PEER_TOS]) == key->tos);
}

struct lapsmp_peer *lapsmp_nl_peer_find(struct lapsmp_net *ln,
					struct genl_info *info)
{
	struct lapsmp_peer_key key;
	struct lapsmp_peer *peer;
	int err;

	err = lapsmp_nl_key(ln, info, &key);
	if (err)
		return ERR_PTR(err);
	peer = lapsmp_peer_find(ln, &key);
	if (peer)
		return peer;
	NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[LAPSMP_A_PEER_PEER],
			    "no such peer");
	return ERR_PTR(-ENOENT);
}

struct lapsmp_peer *lapsmp_nl_peer_make(struct lapsmp_net *ln,
					struct genl_info *info, bool *made)
{
	struct lapsmp_peer_key key;
	struct lapsmp_peer *peer;
	int err;

	*made = false;
	err = lapsmp_nl_key(ln, info, &key);
	if (err)
		return ERR_PTR(err);
	peer = lapsmp_peer_find(ln, &key);
	if (peer)
		return peer;
	*made = true;
	peer = lapsmp_peer_get(ln, &key);
	if (!IS_ERR(peer))
		return peer;
	if (PTR_ERR(peer) == -EADDRINUSE)
		NL_SET_ERR_MSG(info->extack,
			       "service port is taken by another program");
	else
		LAPSMP_ERR_VALUE(info->extack,
				 info->attrs[LAPSMP_A_PEER_PEER],
				 "cannot reach the peer", "error %ld",
				 PTR_ERR(peer));
	return peer;
}

/* --- walks ------------------------------------------------------------------ */

int lapsmp_nl_walk_start(struct netlink_callback *cb)
{
	struct lapsmp_nl_walk *w = kzalloc(sizeof(*w), GFP_KERNEL);

	if (!w)
		return -ENOMEM;
	w->admin = lapsmp_nl_is_admin(cb->skb, sock_net(cb->skb->sk));
	*(struct lapsmp_nl_walk **)cb->ctx = w;
	return 0;
}

int lapsmp_nl_walk_done(struct netlink_callback *cb)
{
	struct lapsmp_nl_walk *w = lapsmp_nl_walk(cb);

	if (w && w->entered)
		rhashtable_walk_exit(&w->it);
	kfree(w);
	return 0;
}

/* Return: 0 at the end of the table, or the filler's error. */
static int lapsmp_nl_walk_table(struct sk_buff *skb, struct netlink_callback *cb,
				const struct lapsmp_nl_table *t)
{
	struct lapsmp_nl_walk *w = lapsmp_nl_walk(cb);
	int err = 0;
	void *obj;

	if (!w->entered) {
		rhashtable_walk_enter(t->ht, &w->it);
		w->entered = true;
	}
	rhashtable_walk_start(&w->it);
	/* The one that did not fit the last time comes first. */
	for (obj = rhashtable_walk_peek(&w->it); obj;
	     obj = rhashtable_walk_next(&w->it)) {
		/* -EAGAIN: the table was resized, and is walked anew. */
		if (IS_ERR(obj))
			continue;
		err = t->fill(skb, cb, obj);
		if (err)
			break;
	}
	rhashtable_walk_stop(&w->it);
	if (!err) {
		rhashtable_walk_exit(&w->it);
		w->entered = false;
	}
	return err;
}

int lapsmp_nl_walk_tables(struct sk_buff *skb, struct netlink_callback *cb,
			  const struct lapsmp_nl_table *tables, unsigned int n)
{
	struct lapsmp_nl_walk *w = lapsmp_nl_walk(cb);
	int err = 0;

	while (w->stage < n && !err) {
		err = lapsmp_nl_walk_table(skb, cb, &tables[w->stage]);
		if (!err)
			w->stage++;
	}
	return skb->len ?: err;
}
