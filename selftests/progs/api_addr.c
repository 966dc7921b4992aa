// SPDX-License-Identifier: GPL-2.0
/* Names: socket, bind, connect, getsockname, getpeername, and wrong addresses. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api.h"

static bool same_addr(const struct addr *a, const struct addr *b)
{
	return a->len == b->len && !memcmp(&a->ss, &b->ss, a->len);
}

TEST(only_datagram_sockets_exist)
{
	int fd = open_socket(api_family), value;
	socklen_t len = sizeof(value);

	EXPECT_EQ(socket(api_family, SOCK_STREAM, IPPROTO_LAPSMP), -1);
	EXPECT_EQ(socket(api_family, SOCK_SEQPACKET, IPPROTO_LAPSMP), -1);
	EXPECT_EQ(getsockopt(fd, SOL_SOCKET, SO_TYPE, &value, &len), 0);
	EXPECT_EQ(value, SOCK_DGRAM);
	EXPECT_EQ(getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &value, &len), 0);
	EXPECT_EQ(value, IPPROTO_LAPSMP);
	EXPECT_EQ(getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &value, &len), 0);
	EXPECT_EQ(value, api_family);
}

TEST(bind_gives_a_port_that_getsockname_tells)
{
	struct addr a, b;
	int one = api_bound(&a), two = api_bound(&b);

	EXPECT(one != two);
	EXPECT(addr_port(&a) != 0);
	EXPECT(addr_port(&b) != 0);
	EXPECT(addr_port(&a) != addr_port(&b));
}

TEST(a_taken_port_is_refused_until_it_is_closed)
{
	struct addr a;
	int one = api_bound(&a), two = open_socket(api_family);

	EXPECT_ERR(bind(two, addr_sa(&a), a.len), EADDRINUSE);
	close(one);
	EXPECT_EQ(bind(two, addr_sa(&a), a.len), 0);
	EXPECT_ERR(bind(two, addr_sa(&a), a.len), EINVAL);
}

TEST(a_port_is_shared_only_if_both_want)
{
	struct addr a;
	int one = open_socket(api_family), two = open_socket(api_family);

	set_int(one, SOL_SOCKET, SO_REUSEADDR, 1);
	api_local(&a, 7100);
	bind_socket(one, &a);
	EXPECT_ERR(bind(two, addr_sa(&a), a.len), EADDRINUSE);
	set_int(two, SOL_SOCKET, SO_REUSEADDR, 1);
	EXPECT_EQ(bind(two, addr_sa(&a), a.len), 0);
}

TEST(wrong_addresses_cannot_be_bound)
{
	int fd = open_socket(api_family);
	struct addr a;

	addr_set(&a, api_family == AF_INET ? "192.0.2.77" : "2001:db8::77", 0);
	EXPECT_ERR(bind(fd, addr_sa(&a), a.len), EADDRNOTAVAIL);
	api_local(&a, 0);
	EXPECT_ERR(bind(fd, addr_sa(&a), 4), EINVAL);
	EXPECT_ERR(bind(fd, (void *)8, a.len), EFAULT);
	a.ss.ss_family = AF_UNIX;
	EXPECT_ERR(bind(fd, addr_sa(&a), a.len), EAFNOSUPPORT);
}

static void as_nobody(void)
{
	int fd = open_socket(api_family);
	struct addr a;

	api_local(&a, 80);
	if (setuid(65534))
		_exit(2);
	_exit(bind(fd, addr_sa(&a), a.len) == -1 && errno == EACCES ? 0 : 1);
}

TEST(low_ports_are_for_the_administrator)
{
	struct addr a;
	int fd = open_socket(api_family), status = 0;

	if (!fork())
		as_nobody();
	wait(&status);
	EXPECT_EQ(status, 0);
	api_local(&a, 80);
	EXPECT_EQ(bind(fd, addr_sa(&a), a.len), 0);
}

TEST(sending_gives_a_port)
{
	struct addr to, from;
	int rx = api_bound(&to), tx = open_socket(api_family);

	addr_of(tx, &from);
	EXPECT_EQ(addr_port(&from), 0);
	EXPECT_EQ(api_say(tx, &to, "hello"), 5);
	addr_of(tx, &from);
	EXPECT(addr_port(&from) != 0);
	EXPECT(api_hears(rx, "hello"));
}

TEST(receiver_learns_the_sender)
{
	struct addr to, from, seen = { .len = sizeof(seen.ss) };
	int rx = api_bound(&to), tx = api_bound(&from);
	char buf[16];

	EXPECT_EQ(api_say(tx, &to, "ping"), 4);
	EXPECT_EQ(recvfrom(rx, buf, sizeof(buf), 0, addr_sa(&seen), &seen.len), 4);
	EXPECT(same_addr(&seen, &from));
	EXPECT_EQ(api_say(rx, &seen, "pong"), 4);
	EXPECT(api_hears(tx, "pong"));
}

TEST(connect_sets_the_peer_and_a_local_address)
{
	struct addr to, peer = { .len = sizeof(peer.ss) }, own, any;
	int rx = api_bound(&to), tx = open_socket(api_family);

	EXPECT_ERR(getpeername(tx, addr_sa(&peer), &peer.len), ENOTCONN);
	EXPECT_EQ(connect(tx, addr_sa(&to), to.len), 0);
	EXPECT_EQ(getpeername(tx, addr_sa(&peer), &peer.len), 0);
	EXPECT(same_addr(&peer, &to));
	addr_of(tx, &own);
	api_local(&any, addr_port(&own));
	EXPECT(same_addr(&own, &any));
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT(api_hears(rx, "x"));
	EXPECT_EQ(write(tx, "yy", 2), 2);
	EXPECT(api_hears(rx, "yy"));
}

TEST(a_connected_socket_hears_its_peer_only)
{
	struct addr peer, own, other;
	int pfd = api_bound(&peer), fd = api_connected(&peer), ofd = api_bound(&other);

	addr_of(fd, &own);
	/* Nobody is there for others: they learn it. */
	EXPECT_EQ(connect(ofd, addr_sa(&own), own.len), 0);
	EXPECT_EQ(send(ofd, "no", 2, 0), 2);
	EXPECT_EQ(api_say(pfd, &own, "yes"), 3);
	EXPECT(api_hears(fd, "yes"));
	EXPECT_ERR(recv(fd, &other, sizeof(other), MSG_DONTWAIT), EAGAIN);
	set_timeout(ofd, SO_RCVTIMEO, 5000);
	EXPECT_ERR(recv(ofd, &other, sizeof(other), 0), ECONNREFUSED);
}

