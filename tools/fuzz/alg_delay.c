// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes what measures: alg/owd.c, jitter.c, noise.c, trial.c, drain.c, skew.c, rtt.c,
 * delivery.c, margin.c, lean.c, pacer.c, pmtu.c and softmax.c. All their operands come from the
 * network or from clocks.
 */
#include <math.h>

#include <linux/kernel.h>
#include <linux/minmax.h>

#include "alg/delivery.h"
#include "alg/drain.h"
#include "alg/jitter.h"
#include "alg/lean.h"
#include "alg/margin.h"
#include "alg/noise.h"
#include "alg/owd.h"
#include "alg/pacer.h"
#include "alg/pmtu.h"
#include "alg/rtt.h"
#include "alg/skew.h"
#include "alg/softmax.h"
#include "alg_fuzz.h"

/* More than any spike that the jitter is allowed to learn from. */
#define JITTER_MAX_NS	(10 * 1000 * 1000)

static void fuzz_jitter(struct fuzz_in *in, struct lapsmp_jitter *j,
			struct lapsmp_jitter_usual *u, s64 delta_ns, u64 now_ns)
{
	struct lapsmp_jitter_sample s = {
		.delta_ns = delta_ns,
		.above_ns = fuzz_u64(in),
		.rtt_ns = fuzz_u64(in),
		.now_ns = now_ns,
	};

	lapsmp_jitter_update(j, &s);
	MUST(j->all_ns <= JITTER_MAX_NS && j->low_ns <= JITTER_MAX_NS);
	lapsmp_jitter_usual_update(u, j, s.rtt_ns);
	MUST(u->q8 <= (u64)JITTER_MAX_NS << 8);
	MUST(lapsmp_jitter_ns(j, u, s.rtt_ns) <= j->all_ns);
}

void fuzz_owd(struct fuzz_in *in)
{
	const struct lapsmp_owd_link nothing = {}, near = { .gap_ns = U64_MAX };
	struct lapsmp_owd_link link = { .gap_ns = 1, .bytes = 1500 };
	struct lapsmp_owd_sample s = { .now_ns = fuzz_u64(in) };
	struct lapsmp_jitter_usual usual = {};
	struct lapsmp_jitter jitter = {};
	struct lapsmp_owd o = {};
	s64 last, delta;
	u8 flags;

	while (in->size) {
		last = s.raw_ns;
		s.raw_ns = lapsmp_owd_unwrap(last, fuzz_u64(in));
		MUST((u64)s.raw_ns - (u64)last + (1ULL << 31) <= 1ULL << 32);
		flags = fuzz_u8(in);
		if (flags & 1)
			s.raw_ns = fuzz_u64(in);
		s.rtt_ns = fuzz_u64(in);
		s.now_ns += fuzz_u64(in) >> 16;
		s.alone = flags & 16;
		s.small = flags & 4;
		delta = lapsmp_owd_update(&o, &s);
		MUST(delta != S64_MIN);
		fuzz_jitter(in, &jitter, &usual, delta, s.now_ns);
		MUST(o.valid && o.raw_ns == s.raw_ns);
		MUST(o.base_raw_ns <= s.raw_ns);
		MUST(lapsmp_owd_base(&o, &nothing) == o.base_raw_ns);
		link.rate = fuzz_u64(in);
		MUST(lapsmp_owd_base(&o, &link) >= o.base_raw_ns);
		MUST(lapsmp_owd_base(&o, &near) >= lapsmp_owd_base(&o, &link));
		MUST(s.small || !lapsmp_owd_unseen_ns(&o, &link));
		/* Data is believed to take no more than it just did. */
		MUST(s.small || lapsmp_owd_base(&o, &near) <= s.raw_ns);
		MUST(!s.rtt_ns || (o.min_rtt_ns && o.min_rtt_ns <= s.rtt_ns));
		MUST(lapsmp_owd_anchor(&o) <= o.base_raw_ns ||
		     o.base_raw_ns == S64_MIN);
	}
}

static void fuzz_drain(struct fuzz_in *in, struct lapsmp_drain *d, u64 now_ns)
{
	u8 shift = lapsmp_drain_tick(d, fuzz_u64(in), now_ns);
	u64 in_ns = lapsmp_drain_in_ns(d, shift);

	MUST(!shift || (shift >= LAPSMP_NOISE_SHIFT_MIN && shift <= LAPSMP_DRAIN_SHIFT));
	MUST(in_ns >= 1 && in_ns <= 1ULL << shift);
	/* Of the last part of one it is no longer than that. */
	MUST(!shift || in_ns <= 1ULL << (shift - 4));
}

/* Several alike, so that a trial has enough. */
static void fuzz_noise_hear(struct fuzz_in *in, struct lapsmp_noise *z, u64 now)
{
	u64 bytes = fuzz_u64(in);
	u8 n = fuzz_u8(in), of = fuzz_u8(in), i;

	for (i = 0; i < n; i++)
		lapsmp_noise_heard(z, bytes, of & 1);
	for (i = 0; i < n; i++)
		lapsmp_noise_lost(z, of && i % of == 0, now);
	MUST(z->trial.lost <= z->trial.heard);
}

