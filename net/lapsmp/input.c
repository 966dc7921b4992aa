// SPDX-License-Identifier: GPL-2.0
/*
 * Dispatch. UDP has checked length and checksum; wire.c checks the header; here
 * the flow is found and its address compared. Then ack.c and notice.c have what a
 * receiver says, and reasm.c and ackgen.c what a sender says.
 */
#include <linux/udp.h>
#include <net/dst.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include "ack.h"
#include "ackgen.h"
#include "bind.h"
#include "clock.h"
#include "input.h"
#include "mib.h"
#include "notice.h"
#include "output.h"
#include "reasm.h"
#include "remote.h"
#include "rjoin.h"
#include "ropen.h"

/* --- to a sending flow --------------------------------------------------------- */

static void lapsmp_input_answer(struct lapsmp_flow *f, const struct lapsmp_hdr *h,
				const u8 *buf, const struct in6_addr *src)
{
	switch (h->type) {
	case LAPSMP_T_COOKIE:
		lapsmp_notice_cookie(f, h);
		break;
	case LAPSMP_T_RESET:
		lapsmp_notice_reset(f, h);
		break;
	case LAPSMP_T_VERSION:
		lapsmp_notice_version(f, h);
		break;
	case LAPSMP_T_CHALLENGE:
		lapsmp_notice_challenge(f, h);
		break;
	default:
		lapsmp_ack_rcv(f, h, buf, src);
	}
}

static void lapsmp_input_to_sender(struct lapsmp_net *ln,
				   const struct lapsmp_hdr *h,
				   const struct sk_buff *skb)
{
	struct in6_addr src, dst;
	struct lapsmp_flow *f;

	f = lapsmp_flow_lookup(ln, h->flow_id);
	if (!f) {
		LAPSMP_INC(ln, rx_stale);
		return;
	}
	lapsmp_addr_from_skb(skb, &src, &dst);
	if (ipv6_addr_equal(&src, &f->peer->key.raddr) ||
	    lapsmp_ack_is_from(f, h->path_id, &src))
		lapsmp_input_answer(f, h, skb->data, &src);
	else
		LAPSMP_INC(ln, rx_forged);
	lapsmp_flow_put(f);
}

/* --- to a receiving flow ---------------------------------------------------------- */

static void lapsmp_input_reset(struct lapsmp_net *ln, const struct lapsmp_hdr *h,
			       const struct sk_buff *skb, u16 reason)
{
	struct lapsmp_hdr r = {
		.type = LAPSMP_T_RESET,
		.flow_id = h->flow_id,
		.path_id = h->path_id,
		.seq = h->seq,
		.reason = reason,
	};

	LAPSMP_INC(ln, tx_resets);
	lapsmp_output_answer(ln, skb, &r);
}

static void lapsmp_input_cookie(struct lapsmp_net *ln, const struct lapsmp_hdr *h,
				const struct sk_buff *skb,
				const struct in6_addr *raddr)
{
	struct lapsmp_hdr r = {
		.type = LAPSMP_T_COOKIE,
		.flow_id = h->flow_id,
		.path_id = h->path_id,
		.seq = h->seq,
	};

	/* No amplification: the question must not be shorter than the answer. */
	if (h->hlen + h->payload_len < LAPSMP_COOKIE_HLEN)
		return;
	lapsmp_remote_cookie(ln, raddr, h, &r);
	LAPSMP_INC(ln, tx_cookies);
	lapsmp_output_answer(ln, skb, &r);
}

/*
 * The packets of a first flight come in on several CPUs at once. One of them uses
 * up the flow's number; the others must find the flow, and not a number that was
 * used. *@rf is NULL if there was no memory, or no admission.
 */
static enum lapsmp_admit lapsmp_input_admit(struct lapsmp_net *ln,
					    struct sock *sk,
					    const struct lapsmp_rflow_key *key,
					    const struct lapsmp_hdr *h,
					    const struct sk_buff *skb,
					    struct lapsmp_rflow **rf)
{
	enum lapsmp_admit verdict = LAPSMP_ADMIT_OK;

	spin_lock(&ln->open_lock);
	*rf = lapsmp_rflow_lookup(ln, key);
	/* Where there is no room its number is not used up: it may come again. */
	if (!*rf && lapsmp_rflow_has_room(ln, key->id)) {
		verdict = lapsmp_remote_admit(ln, &key->raddr, h);
		if (verdict == LAPSMP_ADMIT_OK)
			*rf = lapsmp_rflow_open(ln, sk, key, h, skb);
	}
	spin_unlock(&ln->open_lock);
	return verdict;
}