TEST(a_connection_is_dissolved_by_af_unspec)
{
	struct addr to, none = { .ss.ss_family = AF_UNSPEC, .len = sizeof(struct sockaddr) };
	int rx = api_bound(&to), tx = api_connected(&to);

	EXPECT_EQ(connect(tx, addr_sa(&none), none.len), 0);
	EXPECT_ERR(send(tx, "x", 1, 0), EDESTADDRREQ);
	EXPECT_ERR(getpeername(tx, addr_sa(&none), &none.len), ENOTCONN);
	EXPECT_EQ(api_say(tx, &to, "still"), 5);
	EXPECT(api_hears(rx, "still"));
}

TEST(connect_again_changes_the_peer)
{
	struct addr one, two;
	int rx1 = api_bound(&one), rx2 = api_bound(&two), tx = api_connected(&one);

	EXPECT_EQ(send(tx, "1", 1, 0), 1);
	EXPECT_EQ(connect(tx, addr_sa(&two), two.len), 0);
	EXPECT_EQ(send(tx, "2", 1, 0), 1);
	EXPECT(api_hears(rx1, "1"));
	EXPECT(api_hears(rx2, "2"));
}

TEST(wrong_destinations_are_refused)
{
	int tx = open_socket(api_family);
	struct addr to;

	EXPECT_ERR(send(tx, "x", 1, 0), EDESTADDRREQ);
	api_local(&to, 0);
	EXPECT_ERR(api_say(tx, &to, "x"), EINVAL);
	api_local(&to, 7101);
	EXPECT_ERR(sendto(tx, "x", 1, 0, addr_sa(&to), 4), EINVAL);
	EXPECT_ERR(sendto(tx, "x", 1, 0, (void *)8, to.len), EFAULT);
	EXPECT_ERR(connect(tx, addr_sa(&to), 1), EINVAL);
	EXPECT_ERR(connect(tx, (void *)8, to.len), EFAULT);
	to.ss.ss_family = AF_UNIX;
	EXPECT_ERR(api_say(tx, &to, "x"), EAFNOSUPPORT);
	EXPECT_ERR(connect(tx, addr_sa(&to), to.len), EAFNOSUPPORT);
}