void fuzz_noise(struct fuzz_in *in)
{
	struct lapsmp_noise z = {};
	struct lapsmp_drain d = {};
	u64 now = fuzz_u64(in), span;
	u8 shift;

	while (in->size) {
		now += fuzz_u64(in) >> (fuzz_u8(in) & 63);
		shift = LAPSMP_NOISE_SHIFT_MIN + fuzz_u8(in) % 9;
		switch (fuzz_u8(in) & 7) {
		case 0: fuzz_drain(in, &d, now); break;
		case 1: lapsmp_noise_wants(&z, shift, fuzz_u64(in), now); break;
		case 2: lapsmp_noise_begin(&z, fuzz_u64(in)); break;
		case 3: lapsmp_noise_go_on(&z, fuzz_u64(in), shift); break;
		case 4: lapsmp_noise_end(&z, fuzz_u64(in), now); break;
		case 5: fuzz_noise_hear(in, &z, now); break;
		default:
			lapsmp_noise_sample(&z, fuzz_u64(in), fuzz_u64(in),
					    fuzz_u8(in) & 1 ? fuzz_u64(in) :
					    z.begin_ns + z.span_ns / 4);
			break;
		}
		span = lapsmp_noise_plan_ns(&z, fuzz_u64(in) >> (fuzz_u8(in) & 63),
					    fuzz_u64(in) >> (fuzz_u8(in) & 63), shift);
		MUST(!span || (span >= 1ULL << 18 && span <= 1ULL << 23));
		MUST(span <= 1ULL << (shift - 3));
		MUST(z.span_ns <= 1ULL << 23);
		MUST(z.ns <= 15000000);
		MUST(z.shift <= 31 && z.more <= 3);
		MUST(z.n < 2 || (z.lo_ns <= z.hi_ns && z.hi_ns <= z.most_ns));
	}
}

void fuzz_skew(struct fuzz_in *in)
{
	struct lapsmp_skew s = {};
	u64 now = 1;
	s64 raw;

	while (in->size) {
		raw = fuzz_u64(in);
		now += fuzz_u64(in) >> (fuzz_u8(in) & 63);
		lapsmp_skew_update(&s, fuzz_u8(in) & 3, raw, fuzz_u64(in), fuzz_u64(in),
				   fuzz_u64(in), now);
		MUST(s.ppb >= -LAPSMP_SKEW_MAX_PPB);
		MUST(s.ppb <= LAPSMP_SKEW_MAX_PPB);
		MUST(s.n_points <= LAPSMP_SKEW_POINTS);
		/* Asked again at the same time, it says the same. */
		raw = fuzz_u64(in);
		MUST(lapsmp_skew_correct(&s, raw, now) ==
		     lapsmp_skew_correct(&s, raw, now));
		MUST(lapsmp_skew_correct(&s, 0, now) ==
		     (s64)-(u64)lapsmp_skew_corrected(&s, now));
	}
}

void fuzz_softmax(struct fuzz_in *in)
{
	u32 w[16], n = fuzz_u8(in) & 15, i;
	u64 x = fuzz_u64(in) & 0x1fffff;
	u64 sum = 0;
	int k;

	MUST(fabs(lapsmp_softmax_exp(x) - exp(-(double)x / 65536) * (1 << 20)) < 4);
	MUST(lapsmp_softmax_exp(x) >= lapsmp_softmax_exp(x + 1));
	MUST(lapsmp_softmax_exp(fuzz_u64(in)) <= LAPSMP_SOFTMAX_ONE);
	for (i = 0; i < n; i++) {
		w[i] = lapsmp_softmax_weight(fuzz_u64(in), fuzz_u64(in),
					     fuzz_u64(in));
		MUST(w[i] <= LAPSMP_SOFTMAX_ONE);
		sum += w[i];
	}
	k = lapsmp_softmax_draw(w, n, fuzz_u64(in));
	MUST(sum ? k >= 0 && k < (int)n && w[k] : k == -1);
}

static void fuzz_rtt(struct fuzz_in *in, struct lapsmp_rtt *r)
{
	unsigned int backoff = fuzz_u8(in);
	u64 rto;

	lapsmp_rtt_update(r, fuzz_u64(in));
	MUST(r->srtt_ns);
	rto = lapsmp_rtt_rto(r, backoff);
	MUST(rto >= LAPSMP_RTO_MIN_NS && rto <= LAPSMP_RTO_MAX_NS);
	MUST(rto <= lapsmp_rtt_rto(r, backoff + 1));
}

static void fuzz_pacer(struct fuzz_in *in, struct lapsmp_pacer *p, u64 now)
{
	u64 before = p->next_ns, rate = fuzz_u64(in);
	u32 bytes = fuzz_u64(in);

	lapsmp_pacer_sent(p, bytes, rate, now);
	MUST(rate || lapsmp_pacer_ready(p, now));
	/* Nothing but time makes the next one earlier. */
	if (rate && before < 1ULL << 62 && now < 1ULL << 62)
		MUST(p->next_ns >= before);
}

