// SPDX-License-Identifier: GPL-2.0
/* Rows as JSON and in words; see show.h. */
#include <inttypes.h>
#include <string.h>

#include <linux/lapsmp.h>

#include "json.h"
#include "show.h"
#include "util.h"

static void show_json_addrs(const struct row *row, uint16_t type)
{
	const struct in6_addr *addrs;
	char buf[TEXT_MAX];
	size_t i, n;

	addrs = row_addrs(row, type, &n);
	json_open_array(attr_get(row->set, type)->name);
	for (i = 0; i < n; i++)
		json_text(NULL, text_addr(buf, &addrs[i]));
	json_close_array();
}

static void show_json_attr(const struct row *row, uint16_t type)
{
	const struct attr *attr = attr_get(row->set, type);
	uint64_t value = row_u64(row, type);
	char buf[TEXT_MAX];

	switch (attr->type) {
	case ATTR_STRING:
		json_text(attr->name, row_string(row, type));
		break;
	case ATTR_ADDR:
		json_text(attr->name, text_addr(buf, row_addr(row, type)));
		break;
	case ATTR_ADDRS:
		show_json_addrs(row, type);
		break;
	case ATTR_FLAG:
		json_bool(attr->name, true);
		break;
	case ATTR_S64:
		json_s64(attr->name, (int64_t)value);
		break;
	case ATTR_HEX:
		json_text(attr->name, show_value(row, type, buf));
		break;
	default:
		if (attr->values)
			json_text(attr->name, attr_value_name(attr, value));
		else
			json_u64(attr->name, value);
	}
}

void show_json_row(const struct row *row)
{
	uint16_t type;

	for (type = 1; type <= row->set->max; type++) {
		if (row_has(row, type))
			show_json_attr(row, type);
	}
}

void show_json_rows(const struct rows *rows)
{
	size_t i;

	json_start(opt.pretty);
	json_open_array(NULL);
	for (i = 0; i < rows->n; i++) {
		json_open_object(NULL);
		show_json_row(&rows->v[i]);
		json_close_object();
	}
	json_close_array();
	json_end();
}

static const char *show_number(const struct attr *attr, uint64_t value, char *buf)
{
	if (!value && attr->zero)
		return attr->zero;
	switch (attr->unit) {
	case UNIT_NS:
		return text_ns(buf, (int64_t)value);
	case UNIT_RATE:
		return text_rate(buf, value);
	case UNIT_BYTES:
		return text_bytes(buf, value);
	case UNIT_PPB:
		snprintf(buf, TEXT_MAX, "%" PRId64 " ppb", (int64_t)value);
		return buf;
	case UNIT_Q16:
		snprintf(buf, TEXT_MAX, "%.1f", (double)value / 65536);
		return buf;
	case UNIT_ERRNO:
		snprintf(buf, TEXT_MAX, "%s", strerror((int)value));
		return buf;
	case UNIT_DEVICE:
		return text_device(buf, (uint32_t)value);
	case UNIT_LABEL:
		/* As tcpdump and ip write it. */
		snprintf(buf, TEXT_MAX, "0x%05" PRIx64, value);
		return buf;
	default:
		snprintf(buf, TEXT_MAX, "%" PRIu64, value);
		return buf;
	}
}

static const char *show_addrs(const struct row *row, uint16_t type, bool all, char *buf)
{
	const struct in6_addr *addrs;
	size_t n;

	addrs = row_addrs(row, type, &n);
	return text_addrs(buf, addrs, n, all);
}

const char *show_value(const struct row *row, uint16_t type, char *buf)
{
	const struct attr *attr = attr_get(row->set, type);
	uint64_t value = row_u64(row, type);

	switch (attr->type) {
	case ATTR_STRING:
		snprintf(buf, TEXT_MAX, "%s", row_string(row, type));
		return buf;
	case ATTR_ADDR:
		return text_addr(buf, row_addr(row, type));
	case ATTR_ADDRS:
		return show_addrs(row, type, true, buf);
	case ATTR_FLAG:
		return "yes";
	case ATTR_HEX:
		snprintf(buf, TEXT_MAX, "0x%016" PRIx64, value);
		return buf;
	default:
		return attr->values ? attr_value_name(attr, value) : show_number(attr, value, buf);
	}
}

