// SPDX-License-Identifier: GPL-2.0
/*
 * Socket options: our own in one table, and those of IP and IPv6 that have an
 * effect here. What would be accepted and then ignored is refused instead, so
 * that a program knows.
 */
#include <net/ip.h>
#include <net/ipv6.h>
#include "addr.h"
#include "compat.h"
#include "flow.h"
#include "policy.h"
#include "recvmsg.h"
#include "sockopt.h"

/**
 * struct lapsmp_option - an option at level SOL_LAPSMP
 * @name: LAPSMP_*
 * @max: largest value of an integer
 * @get: of an integer
 * @set: of an integer, 0 to @max
 * @kind: of a policy's name instead
 * @slot: where the socket has its choice
 * @info: LAPSMP_INFO
 */
struct lapsmp_option {
	int	name;
	u32	max;
	u32	(*get)(const struct lapsmp_sock *ls);
	void	(*set)(struct lapsmp_sock *ls, u32 value);
	const struct lapsmp_policy_kind *kind;
	void	**(*slot)(struct lapsmp_sock *ls);
	bool	info;
};

/* --- integers ------------------------------------------------------------------ */

static u32 lapsmp_sockopt_get_unordered(const struct lapsmp_sock *ls)
{
	return READ_ONCE(ls->unordered);
}

static void lapsmp_sockopt_set_unordered(struct lapsmp_sock *ls, u32 value)
{
	WRITE_ONCE(ls->unordered, value);
}

static u32 lapsmp_sockopt_get_notify(const struct lapsmp_sock *ls)
{
	return READ_ONCE(ls->notify);
}

static void lapsmp_sockopt_set_notify(struct lapsmp_sock *ls, u32 value)
{
	WRITE_ONCE(ls->notify, value);
}

static u32 lapsmp_sockopt_get_partial(const struct lapsmp_sock *ls)
{
	return READ_ONCE(ls->partial);
}

/* Readers that wait look for something else from now on. */
static void lapsmp_sockopt_set_partial(struct lapsmp_sock *ls, u32 value)
{
	WRITE_ONCE(ls->partial, value);
	lapsmp_sock_sk(ls)->sk_data_ready(lapsmp_sock_sk(ls));
}

static u32 lapsmp_sockopt_get_timeout(const struct lapsmp_sock *ls)
{
	return READ_ONCE(ls->user_timeout_ms);
}

/* For flows that there are, too: it is about what is under way. */
static void lapsmp_sockopt_set_timeout(struct lapsmp_sock *ls, u32 value)
{
	struct lapsmp_flow *f;
	int i;

	WRITE_ONCE(ls->user_timeout_ms, value);
	spin_lock_bh(&ls->flow_lock);
	for (i = 0; i < ARRAY_SIZE(ls->flows); i++) {
		hlist_for_each_entry(f, &ls->flows[i], sock_node) {
			spin_lock(&f->lock);
			f->user_timeout_ms = value;
			spin_unlock(&f->lock);
		}
	}
	spin_unlock_bh(&ls->flow_lock);
}

/* --- policies ------------------------------------------------------------------ */

static void **lapsmp_sockopt_slot_sched(struct lapsmp_sock *ls)
{
	return (void **)&ls->sched;
}

static void **lapsmp_sockopt_slot_cc(struct lapsmp_sock *ls)
{
	return (void **)&ls->cc;
}

/* --- the table ------------------------------------------------------------------ */

static const struct lapsmp_option lapsmp_sockopt_table[] = {
	{
		.name = LAPSMP_UNORDERED, .max = 1,
		.get = lapsmp_sockopt_get_unordered,
		.set = lapsmp_sockopt_set_unordered,
	}, {
		.name = LAPSMP_PARTIAL, .max = 1,
		.get = lapsmp_sockopt_get_partial,
		.set = lapsmp_sockopt_set_partial,
	}, {
		.name = LAPSMP_NOTIFY, .max = 1,
		.get = lapsmp_sockopt_get_notify,
		.set = lapsmp_sockopt_set_notify,
	}, {
		.name = LAPSMP_USER_TIMEOUT, .max = INT_MAX,
		.get = lapsmp_sockopt_get_timeout,
		.set = lapsmp_sockopt_set_timeout,
	}, {
		.name = LAPSMP_SCHED,
		.kind = &lapsmp_policy_sched,
		.slot = lapsmp_sockopt_slot_sched,
	}, {
		.name = LAPSMP_CC,
		.kind = &lapsmp_policy_cc,
		.slot = lapsmp_sockopt_slot_cc,
	}, {
		.name = LAPSMP_INFO, .info = true,
	},
};

