// SPDX-License-Identifier: GPL-2.0
/* The unit tests as a module: all suites, run when it is loaded. */
#include <linux/module.h>
#include "suites.h"

kunit_test_suites(&lapsmp_arith_suite,
		  &lapsmp_cc_fixed_suite,
		  &lapsmp_cc_laps_suite,
		  &lapsmp_cc_laps_deep_suite,
		  &lapsmp_cc_laps_rest_suite,
		  &lapsmp_cc_laps_swing_suite,
		  &lapsmp_cc_laps_paper_suite,
		  &lapsmp_deep_suite,
		  &lapsmp_deep_base_suite,
		  &lapsmp_deep_many_suite,
		  &lapsmp_delivery_suite,
		  &lapsmp_drain_suite,
		  &lapsmp_draw_suite,
		  &lapsmp_express_suite,
		  &lapsmp_express_lost_suite,
		  &lapsmp_express_window_suite,
		  &lapsmp_gap_suite,
		  &lapsmp_grant_suite,
		  &lapsmp_lean_suite,
		  &lapsmp_lossring_suite,
		  &lapsmp_lossring_model_suite,
		  &lapsmp_margin_suite,
		  &lapsmp_owd_suite,
		  &lapsmp_pacer_suite,
		  &lapsmp_pathstate_suite,
		  &lapsmp_pathsum_suite,
		  &lapsmp_pmtu_suite,
		  &lapsmp_replay_suite,
		  &lapsmp_rtt_suite,
		  &lapsmp_sched_ecmp_suite,
		  &lapsmp_sched_laps_suite,
		  &lapsmp_sched_laps_passes_suite,
		  &lapsmp_sched_spray_suite,
		  &lapsmp_segpace_suite,
		  &lapsmp_seqmap_suite,
		  &lapsmp_skew_suite,
		  &lapsmp_softmax_suite,
		  &lapsmp_srh_suite,
		  &lapsmp_stand_suite,
		  &lapsmp_swing_suite,
		  &lapsmp_turns_suite,
		  &lapsmp_ways_suite,
		  &lapsmp_wire_suite,
		  &lapsmp_wire_fields_suite,
		  &lapsmp_wire_options_suite);

MODULE_DESCRIPTION("Unit tests of lapsmp");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
