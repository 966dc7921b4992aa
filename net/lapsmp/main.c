// SPDX-License-Identifier: GPL-2.0
/*
 * lapsmp: reliable datagrams sprayed over several unequal paths, steered by
 * measured one-way delay. Documentation/ says how; this file starts and stops it.
 */
#include <linux/init.h>
#include <linux/module.h>
#include "ackgen.h"
#include "af.h"
#include "cc.h"
#include "flow.h"
#include "grants.h"
#include "input.h"
#include "mem.h"
#include "netns.h"
#include "nl.h"
#include "parts.h"
#include "rmsg.h"
#include "sched.h"
#include "seg.h"
#include "timer.h"
#include "tmsg.h"
#include "tx.h"
#include "udp.h"
#include "watch.h"

/* In the order of need; undone in the reverse. */
static const struct lapsmp_room {
	int (*init)(void);
	void (*exit)(void);
} lapsmp_rooms[] = {
	{ lapsmp_sched_init, lapsmp_sched_exit },
	{ lapsmp_cc_init, lapsmp_cc_exit },
	{ lapsmp_parts_init, lapsmp_parts_exit },
	{ lapsmp_tmsg_init, lapsmp_tmsg_exit },
	{ lapsmp_seg_init, lapsmp_seg_exit },
	{ lapsmp_rmsg_init, lapsmp_rmsg_exit },
	{ lapsmp_grants_init, lapsmp_grants_exit },
	{ lapsmp_ackgen_init, lapsmp_ackgen_exit },
	{ lapsmp_tx_init, lapsmp_tx_exit },
	{ lapsmp_netns_init, lapsmp_netns_exit },
	{ lapsmp_watch_init, lapsmp_watch_exit },
	{ lapsmp_nl_init, lapsmp_nl_exit },
	{ lapsmp_af_init, lapsmp_af_exit },
};

static void lapsmp_stop(int n)
{
	while (n--) {
		lapsmp_rooms[n].exit();
		/* Callbacks of what was just freed run in this module's text. */
		rcu_barrier();
	}
}

static int __init lapsmp_start(void)
{
	int i, err;

	lapsmp_udp_set_handlers(lapsmp_input_rcv, lapsmp_input_err);
	lapsmp_flow_set_timer(lapsmp_timer_fire);
	lapsmp_grants_set_tell(lapsmp_ackgen_window);
	for (i = 0; i < ARRAY_SIZE(lapsmp_rooms); i++) {
		err = lapsmp_rooms[i].init();
		if (err) {
			lapsmp_stop(i);
			return err;
		}
	}
	return 0;
}

static void __exit lapsmp_end(void)
{
	lapsmp_stop(ARRAY_SIZE(lapsmp_rooms));
}

module_init(lapsmp_start);
module_exit(lapsmp_end);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Reliable datagrams over several unequal paths (LAPS)");
