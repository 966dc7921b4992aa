/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who may open flows here: the sender incarnations that have proven their
 * address, each with the window of flow numbers that it used; and the stateless
 * cookies by which it is proven. Documentation/protocol.md, "Opening".
 *
 * And from where else they may send: an address is proven for a flow that exists by
 * a token, much like a cookie. That alone does not let flows be opened from there:
 * the window of numbers begins with a cookie.
 *
 * An entry outlives every cookie that could have made it, so that a replayed
 * first packet finds either the window, or no valid cookie.
 */
#ifndef _LAPSMP_REMOTE_H
#define _LAPSMP_REMOTE_H

#include "addr.h"
#include "netns.h"
#include "wire.h"

/* How long a cookie is good. */
#define LAPSMP_COOKIE_LIFE_MS	10000
/* How long an incarnation is remembered at an address after its last new flow there. */
#define LAPSMP_REMOTE_LIFE_NS	(120ULL * NSEC_PER_SEC)

enum lapsmp_admit {
	LAPSMP_ADMIT_OK,	/* the number was used up: make the flow */
	LAPSMP_ADMIT_COOKIE,	/* ask for a cookie */
	LAPSMP_ADMIT_STALE,	/* number used before, or too old */
	LAPSMP_ADMIT_DROP,	/* bad cookie, or no memory: say nothing */
};

/**
 * lapsmp_remote_admit() - may this packet open a flow?
 * @ln: namespace
 * @raddr: where it came from
 * @h: the packet, with OPEN
 *
 * Context: softirq.
 */
enum lapsmp_admit lapsmp_remote_admit(struct lapsmp_net *ln,
				      const struct in6_addr *raddr,
				      const struct lapsmp_hdr *h);

/* Fill in @r's cookie for the flow that @h wants to open, or its token for FROM. */
void lapsmp_remote_cookie(struct lapsmp_net *ln, const struct in6_addr *raddr,
			  const struct lapsmp_hdr *h, struct lapsmp_hdr *r);

/**
 * lapsmp_remote_proven() - is the host of this incarnation at this address, too?
 * @ln: namespace
 * @raddr: where the packet came from
 * @h: the packet, with FROM, of a flow of that incarnation
 *
 * So if a flow was opened from there lately, or another one has shown this; or if the
 * packet has the token that was sent there.
 *
 * Context: softirq.
 */
bool lapsmp_remote_proven(struct lapsmp_net *ln, const struct in6_addr *raddr,
			  const struct lapsmp_hdr *h);

/* It was: later flows need not show it again, while there is room for many. */
void lapsmp_remote_remember(struct lapsmp_net *ln, const struct in6_addr *raddr,
			    u64 inc);

/* A token for a stateless answer, or false: too many were given lately. */
bool lapsmp_remote_may_answer(struct lapsmp_net *ln, u64 now_ns);

void lapsmp_remote_gc(struct lapsmp_net *ln, u64 now_ns, bool all);
int lapsmp_remote_net_init(struct lapsmp_net *ln);

#endif /* _LAPSMP_REMOTE_H */
