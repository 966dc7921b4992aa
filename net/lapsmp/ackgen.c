// SPDX-License-Identifier: GPL-2.0
/* When to acknowledge, and the answer itself. */
#include <net/inet_ecn.h>
#include "ackgen.h"
#include "ackshare.h"
#include "clock.h"
#include "mib.h"
#include "output.h"
#include "outsegs.h"
#include "peer.h"
#include "window.h"
#include "wire_also.h"

/*
 * A flow's first segments are answered each: its sender measures by them, and its window
 * opens by what it hears. With 16 storage messages on a Rail are no sooner there.
 */
#define LAPSMP_ACKGEN_QUICK_SEGS	4
/*
 * Where one answer is for several paths, it waits for a third of what it may: who has eight sends
 * as much in that time as by one path in three times as long, and hears of it sooner.
 */
#define LAPSMP_ACKGEN_SHARED_PART	3

/* Flows with answers due. */
static DEFINE_PER_CPU(struct lapsmp_later_cpu, lapsmp_ackgen_cpus);

/* --- one answer -------------------------------------------------------------- */

static void lapsmp_ackgen_key(const struct lapsmp_rflow *rf,
			      const struct lapsmp_rpath *rp,
			      struct lapsmp_route_key *k)
{
	*k = (struct lapsmp_route_key){
		.saddr = rp->way.laddr,
		.daddr = rp->way.raddr,
		.sport = rp->way.lport,
		.dport = rp->way.rport,
		.flowlabel = rp->way.flowlabel,
		.segs = rp->by,
		.ifindex = rf->ifindex,
		.tos = READ_ONCE(rf->ln->conf.ack_tos),
	};
}

/*
 * Nothing in a packet of IPv4 tells the nodes by which it came: answers go by those
 * that were configured, if there are such.
 */
static void lapsmp_ackgen_configured(const struct lapsmp_rflow *rf,
				     struct lapsmp_rpath *rp)
{
	const struct lapsmp_segs *segs;

	rp->answers_gen = atomic_read(&rf->ln->answers_gen);
	/* Pairs with lapsmp_peer_answers_changed(). */
	smp_rmb();
	kfree(rp->back);
	rp->back = NULL;
	/* They are of an address, which may be another host's in a VRF. */
	if (rf->ifindex)
		return;
	rcu_read_lock();
	segs = lapsmp_peer_answers(rf->ln, &rp->way.raddr);
	if (segs)
		rp->back = kmemdup(segs, lapsmp_segs_size(segs),
				   GFP_ATOMIC | __GFP_NOWARN);
	rcu_read_unlock();
}

/*
 * The reverse of the data's path, as far as ports, the flow label and segments can
 * say it: each path of the flow has its own, and so its own route.
 */
static struct lapsmp_route *lapsmp_ackgen_route(struct lapsmp_rflow *rf,
						struct lapsmp_rpath *rp)
{
	bool v4 = lapsmp_addr_is_v4(&rp->way.raddr);
	struct lapsmp_route_key k;
	struct lapsmp_route *r;

	if (lapsmp_route_valid(rp->route) &&
	    (!v4 || rp->answers_gen == atomic_read(&rf->ln->answers_gen)))
		return rp->route;
	if (v4)
		lapsmp_ackgen_configured(rf, rp);
	rp->by = rp->back;
	lapsmp_ackgen_key(rf, rp, &k);
	r = lapsmp_route_lookup(rf->ln, &k);
	/* The plain route, rather than no answer. */
	if (rp->by && (IS_ERR(r) || lapsmp_route_is_loopback(r))) {
		if (!IS_ERR(r))
			lapsmp_route_free(r);
		rp->by = NULL;
		lapsmp_ackgen_key(rf, rp, &k);
		r = lapsmp_route_lookup(rf->ln, &k);
	}
	lapsmp_route_free(rp->route);
	rp->route = IS_ERR(r) ? NULL : r;
	return rp->route;
}

static void lapsmp_ackgen_xmit(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp,
			       const struct lapsmp_hdr *h, u64 now_ns)
{
	struct lapsmp_route *r = lapsmp_ackgen_route(rf, rp);
	struct lapsmp_route_key k;
	struct sk_buff *skb;

	if (!r)
		return;
	skb = lapsmp_output_alloc(h, 0, rp->by);
	if (!skb) {
		LAPSMP_INC(rf->ln, nomem);
		return;
	}
	skb->priority = READ_ONCE(rf->ln->conf.ack_prio);
	lapsmp_ackgen_key(rf, rp, &k);
	lapsmp_output_send(rf->ln, r, &k, skb, now_ns);
}

