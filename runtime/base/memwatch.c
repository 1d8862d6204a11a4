/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memwatch.c: a thread reads userfaultfd events and queues them for the
 * consumer.
 *
 * Every munmap of watched memory waits for the thread, also those inside malloc
 * and free. So between two polls the thread takes no lock and no memory.
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

/* missing in the headers of older distributions */
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
static const uint64_t catch_up_ns = 1000000000;

struct range {
	uintptr_t start, end;
};

/* the producer is the thread, the consumer memwatch_drain */
static struct {
	struct range ranges[RANGES];
	_Atomic unsigned pushed, popped;
	atomic_bool overflow;
} queue;

static int uffd = -1, stop_fd = -1;
static bool lost; /* the thread goes on, but its reports are not used */
static pthread_t thread;

struct memwatch memwatch = {.seen = UINT64_MAX};

static void memwatch_push(uint64_t start, uint64_t end)
{
	/* relaxed: only this thread stores it */
	unsigned at = atomic_load_explicit(&queue.pushed, memory_order_relaxed);

	/* acquire: pairs with the release in pop, after which the range has
	 * been copied */
	if (at - atomic_load_explicit(&queue.popped, memory_order_acquire) ==
	    RANGES) {
		/* relaxed: published by the release of `rounds` in
		 * read_events */
		atomic_store_explicit(&queue.overflow, true,
				      memory_order_relaxed);
		return;
	}
	queue.ranges[at % RANGES] = (struct range){start, end};
	/* release: pairs with the acquire in pop */
	atomic_store_explicit(&queue.pushed, at + 1, memory_order_release);
}

static bool memwatch_pop(struct range *range)
{
	/* relaxed: only the consumer stores it */
	unsigned at = atomic_load_explicit(&queue.popped, memory_order_relaxed);

	/* acquire: pairs with the release in push */
	if (at == atomic_load_explicit(&queue.pushed, memory_order_acquire))
		return false;
	*range = queue.ranges[at % RANGES];
	/* release: pairs with the acquire in push */
	atomic_store_explicit(&queue.popped, at + 1, memory_order_release);
	return true;
}

static void queue_event(const struct uffd_msg *msg)
{
	switch (msg->event) {
	case UFFD_EVENT_UNMAP:
	case UFFD_EVENT_REMOVE:
		memwatch_push(msg->arg.remove.start, msg->arg.remove.end);
		break;
	case UFFD_EVENT_REMAP:
		memwatch_push(msg->arg.remap.from,
			      msg->arg.remap.from + msg->arg.remap.len);
		break;
	}
}

/* Makes one round: the callers of munmap continue as soon as read() took their
 * events, and must then find `rounds` odd, or even with the range queued. */
static void read_events(void)
{
	struct uffd_msg msgs[MESSAGES];
	ssize_t got;

	/* seq_cst, and read() is a barrier: `rounds` is odd before munmap
	 * returns; pairs with the acquires in memwatch_pending and catch_up */
	atomic_fetch_add(&memwatch.rounds, 1);
	got = read(uffd, msgs, sizeof(msgs));
	for (ssize_t i = 0; i < got / (ssize_t)sizeof(msgs[0]); i++)
		queue_event(&msgs[i]);
	/* release: pairs with the same acquires */
	atomic_fetch_add_explicit(&memwatch.rounds, 1, memory_order_release);
}

static void *memwatch_watcher(void *unused)
{
	struct pollfd fds[] = {{.fd = uffd, .events = POLLIN},
			       {.fd = stop_fd, .events = POLLIN}};

	(void)unused;
	while (!fds[1].revents) {
		poll(fds, 2, -1);
		if (fds[0].revents)
			read_events();
	}
	/* closed here, since the thread that joins may unmap watched memory
	 * meanwhile */
	close(uffd);
	return NULL;
}

/* rounds never reach ~0: without a watch something is always pending */
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

/* Closes a child's copies of the descriptors, which are of the parent's memory:
 * the child alone having them open would keep the parent's munmap waiting. */
static void memwatch_forked(void)
{
	if (uffd < 0)
		return;
	close(uffd);
	close(stop_fd);
	set_closed();
}

/* Enables the newest set of features that the kernel has. */
static bool memwatch_negotiate(int fd)
{
	/* events of all changes, and write protection to watch without page
	 * faults */
	const uint64_t needed =
	    UFFD_FEATURE_EVENT_UNMAP | UFFD_FEATURE_EVENT_REMAP |
	    UFFD_FEATURE_EVENT_REMOVE | UFFD_FEATURE_PAGEFAULT_FLAG_WP;
	/* also shared memory and huge pages; also mapped files */
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

	/* before Linux 5.11 the flag did not exist, and permission was rare */
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
	err = pthread_create(&thread, NULL, memwatch_watcher, NULL);
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
	if (!memwatch_negotiate(uffd))
		return "userfaultfd of this kernel cannot watch without faults";
	stop_fd = eventfd(0, EFD_CLOEXEC);
	return stop_fd < 0 ? "no eventfd" : NULL;
}

/* Empties the queue, also that which a child inherits, perhaps amidst a
 * round. */
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

	if (!fork_handled && pthread_atfork(NULL, NULL, memwatch_forked))
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

/* Rounds a range outward to huge pages. hugetlbfs pages are watched whole; if
 * start and end lie in one, so does all that rounding adds. */
static struct uffdio_range memwatch_outward(uintptr_t start, uintptr_t end)
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
	reg.range = memwatch_outward(start, end);
	return !ioctl(uffd, UFFDIO_REGISTER, &reg);
}

/* If this fails the range stays watched, which only costs events. */
void memwatch_remove(uintptr_t start, uintptr_t end)
{
	struct uffdio_range range = {start, end - start};

	if (uffd >= 0)
		ioctl(uffd, UFFDIO_UNREGISTER, &range);
}

/* Calls an ioctl that does nothing but first checks whether an unmapping by any
 * thread is done while its event is unread. */
bool memwatch_in_flight(void)
{
	struct uffdio_writeprotect nothing = {.range = {0, 0}};
	bool yes =
	    ioctl(uffd, UFFDIO_WRITEPROTECT, &nothing) && errno == EAGAIN;

	/* seq_cst, in place of a fence, which TSan does not know: the caller
	 * reads `rounds` after the kernel's answer */
	atomic_fetch_add(&memwatch.rounds, 0);
	return yes;
}

static bool yield_until(uint64_t deadline)
{
	sched_yield();
	return clock_ns() < deadline;
}

/* Waits until all changes before this call are in the queue: some microseconds.
 * False: the thread does not answer. */
static bool catch_up(void)
{
	uint64_t deadline = clock_ns() + catch_up_ns, round;

	while (memwatch.threads && memwatch_in_flight())
		if (!yield_until(deadline))
			return false;
	/* acquire: both loads pair with the releases in read_events */
	round = atomic_load_explicit(&memwatch.rounds, memory_order_acquire);
	while (round % 2 && round == atomic_load_explicit(&memwatch.rounds,
							  memory_order_acquire))
		if (!yield_until(deadline))
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
	if (!catch_up()) {
		log_warn("changes of the address space are no longer reported");
		lost = true;
		set_silent();
		return false;
	}
	while (memwatch_pop(&range))
		changed(arg, range.start, range.end);
	if (atomic_exchange(&queue.overflow, false))
		changed(arg, 0, UINTPTR_MAX);
	return true;
}