const char *show_rare(const struct row *row, uint16_t type, char *buf)
{
	return row_has(row, type) ? show_value(row, type, buf) : "";
}

const char *show_path_time(const struct row *row, uint16_t type, char *buf)
{
	bool down = row_u64(row, LAPSMP_A_PATH_STATE) == LAPSMP_PATH_STATE_DOWN;

	if (!row_u64(row, LAPSMP_A_PATH_SRTT_NS) || (down && type == LAPSMP_A_PATH_OWD_NS))
		return "-";
	return show_value(row, type, buf);
}

const char *show_path_segs(const struct row *row, char *buf)
{
	return show_addrs(row, LAPSMP_A_PATH_SEGS, false, buf);
}

const char *show_path_words(const struct row *row, bool all, char *buf, size_t room)
{
	static const struct {
		const char *word;
		uint16_t attr;
	} words[] = {
		{ "segs", LAPSMP_A_PATH_SEGS }, { "local", LAPSMP_A_PATH_SOURCE },
		{ "remote", LAPSMP_A_PATH_REMOTE }, { "dev", LAPSMP_A_PATH_DEVICE },
		{ "hmac", LAPSMP_A_PATH_HMAC },
	};
	char text[TEXT_MAX];
	size_t at = 0, i;

	*buf = '\0';
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (!row_has(row, words[i].attr))
			continue;
		at += (size_t)snprintf(buf + at, room - at, " %s %s", words[i].word,
				       words[i].attr == LAPSMP_A_PATH_SEGS ?
				       show_addrs(row, words[i].attr, all, text) :
				       show_value(row, words[i].attr, text));
	}
	return buf;
}

/* "owd-ns" is "owd" where the unit is beside the number. */
static int show_name_len(const struct attr *attr)
{
	static const char *const units[] = { "-ns", "-bytes", "-ppb", "-q16" };
	size_t len = strlen(attr->name), i;

	if (!strcmp(attr->name, "tx-bytes") || !strcmp(attr->name, "rx-bytes"))
		return (int)len;
	for (i = 0; attr->unit != UNIT_NONE && i < ARRAY_SIZE(units); i++) {
		size_t tail = strlen(units[i]);

		if (len > tail && !strcmp(attr->name + len - tail, units[i]))
			return (int)(len - tail);
	}
	return (int)len;
}

void show_details(const struct row *row)
{
	char buf[TEXT_MAX];
	uint16_t type;

	for (type = 1; type <= row->set->max; type++) {
		const struct attr *attr = attr_get(row->set, type);
		const char *value;
		enum color color;
		int len;

		if (!row_has(row, type))
			continue;
		value = show_value(row, type, buf);
		color = attr->values ? color_of_state(value) : COLOR_NONE;
		len = show_name_len(attr);
		printf("%s%.*s%s%*s%s%s%s\n", color_on(COLOR_DIM), len, attr->name,
		       color_off(COLOR_DIM), 20 - len, "", color_on(color), value,
		       color_off(color));
	}
}

/* What names a peer, beside its address, in the order of its attributes. */
const char *show_peer_words(const struct row *row, char *buf, size_t room)
{
	static const struct {
		const char *word;
		uint16_t attr;
	} words[] = {
		{ "port", LAPSMP_A_PEER_PORT }, { "bound", LAPSMP_A_PEER_LOCAL },
		{ "bound-dev", LAPSMP_A_PEER_IFINDEX }, { "mark", LAPSMP_A_PEER_MARK },
		{ "tos", LAPSMP_A_PEER_TOS },
	};
	char text[TEXT_MAX];
	size_t at, i;

	at = (size_t)snprintf(buf, room, "%s", show_value(row, LAPSMP_A_PEER_PEER, text));
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (row_has(row, words[i].attr))
			at += (size_t)snprintf(buf + at, room - at, " %s %s", words[i].word,
					       show_value(row, words[i].attr, text));
	}
	return buf;
}

const char *show_peer(const struct row *row, char *buf, size_t room)
{
	struct row usual = *row;

	if (row_u64(row, LAPSMP_A_PEER_PORT) == LAPSMP_PORT)
		usual.tb[LAPSMP_A_PEER_PORT] = NULL;
	return show_peer_words(&usual, buf, room);
}