/*
 * Of a batch the newest counts: those before it have waited for this host as well, and of how
 * long it lets them wait the network knows nothing.
 */
static void lapsmp_ackgen_measure(struct lapsmp_rpath *rp)
{
	if (!rp->newer)
		return;
	rp->newer = false;
	lapsmp_owdmean_add(&rp->mean, rp->owd);
}

/* What there is to say of the path, and it is as said. */
static struct lapsmp_also lapsmp_ackgen_tell(struct lapsmp_rpath *rp, u64 now_ns)
{
	rp->unacked = 0;
	return (struct lapsmp_also){
		.path_id = rp->id,
		.seq = rp->seqs.high,
		.map = rp->seqs.map,
		.owd_ns = rp->owd,
		.owd_mean_ns = lapsmp_owdmean_take(&rp->mean, rp->owd),
		.ack_delay_ns = min_t(u64, now_ns - rp->arr_ns, U32_MAX),
	};
}

static void lapsmp_ackgen_not_due(struct lapsmp_rpath *rp)
{
	if (!rp->due)
		return;
	list_del_init(&rp->due_node);
	rp->due = false;
}

/* Whatever else is due, also what would have waited. Return: how many. */
static unsigned int lapsmp_ackgen_gather(struct lapsmp_rflow *rf, const struct lapsmp_rpath *lead,
					 struct lapsmp_also *also, u64 now_ns)
{
	struct lapsmp_rpath *rp, *next;
	unsigned int n = 0;

	list_for_each_entry_safe(rp, next, &rf->due, due_node) {
		if (n == LAPSMP_ALSO_MAX)
			break;
		if (!lapsmp_ackshare_may_join(rf, rp, lead))
			continue;
		lapsmp_ackshare_joined(rp);
		lapsmp_ackgen_measure(rp);
		lapsmp_ackgen_not_due(rp);
		also[n++] = lapsmp_ackgen_tell(rp, now_ns);
	}
	return n;
}

static void lapsmp_ackgen_send(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp)
{
	struct lapsmp_also also[LAPSMP_ALSO_MAX], own;
	u64 now = lapsmp_clock_now();
	struct lapsmp_hdr h = {
		.type = rp->type,
		.flow_id = rf->key.id,
		.rcv_msg = rf->rcv_msg,
		.rcv_off = lapsmp_window_head(rf),
		.limit = lapsmp_window_limit(rf),
		/* That nothing was marked goes without saying. */
		.has_ecn = rp->ce,
		.ect0 = rp->ect0,
		.ect1 = rp->ect1,
		.ce = rp->ce,
		.also = also,
	};

	lapsmp_ackgen_measure(rp);
	lapsmp_ackgen_not_due(rp);
	lapsmp_ackshare_led(rp);
	own = lapsmp_ackgen_tell(rp, now);
	lapsmp_also_own(&h, &own);
	/* Without a way back it is not sent; the others have their own. */
	if (lapsmp_ackgen_route(rf, rp))
		h.n_also = lapsmp_ackgen_gather(rf, rp, also, now);
	LAPSMP_INC(rf->ln, tx_acks);
	LAPSMP_ADD(rf->ln, also_acks, h.n_also);
	lapsmp_ackgen_xmit(rf, rp, &h, now);
}

/* --- batches -------------------------------------------------------------------- */

/* How long one of the path waits for those behind. */
static u64 lapsmp_ackgen_wait_ns(const struct lapsmp_rflow *rf, const struct lapsmp_rpath *rp)
{
	u32 wait_ns = READ_ONCE(rf->ln->conf.ack_wait_ns);

	return rp->shared ? wait_ns / LAPSMP_ACKGEN_SHARED_PART : wait_ns;
}

/* More is about to come: one answer will do for all. */
static bool lapsmp_ackgen_may_wait(const struct lapsmp_rflow *rf,
				   const struct lapsmp_rpath *rp, u64 now_ns)
{
	/* Where timers are the scheduler's ticks, it would wait for longer than a timeout. */
	if (hrtimer_resolution > NSEC_PER_USEC)
		return false;
	return rf->ls && rp->dense && rp->type == LAPSMP_T_ACK &&
	       rp->first_ns + lapsmp_ackgen_wait_ns(rf, rp) > now_ns;
}

