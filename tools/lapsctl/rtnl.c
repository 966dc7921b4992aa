// SPDX-License-Identifier: GPL-2.0
/* Questions to the kernel's routing over rtnetlink; see rtnl.h. */
#include <errno.h>
#include <netinet/ip.h>
#include <stdio.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/lwtunnel.h>
#include <linux/rtnetlink.h>
#include <linux/seg6_local.h>

#include "rtnl.h"
#include "util.h"

#define RTNL_ROOM	(64 * 1024)
/* What of a TOS chooses routes. */
#define RTNL_TOS	(IPTOS_TOS_MASK & ~3)

static struct {
	struct mnl_socket *sk;
	unsigned int seq;
	char request[512] __attribute__((aligned(8)));
	char answer[RTNL_ROOM] __attribute__((aligned(8)));
} rtnl;

void rtnl_close(void)
{
	if (rtnl.sk)
		mnl_socket_close(rtnl.sk);
	rtnl.sk = NULL;
}

static struct nlmsghdr *rtnl_begin(uint16_t type, uint16_t flags)
{
	struct nlmsghdr *req = mnl_nlmsg_put_header(rtnl.request);

	req->nlmsg_type = type;
	req->nlmsg_flags = NLM_F_REQUEST | flags;
	req->nlmsg_seq = ++rtnl.seq;
	return req;
}

/* Return: 0, a negative errno; of the callback, too, if it stops with an error. */
static int rtnl_run(struct nlmsghdr *req, mnl_cb_t cb, void *data)
{
	ssize_t n;
	int ret;

	if (!rtnl.sk) {
		rtnl.sk = mnl_socket_open(NETLINK_ROUTE);
		if (!rtnl.sk || mnl_socket_bind(rtnl.sk, 0, MNL_SOCKET_AUTOPID) < 0)
			return -errno;
	}
	if (mnl_socket_sendto(rtnl.sk, req, req->nlmsg_len) < 0)
		return -errno;
	do {
		n = mnl_socket_recvfrom(rtnl.sk, rtnl.answer, sizeof(rtnl.answer));
		if (n < 0)
			return -errno;
		ret = mnl_cb_run(rtnl.answer, (size_t)n, rtnl.seq,
				 mnl_socket_get_portid(rtnl.sk), cb, data);
	} while (ret > MNL_CB_STOP && req->nlmsg_flags & NLM_F_DUMP);
	return ret < 0 ? -errno : 0;
}

/* --- routes ----------------------------------------------------------------------- */

static void rtnl_put_addr(struct nlmsghdr *req, uint16_t type, const struct in6_addr *addr)
{
	if (IN6_IS_ADDR_V4MAPPED(addr))
		mnl_attr_put(req, type, 4, &addr->s6_addr[12]);
	else
		mnl_attr_put(req, type, sizeof(*addr), addr);
}

static uint8_t rtnl_prefix(const struct in6_addr *addr)
{
	return IN6_IS_ADDR_V4MAPPED(addr) ? 32 : 128;
}

static int rtnl_route_seen(const struct nlmsghdr *msg, void *data)
{
	const struct rtmsg *rtm = mnl_nlmsg_get_payload(msg);
	struct rtnl_route *route = data;
	const struct nlattr *attr;

	if (msg->nlmsg_type != RTM_NEWROUTE)
		return MNL_CB_OK;
	route->local = rtm->rtm_type == RTN_LOCAL;
	mnl_attr_for_each(attr, msg, sizeof(*rtm)) {
		if (mnl_attr_get_type(attr) == RTA_OIF)
			route->ifindex = mnl_attr_get_u32(attr);
	}
	return MNL_CB_OK;
}

int rtnl_route(const struct rtnl_key *key, struct rtnl_route *route)
{
	struct nlmsghdr *req = rtnl_begin(RTM_GETROUTE, 0);
	struct rtmsg *rtm = mnl_nlmsg_put_extra_header(req, sizeof(*rtm));
	bool v4 = IN6_IS_ADDR_V4MAPPED(key->to);
	int err;

	*route = (struct rtnl_route){ 0 };
	rtm->rtm_family = v4 ? AF_INET : AF_INET6;
	if (key->exact && v4)
		rtm->rtm_flags = RTM_F_FIB_MATCH;
	rtm->rtm_dst_len = rtnl_prefix(key->to);
	rtm->rtm_tos = key->tos & RTNL_TOS;
	rtnl_put_addr(req, RTA_DST, key->to);
	if (key->from) {
		rtm->rtm_src_len = rtnl_prefix(key->from);
		rtnl_put_addr(req, RTA_SRC, key->from);
	}
	if (key->ifindex)
		mnl_attr_put_u32(req, RTA_OIF, key->ifindex);
	if (key->mark)
		mnl_attr_put_u32(req, RTA_MARK, key->mark);
	if (key->sport) {
		mnl_attr_put_u8(req, RTA_IP_PROTO, IPPROTO_UDP);
		mnl_attr_put_u16(req, RTA_SPORT, htons(key->sport));
		mnl_attr_put_u16(req, RTA_DPORT, htons(key->dport));
	}
	err = rtnl_run(req, rtnl_route_seen, route);
	/* The route as it is in the table; of several next hops one is by that device. */
	if (!err && key->exact && v4 && !route->ifindex)
		route->ifindex = key->ifindex;
	return err;
}

