// SPDX-License-Identifier: GPL-2.0
/* Netlink: what a request wants a path to be. */
#include <linux/netdevice.h>
#include "addr.h"
#include "nl_pathspec.h"
#include "nl_segs.h"
#include "nl_util.h"
#include "outsegs.h"

/* --- is it right? --------------------------------------------------------------- */

/* What only IPv6 has. */
static int lapsmp_nl_pathspec_label(struct genl_info *info)
{
	struct nlattr *label = info->attrs[LAPSMP_A_PATH_FLOWLABEL];
	struct nlattr *peer = info->attrs[LAPSMP_A_PATH_PEER];

	if (!label || !peer || !lapsmp_addr_is_v4(nla_data(peer)))
		return 0;
	LAPSMP_ERR_VALUE(info->extack, label,
			 "IPv4 has no flow labels, and peer is of it", "%u",
			 nla_get_u32(label));
	return -EAFNOSUPPORT;
}

/* A signed list has to be one that can be signed here and now. */
static int lapsmp_nl_pathspec_hmac(struct genl_info *info)
{
	struct lapsmp_net *ln = lapsmp_net(genl_info_net(info));
	struct nlattr *segs = info->attrs[LAPSMP_A_PATH_SEGS];
	struct nlattr *key = info->attrs[LAPSMP_A_PATH_HMAC];

	if (!key)
		return 0;
	if (!segs) {
		NL_SET_ERR_MSG_ATTR(info->extack, key,
				    "only a list of segments (segs) can be signed");
		return -EINVAL;
	}
	if (nla_len(segs) > LAPSMP_SEGS_HMAC_MAX * LAPSMP_SID_LEN) {
		LAPSMP_ERR_VALUE(info->extack, segs,
				 "at most 13 segments can be signed", "%d",
				 nla_len(segs) / LAPSMP_SID_LEN);
		return -E2BIG;
	}
	if (lapsmp_outsegs_has_key(ln, nla_get_u32(key)))
		return 0;
	LAPSMP_ERR_VALUE(info->extack, key,
			 "no SRv6 key of this id here; ip sr hmac set adds one",
			 "%u", nla_get_u32(key));
	return -ENOENT;
}

/* Answers have to come back to it, from wherever: not to one of a link. */
static int lapsmp_nl_pathspec_addr(struct genl_info *info, int type)
{
	struct nlattr *peer = info->attrs[LAPSMP_A_PATH_PEER];
	struct nlattr *attr = info->attrs[type];
	struct in6_addr addr, raddr;

	if (!attr || !peer)
		return 0;
	addr = nla_get_in6_addr(attr);
	raddr = nla_get_in6_addr(peer);
	if (lapsmp_addr_is_v4(&addr) != lapsmp_addr_is_v4(&raddr)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "address and peer are of different families");
		return -EINVAL;
	}
	if (lapsmp_nl_is_unicast(&addr) &&
	    !(ipv6_addr_type(&addr) & IPV6_ADDR_LINKLOCAL))
		return 0;
	LAPSMP_ERR_VALUE(info->extack, attr,
			 "a path's address is unicast and not link-local", "%pI6c",
			 &addr);
	return -EINVAL;
}

static int lapsmp_nl_pathspec_device(struct genl_info *info)
{
	struct nlattr *peer = info->attrs[LAPSMP_A_PATH_PEER];
	struct nlattr *attr = info->attrs[LAPSMP_A_PATH_DEVICE];
	const struct net_device *dev;
	struct in6_addr raddr;
	bool found;

	if (!attr)
		return 0;
	if (peer) {
		raddr = nla_get_in6_addr(peer);
		if (ipv6_addr_type(&raddr) & IPV6_ADDR_LINKLOCAL) {
			NL_SET_ERR_MSG_ATTR(info->extack, attr,
					    "a link-local peer is of one device, that of its name");
			return -EINVAL;
		}
	}
	rcu_read_lock();
	dev = dev_get_by_index_rcu(genl_info_net(info), nla_get_u32(attr));
	found = dev && !(dev->flags & IFF_LOOPBACK);
	rcu_read_unlock();
	if (found)
		return 0;
	LAPSMP_ERR_VALUE(info->extack, attr,
			 "no device of this index, or it is the loopback", "%u",
			 nla_get_u32(attr));
	return -ENODEV;
}

