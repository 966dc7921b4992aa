// SPDX-License-Identifier: GPL-2.0
/* Objects that the kernel described; see nl.h. */
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>

#include "nl.h"
#include "util.h"

static int row_attr(const struct nlattr *attr, void *data)
{
	struct row *row = data;
	uint16_t type = mnl_attr_get_type(attr);

	/* A newer kernel may know more; what is shorter than its type is not it. */
	if (attr_get(row->set, type) && attr_fits(attr_get(row->set, type), attr))
		row->tb[type] = attr;
	return MNL_CB_OK;
}

void row_parse(struct row *row, const struct nlmsghdr *msg)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(msg);

	memset(row, 0, sizeof(*row));
	row->msg = msg;
	row->cmd = genl->cmd;
	row->set = attrs_of_cmd(genl->cmd);
	mnl_attr_parse(msg, sizeof(*genl), row_attr, row);
}

void rows_add(struct rows *rows, const struct nlmsghdr *msg)
{
	struct nlmsghdr *copy = xalloc(msg->nlmsg_len);

	memcpy(copy, msg, msg->nlmsg_len);
	rows->v = xrealloc(rows->v, (rows->n + 1) * sizeof(*rows->v));
	row_parse(&rows->v[rows->n++], copy);
}

void rows_free(struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->n; i++)
		free((void *)rows->v[i].msg);
	free(rows->v);
	memset(rows, 0, sizeof(*rows));
}

uint64_t row_u64(const struct row *row, uint16_t type)
{
	const struct nlattr *attr = row->tb[type];

	if (!attr)
		return 0;
	switch (row->set->attrs[type].type) {
	case ATTR_U8:
		return mnl_attr_get_u8(attr);
	case ATTR_U16:
		return mnl_attr_get_u16(attr);
	case ATTR_U32:
		return mnl_attr_get_u32(attr);
	case ATTR_FLAG:
		return 1;
	case ATTR_ADDRS:
		return 0;
	default:
		return mnl_attr_get_u64(attr);
	}
}

int64_t row_s64(const struct row *row, uint16_t type)
{
	return (int64_t)row_u64(row, type);
}

const char *row_string(const struct row *row, uint16_t type)
{
	return row->tb[type] ? mnl_attr_get_str(row->tb[type]) : "";
}

const struct in6_addr *row_addr(const struct row *row, uint16_t type)
{
	return row->tb[type] ? mnl_attr_get_payload(row->tb[type]) : NULL;
}

const struct in6_addr *row_addrs(const struct row *row, uint16_t type, size_t *n)
{
	*n = row->tb[type] ? mnl_attr_get_payload_len(row->tb[type]) / sizeof(struct in6_addr) : 0;
	return row_addr(row, type);
}

static int row_compare_addr(const struct row *a, const struct row *b, uint16_t type)
{
	const struct in6_addr *x = row_addr(a, type), *y = row_addr(b, type);

	if (!x || !y)
		return !!x - !!y;
	return memcmp(x, y, sizeof(*x));
}

static int row_compare_u64(const struct row *a, const struct row *b, uint16_t type)
{
	uint64_t x = row_u64(a, type), y = row_u64(b, type);

	return (x > y) - (x < y);
}

static int row_compare_peer(const struct row *a, const struct row *b)
{
	static const uint16_t numbers[] = {
		LAPSMP_A_PEER_PORT, LAPSMP_A_PEER_IFINDEX, LAPSMP_A_PEER_MARK, LAPSMP_A_PEER_TOS
	};
	int diff = row_compare_addr(a, b, LAPSMP_A_PEER_PEER);
	size_t i;

	for (i = 0; !diff && i < sizeof(numbers) / sizeof(numbers[0]); i++)
		diff = row_compare_u64(a, b, numbers[i]);
	return diff ? diff : row_compare_addr(a, b, LAPSMP_A_PEER_LOCAL);
}

bool row_same_peer(const struct row *a, const struct row *b)
{
	return !row_compare_peer(a, b);
}

static int row_compare(const void *x, const void *y)
{
	static const uint16_t flow[] = {
		LAPSMP_A_FLOW_DIRECTION, LAPSMP_A_FLOW_SPORT, LAPSMP_A_FLOW_DPORT,
		LAPSMP_A_FLOW_NUMBER, LAPSMP_A_FLOW_ID
	};
	const struct row *a = x, *b = y;
	int diff;
	size_t i;

	if (a->set == &policy_attrs)
		return strcmp(row_string(a, LAPSMP_A_POLICY_NAME),
			      row_string(b, LAPSMP_A_POLICY_NAME));
	diff = row_compare_peer(a, b);
	if (!diff && a->set == &path_attrs)
		diff = row_compare_u64(a, b, LAPSMP_A_PATH_ID);
	for (i = 0; !diff && a->set == &flow_attrs && i < sizeof(flow) / sizeof(flow[0]); i++)
		diff = row_compare_u64(a, b, flow[i]);
	return diff;
}

/*
 * A dump over tables that change in the meantime may show something twice. Flows
 * without their ids may look the same and are not.
 */
void rows_sort(struct rows *rows)
{
	size_t i, n = 0;

	if (!rows->n)
		return;
	qsort(rows->v, rows->n, sizeof(*rows->v), row_compare);
	for (i = 1; i < rows->n; i++) {
		bool twice = !row_compare(&rows->v[n], &rows->v[i]) &&
			     (rows->v[i].set != &flow_attrs ||
			      row_has(&rows->v[i], LAPSMP_A_FLOW_ID));

		if (twice)
			free((void *)rows->v[i].msg);
		else
			rows->v[++n] = rows->v[i];
	}
	rows->n = n + 1;
}
