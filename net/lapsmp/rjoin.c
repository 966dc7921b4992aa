// SPDX-License-Identifier: GPL-2.0
/*
 * Further addresses of a flow's sender.
 *
 * An address that a packet claims to come from is not believed before it is proven:
 * who knows a flow's id could have its answers sent to somebody who never asked for
 * them. Nothing is stored for the asking; nothing that came from there is taken in.
 */
#include <linux/slab.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include "mib.h"
#include "output.h"
#include "remote.h"
#include "rjoin.h"
#include "ropen.h"
#include "route.h"

/*
 * It must have come in where the flow's answers leave, and be of their family.
 */
static bool lapsmp_rjoin_same_net(struct lapsmp_net *ln,
				  const struct lapsmp_rflow *rf,
				  const struct in6_addr *raddr,
				  const struct sk_buff *skb)
{
	int sdif = skb->protocol == htons(ETH_P_IP) ? inet_sdif(skb) :
						      inet6_sdif(skb);

	/* Such addresses are of one link: the flow's answers do not know which. */
	if (ipv6_addr_type(raddr) & IPV6_ADDR_LINKLOCAL ||
	    lapsmp_addr_is_v4(raddr) != lapsmp_addr_is_v4(&rf->key.raddr))
		return false;
	return rf->ifindex == lapsmp_route_back(ln, skb, raddr) ||
	       rf->ifindex == skb->skb_iif || (sdif && rf->ifindex == sdif);
}

/* rf->lock held. Return: whether the flow knows the address now. */
static bool __lapsmp_rjoin_add(struct lapsmp_rflow *rf,
			       const struct in6_addr *raddr)
{
	struct lapsmp_raddrs *old, *new;
	unsigned int n;

	old = rcu_dereference_protected(rf->raddrs, lockdep_is_held(&rf->lock));
	n = old ? old->n : 0;
	/* Another CPU may have been first. */
	if (lapsmp_rflow_comes_from(rf, raddr))
		return true;
	if (n >= LAPSMP_RFLOW_MAX_ADDRS || !rf->ls)
		return false;
	new = kmalloc(struct_size(new, addr, n + 1), GFP_ATOMIC | __GFP_NOWARN);
	if (!new) {
		LAPSMP_INC(rf->ln, nomem);
		return false;
	}
	new->n = n + 1;
	if (n)
		memcpy(new->addr, old->addr, n * sizeof(new->addr[0]));
	new->addr[n] = *raddr;
	rcu_assign_pointer(rf->raddrs, new);
	if (old)
		kfree_rcu(old, rcu);
	LAPSMP_INC(rf->ln, addrs_proven);
	return true;
}

static void lapsmp_rjoin_challenge(struct lapsmp_net *ln,
				   const struct in6_addr *raddr,
				   const struct lapsmp_hdr *h,
				   const struct sk_buff *skb)
{
	struct lapsmp_hdr r = {
		.type = LAPSMP_T_CHALLENGE,
		.flow_id = h->flow_id,
		.path_id = h->path_id,
		.seq = h->seq,
	};

	/* With FROM, each packet is longer than this answer: no amplification. */
	lapsmp_remote_cookie(ln, raddr, h, &r);
	LAPSMP_INC(ln, tx_challenges);
	lapsmp_output_answer(ln, skb, &r);
}

struct lapsmp_rflow *lapsmp_rjoin(struct lapsmp_net *ln,
				  const struct in6_addr *raddr,
				  const struct lapsmp_hdr *h,
				  const struct sk_buff *skb)
{
	struct lapsmp_rflow *rf;
	bool ok;

	rf = lapsmp_rflow_of_sender(ln, h->flow_id, h->snd_inc);
	/* Not worth a RESET: where it was opened, the sender will hear of it. */
	if (!rf)
		return NULL;
	ok = lapsmp_rjoin_same_net(ln, rf, raddr, skb);
	if (ok && !lapsmp_remote_proven(ln, raddr, h)) {
		lapsmp_rjoin_challenge(ln, raddr, h, skb);
		goto out;
	}
	if (ok) {
		spin_lock(&rf->lock);
		ok = __lapsmp_rjoin_add(rf, raddr);
		spin_unlock(&rf->lock);
	}
	if (ok) {
		lapsmp_remote_remember(ln, raddr, h->snd_inc);
		return rf;
	}
	LAPSMP_INC(ln, addrs_refused);
out:
	lapsmp_rflow_put(rf);
	return NULL;
}