static const struct lapsmp_option *lapsmp_sockopt_find(int name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(lapsmp_sockopt_table); i++)
		if (lapsmp_sockopt_table[i].name == name)
			return &lapsmp_sockopt_table[i];
	return NULL;
}

/* Options of the layers below that mean something here; the rest is refused. */
static bool lapsmp_sockopt_passes(const struct sock *sk, int level, int name)
{
	static const int ip[] = {
		IP_TOS, IP_PKTINFO, IP_RECVERR, IP_MTU_DISCOVER, IP_FREEBIND,
		IP_BIND_ADDRESS_NO_PORT, IP_LOCAL_PORT_RANGE,
	};
	static const int ipv6[] = {
		IPV6_V6ONLY, IPV6_TCLASS, IPV6_RECVPKTINFO, IPV6_2292PKTINFO,
		IPV6_RECVERR, IPV6_MTU_DISCOVER, IPV6_FREEBIND,
	};
	const int *names = level == SOL_IP ? ip : ipv6;
	int i, n = level == SOL_IP ? ARRAY_SIZE(ip) : ARRAY_SIZE(ipv6);

	if (level != SOL_IP && (level != SOL_IPV6 || sk->sk_family != AF_INET6))
		return false;
	for (i = 0; i < n; i++)
		if (names[i] == name)
			return true;
	return false;
}

/* --- set -------------------------------------------------------------------------- */

static int lapsmp_sockopt_set_int(struct lapsmp_sock *ls,
				  const struct lapsmp_option *opt,
				  sockptr_t optval, unsigned int optlen)
{
	u32 value;

	if (optlen < sizeof(value))
		return -EINVAL;
	if (copy_from_sockptr(&value, optval, sizeof(value)))
		return -EFAULT;
	if (value > opt->max)
		return -EINVAL;
	opt->set(ls, value);
	return 0;
}

/* The empty name gives the choice back to the peer and the namespace. */
static int lapsmp_sockopt_set_policy(struct lapsmp_sock *ls,
				     const struct lapsmp_option *opt,
				     sockptr_t optval, unsigned int optlen)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(lapsmp_sock_sk(ls)));
	char name[LAPSMP_NAME_MAX] = "";
	void *ops = NULL;

	if (optlen < 1 || optlen > sizeof(name))
		return -EINVAL;
	if (copy_from_sockptr(name, optval, optlen))
		return -EFAULT;
	if (name[sizeof(name) - 1])
		return -EINVAL;
	if (name[0]) {
		ops = lapsmp_policy_get(opt->kind, name);
		if (IS_ERR(ops))
			return PTR_ERR(ops);
	}
	lapsmp_policy_swap(ln, opt->kind, opt->slot(ls), ops);
	return 0;
}

/**
 * lapsmp_setsockopt() - struct proto's setsockopt
 * @sk: socket
 * @level: SOL_LAPSMP, SOL_IP, SOL_IPV6
 * @name: option
 * @optval: value
 * @optlen: its length
 *
 * Context: process.
 * Return: 0; -ENOPROTOOPT (unknown, or would have no effect); -EINVAL (too short,
 * out of range, not a name); -ENOENT (no such policy); -EFAULT.
 */
int lapsmp_setsockopt(struct sock *sk, int level, int name, sockptr_t optval,
		      unsigned int optlen)
{
	const struct lapsmp_option *opt;

	if (level != SOL_LAPSMP) {
		if (!lapsmp_sockopt_passes(sk, level, name))
			return -ENOPROTOOPT;
		return level == SOL_IP ?
		       ip_setsockopt(sk, level, name, optval, optlen) :
		       ipv6_setsockopt(sk, level, name, optval, optlen);
	}
	opt = lapsmp_sockopt_find(name);
	if (!opt || opt->info)
		return -ENOPROTOOPT;
	return opt->kind ?
	       lapsmp_sockopt_set_policy(lapsmp_sk(sk), opt, optval, optlen) :
	       lapsmp_sockopt_set_int(lapsmp_sk(sk), opt, optval, optlen);
}

