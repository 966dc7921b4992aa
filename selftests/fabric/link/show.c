// SPDX-License-Identifier: GPL-2.0
/* Links as JSON; the README has the names. */
#include <stdio.h>

#include "show.h"

static void show_string(const char *key, const char *text)
{
	printf("\"%s\":\"", key);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	printf("\",");
}

static void show_number(const char *key, unsigned long long value)
{
	printf("\"%s\":%llu,", key, value);
}

static void show_dscps(const struct lapslink_parms *p)
{
	int i;

	printf("\"dscp\":[");
	for (i = 0; i < LAPSLINK_CLASSES; i++)
		printf("%s%u", i ? "," : "", p->dscp[i]);
	printf("],");
}

static void show_parms(const struct lapslink_parms *p)
{
	show_number("rate", p->rate);
	show_number("delay_ns", p->delay_ns);
	show_number("limit_bytes", p->limit_bytes);
	show_number("alpha_q8", p->alpha_q8);
	show_number("ecn_bytes", p->ecn_bytes);
	show_number("loss", p->loss);
	show_number("seed", p->seed);
	show_dscps(p);
	printf("\"tcp_acks\":%s,", p->flags & LAPSLINK_F_TCP_ACKS ? "true" : "false");
	printf("\"down\":%s,", p->flags & LAPSLINK_F_DOWN ? "true" : "false");
}

static void show_band(const struct lapslink_xstats *s, int band)
{
	static const char * const names[LAPSLINK_BANDS] = {
		"high", "class1", "class2", "class3", "data",
	};

	printf("\"%s\":{", names[band]);
	show_number("packets", s->delivered_packets[band]);
	show_number("bytes", s->delivered_bytes[band]);
	show_number("queue_drops", s->queue_drops[band]);
	printf("\"waiting_bytes\":%llu},", (unsigned long long)s->waiting_bytes[band]);
}

static void show_backlog(const struct lapslink_xstats *s)
{
	double ns = (double)(s->now_ns - s->since_ns);
	double mean = ns > 0 ? (double)s->data_byte_us * 1000 / ns : 0;
	int i;

	printf("\"backlog\":{\"mean_bytes\":%.3f,", mean);
	show_number("max_bytes", s->data_max_bytes);
	show_number("byte_us", s->data_byte_us);
	printf("\"hist_ns\":[");
	for (i = 0; i < LAPSLINK_BUCKETS; i++)
		printf("%s%llu", i ? "," : "", (unsigned long long)s->data_hist_ns[i]);
	printf("]}");
}

void show_link(const char *ns, const char *dev, const struct tc_link *link)
{
	const struct lapslink_xstats *s = &link->stats;
	int band;

	putchar('{');
	show_string("ns", ns);
	show_string("dev", dev);
	show_parms(&link->parms);
	show_number("since_ns", s->since_ns);
	show_number("now_ns", s->now_ns);
	for (band = 0; band < LAPSLINK_BANDS; band++)
		show_band(s, band);
	show_number("loss_drops", s->loss_drops);
	show_number("down_drops", s->down_drops);
	show_number("ce_marks", s->ce_marks);
	show_backlog(s);
	printf("}\n");
}
