/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small test harness: each TEST() runs in a process of its own, with a limit
 * on its time, and is one line of KTAP.
 */
#ifndef SELFTESTS_KTAP_H
#define SELFTESTS_KTAP_H

#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct ktap_test {
	const char *name;
	void (*run)(void);
	struct ktap_test *next;
};

void ktap_add(struct ktap_test *t);

/* Runs all tests (or those named); the program's exit status. */
int ktap_main(int argc, char **argv);

/* Marks the test as failed and says why. */
void ktap_fail(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* This machine lacks what the test needs. Does not return. */
void ktap_skip(const char *why) __attribute__((noreturn));

/* A line that helps to understand a failure. */
void ktap_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

bool ktap_expect_err(const char *file, int line, const char *text, long ret, int err, int want);

#define TEST(fn)							\
	static void fn(void);						\
	static struct ktap_test fn##_test = { .name = #fn, .run = fn };	\
	__attribute__((constructor)) static void fn##_add(void)		\
	{								\
		ktap_add(&fn##_test);					\
	}								\
	static void fn(void)

#define EXPECT(cond)							\
	do {								\
		if (!(cond))						\
			ktap_fail(__FILE__, __LINE__, "not so: %s", #cond); \
	} while (0)

#define EXPECT_EQ(is, want)						\
	do {								\
		long long is_ = (is), want_ = (want);			\
		int err_ = errno;					\
									\
		if (is_ != want_)					\
			ktap_fail(__FILE__, __LINE__, "%s is %lld, not %lld (errno %s)", \
				  #is, is_, want_, strerrorname_np(err_) ?: "0"); \
	} while (0)

/* A call that must fail with this error. */
#define EXPECT_ERR(call, want)						\
	do {								\
		long ret_ = ({ errno = 0; call; });			\
									\
		ktap_expect_err(__FILE__, __LINE__, #call, ret_, errno, want); \
	} while (0)

/* The test ends if it does not hold. */
#define NEED(cond)							\
	do {								\
		if (!(cond)) {						\
			ktap_fail(__FILE__, __LINE__, "not so: %s (errno %s)", #cond, \
				  strerrorname_np(errno) ?: "0");	\
			return;						\
		}							\
	} while (0)

#endif /* SELFTESTS_KTAP_H */
