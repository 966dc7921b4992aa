// SPDX-License-Identifier: GPL-2.0
/*
 * Settings. The numbers are one list: name, field of struct lapsmp_conf, range
 * and the unit that it is shown in; one handler serves all of them, because the
 * kernel's have none for u16, none for several u8, and none that scales. A field of several numbers
 * is written as a whole.
 */
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/sysctl.h>
#include "compat.h"
#include "netns.h"
#include "policy.h"
#include "sysctl.h"
#include "wire.h"

#define LAPSMP_MBIT	(1000 * 1000 / 8)	/* bytes/s */
/* 10 Tbit/s. */
#define LAPSMP_MAX_MBIT	(10 * 1000 * 1000)

/**
 * struct lapsmp_sysctl_num - a number, or several
 * @name: of the file
 * @offset: of its field in struct lapsmp_conf
 * @size: of a number
 * @n: numbers
 * @is_signed: they are
 * @min: smallest, in units of the file
 * @max: largest; as u64, so that one of 64 bits fits
 * @scale: units of the field in one of the file
 */
struct lapsmp_sysctl_num {
	const char *name;
	u16 offset;
	u8 size;
	u8 n;
	bool is_signed;
	s64 min;
	u64 max;
	u32 scale;
};

#define LAPSMP_NUM(_name, _field, _min, _max, _scale) {			\
	.name = _name,							\
	.offset = offsetof(struct lapsmp_conf, _field),			\
	.size = sizeof_field(struct lapsmp_conf, _field),		\
	.n = 1,								\
	.is_signed = is_signed_type(typeof_member(struct lapsmp_conf, _field)), \
	.min = _min,							\
	.max = _max,							\
	.scale = _scale,						\
}

#define LAPSMP_NUMS(_name, _field, _min, _max) {			\
	.name = _name,							\
	.offset = offsetof(struct lapsmp_conf, _field),			\
	.size = sizeof_field(struct lapsmp_conf, _field[0]),		\
	.n = ARRAY_SIZE(((struct lapsmp_conf *)NULL)->_field),		\
	.min = _min,							\
	.max = _max,							\
	.scale = 1,							\
}

static const struct lapsmp_sysctl_num lapsmp_sysctl_nums[] = {
	LAPSMP_NUM("port", port, 1, U16_MAX, 1),
	LAPSMP_NUM("auto_paths", auto_paths, 0, 256, 1),
	LAPSMP_NUM("auto_addrs", auto_addrs, 0, 1, 1),
	LAPSMP_NUM("auto_max", auto_max, 1, 256, 1),
	LAPSMP_NUM("auto_renew_s", auto_renew_s, 0, 24 * 3600, 1),
	LAPSMP_NUM("max_msg_bytes", max_msg_bytes, 1, 1 << 30, 1),
	LAPSMP_NUM("line_rate_mbit", line_rate, 0, LAPSMP_MAX_MBIT,
		   LAPSMP_MBIT),
	LAPSMP_NUM("fixed_rate_mbit", fixed_rate, 0, LAPSMP_MAX_MBIT,
		   LAPSMP_MBIT),
	LAPSMP_NUM("rmem_default", rmem_bytes, 4096, 1 << 30, 1),
	LAPSMP_NUM("wmem_default", wmem_bytes, 4096, 1 << 30, 1),
	LAPSMP_NUM("budget_bytes", budget_bytes, 0, 1ULL << 40, 1),
	LAPSMP_NUM("grants", grants, 0, LAPSMP_GRANTS_MAX, 1),
	LAPSMP_NUM("grant_bytes", grant_bytes, LAPSMP_INITIAL_CREDIT, 1 << 30, 1),
	LAPSMP_NUM("user_timeout_ms", user_timeout_ms, 100, 24 * 3600 * 1000, 1),
	LAPSMP_NUM("linger_ms", linger_ms, 0, 3600 * 1000, 1),
	LAPSMP_NUM("flow_msgs", flow_msgs, 1, LAPSMP_FLOW_MSGS, 1),
	LAPSMP_NUM("max_rflows", max_rflows, 1, 1 << 24, 1),
	LAPSMP_NUM("max_remotes", max_remotes, 1, 1 << 24, 1),
	LAPSMP_NUM("initcwnd", initcwnd, 1, LAPSMP_INITCWND_MAX, 1),
	LAPSMP_NUMS("express_bytes", express_bytes, 0, 1 << 30),
	LAPSMP_NUM("express_segs", express_segs, 1, LAPSMP_INITCWND_MAX, 1),
	LAPSMP_NUMS("express_tos", express_tos, 0, U8_MAX),
	LAPSMP_NUM("beta_q8", beta_q8, 0, 256 << 8, 1),
	LAPSMP_NUM("margin_segs", margin_segs, 0, 1000, 1),
	LAPSMP_NUM("margin_ns", margin_ns, 0, NSEC_PER_SEC, 1),
	LAPSMP_NUM("lean_q8", lean_q8, 0, 256 << 8, 1),
	LAPSMP_NUM("detour_q8", detour_q8, 0, 256 << 8, 1),
	LAPSMP_NUM("seed", seed, 0, U64_MAX, 1),
	LAPSMP_NUM("clock_offset_ns", clock_offset_ns, S64_MIN, S64_MAX, 1),
	LAPSMP_NUM("clock_ppb", clock_ppb, -1000000, 1000000, 1),
	LAPSMP_NUM("ack_prio", ack_prio, 0, 15, 1),
	LAPSMP_NUM("ack_tos", ack_tos, 0, U8_MAX, 1),
	LAPSMP_NUM("ack_segs", ack_segs, 0, 1, 1),
	LAPSMP_NUM("ack_batch", ack_batch, 1, 16, 1),
	LAPSMP_NUM("ack_wait_ns", ack_wait_ns, 0,
		   100 * NSEC_PER_USEC, 1),
};

