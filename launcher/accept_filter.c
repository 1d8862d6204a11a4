/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accept_filter.c: closes connections of other users to mrun's PMIx server.
 * PMIx 4.2 listens on TCP and believes what a client says about its user; and
 * its only thread reads the first words of each connection, so a stranger who
 * says nothing would hold up the job. Therefore mrun defines accept() itself,
 * and PMIx's thread calls that instead of the C library's. It asks the kernel
 * (sock_diag) which user owns the socket at the other end, and closes the
 * connection if that is another user. A process of the same user has
 * INTRODUCTION_S seconds to send its first words.
 *
 * It also turns off Nagle's algorithm, as PMIx does not: of two messages to a
 * client, the answer to an event handler and the end of a fence, the second
 * waited 40 ms for the delayed acknowledgement of the first.
 */
#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "launcher/accept_filter.h"

enum { INTRODUCTION_S = 4 };

struct question {
	struct nlmsghdr head;
	struct inet_diag_req_v2 ask;
};

/*
 * Fills in the query about the peer of fd, whose socket is on this machine
 * (mostly on the loopback interface). Returns false unless both addresses are
 * IPv4.
 */
static bool make_question(int fd, struct question *q)
{
	struct sockaddr_in here = {0}, there = {0};
	socklen_t len = sizeof(here), len2 = sizeof(there);

	memset(q, 0, sizeof(*q));
	if (getsockname(fd, (struct sockaddr *)&here, &len) ||
	    getpeername(fd, (struct sockaddr *)&there, &len2) ||
	    here.sin_family != AF_INET || there.sin_family != AF_INET)
		return false;
	q->head.nlmsg_len = sizeof(*q);
	q->head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
	q->head.nlmsg_flags = NLM_F_REQUEST;
	q->ask.sdiag_family = AF_INET;
	q->ask.sdiag_protocol = IPPROTO_TCP;
	q->ask.idiag_states = ~0u;
	q->ask.id.idiag_sport = there.sin_port;
	q->ask.id.idiag_dport = here.sin_port;
	q->ask.id.idiag_src[0] = there.sin_addr.s_addr;
	q->ask.id.idiag_dst[0] = here.sin_addr.s_addr;
	q->ask.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
	q->ask.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
	return true;
}

enum accept_peer accept_filter_peer(int fd)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_msg told;
		char more[512];
	} answer;
	enum accept_peer peer = ACCEPT_UNKNOWN;
	struct question q;
	ssize_t n = -1;
	int diag;

	if (!make_question(fd, &q))
		return ACCEPT_UNKNOWN;
	diag = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	if (diag < 0)
		return ACCEPT_UNKNOWN;
	if (send(diag, &q, sizeof(q), 0) == sizeof(q))
		n = recv(diag, &answer, sizeof(answer), 0);
	close(diag);
	if (n >= (ssize_t)sizeof(answer.head) + (ssize_t)sizeof(answer.told) &&
	    answer.head.nlmsg_type == SOCK_DIAG_BY_FAMILY)
		peer = answer.told.idiag_uid == geteuid() ? ACCEPT_OWN
							  : ACCEPT_STRANGER;
	return peer;
}

/*
 * Replaces accept() of the C library. If the kernel does not know the peer's
 * socket, it may belong to another machine or network namespace, if mrun
 * listens there: PMIx decides then.
 */
__attribute__((visibility("default"))) int
accept(int fd, struct sockaddr *__restrict addr, socklen_t *__restrict len)
{
	const struct timeval limit = {INTRODUCTION_S, 0};
	socklen_t addr_size = len ? *len : 0;
	const int yes = 1;
	int peer;

	for (;;) {
		if (len)
			*len = addr_size;
		peer = accept4(fd, addr, len, 0);
		if (peer < 0)
			return peer;
		if (accept_filter_peer(peer) != ACCEPT_STRANGER)
			break;
		close(peer);
	}
	setsockopt(peer, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
	return peer;
}
