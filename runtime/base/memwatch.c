/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memwatch.c: userfaultfd events, read by a thread, told by the consumer.
 *
 * Every munmap of watched memory waits for the thread, also those inside
 * malloc and free: from poll to poll it takes no lock and no memory.
 */
#include "runtime/base/memwatch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/clock.h"
#include "runtime/base/log.h"

/* newer than some distributions' headers */
#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef UFFD_FEATURE_WP_HUGETLBFS_SHMEM
#define UFFD_FEATURE_WP_HUGETLBFS_SHMEM (1 << 12)
#endif
#ifndef UFFD_FEATURE_WP_ASYNC
#define UFFD_FEATURE_WP_ASYNC (1 << 15)
#endif

enum { RANGES = 256, MESSAGES = 16, HUGE_PAGE = 2 << 20 };
static const uint64_t settle_ns = 1000000000;

struct range {
	uintptr_t start, end;
};

/* one producer, the thread; one consumer, memwatch_drain */
static struct {
	struct range ranges[RANGES];
	_Atomic unsigned pushed, popped;
	atomic_bool overflow;
} queue;

static int uffd = -1, stop_fd = -1;
static bool lost; /* the thread goes on, nobody relies on it */
static pthread_t thread;

struct memwatch memwatch = {.seen = UINT64_MAX};

static void push(uint64_t start, uint64_t end)
{
	unsigned at = atomic_load_explicit(&queue.pushed, memory_order_relaxed);

	/* pairs with the release in pop: its range has been copied */
	if (at - atomic_load_explicit(&queue.popped, memory_order_acquire) ==
	    RANGES) {
		/* told by the release of `rounds` */
		atomic_store_explicit(&queue.overflow, true,
				      memory_order_relaxed);
		return;
	}
	queue.ranges[at % RANGES] = (struct range){start, end};
	/* pairs with the acquire in pop */
	atomic_store_explicit(&queue.pushed, at + 1, memory_order_release);
}

static bool pop(struct range *range)
{
	unsigned at = atomic_load_explicit(&queue.popped, memory_order_relaxed);

	/* pairs with the release in push */
	if (at == atomic_load_explicit(&queue.pushed, memory_order_acquire))
		return false;
	*range = queue.ranges[at % RANGES];
	/* pairs with the acquire in push */
	atomic_store_explicit(&queue.popped, at + 1, memory_order_release);
	return true;
}

static void note(const struct uffd_msg *msg)
{
	switch (msg->event) {
	case UFFD_EVENT_UNMAP:
	case UFFD_EVENT_REMOVE:
		push(msg->arg.remove.start, msg->arg.remove.end);
		break;
	case UFFD_EVENT_REMAP:
		push(msg->arg.remap.from,
		     msg->arg.remap.from + msg->arg.remap.len);
		break;
	}
}

/* One round: the callers of munmap go on as soon as read() took their
 * events, and must then find `rounds` odd, or even with the range queued. */
static void take(void)
{
	struct uffd_msg msgs[MESSAGES];
	ssize_t got;

	/* seq_cst, and read() is a barrier: odd before munmap returns */
	atomic_fetch_add(&memwatch.rounds, 1);
	got = read(uffd, msgs, sizeof(msgs));
	for (ssize_t i = 0; i < got / (ssize_t)sizeof(msgs[0]); i++)
		note(&msgs[i]);
	/* pairs with the acquires in memwatch_pending and settle */
	atomic_fetch_add_explicit(&memwatch.rounds, 1, memory_order_release);
}

static void *watcher(void *unused)
{
	struct pollfd fds[] = {{.fd = uffd, .events = POLLIN},
			       {.fd = stop_fd, .events = POLLIN}};

	(void)unused;
	while (!fds[1].revents) {
		poll(fds, 2, -1);
		if (fds[0].revents)
			take();
	}
	/* here, since whoever joins may unmap watched memory meanwhile */
	close(uffd);
	return NULL;
}

/* no round is ever ~0: without a watch something is always pending */
static void set_silent(void)
{
	memwatch.threads = false;
	memwatch.seen = UINT64_MAX;
}

static void set_closed(void)
{
	uffd = stop_fd = -1;
	set_silent();
}

/* The child shares the descriptor, which is of the parent's memory, and keeps
 * the parent's munmap waiting when it alone has it open. */
static void forked(void)
{
	if (uffd < 0)
		return;
	close(uffd);
	close(stop_fd);
	set_closed();
}

/* The newest set of features that the kernel has. */
static bool negotiate(int fd)
{
	/* reports what it must, and can watch without page faults */
	const uint64_t needed =
	    UFFD_FEATURE_EVENT_UNMAP | UFFD_FEATURE_EVENT_REMAP |
	    UFFD_FEATURE_EVENT_REMOVE | UFFD_FEATURE_PAGEFAULT_FLAG_WP;
	/* also in shared memory and huge pages; also in mapped files */
	const uint64_t more[] = {UFFD_FEATURE_WP_HUGETLBFS_SHMEM |
				     UFFD_FEATURE_WP_ASYNC,
				 UFFD_FEATURE_WP_HUGETLBFS_SHMEM, 0};

	for (int i = 0; i < 3; i++) {
		struct uffdio_api api = {.api = UFFD_API,
					 .features = needed | more[i]};

		if (!ioctl(fd, UFFDIO_API, &api))
			return (api.features & needed) == needed;
	}
	return false;
}