#define LAPSMP_SYSCTL_COUNT	(ARRAY_SIZE(lapsmp_sysctl_nums) + 2)

/* Numbers of a field, at most. */
#define LAPSMP_SYSCTL_NUMS	LAPSMP_EXPRESS_CLASSES
/* Room for any number, a sign, and what follows it, for each. */
#define LAPSMP_SYSCTL_DIGITS	(24 * LAPSMP_SYSCTL_NUMS)

/* --- numbers -------------------------------------------------------------- */

/* As a u64 that holds the bits of an s64 if the field is signed. */
static u64 lapsmp_sysctl_load(const struct lapsmp_sysctl_num *num,
			      const void *field)
{
	switch (num->size) {
	case 1:
		return READ_ONCE(*(const u8 *)field);
	case 2:
		return READ_ONCE(*(const u16 *)field);
	case 4:
		return num->is_signed ? (s64)READ_ONCE(*(const s32 *)field) :
					READ_ONCE(*(const u32 *)field);
	}
	return READ_ONCE(*(const u64 *)field);
}

static void lapsmp_sysctl_store(const struct lapsmp_sysctl_num *num, void *field,
				u64 value)
{
	switch (num->size) {
	case 1:
		WRITE_ONCE(*(u8 *)field, value);
		break;
	case 2:
		WRITE_ONCE(*(u16 *)field, value);
		break;
	case 4:
		WRITE_ONCE(*(u32 *)field, value);
		break;
	default:
		WRITE_ONCE(*(u64 *)field, value);
	}
}

static int lapsmp_sysctl_parse_one(const struct lapsmp_sysctl_num *num, const char *text,
				   u64 *value)
{
	s64 v;
	int err;

	if (num->is_signed) {
		err = kstrtos64(text, 0, &v);
		if (!err && (v < num->min || v > (s64)num->max))
			err = -ERANGE;
		*value = v;
	} else {
		err = kstrtou64(text, 0, value);
		if (!err && (*value < num->min || *value > num->max))
			err = -ERANGE;
	}
	/* What the other handlers say, whatever was wrong. */
	return err ? -EINVAL : 0;
}

/* All of them or none. */
static int lapsmp_sysctl_parse(const struct lapsmp_sysctl_num *num, char *text, u64 *value)
{
	unsigned int i = 0;
	char *word;
	int err;

	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		if (i == num->n)
			return -EINVAL;
		err = lapsmp_sysctl_parse_one(num, word, &value[i++]);
		if (err)
			return err;
	}
	return i == num->n ? 0 : -EINVAL;
}

static void lapsmp_sysctl_print(const struct lapsmp_sysctl_num *num, const void *field,
				char *text, size_t size)
{
	size_t len = 0;
	unsigned int i;
	u64 value;

	for (i = 0; i < num->n; i++) {
		value = lapsmp_sysctl_load(num, field + i * num->size);
		len += scnprintf(text + len, size - len, i ? "\t" : "");
		if (num->is_signed)
			len += scnprintf(text + len, size - len, "%lld", (s64)value);
		else
			len += scnprintf(text + len, size - len, "%llu",
					 div_u64(value, num->scale));
	}
}