/* A packet of a flow that is not known: open it, or say why not. */
static struct lapsmp_rflow *lapsmp_input_open(struct lapsmp_net *ln,
					      const struct lapsmp_rflow_key *key,
					      const struct lapsmp_hdr *h,
					      const struct sk_buff *skb)
{
	enum lapsmp_admit verdict;
	struct in6_addr src, dst;
	struct lapsmp_rflow *rf;
	struct sock *sk;
	int sdif;

	if (!h->has_open) {
		/* Of a CLOSE nobody waits for an answer. */
		if (h->type != LAPSMP_T_CLOSE)
			lapsmp_input_reset(ln, h, skb, LAPSMP_RESET_UNKNOWN);
		return NULL;
	}
	lapsmp_addr_from_skb(skb, &src, &dst);
	sdif = skb->protocol == htons(ETH_P_IP) ? inet_sdif(skb) : inet6_sdif(skb);
	sk = lapsmp_bind_lookup(ln, &dst, h->dport, &src, h->sport,
				skb->skb_iif, sdif);
	if (!sk) {
		LAPSMP_INC(ln, rflows_refused);
		lapsmp_input_reset(ln, h, skb, LAPSMP_RESET_REFUSED);
		return NULL;
	}
	verdict = lapsmp_input_admit(ln, sk, key, h, skb, &rf);
	switch (verdict) {
	case LAPSMP_ADMIT_OK:
		break;
	case LAPSMP_ADMIT_COOKIE:
		lapsmp_input_cookie(ln, h, skb, &key->raddr);
		return NULL;
	case LAPSMP_ADMIT_STALE:
		lapsmp_input_reset(ln, h, skb, LAPSMP_RESET_STALE);
		return NULL;
	case LAPSMP_ADMIT_DROP:
		lapsmp_input_reset(ln, h, skb, LAPSMP_RESET_NOMEM);
		return NULL;
	}
	if (!rf) {
		LAPSMP_INC(ln, rflows_refused);
		lapsmp_input_reset(ln, h, skb, LAPSMP_RESET_NOMEM);
	}
	return rf;
}

static u8 lapsmp_input_answer_type(u8 type)
{
	switch (type) {
	case LAPSMP_T_PROBE:
		return LAPSMP_T_PROBE_ACK;
	case LAPSMP_T_WPROBE:
		return LAPSMP_T_WUPDATE;
	default:
		return LAPSMP_T_ACK;
	}
}

static enum lapsmp_reasm lapsmp_input_take(struct lapsmp_rflow *rf,
					   const struct lapsmp_hdr *h,
					   struct sk_buff *skb)
{
	enum lapsmp_reasm ret = LAPSMP_REASM_DUP;

	if (h->type == LAPSMP_T_DATA) {
		LAPSMP_INC(rf->ln, rx_segs);
		__skb_pull(skb, h->hlen);
		ret = lapsmp_reasm_data(rf, h, skb);
		if (ret == LAPSMP_REASM_DUP) {
			LAPSMP_INC(rf->ln, rx_dup_segs);
			atomic64_inc(&rf->ls->stats.rx_dup_segs);
		}
	} else if (h->type == LAPSMP_T_ABORT) {
		ret = lapsmp_reasm_abort(rf, h);
	}
	return ret;
}

static void lapsmp_input_ecn(struct lapsmp_rflow *rf, struct lapsmp_rpath *rp,
			     const struct sk_buff *skb)
{
	u8 field = skb->protocol == htons(ETH_P_IPV6) ?
		   ipv6_get_dsfield(ipv6_hdr(skb)) : ip_hdr(skb)->tos;

	lapsmp_ackgen_ecn(rp, field & INET_ECN_MASK);
	if (INET_ECN_is_ce(field))
		LAPSMP_INC(rf->ln, rx_ce_segs);
}

/*
 * @ends: set if the flow is to end: what it waits for has been refused for long, and what it
 * has is given back. Return: whether the skb was consumed.
 */
static bool lapsmp_input_process(struct lapsmp_rflow *rf,
				 const struct lapsmp_hdr *h, struct sk_buff *skb,
				 u64 now_ns, bool *ends)
{
	bool data = h->type == LAPSMP_T_DATA, now;
	struct lapsmp_rpath *rp;
	enum lapsmp_reasm ret;

	rp = lapsmp_rflow_path(rf, h->path_id);
	if (!rp || !rf->ls)
		return false;
	WRITE_ONCE(rf->used_ns, now_ns);
	rf->last_path = rp->id;
	/* Before the skb is somebody else's. */
	lapsmp_ackgen_way(rf, rp, skb);
	lapsmp_input_ecn(rf, rp, skb);
	ret = lapsmp_input_take(rf, h, skb);
	if (ret == LAPSMP_REASM_TOOBIG) {
		lapsmp_ackgen_reset(rf, LAPSMP_RESET_TOOBIG);
		return false;
	}
	/* What had no room was never here: no sequence, no ACK. */
	if (ret == LAPSMP_REASM_DROP) {
		*ends = lapsmp_rmsg_is_stuck(rf, now_ns);
		if (*ends)
			lapsmp_ackgen_reset(rf, LAPSMP_RESET_NOMEM);
		return false;
	}
	if (h->type == LAPSMP_T_WPROBE) {
		now = true;
	} else {
		lapsmp_ackgen_note(rf, rp, h, now_ns);
		now = h->flags & LAPSMP_F_ACKNOW ||
		      rp->unacked >= READ_ONCE(rf->ln->conf.ack_batch);
	}
	lapsmp_ackgen_due(rf, rp, lapsmp_input_answer_type(h->type), now);
	return data && ret == LAPSMP_REASM_OK;
}