static int open_uffd(void)
{
	int flags = O_CLOEXEC | O_NONBLOCK;
	int fd = (int)syscall(SYS_userfaultfd, flags | UFFD_USER_MODE_ONLY);

	/* before 5.11 there was no such flag, and often no permission */
	if (fd < 0 && errno == EINVAL)
		fd = (int)syscall(SYS_userfaultfd, flags);
	return fd;
}

static int start_thread(void)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(&thread, NULL, watcher, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return err;
}

static const char *open_fds(void)
{
	uffd = open_uffd();
	if (uffd < 0)
		return errno == ENOSYS ? "this kernel has no userfaultfd"
		       : errno == EPERM
			   ? "userfaultfd is not permitted (seccomp, or "
			     "sysctl vm.unprivileged_userfaultfd before 5.11)"
			   : "userfaultfd failed";
	if (!negotiate(uffd))
		return "userfaultfd of this kernel cannot watch without faults";
	stop_fd = eventfd(0, EFD_CLOEXEC);
	return stop_fd < 0 ? "no eventfd" : NULL;
}

/* Also what a child has from its parent, amidst a round perhaps. */
static void forget_all(void)
{
	atomic_store(&queue.pushed, 0);
	atomic_store(&queue.popped, 0);
	atomic_store(&queue.overflow, false);
	atomic_store(&memwatch.rounds, 0);
	memwatch.seen = 0;
	lost = false;
}

const char *memwatch_open(bool threads)
{
	static bool fork_handled;
	const char *why;

	if (!fork_handled && pthread_atfork(NULL, NULL, forked))
		return "no memory";
	fork_handled = true;
	why = open_fds();
	if (!why) {
		forget_all();
		memwatch.threads = threads;
		if (start_thread())
			why = "no thread";
	}
	if (why) {
		if (uffd >= 0)
			close(uffd);
		if (stop_fd >= 0)
			close(stop_fd);
		set_closed();
	}
	return why;
}

void memwatch_close(void)
{
	if (uffd < 0)
		return;
	eventfd_write(stop_fd, 1);
	pthread_join(thread, NULL);
	close(stop_fd);
	set_closed();
}

/* Huge pages of hugetlbfs are watched whole; when start and end lie in one,
 * so does all that is added by rounding. */
static struct uffdio_range outward(uintptr_t start, uintptr_t end)
{
	uintptr_t mask = HUGE_PAGE - 1;

	start &= ~mask;
	return (struct uffdio_range){start, ((end + mask) & ~mask) - start};
}

bool memwatch_add(uintptr_t start, uintptr_t end)
{
	struct uffdio_register reg = {.range = {start, end - start},
				      .mode = UFFDIO_REGISTER_MODE_WP};

	if (uffd < 0 || lost)
		return false;
	if (!ioctl(uffd, UFFDIO_REGISTER, &reg))
		return true;
	if (errno != EINVAL)
		return false;
	reg.range = outward(start, end);
	return !ioctl(uffd, UFFDIO_REGISTER, &reg);
}

/* Where it fails the range stays watched, which only costs events. */
void memwatch_remove(uintptr_t start, uintptr_t end)
{
	struct uffdio_range range = {start, end - start};

	if (uffd >= 0)
		ioctl(uffd, UFFDIO_UNREGISTER, &range);
}

/* A no-op whose first check is whether an unmapping, of any thread, has been
 * done but its event not been read. */
bool memwatch_in_flight(void)
{
	struct uffdio_writeprotect nothing = {.range = {0, 0}};
	bool yes =
	    ioctl(uffd, UFFDIO_WRITEPROTECT, &nothing) && errno == EAGAIN;

	/* as a fence, which TSan does not know: the caller's look at `rounds`
	 * does not come before the kernel's */
	atomic_fetch_add(&memwatch.rounds, 0);
	return yes;
}

static bool patience(uint64_t deadline)
{
	sched_yield();
	return clock_ns() < deadline;
}

/* Waits until all that changed before this call is in the queue: some
 * microseconds. */
static bool settle(void)
{
	uint64_t deadline = clock_ns() + settle_ns, round;

	while (memwatch.threads && memwatch_in_flight())
		if (!patience(deadline))
			return false;
	/* pairs with the releases in take(), here and below */
	round = atomic_load_explicit(&memwatch.rounds, memory_order_acquire);
	while (round % 2 && round == atomic_load_explicit(&memwatch.rounds,
							  memory_order_acquire))
		if (!patience(deadline))
			return false;
	memwatch.seen = round + round % 2;
	return true;
}

bool memwatch_drain(void (*changed)(void *arg, uintptr_t start, uintptr_t end),
		    void *arg)
{
	struct range range;

	if (uffd < 0 || lost)
		return false;
	if (!settle()) {
		log_warn("changes of the address space are not told any more");
		lost = true;
		set_silent();
		return false;
	}
	while (pop(&range))
		changed(arg, range.start, range.end);
	if (atomic_exchange(&queue.overflow, false))
		changed(arg, 0, UINTPTR_MAX);
	return true;
}
