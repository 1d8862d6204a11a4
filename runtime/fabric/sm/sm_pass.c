/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_pass.c: the segment's descriptor goes over a Unix socket in the job's
 * directory to ranks that cannot open it through /proc: those in another PID
 * namespace or without /proc, and all if the creator's executable may not be
 * read. The directory, and so the socket, is for the job's user alone.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/base/env.h"
#include "runtime/fabric/sm/sm_segment.h"

/* A message of one byte and one descriptor. */
struct parcel {
	struct msghdr message;
	struct iovec iov;
	char byte;
	_Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
};

static void parcel_init(struct parcel *p)
{
	memset(p, 0, sizeof(*p));
	p->iov = (struct iovec){&p->byte, 1};
	p->message = (struct msghdr){.msg_iov = &p->iov,
				     .msg_iovlen = 1,
				     .msg_control = p->control,
				     .msg_controllen = sizeof(p->control)};
}

static int pass_socket(const char *path, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	strncpy(address->sun_path, path, sizeof(address->sun_path) - 1);
	return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
}

int sm_pass_listen(const char *path)
{
	struct sockaddr_un address;
	int s = pass_socket(path, &address);

	if (s >= 0 && !bind(s, (void *)&address, sizeof(address)) &&
	    !listen(s, SM_SLOTS_MAX))
		return s;
	if (s >= 0)
		close(s);
	return -1;
}

static void parcel_send(int s, int fd)
{
	struct parcel p;
	struct cmsghdr *head;

	parcel_init(&p);
	head = CMSG_FIRSTHDR(&p.message);
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	sendmsg(s, &p.message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void sm_pass_answer(int listener, int fd)
{
	struct pollfd asked = {listener, POLLIN, 0};

	while (listener >= 0 && poll(&asked, 1, 0) > 0) {
		int s = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

		if (s < 0)
			return;
		parcel_send(s, fd);
		close(s);
	}
}

static int parcel_receive(int s)
{
	struct parcel p;
	struct cmsghdr *head;
	int fd;

	parcel_init(&p);
	if (recvmsg(s, &p.message, MSG_CMSG_CLOEXEC) < 0)
		return -1;
	head = CMSG_FIRSTHDR(&p.message);
	if (!head || head->cmsg_type != SCM_RIGHTS) {
		errno = ECONNRESET; /* its rank has ended */
		return -1;
	}
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

int sm_pass_ask(const char *path)
{
	const struct timeval limit = {.tv_sec = env.timeout_s};
	struct sockaddr_un address;
	int s = pass_socket(path, &address), fd = -1, err;

	if (s < 0)
		return -1;
	setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	if (!connect(s, (void *)&address, sizeof(address)))
		fd = parcel_receive(s);
	err = errno;
	close(s);
	errno = err;
	return fd;
}
