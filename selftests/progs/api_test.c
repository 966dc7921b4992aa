// SPDX-License-Identifier: GPL-2.0
/*
 * Every socket call, as a program uses it, on the loopback: api_test 4|6 [TEST...]
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api.h"

#define STUFF_BYTES	4000

int api_family;

void api_local(struct addr *a, int port)
{
	addr_set(a, api_family == AF_INET ? "127.0.0.1" : "::1", port);
}

int api_bound(struct addr *a)
{
	int fd = open_socket(api_family);

	api_local(a, 0);
	bind_socket(fd, a);
	addr_of(fd, a);
	return fd;
}

int api_connected(struct addr *a)
{
	int fd = open_socket(api_family);

	if (connect(fd, addr_sa(a), a->len))
		die("connect: %s", strerror(errno));
	return fd;
}

long api_say(int fd, struct addr *a, const char *text)
{
	return sendto(fd, text, strlen(text), 0, addr_sa(a), a->len);
}

bool api_hears(int fd, const char *text)
{
	char buf[256];
	long n;

	set_timeout(fd, SO_RCVTIMEO, 10000);
	n = recv(fd, buf, sizeof(buf), 0);
	set_timeout(fd, SO_RCVTIMEO, 0);
	if (n < 0)
		ktap_note("instead of '%s': %s", text, strerror(errno));
	else if (n != (long)strlen(text) || memcmp(buf, text, n))
		ktap_note("instead of '%s': '%.*s'", text, (int)n, buf);
	return n == (long)strlen(text) && !memcmp(buf, text, n);
}

uint64_t api_stuff(int fd, struct addr *a)
{
	static const char buf[STUFF_BYTES];
	uint64_t bytes = 0;
	int idle = 0;
	long n;

	/* What is in the receiver's kernel makes room here: until it is full, too. */
	while (idle < 20) {
		n = sendto(fd, buf, sizeof(buf), MSG_DONTWAIT, addr_sa(a), a->len);
		if (n < 0 && errno != EAGAIN)
			die("sendto: %s", strerror(errno));
		idle = n < 0 ? idle + 1 : 0;
		if (n < 0)
			sleep_ns(20 * NSEC_PER_MSEC);
		else
			bytes += n;
	}
	return bytes;
}

void api_say_later(struct addr *a, const char *text, int ms)
{
	if (fork())
		return;
	sleep_ns(ms * NSEC_PER_MSEC);
	api_say(open_socket(api_family), a, text);
	_exit(0);
}

static void api_on_signal(int sig)
{
	(void)sig;
}

void api_signal_later(int sig, int ms, int sa_flags)
{
	struct sigaction sa = { .sa_handler = api_on_signal, .sa_flags = sa_flags };

	sigaction(sig, &sa, NULL);
	if (fork())
		return;
	sleep_ns(ms * NSEC_PER_MSEC);
	kill(getppid(), sig);
	_exit(0);
}

int main(int argc, char **argv)
{
	if (argc < 2 || (strcmp(argv[1], "4") && strcmp(argv[1], "6")))
		die("usage: api_test 4|6 [TEST...]");
	api_family = argv[1][0] == '4' ? AF_INET : AF_INET6;
	return ktap_main(argc - 2, argv + 2);
}