/* ack_at_ns says whether a reference is held for it, as for a flow's timer (flow.c). */
static void lapsmp_ackgen_arm(struct lapsmp_rflow *rf, u64 at_ns)
{
	if (rf->ack_at_ns && rf->ack_at_ns <= at_ns)
		return;
	if (!rf->ack_at_ns)
		lapsmp_rflow_hold(rf);
	rf->ack_at_ns = at_ns;
	/* Here, where the packets come: it is too short to look for another processor. */
	hrtimer_start_range_ns(&rf->ack_timer, ns_to_ktime(at_ns), 0,
			       HRTIMER_MODE_ABS_PINNED_SOFT);
}

/*
 * The first of those that are due and may not wait, or NULL. @until_ns: when the first of those
 * before it that wait does so no longer; made sooner.
 */
static struct lapsmp_rpath *lapsmp_ackgen_first(struct lapsmp_rflow *rf, u64 now_ns,
						u64 *until_ns)
{
	struct lapsmp_rpath *rp;

	list_for_each_entry(rp, &rf->due, due_node) {
		lapsmp_ackgen_measure(rp);
		if (!lapsmp_ackgen_may_wait(rf, rp, now_ns))
			return rp;
		*until_ns = min(*until_ns, rp->first_ns + lapsmp_ackgen_wait_ns(rf, rp));
	}
	return NULL;
}

/* What is due is sent, but for what is worth waiting for. */
static void lapsmp_ackgen_send_due(struct lapsmp_rflow *rf)
{
	u64 now = lapsmp_clock_now(), until_ns = U64_MAX;
	struct lapsmp_rpath *rp;

	while ((rp = lapsmp_ackgen_first(rf, now, &until_ns))) {
		if (rf->ls)
			lapsmp_ackgen_send(rf, rp);
		else
			lapsmp_ackgen_not_due(rp);
	}
	if (!list_empty(&rf->due))
		lapsmp_ackgen_arm(rf, until_ns);
}

static enum hrtimer_restart lapsmp_ackgen_timer(struct hrtimer *t)
{
	struct lapsmp_rflow *rf = container_of(t, struct lapsmp_rflow, ack_timer);

	spin_lock(&rf->lock);
	/* While it waited for the lock it was set anew: that turn has the reference. */
	if (hrtimer_is_queued(t)) {
		spin_unlock(&rf->lock);
		return HRTIMER_NORESTART;
	}
	rf->ack_at_ns = 0;
	lapsmp_ackgen_send_due(rf);
	spin_unlock(&rf->lock);
	lapsmp_rflow_put(rf);
	return HRTIMER_NORESTART;
}

static void lapsmp_ackgen_run(struct lapsmp_later *l)
{
	struct lapsmp_rflow *rf = container_of(l, struct lapsmp_rflow, acks);

	spin_lock(&rf->lock);
	lapsmp_later_taken(l);
	lapsmp_ackgen_send_due(rf);
	spin_unlock(&rf->lock);
	lapsmp_rflow_put(rf);
}

void lapsmp_ackgen_due(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp, u8 type,
		       bool now)
{
	lockdep_assert_held(&rf->lock);
	rp->type = type;
	if (now) {
		lapsmp_ackgen_send(rf, rp);
		return;
	}
	if (!rp->due) {
		rp->due = true;
		list_add_tail(&rp->due_node, &rf->due);
	}
	if (lapsmp_later_add(&lapsmp_ackgen_cpus, &rf->acks))
		lapsmp_rflow_hold(rf);
}

/* --- what was received ------------------------------------------------------------- */

void lapsmp_ackgen_ecn(struct lapsmp_rpath *rp, u8 ecn)
{
	switch (ecn) {
	case INET_ECN_ECT_0:
		rp->ect0++;
		break;
	case INET_ECN_ECT_1:
		rp->ect1++;
		break;
	case INET_ECN_CE:
		rp->ce++;
		break;
	}
}

/*
 * The nodes by which it came, in the other order. What cannot be gone back, or not
 * remembered, is answered by the plain route. Return: whether they are others.
 */
static bool lapsmp_ackgen_segs(const struct lapsmp_net *ln,
			       struct lapsmp_rpath *rp, const struct sk_buff *skb)
{
	struct lapsmp_segs back;
	const u8 *srh;
	u32 len;

