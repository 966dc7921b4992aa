// SPDX-License-Identifier: GPL-2.0
/* Sender incarnations that are known here, and the cookies that prove them. */
#include <linux/random.h>
#include <linux/slab.h>
#include "alg/replay.h"
#include "clock.h"
#include "mib.h"
#include "remote.h"

/* Stateless answers: so many a second, and so many at once. */
#define LAPSMP_ANSWER_RATE	20000
#define LAPSMP_ANSWER_BURST	4096

struct lapsmp_remote_key {
	struct in6_addr	addr;
	u64		inc;
};

struct lapsmp_remote {
	struct rhash_head	node;
	struct lapsmp_remote_key key;
	struct rcu_head		rcu;
	struct lapsmp_net	*ln;
	spinlock_t		lock;	/* guards all below */
	struct lapsmp_replay	replay;
	u64			used_ns;
	u64			first;	/* number that @replay has begun with */
	bool			opens;	/* it has, with a cookie */
	bool			dead;
};

static const struct rhashtable_params lapsmp_remote_params = {
	.head_offset = offsetof(struct lapsmp_remote, node),
	.key_offset = offsetof(struct lapsmp_remote, key),
	.key_len = sizeof(struct lapsmp_remote_key),
	.automatic_shrinking = true,
};

/* --- cookies -------------------------------------------------------------- */

/*
 * A token, which shows a further address of a flow that exists, is a cookie for the
 * number 0. No flow is opened with that number (wire.c), so one is never the other.
 */

static u64 lapsmp_remote_mac(const struct lapsmp_net *ln,
			     const struct in6_addr *raddr,
			     const struct lapsmp_hdr *h, u64 time)
{
	struct {
		struct in6_addr	addr;
		u64		flow_id;
		u64		snd_inc;
		u64		number;
		u64		time;
	} __packed __aligned(SIPHASH_ALIGNMENT) d = {
		.addr = *raddr,
		.flow_id = h->flow_id,
		.snd_inc = h->snd_inc,
		.number = h->number,
		.time = time,
	};

	return siphash(&d, sizeof(d), &ln->cookie_key);
}

static u64 lapsmp_remote_time(void)
{
	return div_u64(lapsmp_clock_now(), NSEC_PER_MSEC);
}

void lapsmp_remote_cookie(struct lapsmp_net *ln, const struct in6_addr *raddr,
			  const struct lapsmp_hdr *h, struct lapsmp_hdr *r)
{
	r->cookie_inc = ln->incarnation;
	r->cookie_time = lapsmp_remote_time();
	r->cookie_mac = lapsmp_remote_mac(ln, raddr, h, r->cookie_time);
}

static bool lapsmp_remote_cookie_ok(const struct lapsmp_net *ln,
				    const struct in6_addr *raddr,
				    const struct lapsmp_hdr *h)
{
	u64 age = lapsmp_remote_time() - h->cookie_time;

	/* One from the future makes a huge age. */
	return age <= LAPSMP_COOKIE_LIFE_MS &&
	       h->cookie_mac == lapsmp_remote_mac(ln, raddr, h, h->cookie_time);
}

/* --- incarnations ----------------------------------------------------------- */

static void lapsmp_remote_free_rcu(struct rcu_head *rcu)
{
	struct lapsmp_remote *r = container_of(rcu, struct lapsmp_remote, rcu);
	struct lapsmp_net *ln = r->ln;

	kfree(r);
	lapsmp_net_put(ln);
}

static struct lapsmp_remote *
lapsmp_remote_new(struct lapsmp_net *ln, const struct lapsmp_remote_key *key)
{
	struct lapsmp_remote *r, *old;

	if (atomic_read(&ln->n_remotes) >= READ_ONCE(ln->conf.max_remotes) ||
	    READ_ONCE(ln->closing))
		return NULL;
	r = kzalloc(sizeof(*r), GFP_ATOMIC);
	if (!r) {
		LAPSMP_INC(ln, nomem);
		return NULL;
	}
	r->key = *key;
	r->ln = ln;
	spin_lock_init(&r->lock);
	r->used_ns = lapsmp_clock_now();
	old = rhashtable_lookup_get_insert_fast(&ln->remotes, &r->node,
						lapsmp_remote_params);
	if (old) {
		/* Another CPU was first, or there was no memory. */
		kfree(r);
		return IS_ERR(old) ? NULL : old;
	}
	atomic_inc(&ln->n_remotes);
	lapsmp_net_hold(ln);
	return r;
}

/*
 * One forged number far above would make all that the true sender has yet to use
 * too old. Only a cookie, which is for one number, may go there; or below what it began with: those
 * may have been used when there was another entry, which was forgotten since.
 */
static enum lapsmp_admit lapsmp_remote_use(struct lapsmp_remote *r,
					   const struct lapsmp_hdr *h)
{
	enum lapsmp_admit ret = LAPSMP_ADMIT_STALE;

	spin_lock_bh(&r->lock);
	if (r->dead || (!h->has_cookie &&
			(!r->opens || h->number < r->first ||
			 lapsmp_replay_is_far(&r->replay, h->number)))) {
		ret = LAPSMP_ADMIT_COOKIE;
	} else if (lapsmp_replay_use(&r->replay, h->number)) {
		r->used_ns = lapsmp_clock_now();
		if (!r->opens)
			r->first = h->number;
		r->opens = true;
		ret = LAPSMP_ADMIT_OK;
	}
	spin_unlock_bh(&r->lock);
	return ret;
}

