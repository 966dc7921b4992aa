/* SPDX-License-Identifier: GPL-2.0 */
/* What the nl_*.c files, one per object, share. */
#ifndef _LAPSMP_NL_UTIL_H
#define _LAPSMP_NL_UTIL_H

#include <linux/rhashtable.h>
#include <net/genetlink.h>
#include "compat.h"
#include "nl_gen.h"
#include "peer.h"

extern struct genl_family lapsmp_nl_family;

/**
 * struct lapsmp_nl_reply - a message to one requester
 * @skb: with room for any object
 * @hdr: of the message under construction
 */
struct lapsmp_nl_reply {
	struct sk_buff *skb;
	void *hdr;
};

/* Return: 0, -ENOMEM. */
int lapsmp_nl_reply_begin(struct lapsmp_nl_reply *r, struct genl_info *info);
/* Send it, unless @err says that it was not filled. Return: @err or 0 or so. */
int lapsmp_nl_reply_end(struct lapsmp_nl_reply *r, struct genl_info *info,
			int err);

/* One message of a dump: begin; on an error of the filler, cancel. */
void *lapsmp_nl_dump_begin(struct sk_buff *skb, struct netlink_callback *cb,
			   u8 cmd);

/**
 * lapsmp_nl_key() - which peer a request is about
 * @ln: namespace
 * @info: request
 * @key: result
 *
 * Return: 0, or -EINVAL, -ENODEV with the reason in the extended ack.
 */
int lapsmp_nl_key(struct lapsmp_net *ln, struct genl_info *info,
		  struct lapsmp_peer_key *key);

/* Can packets be sent to it, and to one host only? */
bool lapsmp_nl_is_unicast(const struct in6_addr *addr);

/* Does a peer have what a dump asks for (attributes not given match all)? */
bool lapsmp_nl_key_matches(const struct lapsmp_peer_key *key,
			   struct nlattr **attrs);

/*
 * lapsmp_peer_find() by a request's attributes, or ERR_PTR (extended ack is set).
 */
struct lapsmp_peer *lapsmp_nl_peer_find(struct lapsmp_net *ln,
					struct genl_info *info);

/**
 * lapsmp_nl_peer_make() - a peer, made if need be
 * @ln: namespace
 * @info: request
 * @made: set if it was not there: then the caller takes it back on errors
 *
 * Return: with a reference, or ERR_PTR (extended ack is set).
 */
struct lapsmp_peer *lapsmp_nl_peer_make(struct lapsmp_net *ln,
					struct genl_info *info, bool *made);

/**
 * struct lapsmp_nl_walk - state of a dump over a hash table
 * @it: where it is
 * @stage: for dumps of several tables
 * @entered: @it is in use
 * @admin: the requester may see everything
 * @at: object that was not finished (compared, never followed)
 * @next: where to go on in it
 */
struct lapsmp_nl_walk {
	struct rhashtable_iter it;
	u8 stage;
	bool entered;
	bool admin;
	const void *at;
	u32 next;
};

/* Handlers of dumps that walk tables. */
int lapsmp_nl_walk_start(struct netlink_callback *cb);
int lapsmp_nl_walk_done(struct netlink_callback *cb);

static inline struct lapsmp_nl_walk *lapsmp_nl_walk(struct netlink_callback *cb)
{
	return *(struct lapsmp_nl_walk **)cb->ctx;
}

/**
 * struct lapsmp_nl_table - what a dump walks over
 * @ht: table
 * @fill: adds an object (under RCU), and returns 0 or -EMSGSIZE: then the walk
 *	ends, and begins with this object the next time
 */
struct lapsmp_nl_table {
	struct rhashtable *ht;
	int (*fill)(struct sk_buff *skb, struct netlink_callback *cb, void *obj);
};

/**
 * lapsmp_nl_walk_tables() - begin or go on with a dump
 * @skb: what fits goes here
 * @cb: the dump
 * @tables: one after the other
 * @n: how many
 *
 * Holds RCU only, so the tables may change: an object that moves in the meantime
 * can be seen twice, one that stays is seen.
 *
 * Return: what a dumpit() does.
 */
int lapsmp_nl_walk_tables(struct sk_buff *skb, struct netlink_callback *cb,
			  const struct lapsmp_nl_table *tables, unsigned int n);

/* May the requester see what only administrators may? */
bool lapsmp_nl_is_admin(struct sk_buff *skb, struct net *net);

#endif /* _LAPSMP_NL_UTIL_H */
