/* SPDX-License-Identifier: GPL-2.0 */
/* The suites, one per file of tests; suites.c hands them to KUnit. */
#ifndef _LAPSMP_TESTS_SUITES_H
#define _LAPSMP_TESTS_SUITES_H

#include <kunit/test.h>

extern struct kunit_suite lapsmp_ahead_suite;
extern struct kunit_suite lapsmp_arith_suite;
extern struct kunit_suite lapsmp_cc_fixed_suite;
extern struct kunit_suite lapsmp_cc_laps_suite;
extern struct kunit_suite lapsmp_cc_laps_deep_suite;
extern struct kunit_suite lapsmp_cc_laps_rest_suite;
extern struct kunit_suite lapsmp_cc_laps_stand_suite;
extern struct kunit_suite lapsmp_cc_laps_swing_suite;
extern struct kunit_suite lapsmp_cc_laps_paper_suite;
extern struct kunit_suite lapsmp_deep_suite;
extern struct kunit_suite lapsmp_deep_base_suite;
extern struct kunit_suite lapsmp_deep_many_suite;
extern struct kunit_suite lapsmp_delivery_suite;
extern struct kunit_suite lapsmp_drain_suite;
extern struct kunit_suite lapsmp_draw_suite;
extern struct kunit_suite lapsmp_express_suite;
extern struct kunit_suite lapsmp_express_lost_suite;
extern struct kunit_suite lapsmp_express_window_suite;
extern struct kunit_suite lapsmp_gap_suite;
extern struct kunit_suite lapsmp_grant_suite;
extern struct kunit_suite lapsmp_jitter_suite;
extern struct kunit_suite lapsmp_lean_suite;
extern struct kunit_suite lapsmp_lean_length_suite;
extern struct kunit_suite lapsmp_level_suite;
extern struct kunit_suite lapsmp_lossring_suite;
extern struct kunit_suite lapsmp_lossring_model_suite;
extern struct kunit_suite lapsmp_margin_suite;
extern struct kunit_suite lapsmp_noise_suite;
extern struct kunit_suite lapsmp_noise_doubt_suite;
extern struct kunit_suite lapsmp_owd_suite;
extern struct kunit_suite lapsmp_owdmean_suite;
extern struct kunit_suite lapsmp_pacer_suite;
extern struct kunit_suite lapsmp_pathstate_suite;
extern struct kunit_suite lapsmp_pathsum_suite;
extern struct kunit_suite lapsmp_pmtu_suite;
extern struct kunit_suite lapsmp_replay_suite;
extern struct kunit_suite lapsmp_rtt_suite;
extern struct kunit_suite lapsmp_sched_ecmp_suite;
extern struct kunit_suite lapsmp_sched_laps_suite;
extern struct kunit_suite lapsmp_sched_laps_passes_suite;
extern struct kunit_suite lapsmp_sched_laps_price_suite;
extern struct kunit_suite lapsmp_sched_laps_unlike_suite;
extern struct kunit_suite lapsmp_sched_spray_suite;
extern struct kunit_suite lapsmp_segpace_suite;
extern struct kunit_suite lapsmp_seqmap_suite;
extern struct kunit_suite lapsmp_skew_suite;
extern struct kunit_suite lapsmp_softmax_suite;
extern struct kunit_suite lapsmp_srh_suite;
extern struct kunit_suite lapsmp_stand_suite;
extern struct kunit_suite lapsmp_swing_suite;
extern struct kunit_suite lapsmp_trial_suite;
extern struct kunit_suite lapsmp_turns_suite;
extern struct kunit_suite lapsmp_undo_suite;
extern struct kunit_suite lapsmp_vain_suite;
extern struct kunit_suite lapsmp_ways_suite;
extern struct kunit_suite lapsmp_wire_suite;
extern struct kunit_suite lapsmp_wire_fields_suite;
extern struct kunit_suite lapsmp_wire_options_suite;

#endif /* _LAPSMP_TESTS_SUITES_H */