/* Return: whether the skb was consumed. */
static bool lapsmp_input_to_receiver(struct lapsmp_net *ln,
				     const struct lapsmp_hdr *h,
				     struct sk_buff *skb, u64 now_ns)
{
	struct lapsmp_rflow_key key = { .id = h->flow_id };
	bool consumed = false, ends;
	struct lapsmp_rflow *rf;
	struct in6_addr dst;

	lapsmp_addr_from_skb(skb, &key.raddr, &dst);
	rf = lapsmp_rflow_lookup(ln, &key);
	if (!rf)
		rf = h->has_from ? lapsmp_rjoin(ln, &key.raddr, h, skb) :
				   lapsmp_input_open(ln, &key, h, skb);
	if (!rf)
		return false;
	ends = h->type == LAPSMP_T_CLOSE;
	if (!ends) {
		spin_lock(&rf->lock);
		consumed = lapsmp_input_process(rf, h, skb, now_ns, &ends);
		spin_unlock(&rf->lock);
	}
	if (ends)
		lapsmp_rflow_end(rf);
	lapsmp_rflow_put(rf);
	return consumed;
}

/* --- from UDP ------------------------------------------------------------------------ */

static void lapsmp_input_version(struct lapsmp_net *ln, const struct lapsmp_hdr *h,
				 const struct sk_buff *skb)
{
	struct lapsmp_hdr r = {
		.type = LAPSMP_T_VERSION,
		.flow_id = h->flow_id,
		.versions = BIT(LAPSMP_VERSION),
	};

	LAPSMP_INC(ln, rx_version);
	/* No amplification: as long as our answer, at least. */
	if (skb->len >= LAPSMP_VERSION_HLEN)
		lapsmp_output_answer(ln, skb, &r);
}

/* Make the header linear, and parse it. Return: 0, or the parser's error. */
static int lapsmp_input_parse(struct sk_buff *skb, struct lapsmp_hdr *h)
{
	unsigned int hlen;

	if (!pskb_may_pull(skb, LAPSMP_HDR_LEN))
		return -EBADMSG;
	hlen = lapsmp_wire_peek(skb->data);
	if (hlen > skb->len || !pskb_may_pull(skb, hlen))
		return -EBADMSG;
	return lapsmp_wire_parse(h, skb->data, skb_headlen(skb), skb->len);
}

/* Owned by nobody else from here on: what may outlive this call is put down. */
static void lapsmp_input_strip(struct sk_buff *skb)
{
	skb_orphan(skb);
	skb_dst_drop(skb);
	nf_reset_ct(skb);
	skb_ext_reset(skb);
}

static bool lapsmp_input_from_sender(u8 type)
{
	return type == LAPSMP_T_DATA || type == LAPSMP_T_PROBE ||
	       type == LAPSMP_T_WPROBE || type == LAPSMP_T_ABORT ||
	       type == LAPSMP_T_CLOSE;
}

int lapsmp_input_rcv(struct sock *sk, struct sk_buff *skb)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(sk));
	u64 now = lapsmp_clock_now();
	struct lapsmp_hdr h;
	int err;

	/* One packet to many must not make all of them answer. */
	if (skb->pkt_type != PACKET_HOST)
		goto drop;
	if (!udp_hdr(skb)->check) {
		LAPSMP_INC(ln, rx_nocsum);
		goto drop;
	}
	__skb_pull(skb, sizeof(struct udphdr));
	err = lapsmp_input_parse(skb, &h);
	if (err == -EPROTONOSUPPORT) {
		lapsmp_input_version(ln, &h, skb);
		goto drop;
	}
	if (err) {
		LAPSMP_INC(ln, rx_bad);
		goto drop;
	}
	if (!lapsmp_input_from_sender(h.type)) {
		lapsmp_input_to_sender(ln, &h, skb);
		goto drop;
	}
	lapsmp_input_strip(skb);
	if (lapsmp_input_to_receiver(ln, &h, skb, now))
		return 0;
drop:
	consume_skb(skb);
	return 0;
}

void lapsmp_input_err(struct sock *sk, struct sk_buff *skb, int err, u32 info,
		      const u8 *quoted, unsigned int len)
{
	struct lapsmp_net *ln = lapsmp_net(sock_net(sk));
	struct lapsmp_hdr h;
	struct lapsmp_flow *f;

	/*
	 * What quotes less than our header could come from anybody: timeouts and
	 * probes will find out what is true of it.
	 */
	if (!lapsmp_wire_quoted(&h, quoted, len) ||
	    !lapsmp_input_from_sender(h.type))
		return;
	f = lapsmp_flow_lookup(ln, h.flow_id);
	if (!f)
		return;
	lapsmp_ack_icmp(f, &h, err, info);
	lapsmp_flow_put(f);
}