/* --- get -------------------------------------------------------------------------- */

static void lapsmp_sockopt_fill_info(struct lapsmp_sock *ls,
				     struct lapsmp_info *info)
{
	const struct lapsmp_sock_stats *st = &ls->stats;

	*info = (struct lapsmp_info){
		.flows = READ_ONCE(ls->n_flows),
		.tx_messages = atomic64_read(&st->tx_messages),
		.tx_bytes = atomic64_read(&st->tx_bytes),
		.tx_acked_messages = atomic64_read(&st->tx_acked_messages),
		.tx_failed_messages = atomic64_read(&st->tx_failed_messages),
		.tx_segs = atomic64_read(&st->tx_segs),
		.retrans_segs = atomic64_read(&st->retrans_segs),
		.lost_segs = atomic64_read(&st->lost_segs),
		.spurious_segs = atomic64_read(&st->spurious_segs),
		.rx_messages = atomic64_read(&st->rx_messages),
		.rx_bytes = atomic64_read(&st->rx_bytes),
		.rx_dup_segs = atomic64_read(&st->rx_dup_segs),
		.rx_overflow_segs = atomic64_read(&st->rx_overflow_segs),
		.rx_ooo_segs = atomic64_read(&st->rx_ooo_segs),
		.tx_queued_bytes = atomic_long_read(&ls->wmem),
		.rx_queued_bytes = lapsmp_recv_queued_bytes(ls),
	};
}

/* As much of @value as the program has room for. */
static int lapsmp_sockopt_copy(const void *value, int size, int len,
			       char __user *optval, int __user *optlen)
{
	len = min(len, size);
	if (put_user(len, optlen) || copy_to_user(optval, value, len))
		return -EFAULT;
	return 0;
}

static int lapsmp_sockopt_get_info(struct lapsmp_sock *ls, int len,
				   char __user *optval, int __user *optlen)
{
	struct lapsmp_info info;

	if (len < (int)sizeof(info.size))
		return -EINVAL;
	lapsmp_sockopt_fill_info(ls, &info);
	info.size = min_t(int, len, sizeof(info));
	return lapsmp_sockopt_copy(&info, sizeof(info), len, optval, optlen);
}

static int lapsmp_sockopt_get_ours(struct lapsmp_sock *ls,
				   const struct lapsmp_option *opt, int len,
				   char __user *optval, int __user *optlen)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(lapsmp_sock_sk(ls)));
	char name[LAPSMP_NAME_MAX];
	u32 value;

	if (opt->info)
		return lapsmp_sockopt_get_info(ls, len, optval, optlen);
	if (opt->kind) {
		memset(name, 0, sizeof(name));
		lapsmp_policy_name(ln, opt->kind, opt->slot(ls), name);
		return lapsmp_sockopt_copy(name, sizeof(name), len, optval,
					   optlen);
	}
	value = opt->get(ls);
	return lapsmp_sockopt_copy(&value, sizeof(value), len, optval, optlen);
}

/**
 * lapsmp_getsockopt() - struct proto's getsockopt
 * @sk: socket
 * @level: SOL_LAPSMP, SOL_IP, SOL_IPV6
 * @name: option
 * @optval: room for the value
 * @optlen: how much; set to what was filled
 *
 * Context: process.
 * Return: 0, -ENOPROTOOPT, -EINVAL (no room), -EFAULT.
 */
int lapsmp_getsockopt(struct sock *sk, int level, int name,
		      char __user *optval, int __user *optlen)
{
	const struct lapsmp_option *opt;
	int len;

	if (level != SOL_LAPSMP) {
		if (!lapsmp_sockopt_passes(sk, level, name))
			return -ENOPROTOOPT;
		return level == SOL_IP ?
		       ip_getsockopt(sk, level, name, optval, optlen) :
		       ipv6_getsockopt(sk, level, name, optval, optlen);
	}
	opt = lapsmp_sockopt_find(name);
	if (!opt)
		return -ENOPROTOOPT;
	if (get_user(len, optlen))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;
	return lapsmp_sockopt_get_ours(lapsmp_sk(sk), opt, len, optval, optlen);
}