/* As measure.c asks, with anything for what comes from elsewhere. */
static void fuzz_margin(struct fuzz_in *in, const struct lapsmp_delivery *d)
{
	struct lapsmp_margin_sample s = {
		.link_rate = d->link_rate,
		.others_rate = fuzz_u64(in),
		.drawn = fuzz_bytes(in, 1) & 1,
		.rate = d->rate,
		.pushed_rate = d->pushed_top,
		.learned = d->learned,
		.frame_bytes = fuzz_bytes(in, 2),
		.segs = fuzz_bytes(in, 2),
		.least_ns = fuzz_bytes(in, 4),
		.rtt_ns = fuzz_u64(in) >> 1,
		.jitter_ns = fuzz_bytes(in, 4),
		.noise_ns = fuzz_bytes(in, 4),
	};
	u64 margin_ns = lapsmp_margin_ns(&s);

	MUST(!(s.link_rate || s.drawn) || margin_ns >= s.least_ns);
	MUST((s.link_rate && !s.drawn) ||
	     margin_ns <= s.least_ns + s.rtt_ns / 2 + max(4 * s.jitter_ns, s.noise_ns));
	MUST(margin_ns >= min(s.least_ns, s.rtt_ns / 2));
}

void fuzz_rates(struct fuzz_in *in)
{
	struct lapsmp_delivery d;
	struct lapsmp_pacer p = {};
	struct lapsmp_rtt r = {};
	u64 now = 0, line;
	s64 arr = 0;

	lapsmp_delivery_init(&d, fuzz_u64(in));
	MUST(d.rate);
	while (in->size) {
		line = fuzz_u64(in);
		/* Unwrapped from 32 bits. */
		arr += (s32)fuzz_u64(in);
		/* A window that was closed has nothing in it yet. */
		if (lapsmp_delivery_update(&d, arr, fuzz_u64(in), fuzz_u8(in),
					   fuzz_u64(in), line) &&
		    d.first_arr_ns == d.last_arr_ns)
			MUST(d.rate <= max_t(u64, line, 1));
		MUST(d.pushed_top <= d.pushed_most);
		MUST(d.rate);
		MUST(d.link_rate || !d.link_shown);
		fuzz_margin(in, &d);
		fuzz_rtt(in, &r);
		now += fuzz_u64(in) >> 8;
		fuzz_pacer(in, &p, now);
	}
}

void fuzz_lean(struct fuzz_in *in)
{
	struct lapsmp_lean_mean mean = {};
	struct lapsmp_lean l[2] = {};
	u32 i, was;

	while (in->size) {
		struct lapsmp_lean_sample s = {
			.now_ns = fuzz_u64(in),
			.queue_ns = fuzz_u64(in),
			.margin_ns = fuzz_u64(in),
			.rtt_ns = fuzz_u64(in),
			.rest_q28 = fuzz_u64(in) % ((LAPSMP_LEAN_REST_MAX << 12) + 1ULL),
			.gain_q8 = fuzz_u64(in),
		};

		i = fuzz_u8(in) & 1;
		was = lapsmp_lean_q16(&l[!i]);
		l[i].step_ns = fuzz_u64(in);
		lapsmp_lean_update(&l[i], &mean, &s);
		MUST(lapsmp_lean_q16(&l[i]) <= LAPSMP_LEAN_MAX);
		MUST(s.gain_q8 || lapsmp_lean_q16(&l[i]) == s.rest_q28 >> 12);
		MUST(lapsmp_lean_q16(&l[!i]) == was);
	}
}

void fuzz_pmtu(struct fuzz_in *in)
{
	struct lapsmp_pmtu p;
	u64 now = 1;
	u32 size, i;

	lapsmp_pmtu_init(&p, fuzz_bytes(in, 2));
	while (in->size) {
		size = fuzz_bytes(in, 2);
		now += fuzz_u64(in) >> 16;
		switch (fuzz_u8(in) & 7) {
		case 0: lapsmp_pmtu_route(&p, size, now); break;
		case 1: lapsmp_pmtu_icmp(&p, size, now); break;
		case 2: lapsmp_pmtu_acked(&p, size, now); break;
		case 3: lapsmp_pmtu_lost(&p, size, fuzz_u64(in), now); break;
		case 4: lapsmp_pmtu_acked(&p, p.probe, now); break;
		case 5: lapsmp_pmtu_lost(&p, p.probe, 0, now); break;
		case 6: lapsmp_pmtu_lost(&p, p.cur, now, now); break;
		default:
			size = lapsmp_pmtu_probe(&p, now);
			MUST(!size || (size > p.cur && size <= p.max));
			break;
		}
		MUST(p.cur && p.cur <= p.max);
	}
	/* With every probe lost the search ends. */
	for (i = 0; i < 1000 && (size = lapsmp_pmtu_probe(&p, now)); i++)
		lapsmp_pmtu_lost(&p, size, 0, now);
	MUST(i < 1000);
}
