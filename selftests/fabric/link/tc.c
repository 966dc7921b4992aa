// SPDX-License-Identifier: GPL-2.0
/* Links of a network namespace, over rtnetlink; see tc.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <libmnl/libmnl.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "tc.h"
#include "util.h"

/* Holds whatever the kernel packs into one read. */
#define TC_ROOM		(32 * 1024)

static struct {
	char ns[NAME_MAX + 1];
	struct mnl_socket *sk;
	unsigned int seq;
	char request[1024] __attribute__((aligned(8)));
	char answer[TC_ROOM] __attribute__((aligned(8)));
} tc;

/* --- the namespace ---------------------------------------------------------------- */

static int open_socket(void)
{
	int on = 1;

	tc.sk = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	if (!tc.sk || mnl_socket_bind(tc.sk, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    mnl_socket_setsockopt(tc.sk, NETLINK_EXT_ACK, &on, sizeof(on)) < 0)
		return failure("cannot open a netlink socket in %s: %s", tc.ns, strerror(errno));
	return STATUS_OK;
}

static int enter(const char *ns)
{
	char path[sizeof("/run/netns/") + NAME_MAX];
	int fd, ret = STATUS_OK;

	if (!*ns || strlen(ns) > NAME_MAX || strchr(ns, '/'))
		return failure("%s is not the name of a namespace", ns);
	snprintf(path, sizeof(path), "/run/netns/%s", ns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		ret = failure("cannot enter %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return ret;
}

int tc_enter(const char *ns)
{
	int ret;

	if (tc.sk && !strcmp(tc.ns, ns))
		return STATUS_OK;
	if (tc.sk)
		mnl_socket_close(tc.sk);
	tc.sk = NULL;
	ret = enter(ns);
	if (ret)
		return ret;
	snprintf(tc.ns, sizeof(tc.ns), "%s", ns);
	return open_socket();
}

/* The socket that is open serves: such requests are the same for all families. */
int tc_ifindex(const char *dev, int *ifindex)
{
	struct ifreq req = { 0 };

	snprintf(req.ifr_name, sizeof(req.ifr_name), "%s", dev);
	if (ioctl(mnl_socket_get_fd(tc.sk), SIOCGIFINDEX, &req))
		return failure("no device %s in %s: %s", dev, tc.ns, strerror(errno));
	*ifindex = req.ifr_ifindex;
	return STATUS_OK;
}

int tc_ifname(int ifindex, char *name)
{
	struct ifreq req = { .ifr_ifindex = ifindex };

	if (ioctl(mnl_socket_get_fd(tc.sk), SIOCGIFNAME, &req))
		return failure("device %d of %s has no name: %s", ifindex, tc.ns, strerror(errno));
	memcpy(name, req.ifr_name, IFNAMSIZ);
	return STATUS_OK;
}

/* --- requests ------------------------------------------------------------------------ */

/* The kernel's own words on an error, or NULL. */
static const char *error_text(const struct nlmsghdr *msg)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(msg);
	const struct nlattr *attr;
	size_t skip = sizeof(*err);

	if (!(msg->nlmsg_flags & NLM_F_ACK_TLVS))
		return NULL;
	if (msg->nlmsg_type == NLMSG_DONE)
		skip = sizeof(int);
	else if (!(msg->nlmsg_flags & NLM_F_CAPPED))
		skip += mnl_nlmsg_get_payload_len(&err->msg);
	mnl_attr_for_each(attr, msg, (unsigned int)skip)
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
			return mnl_attr_get_str(attr);
	return NULL;
}

static void report(const struct nlmsghdr *msg, int error)
{
	const char *text = error_text(msg);
	const char *advice = "";

	if (error == ENOENT)
		advice = " (is sch_lapslink loaded, and was the link set?)";
	else if (error == EPERM)
		advice = " (be root)";
	if (text)
		failure("the kernel refuses: %s: %s%s", text, strerror(error), advice);
	else
		failure("the kernel refuses: %s%s", strerror(error), advice);
}

/* What ends an answer: an acknowledgment, an error, or the end of a dump. */
static int answer_end(const struct nlmsghdr *msg, void *data)
{
	const int *error = mnl_nlmsg_get_payload(msg);

	(void)data;
	if (mnl_nlmsg_get_payload_len(msg) < sizeof(*error) || !*error)
		return MNL_CB_STOP;
	report(msg, -*error);
	/* It was said why. */
	errno = 0;
	return MNL_CB_ERROR;
}

static mnl_cb_t answer_controls[] = {
	[NLMSG_ERROR] = answer_end,
	[NLMSG_DONE] = answer_end,
};

static struct nlmsghdr *request(uint16_t type, uint16_t flags, int ifindex)
{
	struct nlmsghdr *req = mnl_nlmsg_put_header(tc.request);
	struct tcmsg *msg = mnl_nlmsg_put_extra_header(req, sizeof(*msg));

	req->nlmsg_type = type;
	req->nlmsg_flags = NLM_F_REQUEST | flags;
	req->nlmsg_seq = ++tc.seq;
	msg->tcm_family = AF_UNSPEC;
	msg->tcm_ifindex = ifindex;
	msg->tcm_parent = ifindex ? TC_H_ROOT : 0;
	return req;
}

static int exchange(const struct nlmsghdr *req, mnl_cb_t cb, void *data)
{
	ssize_t n;
	int ret;

	if (mnl_socket_sendto(tc.sk, req, req->nlmsg_len) < 0)
		return failure("cannot send to the kernel: %s", strerror(errno));
	do {
		n = mnl_socket_recvfrom(tc.sk, tc.answer, sizeof(tc.answer));
		if (n < 0)
			return failure("cannot receive from the kernel: %s", strerror(errno));
		ret = mnl_cb_run2(tc.answer, (size_t)n, tc.seq, mnl_socket_get_portid(tc.sk),
				  cb, data, answer_controls, ARRAY_LEN(answer_controls));
	} while (ret > MNL_CB_STOP);
	if (ret == MNL_CB_STOP)
		return STATUS_OK;
	if (errno)
		failure("the kernel's answer makes no sense: %s", strerror(errno));
	return STATUS_FAILED;
}

int tc_set(int ifindex, const struct lapslink_parms *p, bool create)
{
	uint16_t flags = NLM_F_ACK | NLM_F_REPLACE | (create ? NLM_F_CREATE : 0);
	struct nlmsghdr *req = request(RTM_NEWQDISC, flags, ifindex);
	struct nlattr *opts;

	mnl_attr_put_strz(req, TCA_KIND, LAPSLINK_KIND);
	opts = mnl_attr_nest_start(req, TCA_OPTIONS);
	mnl_attr_put(req, LAPSLINK_A_PARMS, sizeof(*p), p);
	mnl_attr_nest_end(req, opts);
	return exchange(req, NULL, NULL);
}

/* --- dumps -------------------------------------------------------------------------- */

struct found {
	struct tc_link *links;
	size_t n;
};

/* Attribute @type among those of @nest, if it has @size bytes, to @value. */
static bool take(const struct nlattr *nest, uint16_t type, void *value, size_t size)
{
	const struct nlattr *attr;

	if (!nest)
		return false;
	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == type && mnl_attr_get_payload_len(attr) == size) {
			memcpy(value, mnl_attr_get_payload(attr), size);
			return true;
		}
	}
	return false;
}

