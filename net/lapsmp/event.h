/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events to whoever listens on the netlink group: what became of paths, peers
 * and flows. Best effort: nobody waits for listeners, and an event that finds no
 * memory is lost (a listener that cares looks at the state, too).
 */
#ifndef _LAPSMP_EVENT_H
#define _LAPSMP_EVENT_H

#include <linux/types.h>

struct genl_family;
struct sk_buff;
struct lapsmp_flow;
struct lapsmp_path;
struct lapsmp_peer;
struct lapsmp_peer_key;

/**
 * lapsmp_event_path() - a path is in another state, was added, removed, changed
 * @peer: whose path
 * @p: the path
 * @old: enum lapsmp_path_state before
 * @new: and now
 * @reason: a word or two for people
 *
 * Context: any, also with locks held.
 */
void lapsmp_event_path(const struct lapsmp_peer *peer,
		       const struct lapsmp_path *p, u8 old, u8 new,
		       const char *reason);

/* A peer was added or removed. Context: any. */
void lapsmp_event_peer(const struct lapsmp_peer *peer, const char *reason);

/* A sending flow failed with @err (positive errno). Context: any. */
void lapsmp_event_flow_failed(const struct lapsmp_flow *f, int err);

/* Attributes that name a peer; all objects number them alike. */
int lapsmp_event_put_key(struct sk_buff *skb, const struct lapsmp_peer_key *key);

/**
 * lapsmp_event_attach() - events go out by this family from now on
 * @family: registered, or NULL: nowhere; waits for those on their way
 *
 * Context: process.
 */
void lapsmp_event_attach(const struct genl_family *family);

#endif /* _LAPSMP_EVENT_H */