enum lapsmp_admit lapsmp_remote_admit(struct lapsmp_net *ln,
				      const struct in6_addr *raddr,
				      const struct lapsmp_hdr *h)
{
	struct lapsmp_remote_key key = { .addr = *raddr, .inc = h->snd_inc };
	struct lapsmp_remote *r;

	/* It takes us for somebody else: we restarted since. */
	if (h->rcv_inc && h->rcv_inc != ln->incarnation)
		return LAPSMP_ADMIT_COOKIE;
	if (h->has_cookie && !lapsmp_remote_cookie_ok(ln, raddr, h)) {
		LAPSMP_INC(ln, rx_bad_cookies);
		return LAPSMP_ADMIT_COOKIE;
	}
	/*
	 * Without our incarnation or a cookie nothing says that this packet was
	 * meant for this life of ours.
	 */
	if (!h->rcv_inc && !h->has_cookie)
		return LAPSMP_ADMIT_COOKIE;
	r = rhashtable_lookup(&ln->remotes, &key, lapsmp_remote_params);
	if (!r && !h->has_cookie)
		return LAPSMP_ADMIT_COOKIE;
	if (!r)
		r = lapsmp_remote_new(ln, &key);
	return r ? lapsmp_remote_use(r, h) : LAPSMP_ADMIT_DROP;
}

/* It is remembered for longer, unless it is being forgotten. */
static bool lapsmp_remote_keep(struct lapsmp_remote *r)
{
	bool ok;

	spin_lock_bh(&r->lock);
	ok = !r->dead;
	if (ok)
		r->used_ns = lapsmp_clock_now();
	spin_unlock_bh(&r->lock);
	return ok;
}

bool lapsmp_remote_proven(struct lapsmp_net *ln, const struct in6_addr *raddr,
			  const struct lapsmp_hdr *h)
{
	struct lapsmp_remote_key key = { .addr = *raddr, .inc = h->snd_inc };
	struct lapsmp_remote *r;

	r = rhashtable_lookup(&ln->remotes, &key, lapsmp_remote_params);
	if (r && lapsmp_remote_keep(r))
		return true;
	return lapsmp_remote_cookie_ok(ln, raddr, h);
}

void lapsmp_remote_remember(struct lapsmp_net *ln, const struct in6_addr *raddr,
			    u64 inc)
{
	struct lapsmp_remote_key key = { .addr = *raddr, .inc = inc };

	/* Who opens flows cannot do without an entry. */
	if (atomic_read(&ln->n_remotes) < READ_ONCE(ln->conf.max_remotes) / 2 &&
	    !rhashtable_lookup(&ln->remotes, &key, lapsmp_remote_params))
		lapsmp_remote_new(ln, &key);
}

bool lapsmp_remote_may_answer(struct lapsmp_net *ln, u64 now_ns)
{
	bool ok = false;
	u64 more, since;

	spin_lock_bh(&ln->reset_lock);
	/* The clock was looked at before the lock was taken. */
	since = clamp_t(s64, now_ns - ln->reset_at_ns, 0, NSEC_PER_SEC);
	more = div_u64(since * LAPSMP_ANSWER_RATE, NSEC_PER_SEC);
	if (more) {
		ln->reset_tokens = min_t(u64, ln->reset_tokens + more,
					 LAPSMP_ANSWER_BURST);
		ln->reset_at_ns = now_ns;
	}
	if (ln->reset_tokens) {
		ln->reset_tokens--;
		ok = true;
	}
	spin_unlock_bh(&ln->reset_lock);
	if (!ok)
		LAPSMP_INC(ln, tx_ratelimited);
	return ok;
}

void lapsmp_remote_gc(struct lapsmp_net *ln, u64 now_ns, bool all)
{
	struct rhashtable_iter it;
	struct lapsmp_remote *r;

	rhashtable_walk_enter(&ln->remotes, &it);
	rhashtable_walk_start(&it);
	while ((r = rhashtable_walk_next(&it))) {
		if (IS_ERR(r))
			continue;
		spin_lock_bh(&r->lock);
		r->dead = all || lapsmp_clock_older(r->used_ns, now_ns,
						    LAPSMP_REMOTE_LIFE_NS);
		spin_unlock_bh(&r->lock);
		if (!r->dead || rhashtable_remove_fast(&ln->remotes, &r->node,
						       lapsmp_remote_params))
			continue;
		atomic_dec(&ln->n_remotes);
		call_rcu(&r->rcu, lapsmp_remote_free_rcu);
	}
	rhashtable_walk_stop(&it);
	rhashtable_walk_exit(&it);
}

int lapsmp_remote_net_init(struct lapsmp_net *ln)
{
	spin_lock_init(&ln->reset_lock);
	ln->reset_tokens = LAPSMP_ANSWER_BURST;
	ln->reset_at_ns = lapsmp_clock_now();
	get_random_bytes(&ln->cookie_key, sizeof(ln->cookie_key));
	return rhashtable_init(&ln->remotes, &lapsmp_remote_params);
}
