// SPDX-License-Identifier: GPL-2.0
/* The way of one port; see trace.h. */
#include "trace.h"

unsigned int trace_top(const struct trace *t)
{
	unsigned int ttl;

	for (ttl = HOPS_MAX; ttl && !hop_is_known(t->hops[ttl].kind); ttl--)
		;
	return ttl;
}

unsigned int trace_hops(const struct trace *t)
{
	return t->len ? t->len : trace_top(t);
}

unsigned int trace_unknown(const struct trace *t)
{
	unsigned int ttl, n = 0;

	for (ttl = 1; ttl <= trace_hops(t); ttl++)
		n += !hop_is_known(t->hops[ttl].kind);
	return n;
}

unsigned int trace_varies(const struct trace *t)
{
	unsigned int ttl;

	for (ttl = 1; ttl <= trace_hops(t); ttl++) {
		if (t->hops[ttl].varies)
			return ttl;
	}
	return 0;
}

bool trace_apart(const struct trace *a, const struct trace *b)
{
	unsigned int ttl;

	if (a->len && b->len && a->len != b->len)
		return true;
	/* One has gone further than the other is long. */
	if ((a->len && trace_hops(b) > a->len) || (b->len && trace_hops(a) > b->len))
		return true;
	for (ttl = 1; ttl <= trace_hops(a) && ttl <= trace_hops(b); ttl++) {
		const struct hop *x = &a->hops[ttl], *y = &b->hops[ttl];

		if (hop_is_known(x->kind) && hop_is_known(y->kind) &&
		    !IN6_ARE_ADDR_EQUAL(&x->addr, &y->addr))
			return true;
	}
	return false;
}

uint64_t trace_rtt(const struct trace *t)
{
	return t->len ? t->hops[t->len].rtt_ns : 0;
}
