/* SPDX-License-Identifier: GPL-2.0 */
/* What the tests of the socket calls share; all of them use the loopback. */
#ifndef SELFTESTS_API_H
#define SELFTESTS_API_H

#include "ktap.h"
#include "util.h"

/* AF_INET or AF_INET6, chosen on the command line. */
extern int api_family;

/* The loopback address. */
void api_local(struct addr *a, int port);

/* A socket bound to the loopback; its address goes to @a. */
int api_bound(struct addr *a);

/* A socket connected to @a. */
int api_connected(struct addr *a);

/* Sends @text to @a. */
long api_say(int fd, struct addr *a, const char *text);

/* Whether the next message is @text; waits for it for ten seconds at most. */
bool api_hears(int fd, const char *text);

/* Fills the send buffer towards @a, which nobody reads: bytes that it took. */
uint64_t api_stuff(int fd, struct addr *a);

/* After @ms, sends @text to @a from another process, or signal @sig to this one. */
void api_say_later(struct addr *a, const char *text, int ms);
void api_signal_later(int sig, int ms, int sa_flags);

#endif /* SELFTESTS_API_H */
