// SPDX-License-Identifier: GPL-2.0
/* Requests, dumps and events over generic netlink; see nl.h. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include <linux/genetlink.h>

#include "nl.h"
#include "nl_error.h"
#include "util.h"

/* Holds whatever the kernel packs into one read, events included. */
#define NL_ROOM		(64 * 1024)
/* Events that wait to be read before some are lost. */
#define NL_EVENT_ROOM	(4 * 1024 * 1024)

static struct {
	struct mnl_socket *sk;
	unsigned int seq;
	uint16_t family;
	uint32_t events;
	bool dry;
	char request[4096] __attribute__((aligned(8)));
	char answer[NL_ROOM] __attribute__((aligned(8)));
} nl;

void nl_set_dry(bool dry)
{
	nl.dry = dry;
}

bool nl_is_dry(void)
{
	return nl.dry;
}

static struct nlmsghdr *nl_message(uint16_t type, uint8_t cmd, uint16_t flags)
{
	struct nlmsghdr *req = mnl_nlmsg_put_header(nl.request);
	struct genlmsghdr *genl;

	req->nlmsg_type = type;
	req->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	genl = mnl_nlmsg_put_extra_header(req, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = LAPSMP_FAMILY_VERSION;
	return req;
}

struct nlmsghdr *nl_begin(uint8_t cmd, uint16_t flags)
{
	return nl_message(0, cmd, flags);
}

/* What ends an answer: an acknowledgment, an error, or the end of a dump. */
static int nl_end(const struct nlmsghdr *msg, void *data)
{
	const int *err = mnl_nlmsg_get_payload(msg);

	(void)data;
	if (mnl_nlmsg_get_payload_len(msg) < sizeof(*err) || !*err)
		return MNL_CB_STOP;
	nl_error_report((const struct nlmsghdr *)nl.request, msg);
	errno = 0;
	return MNL_CB_ERROR;
}

static mnl_cb_t nl_controls[] = {
	[NLMSG_ERROR] = nl_end,
	[NLMSG_DONE] = nl_end,
};

/* Return: 0, or EXIT_KERNEL, after a report. */
static int nl_exchange(struct nlmsghdr *req, mnl_cb_t cb, void *data)
{
	ssize_t n;
	int ret;

	req->nlmsg_seq = ++nl.seq;
	if (mnl_socket_sendto(nl.sk, req, req->nlmsg_len) < 0)
		return system_error("cannot send to the kernel: %s", strerror(errno));
	do {
		n = mnl_socket_recvfrom(nl.sk, nl.answer, sizeof(nl.answer));
		if (n < 0)
			return system_error("cannot receive from the kernel: %s", strerror(errno));
		ret = mnl_cb_run2(nl.answer, (size_t)n, nl.seq, mnl_socket_get_portid(nl.sk),
				  cb, data, nl_controls, ARRAY_SIZE(nl_controls));
	} while (ret > MNL_CB_STOP);
	if (ret == MNL_CB_STOP)
		return EXIT_OK;
	/* Else it was reported. */
	if (errno)
		complain("the kernel's answer makes no sense: %s", strerror(errno));
	return EXIT_KERNEL;
}

/* --- opening ------------------------------------------------------------------ */

static void nl_group(const struct nlattr *group)
{
	const struct nlattr *attr;
	const char *name = "";
	uint32_t id = 0;

	mnl_attr_for_each_nested(attr, group) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_NAME)
			name = mnl_attr_get_str(attr);
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID)
			id = mnl_attr_get_u32(attr);
	}
	if (!strcmp(name, LAPSMP_MCGRP_EVENTS))
		nl.events = id;
}

static int nl_family(const struct nlmsghdr *msg, void *data)
{
	const struct nlattr *attr, *group;

	(void)data;
	mnl_attr_for_each(attr, msg, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			nl.family = mnl_attr_get_u16(attr);
		if (mnl_attr_get_type(attr) != CTRL_ATTR_MCAST_GROUPS)
			continue;
		mnl_attr_for_each_nested(group, attr)
			nl_group(group);
	}
	return MNL_CB_OK;
}

