/* SPDX-License-Identifier: GPL-2.0 */
/* Dispatch: from a UDP datagram to whoever it is for. */
#ifndef _LAPSMP_INPUT_H
#define _LAPSMP_INPUT_H

#include <linux/skbuff.h>
#include <net/sock.h>

/* udp.h's handlers. Context: softirq, RCU. */
int lapsmp_input_rcv(struct sock *sk, struct sk_buff *skb);
void lapsmp_input_err(struct sock *sk, struct sk_buff *skb, int err, u32 info,
		      const u8 *quoted, unsigned int len);

#endif /* _LAPSMP_INPUT_H */