static int add_link(const struct nlmsghdr *msg, void *data)
{
	const struct nlattr *attr, *options = NULL, *stats = NULL;
	const struct tcmsg *t = mnl_nlmsg_get_payload(msg);
	struct tc_link link = { .ifindex = t->tcm_ifindex };
	struct found *found = data;
	bool is_ours = false;

	mnl_attr_for_each(attr, msg, sizeof(*t)) {
		if (mnl_attr_get_type(attr) == TCA_KIND)
			is_ours = !strcmp(mnl_attr_get_str(attr), LAPSLINK_KIND);
		else if (mnl_attr_get_type(attr) == TCA_OPTIONS)
			options = attr;
		else if (mnl_attr_get_type(attr) == TCA_STATS2)
			stats = attr;
	}
	if (!is_ours)
		return MNL_CB_OK;
	if (!take(options, LAPSLINK_A_PARMS, &link.parms, sizeof(link.parms)) ||
	    !take(stats, TCA_STATS_APP, &link.stats, sizeof(link.stats))) {
		failure("fablink and sch_lapslink are not of the same version");
		errno = 0;
		return MNL_CB_ERROR;
	}
	found->links = xrealloc(found->links, (found->n + 1) * sizeof(link));
	found->links[found->n++] = link;
	return MNL_CB_OK;
}

int tc_links(struct tc_link **links, size_t *n)
{
	struct found found = { 0 };
	int ret = exchange(request(RTM_GETQDISC, NLM_F_DUMP, 0), add_link, &found);

	*links = found.links;
	*n = found.n;
	return ret;
}
