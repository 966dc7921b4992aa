// SPDX-License-Identifier: GPL-2.0
/* Options and control messages. */
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "api.h"

static int get_int(int fd, int level, int name)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, level, name, &value, &len) ? -1 : value;
}

TEST(buffer_sizes)
{
	int fd = open_socket(api_family);

	EXPECT_EQ(get_int(fd, SOL_SOCKET, SO_RCVBUF), 4 << 20);
	EXPECT_EQ(get_int(fd, SOL_SOCKET, SO_SNDBUF), 4 << 20);
	set_int(fd, SOL_SOCKET, SO_RCVBUF, 60000);
	set_int(fd, SOL_SOCKET, SO_SNDBUF, 50000);
	EXPECT_EQ(get_int(fd, SOL_SOCKET, SO_RCVBUF), 120000);
	EXPECT_EQ(get_int(fd, SOL_SOCKET, SO_SNDBUF), 100000);
	set_int(fd, SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20);
	EXPECT_EQ(get_int(fd, SOL_SOCKET, SO_RCVBUF), 128 << 20);
}

TEST(switches)
{
	static const int names[] = { LAPSMP_UNORDERED, LAPSMP_PARTIAL, LAPSMP_NOTIFY };
	int fd = open_socket(api_family), bad = 2;
	unsigned int i;

	for (i = 0; i < ARRAY_LEN(names); i++) {
		EXPECT_EQ(get_int(fd, SOL_LAPSMP, names[i]), 0);
		set_int(fd, SOL_LAPSMP, names[i], 1);
		EXPECT_EQ(get_int(fd, SOL_LAPSMP, names[i]), 1);
		EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, names[i], &bad, sizeof(bad)), EINVAL);
		EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, names[i], &bad, 1), EINVAL);
		EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, names[i], (void *)8, sizeof(bad)), EFAULT);
		EXPECT_EQ(get_int(fd, SOL_LAPSMP, names[i]), 1);
	}
	set_int(fd, SOL_LAPSMP, LAPSMP_USER_TIMEOUT, 1234);
	EXPECT_EQ(get_int(fd, SOL_LAPSMP, LAPSMP_USER_TIMEOUT), 1234);
	bad = -1;
	EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, LAPSMP_USER_TIMEOUT, &bad, sizeof(bad)), EINVAL);
}

static void check_policy(int fd, int name, const char *first, const char *second)
{
	char value[64] = "";
	socklen_t len = sizeof(value);

	EXPECT_EQ(getsockopt(fd, SOL_LAPSMP, name, value, &len), 0);
	EXPECT(!strcmp(value, first));
	EXPECT_EQ(setsockopt(fd, SOL_LAPSMP, name, second, strlen(second)), 0);
	len = sizeof(value);
	EXPECT_EQ(getsockopt(fd, SOL_LAPSMP, name, value, &len), 0);
	EXPECT(!strcmp(value, second));
	EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, name, "nonesuch", 8), ENOENT);
	EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, name, "", 0), EINVAL);
	EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, name, "seventeen letters", 17), EINVAL);
	EXPECT_EQ(setsockopt(fd, SOL_LAPSMP, name, "", 1), 0);
	len = sizeof(value);
	EXPECT_EQ(getsockopt(fd, SOL_LAPSMP, name, value, &len), 0);
	EXPECT(!strcmp(value, first));
}

TEST(policies_are_chosen_by_name)
{
	int fd = open_socket(api_family);

	check_policy(fd, LAPSMP_SCHED, "", "spray");
	check_policy(fd, LAPSMP_CC, "", "fixed");
}

