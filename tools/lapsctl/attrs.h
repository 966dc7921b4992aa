/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the attributes of the netlink family are called, what they hold and in
 * which unit: the spec's names and types, as tables. tools/nlgen/regen --check
 * compares them with the spec.
 */
#ifndef LAPSCTL_ATTRS_H
#define LAPSCTL_ATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/lapsmp_nl.h>

enum attr_type {
	ATTR_NONE,
	ATTR_U8,
	ATTR_U16,
	ATTR_U32,
	ATTR_U64,
	ATTR_S64,
	ATTR_STRING,
	ATTR_FLAG,
	ATTR_ADDR,
	/* Several addresses, one behind the other; ADDRS_MAX at most. */
	ATTR_ADDRS,
	/* A u64 that is a name, not a number: written in hexadecimal. */
	ATTR_HEX,
};

/* How a number reads best. */
enum attr_unit {
	UNIT_NONE,
	UNIT_NS,
	UNIT_RATE,
	UNIT_BYTES,
	UNIT_PPB,
	UNIT_Q16,
	UNIT_ERRNO,
	UNIT_DEVICE,
	UNIT_LABEL,
};

/**
 * struct attr - one attribute
 * @name: in the spec
 * @type: what it holds
 * @unit: of numbers
 * @values: names of the values of an enum, by number; ends with NULL
 * @zero: what 0 means, if it is not a number
 * @text: what it tells, if the name alone does not
 */
struct attr {
	const char *name;
	enum attr_type type;
	enum attr_unit unit;
	const char *const *values;
	const char *zero;
	const char *text;
};

struct attr_set {
	const struct attr *attrs;
	uint16_t max;
};

#define ADDRS_MAX	16

/* As many as the largest set has, and the unused 0. */
#define ATTRS_MAX	64

extern const struct attr_set path_attrs, peer_attrs, flow_attrs, policy_attrs, stats_attrs;

/* The set that a command's messages are made of. */
const struct attr_set *attrs_of_cmd(uint8_t cmd);

/* NULL if there is none of this number. */
const struct attr *attr_get(const struct attr_set *set, uint16_t type);

struct nlattr;

/* Is an attribute of a message long enough for what it should hold? */
bool attr_fits(const struct attr *attr, const struct nlattr *nla);

/* The name of an enum's value, or "?" if it is newer than this program. */
const char *attr_value_name(const struct attr *attr, uint64_t value);

#endif /* LAPSCTL_ATTRS_H */