	if (skb->protocol == htons(ETH_P_IP))
		return false;
	srh = lapsmp_addr_srh(skb, &len);
	if (!srh && !rp->back)
		return false;
	if (!srh || !READ_ONCE(ln->conf.ack_segs) ||
	    !lapsmp_srh_back(srh, len, ipv6_hdr(skb)->daddr.s6_addr, &back))
		back.n = 0;
	/* Without the key unsigned, which nodes that do not insist on it let pass. */
	if (back.n && back.hmac && !lapsmp_outsegs_has_key(ln, back.hmac))
		back.hmac = 0;
	if (lapsmp_srh_same(rp->back, &back))
		return false;
	kfree(rp->back);
	rp->back = NULL;
	rp->by = NULL;
	if (back.n)
		rp->back = kmemdup(&back, lapsmp_segs_size(&back),
				   GFP_ATOMIC | __GFP_NOWARN);
	return true;
}

void lapsmp_ackgen_way(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp,
		       const struct sk_buff *skb)
{
	const struct lapsmp_way way = lapsmp_way_from_skb(skb);
	bool segs = lapsmp_ackgen_segs(rf->ln, rp, skb);

	if (!segs && lapsmp_way_same(&rp->way, &way))
		return;
	/*
	 * NAT may have moved the port, or its label changed, or it came by another
	 * of the sender's addresses, or ours: the route follows.
	 */
	rp->way = way;
	lapsmp_route_free(rp->route);
	rp->route = NULL;
}

/* Soon after one before it, so the next one may be as near; with a gap it may not. */
static bool lapsmp_ackgen_is_dense(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp, u64 now_ns)
{
	u64 last_ns = lapsmp_ackshare_last_ns(rf, rp);

	return (s64)(now_ns - last_ns) < (s64)lapsmp_ackgen_wait_ns(rf, rp);
}

void lapsmp_ackgen_note(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp,
			const struct lapsmp_hdr *h, u64 now_ns)
{
	u32 owd = (u32)lapsmp_clock_stamp(rf->ln, now_ns) - h->time_ns;
	bool early = rf->n_early < LAPSMP_ACKGEN_QUICK_SEGS;

	rf->n_early += early;
	if (!rp->unacked) {
		rp->first_ns = now_ns;
		rp->dense = lapsmp_ackgen_is_dense(rf, rp, now_ns);
	}
	if (h->seq != rp->seqs.high + 1 || early)
		rp->dense = false;
	lapsmp_ackshare_arrived(rf, rp, now_ns);
	if (lapsmp_seqmap_add(&rp->seqs, h->seq)) {
		lapsmp_ackshare_delay(rp, owd);
		rp->owd = owd;
		rp->arr_ns = now_ns;
		rp->newer = true;
	}
	rp->unacked++;
}

void lapsmp_ackgen_window(struct lapsmp_rflow *rf)
{
	struct lapsmp_rpath *rp = xa_load(&rf->paths, rf->last_path);

	if (rp && rf->ls)
		lapsmp_ackgen_due(rf, rp, LAPSMP_T_WUPDATE, true);
}

void lapsmp_ackgen_reset(struct lapsmp_rflow *rf, u16 reason)
{
	struct lapsmp_rpath *rp = xa_load(&rf->paths, rf->last_path);
	struct lapsmp_hdr h = {
		.type = LAPSMP_T_RESET,
		.flow_id = rf->key.id,
		.path_id = rf->last_path,
		.reason = reason,
		.msg = rf->rcv_msg,
	};

	if (!rp)
		return;
	h.seq = rp->seqs.high;
	LAPSMP_INC(rf->ln, tx_resets);
	lapsmp_ackgen_xmit(rf, rp, &h, lapsmp_clock_now());
}

/* --- life ------------------------------------------------------------------------------ */

void lapsmp_ackgen_setup(struct lapsmp_rflow *rf)
{
	INIT_LIST_HEAD(&rf->due);
	hrtimer_init(&rf->ack_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_SOFT);
	rf->ack_timer.function = lapsmp_ackgen_timer;
}

int lapsmp_ackgen_init(void)
{
	lapsmp_later_init(&lapsmp_ackgen_cpus, lapsmp_ackgen_run);
	return 0;
}

void lapsmp_ackgen_exit(void)
{
	lapsmp_later_exit(&lapsmp_ackgen_cpus);
}