/* Of what is done to packets at a segment, what ends with sending them on. */
static bool rtnl_sends_on(const struct nlattr *encap)
{
	const struct nlattr *attr;
	uint32_t action;

	mnl_attr_for_each_nested(attr, encap) {
		if (mnl_attr_get_type(attr) != SEG6_LOCAL_ACTION)
			continue;
		action = mnl_attr_get_u32(attr);
		return action == SEG6_LOCAL_ACTION_END || action == SEG6_LOCAL_ACTION_END_X ||
		       action == SEG6_LOCAL_ACTION_END_T;
	}
	return false;
}

/* The attributes of a route that matter here; of the local table there are none. */
static int rtnl_tables_seen(const struct nlmsghdr *msg, void *data)
{
	const struct rtmsg *rtm = mnl_nlmsg_get_payload(msg);
	const struct nlattr *attr, *encap = NULL;
	struct rtnl_tables *tables = data;
	uint16_t encap_type = 0;

	if (msg->nlmsg_type != RTM_NEWROUTE || rtm->rtm_type != RTN_UNICAST)
		return MNL_CB_OK;
	mnl_attr_for_each(attr, msg, sizeof(*rtm)) {
		switch (mnl_attr_get_type(attr)) {
		case RTA_MULTIPATH:
			if (rtm->rtm_family == AF_INET)
				tables->multipath4 = true;
			else
				tables->multipath6 = true;
			break;
		case RTA_ENCAP_TYPE:
			encap_type = mnl_attr_get_u16(attr);
			break;
		case RTA_ENCAP:
			encap = attr;
			break;
		}
	}
	if (!encap || encap_type != LWTUNNEL_ENCAP_SEG6_LOCAL)
		return MNL_CB_OK;
	tables->seg6local = true;
	tables->seg6end = tables->seg6end || rtnl_sends_on(encap);
	return MNL_CB_OK;
}

int rtnl_tables(struct rtnl_tables *tables)
{
	static const uint8_t families[] = { AF_INET, AF_INET6 };
	struct nlmsghdr *req;
	struct rtmsg *rtm;
	size_t i;
	int err;

	*tables = (struct rtnl_tables){ 0 };
	for (i = 0; i < ARRAY_SIZE(families); i++) {
		req = rtnl_begin(RTM_GETROUTE, NLM_F_DUMP);
		rtm = mnl_nlmsg_put_extra_header(req, sizeof(*rtm));
		rtm->rtm_family = families[i];
		err = rtnl_run(req, rtnl_tables_seen, tables);
		/* Routes that changed meanwhile: what was seen is there, or was. */
		if (err == -EINTR) {
			rtnl_close();
			continue;
		}
		/* A kernel without IPv6 has no such routes. */
		if (err && err != -EOPNOTSUPP && err != -EAFNOSUPPORT)
			return system_error("cannot read the routes: %s", strerror(-err));
	}
	return EXIT_OK;
}

/* --- devices ---------------------------------------------------------------------- */

static bool rtnl_is_vrf(const struct nlattr *info)
{
	const struct nlattr *attr;
	uint16_t type;

	mnl_attr_for_each_nested(attr, info) {
		type = mnl_attr_get_type(attr);
		if ((type == IFLA_INFO_KIND || type == IFLA_INFO_SLAVE_KIND) &&
		    !strcmp(mnl_attr_get_str(attr), "vrf"))
			return true;
	}
	return false;
}

static int rtnl_link_seen(const struct nlmsghdr *msg, void *data)
{
	struct rtnl_link *link = data;
	const struct nlattr *attr;

	if (msg->nlmsg_type != RTM_NEWLINK)
		return MNL_CB_OK;
	mnl_attr_for_each(attr, msg, sizeof(struct ifinfomsg)) {
		switch (mnl_attr_get_type(attr)) {
		case IFLA_IFNAME:
			snprintf(link->name, sizeof(link->name), "%s", mnl_attr_get_str(attr));
			break;
		case IFLA_MTU:
			link->mtu = mnl_attr_get_u32(attr);
			break;
		case IFLA_LINKINFO:
			link->vrf = rtnl_is_vrf(attr);
			break;
		}
	}
	return MNL_CB_OK;
}

int rtnl_link(uint32_t ifindex, struct rtnl_link *link)
{
	struct nlmsghdr *req = rtnl_begin(RTM_GETLINK, 0);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(req, sizeof(*ifi));

	*link = (struct rtnl_link){ 0 };
	ifi->ifi_index = (int)ifindex;
	return rtnl_run(req, rtnl_link_seen, link);
}
