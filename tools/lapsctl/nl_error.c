// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's errors in words: its own text, if it sent one (an extended
 * acknowledgment), with the attribute and the limits that it means.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/genetlink.h>

#include "attrs.h"
#include "nl_error.h"
#include "util.h"

static int error_attr(const struct nlattr *attr, void *data)
{
	const struct nlattr **tb = data;

	if (mnl_attr_get_type(attr) <= NLMSGERR_ATTR_MAX)
		tb[mnl_attr_get_type(attr)] = attr;
	return MNL_CB_OK;
}

/* What follows the errno, and the request's header or the whole of it. */
static void error_parse(const struct nlmsghdr *msg, const struct nlattr **tb)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(msg);
	size_t skip = sizeof(int);

	if (!(msg->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (msg->nlmsg_type == NLMSG_ERROR) {
		skip = sizeof(*err);
		if (!(msg->nlmsg_flags & NLM_F_CAPPED))
			skip += mnl_nlmsg_get_payload_len(&err->msg);
	}
	mnl_attr_parse(msg, (unsigned int)skip, error_attr, tb);
}

static const struct genlmsghdr *error_genl(const struct nlmsghdr *req)
{
	return mnl_nlmsg_get_payload(req);
}

static const char *error_attr_name(const struct nlmsghdr *req, uint16_t type)
{
	const struct attr *attr = attr_get(attrs_of_cmd(error_genl(req)->cmd), type);

	return attr ? attr->name : NULL;
}

/*
 * The name of the attribute that the kernel points at, or NULL. What lapsmp says
 * itself names it already; what the kernel says of any family does not.
 */
static const char *error_culprit(const struct nlmsghdr *req, const struct nlattr **tb)
{
	const struct nlattr *bad;
	uint32_t offset;

	if (tb[NLMSGERR_ATTR_MISS_TYPE])
		return error_attr_name(req,
				       (uint16_t)mnl_attr_get_u32(tb[NLMSGERR_ATTR_MISS_TYPE]));
	if (!tb[NLMSGERR_ATTR_OFFS] || !tb[NLMSGERR_ATTR_POLICY])
		return NULL;
	offset = mnl_attr_get_u32(tb[NLMSGERR_ATTR_OFFS]);
	if (offset + sizeof(*bad) > req->nlmsg_len)
		return NULL;
	bad = (const struct nlattr *)((const char *)req + offset);
	return error_attr_name(req, mnl_attr_get_type(bad));
}

/* " (1 to 65535)", if the kernel says what it would take. */
static void error_limits(const struct nlattr **tb, char *buf, size_t room)
{
	const struct nlattr *attr, *min = NULL, *max = NULL;

	buf[0] = '\0';
	if (!tb[NLMSGERR_ATTR_POLICY])
		return;
	mnl_attr_for_each_nested(attr, tb[NLMSGERR_ATTR_POLICY]) {
		switch (mnl_attr_get_type(attr)) {
		case NL_POLICY_TYPE_ATTR_MIN_VALUE_U:
			min = attr;
			break;
		case NL_POLICY_TYPE_ATTR_MAX_VALUE_U:
			max = attr;
			break;
		case NL_POLICY_TYPE_ATTR_MAX_LENGTH:
			snprintf(buf, room, " (at most %" PRIu32 " bytes)", mnl_attr_get_u32(attr));
			break;
		}
	}
	if (min && max)
		snprintf(buf, room, " (%" PRIu64 " to %" PRIu64 ")", mnl_attr_get_u64(min),
			 mnl_attr_get_u64(max));
}

/* What the bare errno of a request means here. */
static const char *error_hint(const struct nlmsghdr *req, int err)
{
	if (req->nlmsg_type == GENL_ID_CTRL && err == ENOENT)
		return "lapsmp is not in the kernel; load it with: modprobe lapsmp";
	if (err == EPERM)
		return "not permitted: this needs CAP_NET_ADMIN in the namespace; try as root";
	if (err == EOPNOTSUPP)
		return "the lapsmp in the kernel is older and does not know this";
	return strerror(err);
}

void nl_error_report(const struct nlmsghdr *req, const struct nlmsghdr *msg)
{
	const struct nlattr *tb[NLMSGERR_ATTR_MAX + 1] = { NULL };
	const int *err = mnl_nlmsg_get_payload(msg);
	const char *culprit;
	char limits[64];

	error_parse(msg, tb);
	if (req->nlmsg_type == GENL_ID_CTRL || !tb[NLMSGERR_ATTR_MSG]) {
		complain("%s", error_hint(req, -*err));
		return;
	}
	culprit = error_culprit(req, tb);
	error_limits(tb, limits, sizeof(limits));
	complain("%s%s%s%s", culprit ? culprit : "", culprit ? ": " : "",
		 mnl_attr_get_str(tb[NLMSGERR_ATTR_MSG]), limits);
}