int lapsmp_nl_pathspec_check(struct genl_info *info)
{
	if (!info->attrs[LAPSMP_A_PATH_SPORT] &&
	    !info->attrs[LAPSMP_A_PATH_FLOWLABEL] &&
	    !info->attrs[LAPSMP_A_PATH_SEGS] &&
	    !info->attrs[LAPSMP_A_PATH_SOURCE] &&
	    !info->attrs[LAPSMP_A_PATH_REMOTE] &&
	    !info->attrs[LAPSMP_A_PATH_DEVICE]) {
		NL_SET_ERR_MSG(info->extack,
			       "nothing makes it a path: give a source port (sport), flow label (flowlabel), segments (segs), addresses (local, remote) or a device (dev)");
		return -EINVAL;
	}
	return lapsmp_nl_pathspec_label(info) ?:
	       lapsmp_nl_segs_check(info, info->attrs[LAPSMP_A_PATH_SEGS]) ?:
	       lapsmp_nl_pathspec_hmac(info) ?:
	       lapsmp_nl_pathspec_addr(info, LAPSMP_A_PATH_SOURCE) ?:
	       lapsmp_nl_pathspec_addr(info, LAPSMP_A_PATH_REMOTE) ?:
	       lapsmp_nl_pathspec_device(info);
}

/* --- what it is ------------------------------------------------------------------ */

static void lapsmp_nl_pathspec_ends(struct nlattr **attrs,
				    struct lapsmp_path_spec *spec)
{
	if (attrs[LAPSMP_A_PATH_SOURCE]) {
		spec->own |= LAPSMP_PATH_OWN_LOCAL;
		spec->local = nla_get_in6_addr(attrs[LAPSMP_A_PATH_SOURCE]);
	}
	if (attrs[LAPSMP_A_PATH_REMOTE]) {
		spec->own |= LAPSMP_PATH_OWN_REMOTE;
		spec->remote = nla_get_in6_addr(attrs[LAPSMP_A_PATH_REMOTE]);
	}
	if (attrs[LAPSMP_A_PATH_DEVICE]) {
		spec->own |= LAPSMP_PATH_OWN_DEV;
		spec->ifindex = nla_get_u32(attrs[LAPSMP_A_PATH_DEVICE]);
	}
}

void lapsmp_nl_pathspec_get(struct nlattr **attrs, struct lapsmp_path_spec *spec,
			    struct lapsmp_segs *segs)
{
	struct nlattr *sport = attrs[LAPSMP_A_PATH_SPORT];
	struct nlattr *label = attrs[LAPSMP_A_PATH_FLOWLABEL];
	struct nlattr *list = attrs[LAPSMP_A_PATH_SEGS];
	struct nlattr *hmac = attrs[LAPSMP_A_PATH_HMAC];
	struct nlattr *id = attrs[LAPSMP_A_PATH_ID];

	*segs = (struct lapsmp_segs){};
	if (list)
		lapsmp_nl_segs_get(list, segs);
	if (hmac)
		segs->hmac = nla_get_u32(hmac);
	*spec = (struct lapsmp_path_spec){
		.id = id ? nla_get_u16(id) : 0,
		.sport = sport ? htons(nla_get_u16(sport)) : 0,
		.flowlabel = label ? nla_get_u32(label) : 0,
		.segs = list ? segs : NULL,
	};
	lapsmp_nl_pathspec_ends(attrs, spec);
}

/* --- why not? -------------------------------------------------------------------- */

int lapsmp_nl_pathspec_why(struct genl_info *info, int err)
{
	struct nlattr *sport = info->attrs[LAPSMP_A_PATH_SPORT];

	switch (err) {
	case -EEXIST:
		NL_SET_ERR_MSG(info->extack,
			       "peer has a path of this id, source port, flow label or segments, from and to the same addresses");
		break;
	case -EADDRINUSE:
		if (!sport)
			NL_SET_ERR_MSG(info->extack, "no source port is free");
		else
			LAPSMP_ERR_VALUE(info->extack, sport,
					 "source port is taken by another program",
					 "%u", nla_get_u16(sport));
		break;
	case -EBUSY:
		NL_SET_ERR_MSG(info->extack,
			       "flows knew another path of this id, take a new one");
		break;
	case -ENOSPC:
		NL_SET_ERR_MSG(info->extack, "peer has no path id left");
		break;
	case -EMLINK:
		NL_SET_ERR_MSG(info->extack, "peer has 512 configured paths, which is the most");
		break;
	case -ENETUNREACH:
	case -EHOSTUNREACH:
		NL_SET_ERR_MSG(info->extack,
			       "no route that would choose the local address: name one (local) for a path that waits for its route");
		break;
	}
	return err;
}