TEST(info_counts_and_may_grow)
{
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);
	struct lapsmp_info info;
	socklen_t len = 8;

	EXPECT_EQ(send(tx, "hello", 5, 0), 5);
	EXPECT(wait_drained(tx, 10000));
	info = get_info(tx);
	EXPECT_EQ(info.size, sizeof(info));
	EXPECT_EQ(info.flows, 1);
	EXPECT_EQ(info.tx_messages, 1);
	EXPECT_EQ(info.tx_bytes, 5);
	EXPECT_EQ(info.tx_acked_messages, 1);
	EXPECT_EQ(info.tx_queued_bytes, 0);
	info = get_info(rx);
	EXPECT_EQ(info.rx_messages, 1);
	EXPECT_EQ(info.rx_bytes, 5);
	EXPECT_EQ(info.rx_queued_bytes, 5);

	memset(&info, 0xff, sizeof(info));
	EXPECT_EQ(getsockopt(tx, SOL_LAPSMP, LAPSMP_INFO, &info, &len), 0);
	EXPECT_EQ(len, 8);
	EXPECT_EQ(info.size, 8);
	EXPECT_EQ(info.tx_messages, ~0ull);
	len = 3;
	EXPECT_ERR(getsockopt(tx, SOL_LAPSMP, LAPSMP_INFO, &info, &len), EINVAL);
	EXPECT_ERR(setsockopt(tx, SOL_LAPSMP, LAPSMP_INFO, &info, sizeof(info)), ENOPROTOOPT);
}

TEST(unknown_options_are_refused)
{
	int fd = open_socket(api_family), value = 1;
	socklen_t len = sizeof(value);

	EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, 0, &value, len), ENOPROTOOPT);
	EXPECT_ERR(setsockopt(fd, SOL_LAPSMP, 99, &value, len), ENOPROTOOPT);
	EXPECT_ERR(getsockopt(fd, SOL_LAPSMP, 99, &value, &len), ENOPROTOOPT);
	EXPECT_ERR(getsockopt(fd, SOL_LAPSMP, LAPSMP_PARTIAL, (void *)8, &len), EFAULT);
	EXPECT_ERR(getsockopt(fd, SOL_LAPSMP, LAPSMP_PARTIAL, &value, (void *)8), EFAULT);
	EXPECT_ERR(setsockopt(fd, IPPROTO_TCP, 1, &value, len), ENOPROTOOPT);
	EXPECT_ERR(setsockopt(fd, IPPROTO_UDP, 1, &value, len), ENOPROTOOPT);
	/* Would have no effect, and a program must know. */
	EXPECT_ERR(setsockopt(fd, SOL_IP, IP_MULTICAST_LOOP, &value, len), ENOPROTOOPT);
	EXPECT_ERR(setsockopt(fd, SOL_IP, IP_OPTIONS, &value, len), ENOPROTOOPT);
	if (api_family == AF_INET6)
		EXPECT_ERR(setsockopt(fd, SOL_IPV6, IPV6_MULTICAST_LOOP, &value, len), ENOPROTOOPT);
}

TEST(devices)
{
	struct addr to;
	int rx = api_bound(&to), tx = open_socket(api_family);

	EXPECT_ERR(setsockopt(tx, SOL_SOCKET, SO_BINDTODEVICE, "nodev", 6), ENODEV);
	EXPECT_EQ(setsockopt(tx, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3), 0);
	EXPECT_EQ(api_say(tx, &to, "lo"), 2);
	EXPECT(api_hears(rx, "lo"));
}

static struct cmsghdr *find_cmsg(struct msghdr *m, int level, int type)
{
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c))
		if (c->cmsg_level == level && c->cmsg_type == type)
			return c;
	return NULL;
}

