/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LAPSMP_ALG_DEEP_H
#define _LAPSMP_ALG_DEEP_H

#include <linux/types.h>

/**
 * enum lapsmp_deep_state - whether a flow yields to the queue
 * @LAPSMP_DEEP_OFF: it does
 * @LAPSMP_DEEP_ON: it does not
 * @LAPSMP_DEEP_TEST: it sends hardly anything for some round trips, to see who is there
 */
enum lapsmp_deep_state {
	LAPSMP_DEEP_OFF,
	LAPSMP_DEEP_ON,
	LAPSMP_DEEP_TEST,
};

/**
 * struct lapsmp_deep - what a flow knows of a queue that is much deeper than its kind makes
 * @since_ns: off: when it was not deep last, or a pause ends; else when the last test ended
 * @heard_ns: newest sample, 0 where nothing is known
 * @next_ns: off: when @base_ns and @margin_ns may rise; on: when the next test begins; in one:
 *	when it ends
 * @doubt_until_ns: off: until then half of the last test's queue is deep
 * @period_ns: from one test to the next
 * @room_ns: off: with room, since they might rise last
 * @base_ns: the least base that was heard, which rises slowly
 * @margin_ns: the least margin, in the same way
 * @low_ns: the shortest delay since the last test, S64_MAX before the first sample
 * @low_at_ns: when that was
 * @began_ns: the delay when this test, or the last one, began
 * @test_ns: the shortest one in it
 * @last_test_ns: in the last one, 0 if there was none
 * @acked_segs: since the last test
 * @n_paths: of the flow
 * @same: tests that found the same delay as the one before, less the others
 * @used: the window was, since the last test
 * @state: enum lapsmp_deep_state
 */
struct lapsmp_deep {
	u64	since_ns;
	u64	heard_ns;
	u64	next_ns;
	u64	doubt_until_ns;
	u64	period_ns;
	s64	room_ns;
	s64	base_ns;
	s64	margin_ns;
	s64	low_ns;
	u64	low_at_ns;
	s64	began_ns;
	s64	test_ns;
	s64	last_test_ns;
	u32	acked_segs;
	u32	n_paths;
	u8	same;
	bool	used;
	u8	state;
};

/**
 * struct lapsmp_deep_sample - what an acknowledgment says
 * @now_ns: monotonic
 * @t_ns: delay of the flow's shortest path
 * @base_ns: the smallest base
 * @margin_ns: the queue that a path may have; below 1 nothing is known
 * @rtt_ns: round-trip time
 * @acked_segs: data segments newly acknowledged
 * @n_paths: of the flow, heard of
 * @full: all of them have more than base and margin, by what these are now
 * @used: the flow has as much under way as it may
 */
struct lapsmp_deep_sample {
	u64	now_ns;
	s64	t_ns;
	s64	base_ns;
	s64	margin_ns;
	u64	rtt_ns;
	u32	acked_segs;
	u32	n_paths;
	bool	full;
	bool	used;
};

/* Context: whoever owns @d. Return: the state, after the sample. */
enum lapsmp_deep_state lapsmp_deep_update(struct lapsmp_deep *d,
					  const struct lapsmp_deep_sample *s);

#endif /* _LAPSMP_ALG_DEEP_H */
