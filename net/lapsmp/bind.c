// SPDX-License-Identifier: GPL-2.0
/*
 * Who listens where: sockets by local lapsmp port.
 *
 * Addresses and devices of a socket may change while it is in the table (connect,
 * SO_BINDTODEVICE): a lookup reads them without a lock and may see the state
 * before or after, as in UDP.
 */
#include <linux/jhash.h>
#include <linux/random.h>
#include <net/addrconf.h>
#include <net/ip.h>
#include <net/udp.h>
#include "addr.h"
#include "bind.h"
#include "compat.h"
#include "udp.h"

static struct hlist_head *lapsmp_bind_bucket(struct lapsmp_net *ln,
					     unsigned short num)
{
	return &ln->binds[num % LAPSMP_BIND_BUCKETS];
}

static struct sock *lapsmp_bind_sk(struct hlist_node *node)
{
	return lapsmp_sock_sk(hlist_entry(node, struct lapsmp_sock, bind_node));
}

static bool lapsmp_bind_may_share(const struct sock *a, struct sock *b,
				  kuid_t uid)
{
	if (a->sk_reuse && b->sk_reuse)
		return true;
	return a->sk_reuseport && b->sk_reuseport && uid_eq(uid, sock_i_uid(b));
}

/* Context: ln->bind_lock held. */
static bool lapsmp_bind_conflict(struct lapsmp_net *ln, struct sock *sk,
				 unsigned short num, kuid_t uid)
{
	struct hlist_node *node;

	hlist_for_each(node, lapsmp_bind_bucket(ln, num)) {
		struct sock *other = lapsmp_bind_sk(node);

		if (other == sk || inet_sk(other)->inet_num != num)
			continue;
		if (sk->sk_bound_dev_if && other->sk_bound_dev_if &&
		    sk->sk_bound_dev_if != other->sk_bound_dev_if)
			continue;
		if (inet_rcv_saddr_equal(sk, other, true) &&
		    !lapsmp_bind_may_share(sk, other, uid))
			return true;
	}
	return false;
}

static bool lapsmp_bind_try(struct lapsmp_net *ln, struct sock *sk,
			    unsigned short num, kuid_t uid)
{
	struct lapsmp_sock *ls = lapsmp_sk(sk);
	bool free;

	spin_lock_bh(&ln->bind_lock);
	free = !lapsmp_bind_conflict(ln, sk, num, uid);
	if (free) {
		inet_sk(sk)->inet_num = num;
		/* At the head: of two equals, the newest is found. */
		hlist_add_head_rcu(&ls->bind_node, lapsmp_bind_bucket(ln, num));
		ls->bound = true;
	}
	spin_unlock_bh(&ln->bind_lock);
	return free;
}

/* Any free port: from a random one on, each once. */
static bool lapsmp_bind_any(struct lapsmp_net *ln, struct sock *sk, kuid_t uid)
{
	int low, high, n, i, start;

	inet_sk_get_local_port_range(sk, &low, &high);
	n = high - low + 1;
	start = get_random_u32() % n;
	for (i = 0; i < n; i++) {
		int num = low + (start + i) % n;

		if (!inet_is_local_reserved_port(ln->net, num) &&
		    lapsmp_bind_try(ln, sk, num, uid))
			return true;
		cond_resched();
	}
	return false;
}

/**
 * lapsmp_bind_get_port() - struct proto's get_port
 * @sk: locked
 * @snum: port, host order, or 0 for one of the local port range
 *
 * Context: process.
 * Return: 0, -EADDRINUSE, or why the service port cannot be opened.
 */
int lapsmp_bind_get_port(struct sock *sk, unsigned short snum)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(sk));
	kuid_t uid = sock_i_uid(sk);
	int err;

	err = lapsmp_udp_open_service(ln);
	if (err)
		return err;
	if (snum ? lapsmp_bind_try(ln, sk, snum, uid) :
		   lapsmp_bind_any(ln, sk, uid))
		return 0;
	return -EADDRINUSE;
}

/**
 * lapsmp_bind_unhash() - out of the table
 * @sk: locked or closing; need not be bound
 *
 * Lookups that are under way may still find it for a grace period.
 */
void lapsmp_bind_unhash(struct sock *sk)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(sk));
	struct lapsmp_sock *ls = lapsmp_sk(sk);

	spin_lock_bh(&ln->bind_lock);
	if (ls->bound) {
		ls->bound = false;
		hlist_del_init_rcu(&ls->bind_node);
		inet_sk(sk)->inet_num = 0;
	}
	spin_unlock_bh(&ln->bind_lock);
}