/* The UDP port is what peers know us by: fixed once it is open. */
static int lapsmp_sysctl_set_port(struct lapsmp_net *ln,
				  const struct lapsmp_sysctl_num *num,
				  void *field, u64 value)
{
	int err = 0;

	mutex_lock(&ln->udp_lock);
	if (list_empty(&ln->ports))
		lapsmp_sysctl_store(num, field, value);
	else if (value != lapsmp_sysctl_load(num, field))
		err = -EBUSY;
	mutex_unlock(&ln->udp_lock);
	return err;
}

static int lapsmp_sysctl_num(lapsmp_ctl_table *table, int write, void *buffer,
			     size_t *lenp, loff_t *ppos)
{
	const struct lapsmp_sysctl_num *num = table->extra1;
	char text[LAPSMP_SYSCTL_DIGITS];
	struct lapsmp_net *ln = table->extra2;
	struct ctl_table tmp = { .data = text, .maxlen = sizeof(text) };
	u64 value[LAPSMP_SYSCTL_NUMS];
	unsigned int i;
	int err;

	lapsmp_sysctl_print(num, table->data, text, sizeof(text));
	err = proc_dostring(&tmp, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	err = lapsmp_sysctl_parse(num, text, value);
	if (err)
		return err;
	if (num->offset == offsetof(struct lapsmp_conf, port))
		return lapsmp_sysctl_set_port(ln, num, table->data, value[0]);
	for (i = 0; i < num->n; i++)
		lapsmp_sysctl_store(num, table->data + i * num->size, value[i] * num->scale);
	return 0;
}

/* --- policies --------------------------------------------------------------- */

static int lapsmp_sysctl_policy(lapsmp_ctl_table *table, int write,
				void *buffer, size_t *lenp, loff_t *ppos)
{
	const struct lapsmp_policy_kind *kind = table->extra1;
	struct lapsmp_net *ln = table->extra2;
	/* One more than a name, so that a longer one is not cut to a valid one. */
	char name[LAPSMP_NAME_MAX + 1];
	struct ctl_table tmp = { .data = name, .maxlen = sizeof(name) };
	int err;

	lapsmp_policy_name(ln, kind, kind->slot(ln), name);
	err = proc_dostring(&tmp, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	return lapsmp_policy_set_default(ln, kind, strim(name));
}

/* --- registration ------------------------------------------------------------- */

static void lapsmp_sysctl_fill(struct ctl_table *t, struct lapsmp_net *ln)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lapsmp_sysctl_nums); i++, t++) {
		const struct lapsmp_sysctl_num *num = &lapsmp_sysctl_nums[i];

		t->procname = num->name;
		t->data = (u8 *)&ln->conf + num->offset;
		t->maxlen = num->size * num->n;
		t->mode = 0644;
		t->proc_handler = lapsmp_sysctl_num;
		t->extra1 = (void *)num;
		t->extra2 = ln;
	}
	t[0].procname = "scheduler";
	t[0].extra1 = (void *)&lapsmp_policy_sched;
	t[1].procname = "congestion_control";
	t[1].extra1 = (void *)&lapsmp_policy_cc;
	for (i = 0; i < 2; i++) {
		t[i].maxlen = LAPSMP_NAME_MAX;
		t[i].mode = 0644;
		t[i].proc_handler = lapsmp_sysctl_policy;
		t[i].extra2 = ln;
	}
}

int lapsmp_sysctl_net_init(struct lapsmp_net *ln)
{
	struct ctl_table *table;

	/* One more, empty: where older kernels find the end. */
	table = kcalloc(LAPSMP_SYSCTL_COUNT + 1, sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	lapsmp_sysctl_fill(table, ln);
	ln->sysctl = lapsmp_register_sysctl(ln->net, "net/lapsmp", table,
					    LAPSMP_SYSCTL_COUNT);
	if (!ln->sysctl) {
		kfree(table);
		return -ENOMEM;
	}
	ln->sysctl_table = table;
	return 0;
}

void lapsmp_sysctl_net_exit(struct lapsmp_net *ln)
{
	unregister_net_sysctl_table(ln->sysctl);
	kfree(ln->sysctl_table);
}