static int nl_open_socket(void)
{
	static const int wanted[] = { NETLINK_EXT_ACK, NETLINK_GET_STRICT_CHK };
	int on = 1;
	size_t i;

	nl.sk = mnl_socket_open(NETLINK_GENERIC);
	if (!nl.sk || mnl_socket_bind(nl.sk, 0, MNL_SOCKET_AUTOPID) < 0)
		return system_error("cannot open a netlink socket: %s", strerror(errno));
	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		if (mnl_socket_setsockopt(nl.sk, wanted[i], &on, sizeof(on)) < 0)
			return system_error("netlink option %d: %s", wanted[i], strerror(errno));
	}
	nl.seq = (unsigned int)time(NULL);
	return EXIT_OK;
}

/* The request that waits in the buffer is kept: the family is asked for first. */
static int nl_open(void)
{
	struct nlmsghdr *req;
	int ret;

	if (nl.sk)
		return EXIT_OK;
	ret = nl_open_socket();
	if (ret)
		return ret;
	req = nl_message(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 0);
	mnl_attr_put_strz(req, CTRL_ATTR_FAMILY_NAME, LAPSMP_FAMILY_NAME);
	return nl_exchange(req, nl_family, NULL);
}

void nl_close(void)
{
	if (nl.sk)
		mnl_socket_close(nl.sk);
	nl.sk = NULL;
}

/* --- use ------------------------------------------------------------------------ */

static int nl_add_row(const struct nlmsghdr *msg, void *data)
{
	if (data && mnl_nlmsg_get_payload_len(msg) >= sizeof(struct genlmsghdr))
		rows_add(data, msg);
	return MNL_CB_OK;
}

int nl_run(struct nlmsghdr *req, struct rows *rows)
{
	char saved[sizeof(nl.request)];
	int ret;

	if (nl.dry)
		return EXIT_OK;
	if (!nl.sk) {
		memcpy(saved, nl.request, sizeof(saved));
		ret = nl_open();
		if (ret)
			return ret;
		memcpy(nl.request, saved, sizeof(saved));
	}
	req->nlmsg_type = nl.family;
	ret = nl_exchange(req, nl_add_row, rows);
	if (rows)
		rows_sort(rows);
	return ret;
}

int nl_dump(uint8_t cmd, struct rows *rows)
{
	return nl_run(nl_begin(cmd, NLM_F_DUMP), rows);
}

struct nl_listener {
	bool (*seen)(const struct row *row, void *data);
	void *data;
};

static int nl_event(const struct nlmsghdr *msg, void *data)
{
	const struct nl_listener *listener = data;
	struct row row;

	if (msg->nlmsg_type != nl.family ||
	    mnl_nlmsg_get_payload_len(msg) < sizeof(struct genlmsghdr))
		return MNL_CB_OK;
	row_parse(&row, msg);
	return listener->seen(&row, listener->data) ? MNL_CB_OK : MNL_CB_STOP;
}

int nl_listen(bool (*seen)(const struct row *row, void *data), void *data)
{
	struct nl_listener listener = { seen, data };
	int room = NL_EVENT_ROOM;
	int ret = nl_open();
	ssize_t n;

	if (ret)
		return ret;
	if (!nl.events || mnl_socket_setsockopt(nl.sk, NETLINK_ADD_MEMBERSHIP, &nl.events,
						sizeof(nl.events)) < 0)
		return system_error("cannot listen to events: %s", strerror(errno));
	/* Unprivileged users get what the system allows. */
	if (setsockopt(mnl_socket_get_fd(nl.sk), SOL_SOCKET, SO_RCVBUFFORCE, &room,
		       sizeof(room)))
		setsockopt(mnl_socket_get_fd(nl.sk), SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	do {
		n = mnl_socket_recvfrom(nl.sk, nl.answer, sizeof(nl.answer));
		if (n < 0 && errno != ENOBUFS)
			return system_error("cannot receive events: %s", strerror(errno));
		if (n < 0)
			complain("events came faster than they were read; some are missing");
		else
			ret = mnl_cb_run(nl.answer, (size_t)n, 0, 0, nl_event, &listener);
	} while (n < 0 || ret > MNL_CB_STOP);
	return EXIT_OK;
}
