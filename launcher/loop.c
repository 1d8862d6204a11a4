/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c: level-triggered epoll. A callback may remove a watch that has an
 * event later in the same round, so loop_remove deletes that event too. */

#include "launcher/loop.h"

#include <limits.h>
#include <stddef.h>
#include <sys/epoll.h>

#include "runtime/base/clock.h"

static int loop_fd = -1;
static struct epoll_event round_events[64];
static int round_size;

int loop_init(void)
{
	loop_fd = epoll_create1(EPOLL_CLOEXEC);
	return loop_fd < 0 ? -1 : 0;
}

int loop_add(struct watch *watch, int events)
{
	struct epoll_event e = {.data.ptr = watch};

	if (watch->added)
		return 0;
	e.events = events == LOOP_WRITE ? EPOLLOUT : EPOLLIN;
	if (epoll_ctl(loop_fd, EPOLL_CTL_ADD, watch->fd, &e))
		return -1;
	watch->added = true;
	return 0;
}

void loop_remove(struct watch *watch)
{
	if (!watch->added)
		return;
	watch->added = false;
	epoll_ctl(loop_fd, EPOLL_CTL_DEL, watch->fd, NULL);
	for (int i = 0; i < round_size; i++)
		if (round_events[i].data.ptr == watch)
			round_events[i].data.ptr = NULL;
}

void loop_once(int timeout_ms)
{
	int n = epoll_wait(loop_fd, round_events, 64, timeout_ms);

	round_size = n > 0 ? n : 0;
	for (int i = 0; i < round_size; i++) {
		struct watch *watch = round_events[i].data.ptr;

		if (watch)
			watch->ready(watch);
	}
	round_size = 0;
}

int loop_ms_until(uint64_t deadline_ns)
{
	uint64_t now = clock_ns(), ms;

	if (!deadline_ns)
		return -1;
	ms = deadline_ns > now ? (deadline_ns - now) / 1000000u + 1 : 0;
	return ms < INT_MAX ? (int)ms : INT_MAX;
}

int loop_shorter(int a_ms, int b_ms)
{
	return a_ms < 0 || (b_ms >= 0 && b_ms < a_ms) ? b_ms : a_ms;
}