TEST(no_broadcast_and_no_multicast)
{
	int tx = open_socket(api_family);
	struct addr to;

	addr_set(&to, api_family == AF_INET ? "255.255.255.255" : "ff02::1", 7102);
	EXPECT_EQ(api_say(tx, &to, "x"), -1);
	EXPECT(errno == EACCES || errno == ENETUNREACH || errno == EINVAL);
	addr_set(&to, api_family == AF_INET ? "224.0.0.1" : "ff0e::1", 7102);
	EXPECT_EQ(api_say(tx, &to, "x"), -1);
	EXPECT_EQ(connect(tx, addr_sa(&to), to.len), -1);
}

TEST(unspecified_destination_is_this_host)
{
	int rx = open_socket(api_family), tx = open_socket(api_family);
	struct addr any;

	addr_set(&any, api_family == AF_INET ? "0.0.0.0" : "::", 7103);
	bind_socket(rx, &any);
	EXPECT_EQ(api_say(tx, &any, "self"), 4);
	EXPECT(api_hears(rx, "self"));
}

TEST(a_socket_can_send_to_itself)
{
	struct addr a;
	int fd = api_bound(&a);

	EXPECT_EQ(api_say(fd, &a, "me"), 2);
	EXPECT(api_hears(fd, "me"));
}

TEST(an_ipv6_socket_speaks_ipv4_unless_told_not_to)
{
	int rx = open_socket(AF_INET6), tx = open_socket(AF_INET), only = open_socket(AF_INET6);
	struct addr any, to, seen = { .len = sizeof(seen.ss) };
	char buf[64];

	addr_set(&any, "::", 7104);
	bind_socket(rx, &any);
	addr_set(&to, "127.0.0.1", 7104);
	EXPECT_EQ(api_say(tx, &to, "four"), 4);
	EXPECT_EQ(recvfrom(rx, buf, sizeof(buf), 0, addr_sa(&seen), &seen.len), 4);
	EXPECT_EQ(seen.ss.ss_family, AF_INET6);
	EXPECT(IN6_IS_ADDR_V4MAPPED(&((struct sockaddr_in6 *)&seen.ss)->sin6_addr));
	EXPECT_EQ(api_say(rx, &seen, "back"), 4);
	EXPECT(api_hears(tx, "back"));

	set_int(only, SOL_IPV6, IPV6_V6ONLY, 1);
	EXPECT_ERR(api_say(only, &seen, "x"), ENETUNREACH);
	EXPECT_ERR(api_say(only, &to, "x"), ENETUNREACH);
	addr_set(&to, "::1", 7104);
	EXPECT_ERR(api_say(tx, &to, "x"), EAFNOSUPPORT);
}

TEST(not_for_streams)
{
	struct addr a;
	int fd = api_bound(&a), two[2];

	EXPECT_ERR(listen(fd, 5), EOPNOTSUPP);
	EXPECT_ERR(accept(fd, NULL, NULL), EOPNOTSUPP);
	EXPECT_ERR(socketpair(api_family, SOCK_DGRAM, IPPROTO_LAPSMP, two), EOPNOTSUPP);
}