/* What a flow is looked up by; see lapsmp_bind_lookup(). */
struct lapsmp_bind_key {
	const struct in6_addr	*laddr;
	const struct in6_addr	*raddr;
	__be16			lport;
	__be16			rport;
	int			dif;
	int			sdif;
};

/* Points for addresses: -1 does not match, 1 for each that is not a wildcard. */
static int lapsmp_bind_score4(const struct sock *sk,
			      const struct lapsmp_bind_key *key)
{
	const struct inet_sock *inet = inet_sk(sk);
	__be32 laddr = READ_ONCE(inet->inet_rcv_saddr);
	__be32 raddr = READ_ONCE(inet->inet_daddr);

	if (ipv6_only_sock(sk) ||
	    (laddr && laddr != lapsmp_addr_v4(key->laddr)) ||
	    (raddr && raddr != lapsmp_addr_v4(key->raddr)))
		return -1;
	return !!laddr + !!raddr;
}

static int lapsmp_bind_score6(const struct sock *sk,
			      const struct lapsmp_bind_key *key)
{
	bool laddr, raddr;

	if (sk->sk_family != AF_INET6)
		return -1;
	laddr = !ipv6_addr_any(&sk->sk_v6_rcv_saddr);
	raddr = !ipv6_addr_any(&sk->sk_v6_daddr);
	if ((laddr && !ipv6_addr_equal(&sk->sk_v6_rcv_saddr, key->laddr)) ||
	    (raddr && !ipv6_addr_equal(&sk->sk_v6_daddr, key->raddr)))
		return -1;
	return laddr + raddr;
}

/* The better the match, the more points; -1 is none. */
static int lapsmp_bind_score(struct net *net, const struct sock *sk,
			     const struct lapsmp_bind_key *key)
{
	__be16 dport = READ_ONCE(inet_sk(sk)->inet_dport);
	int bound_dev = READ_ONCE(sk->sk_bound_dev_if);
	int score;

	if (inet_sk(sk)->inet_num != ntohs(key->lport) ||
	    (dport && dport != key->rport) ||
	    !udp_sk_bound_dev_eq(net, bound_dev, key->dif, key->sdif))
		return -1;
	score = lapsmp_addr_is_v4(key->laddr) ? lapsmp_bind_score4(sk, key) :
						lapsmp_bind_score6(sk, key);
	if (score < 0)
		return -1;
	/* The family breaks ties: an IPv4 socket before a dual one. */
	return 4 * (score + !!dport + !!bound_dev) +
	       (lapsmp_addr_is_v4(key->laddr) ? sk->sk_family == AF_INET : 0);
}

static u32 lapsmp_bind_hash(const struct lapsmp_net *ln, const struct lapsmp_bind_key *key)
{
	u32 secret = ln->bind_secret;
	u32 ports = (__force u32)key->lport << 16 | (__force u32)key->rport;

	return jhash_2words(__ipv6_addr_jhash(key->laddr, secret),
			    __ipv6_addr_jhash(key->raddr, secret), ports);
}

struct sock *lapsmp_bind_lookup(struct lapsmp_net *ln,
				const struct in6_addr *laddr, __be16 lport,
				const struct in6_addr *raddr, __be16 rport,
				int dif, int sdif)
{
	const struct lapsmp_bind_key key = {
		.laddr = laddr, .lport = lport,
		.raddr = raddr, .rport = rport,
		.dif = dif, .sdif = sdif,
	};
	struct lapsmp_sock *ls;
	struct sock *best = NULL;
	u32 hash = 0, equals = 0;
	int score, top = -1;

	hlist_for_each_entry_rcu(ls, lapsmp_bind_bucket(ln, ntohs(lport)),
				 bind_node) {
		struct sock *sk = lapsmp_sock_sk(ls);

		score = lapsmp_bind_score(ln->net, sk, &key);
		if (score > top) {
			top = score;
			best = sk;
			equals = 1;
			hash = sk->sk_reuseport ? lapsmp_bind_hash(ln, &key) : 0;
		} else if (score >= 0 && score == top && best->sk_reuseport &&
			   sk->sk_reuseport) {
			/* Each of n equals wins with 1/n, always the same. */
			if (!reciprocal_scale(hash, ++equals))
				best = sk;
			hash = next_pseudo_random32(hash);
		}
	}
	return best;
}

/**
 * lapsmp_bind_net_init() - an empty table
 * @ln: namespace
 */
void lapsmp_bind_net_init(struct lapsmp_net *ln)
{
	int i;

	ln->bind_secret = get_random_u32();
	spin_lock_init(&ln->bind_lock);
	for (i = 0; i < LAPSMP_BIND_BUCKETS; i++)
		INIT_HLIST_HEAD(&ln->binds[i]);
}