TEST(pktinfo_tells_where_to)
{
	char control[256], data[8];
	struct iovec v = { .iov_base = data, .iov_len = sizeof(data) };
	struct msghdr m = {
		.msg_iov = &v, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int rx = open_socket(api_family), tx = open_socket(api_family);
	struct addr any, to;
	struct cmsghdr *c;

	addr_set(&any, api_family == AF_INET ? "0.0.0.0" : "::", 7200);
	bind_socket(rx, &any);
	if (api_family == AF_INET)
		set_int(rx, SOL_IP, IP_PKTINFO, 1);
	else
		set_int(rx, SOL_IPV6, IPV6_RECVPKTINFO, 1);
	api_local(&to, 7200);
	EXPECT_EQ(api_say(tx, &to, "x"), 1);
	EXPECT_EQ(recvmsg(rx, &m, 0), 1);
	if (api_family == AF_INET) {
		c = find_cmsg(&m, SOL_IP, IP_PKTINFO);
		NEED(c);
		EXPECT_EQ(ntohl(((struct in_pktinfo *)CMSG_DATA(c))->ipi_addr.s_addr),
			  INADDR_LOOPBACK);
	} else {
		c = find_cmsg(&m, SOL_IPV6, IPV6_PKTINFO);
		NEED(c);
		EXPECT(IN6_IS_ADDR_LOOPBACK(&((struct in6_pktinfo *)CMSG_DATA(c))->ipi6_addr));
	}
}

TEST(timestamps)
{
	char control[256], data[8];
	struct iovec v = { .iov_base = data, .iov_len = sizeof(data) };
	struct msghdr m = {
		.msg_iov = &v, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to);
	struct timespec now, ts;
	struct cmsghdr *c;

	set_int(rx, SOL_SOCKET, SO_TIMESTAMPNS, 1);
	EXPECT_EQ(send(tx, "x", 1, 0), 1);
	EXPECT_EQ(recvmsg(rx, &m, 0), 1);
	c = find_cmsg(&m, SOL_SOCKET, SO_TIMESTAMPNS);
	NEED(c);
	memcpy(&ts, CMSG_DATA(c), sizeof(ts));
	clock_gettime(CLOCK_REALTIME, &now);
	EXPECT(ts.tv_sec >= now.tv_sec - 20 && ts.tv_sec <= now.tv_sec + 1);
}

TEST(useless_control_messages_are_refused)
{
	union {
		char buf[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} u = { .align = { .cmsg_len = CMSG_LEN(sizeof(int)) } };
	struct iovec v = { .iov_base = "x", .iov_len = 1 };
	struct msghdr m = {
		.msg_iov = &v, .msg_iovlen = 1, .msg_control = u.buf, .msg_controllen = sizeof(u),
	};
	struct addr to;
	int rx = api_bound(&to), tx = api_connected(&to), tos = 0x20;

	u.align.cmsg_level = SOL_IP;
	u.align.cmsg_type = IP_TTL;
	EXPECT_ERR(sendmsg(tx, &m, 0), EINVAL);
	u.align.cmsg_level = api_family == AF_INET ? SOL_IP : SOL_IPV6;
	u.align.cmsg_type = api_family == AF_INET ? IP_TOS : IPV6_TCLASS;
	memcpy(CMSG_DATA(&u.align), &tos, sizeof(tos));
	EXPECT_EQ(sendmsg(tx, &m, 0), 1);
	EXPECT(api_hears(rx, "x"));
	tos = 256;
	memcpy(CMSG_DATA(&u.align), &tos, sizeof(tos));
	EXPECT_ERR(sendmsg(tx, &m, 0), EINVAL);
	u.align.cmsg_len = 3;
	EXPECT_ERR(sendmsg(tx, &m, 0), EINVAL);
}

#define SHARERS	4
#define CLIENTS	64

TEST(so_reuseport_spreads_senders)
{
	int fds[SHARERS], i, j, used = 0, total = 0;
	struct addr a;
	char c;

	api_local(&a, 7201);
	for (i = 0; i < SHARERS; i++) {
		fds[i] = open_socket(api_family);
		set_int(fds[i], SOL_SOCKET, SO_REUSEPORT, 1);
		bind_socket(fds[i], &a);
	}
	for (j = 0; j < CLIENTS; j++) {
		int fd = open_socket(api_family);

		EXPECT_EQ(api_say(fd, &a, "x"), 1);
		EXPECT(wait_drained(fd, 10000));
		close(fd);
	}
	for (i = 0; i < SHARERS; i++) {
		for (j = 0; recv(fds[i], &c, 1, MSG_DONTWAIT) == 1; j++)
			total++;
		used += j > 0;
	}
	EXPECT_EQ(total, CLIENTS);
	EXPECT_EQ(used, SHARERS);
}
