/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that lapsmp builds for (6.1 and 6.12), and
 * nothing else does. Code is written for 6.12; older kernels are brought up to
 * it here.
 */
#ifndef _LAPSMP_COMPAT_H
#define _LAPSMP_COMPAT_H

#include <linux/version.h>
#include <linux/export.h>

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* For the unit tests only, which are a module of their own. */
#if IS_ENABLED(CONFIG_KUNIT)
#include <kunit/visibility.h>
#define LAPSMP_EXPORT_FOR_TEST(sym)	EXPORT_SYMBOL_IF_KUNIT(sym)
#else
#define LAPSMP_EXPORT_FOR_TEST(sym)
#endif

/*
 * The handler of ICMP errors for encapsulation sockets: before 6.3 it was told
 * where the quoted UDP header is, and had to find out the rest by itself.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define LAPSMP_ENCAP_ERR_RCV(name, handler)				\
static void name(struct sock *sk, struct sk_buff *skb, int err,	\
		 __be16 port, u32 info, u8 *payload)			\
{									\
	handler(sk, skb, err, port, info, payload);			\
}
#else
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/udp.h>
#include <net/icmp.h>
#include <net/ipv6.h>

/* The ICMP header is the 8 bytes before the quoted packet, in both families. */
static inline int lapsmp_compat_icmp_err(const struct sk_buff *skb, u32 *info)
{
	int err = 0;

	if (skb->protocol == htons(ETH_P_IPV6)) {
		const struct icmp6hdr *ih = (void *)(skb->data - sizeof(*ih));

		icmpv6_err_convert(ih->icmp6_type, ih->icmp6_code, &err);
		*info = ntohl(ih->icmp6_mtu);
	} else {
		const struct icmphdr *ih = (void *)(skb->data - sizeof(*ih));

		*info = ntohs(ih->un.frag.mtu);
		if (ih->type == ICMP_DEST_UNREACH && ih->code <= NR_ICMP_UNREACH)
			err = icmp_err_convert[ih->code].errno;
		if (ih->type == ICMP_DEST_UNREACH && ih->code == ICMP_FRAG_NEEDED)
			err = EMSGSIZE;
	}
	return err;
}

#define LAPSMP_ENCAP_ERR_RCV(name, handler)				\
static void name(struct sock *sk, struct sk_buff *skb,			\
		 unsigned int udp_offset)				\
{									\
	const struct udphdr *uh = (void *)(skb->data + udp_offset);	\
	u32 info = 0;							\
	int err = lapsmp_compat_icmp_err(skb, &info);			\
									\
	if (err)							\
		handler(sk, skb, err, uh->dest, info, (u8 *)(uh + 1));	\
}
#endif

/* --- netlink, sysctl and tracepoints ------------------------------------- */

/*
 * Attributes of a dump request; @cb->data is a struct genl_dumpit_info. Needs
 * <net/genetlink.h>.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
#define lapsmp_dump_attrs(cb)	(genl_dumpit_info(cb)->info.attrs)
#else
#define lapsmp_dump_attrs(cb)	(genl_dumpit_info(cb)->attrs)
#endif

/* An error about an attribute, with the value where the kernel can format. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
#define LAPSMP_ERR_VALUE(extack, attr, text, fmt, value) \
	NL_SET_ERR_MSG_ATTR_FMT(extack, attr, text ": " fmt, value)
#else
#define LAPSMP_ERR_VALUE(extack, attr, text, fmt, value) \
	NL_SET_ERR_MSG_ATTR(extack, attr, text)
#endif

/* Tables end with an empty entry, which newer kernels do not count. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#define lapsmp_register_sysctl(net, path, table, n) \
	register_net_sysctl_sz(net, path, table, n)
#else
#define lapsmp_register_sysctl(net, path, table, n) \
	register_net_sysctl(net, path, table)
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define lapsmp_ctl_table	const struct ctl_table
#else
#define lapsmp_ctl_table	struct ctl_table
#endif

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
#define lapsmp_assign_str(dst, src)	__assign_str(dst)
#else
#define lapsmp_assign_str(dst, src)	__assign_str(dst, src)
#endif

/* --- netlink -------------------------------------------------------------- */

/*
 * Before 6.7 a policy pointed to a range that was not const, though nothing
 * wrote to it. The generated policies get this header from Kbuild.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#include <net/netlink.h>
#undef NLA_POLICY_FULL_RANGE
#define NLA_POLICY_FULL_RANGE(tp, _range) {				\
	.type = NLA_ENSURE_UINT_OR_BINARY_TYPE(tp),			\
	.validation_type = NLA_VALIDATE_RANGE_PTR,			\
	.range = (struct netlink_range_validation *)(_range),		\
}
#endif

/* --- IPv6 ------------------------------------------------------------------ */

/* In 6.1 the addresses of a tunnel were not const, though nobody wrote to them. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define lapsmp_tunnel_addr(a)	(a)
#else
#define lapsmp_tunnel_addr(a)	((struct in6_addr *)(a))
#endif

/* --- sockets -------------------------------------------------------------- */

/* Before 6.5 an ioctl that answers with an int stored it by itself. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 5, 0)
#define LAPSMP_PROTO_IOCTL(name, handler)				\
static int name(struct sock *sk, int cmd, int *value)			\
{									\
	return handler(sk, cmd, value);					\
}
#else
#define LAPSMP_PROTO_IOCTL(name, handler)				\
static int name(struct sock *sk, int cmd, unsigned long arg)		\
{									\
	int value, err = handler(sk, cmd, &value);			\
									\
	return err ?: put_user(value, (int __user *)arg);		\
}
#endif

/* Before 6.6 the IPv6 part was found from the end of the socket. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#define LAPSMP_PROTO_PINFO(type, member) \
	.ipv6_pinfo_offset = offsetof(type, member),
#else
#define LAPSMP_PROTO_PINFO(type, member)
#endif

/* Flags of inet sockets were bit fields; these are the ones that we read. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define inet_test_bit(flag, sk)		lapsmp_inet_flag_##flag(inet_sk(sk))
#define inet6_test_bit(flag, sk)	lapsmp_inet6_flag_##flag(inet6_sk(sk))
#define lapsmp_inet_flag_RECVERR(inet)	((inet)->recverr)
#define lapsmp_inet6_flag_RECVERR6(np)	((np)->recverr)
#define inet_cmsg_flags(inet)		((inet)->cmsg_flags)
#endif

/* SRv6 keys, which a kernel may be built without. Context: RCU; softirqs off to sign. */
#ifdef CONFIG_IPV6_SEG6_HMAC
#include <linux/ipv6.h>
#include <net/seg6_hmac.h>

static inline bool lapsmp_seg6_has_key(struct net *net, u32 id)
{
	/* There are none if the machine was started without IPv6. */
	return ipv6_mod_enabled() && seg6_hmac_info_lookup(net, id);
}

static inline int lapsmp_seg6_sign(struct net *net, struct in6_addr *saddr,
				   struct ipv6_sr_hdr *srh)
{
	return seg6_push_hmac(net, saddr, srh);
}
#else
static inline bool lapsmp_seg6_has_key(struct net *net, u32 id)
{
	return false;
}

static inline int lapsmp_seg6_sign(struct net *net, struct in6_addr *saddr,
				   struct ipv6_sr_hdr *srh)
{
	return -ENOENT;
}
#endif

#endif /* _LAPSMP_COMPAT_H */
