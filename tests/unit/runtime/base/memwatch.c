/* SPDX-License-Identifier: Apache-2.0 */
/* memwatch.c: tests runtime/base/memwatch.c on this kernel: every way to change
 * a mapping is reported at once, nothing else is, and a child, a lack of
 * permission and another user of userfaultfd do no harm. */
#include "runtime/base/memwatch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/userfaultfd.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"

enum { PAGES = 16, ROUNDS = 20000, MANY = 1000, NOBODY = 65534 };

#ifdef __SANITIZE_ADDRESS__
enum { ASAN = 1 };
#else
enum { ASAN = 0 };
#endif
#ifdef __SANITIZE_THREAD__
enum { TSAN = 1 };
#else
enum { TSAN = 0 };
#endif

static size_t page;

static char *map(int flags)
{
	int fd = -1;
	char *at;

	if (flags & MAP_SHARED) {
		fd = memfd_create("memwatch", 0);
		if (fd < 0 || ftruncate(fd, (off_t)(PAGES * page)))
			abort();
	} else {
		flags |= MAP_PRIVATE | MAP_ANONYMOUS;
	}
	at = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (at == MAP_FAILED)
		abort();
	if (fd >= 0)
		close(fd);
	return at;
}

static bool add(char *at, size_t from, size_t to)
{
	return memwatch_add((uintptr_t)(at + from * page),
			    (uintptr_t)(at + to * page));
}

/* what drain reported of the watched range */
struct told {
	uintptr_t start, end;
	uint64_t pages; /* pages of it, one bit each */
	int calls;
};

static void note(void *arg, uintptr_t start, uintptr_t end)
{
	struct told *told = arg;

	told->calls++;
	for (uintptr_t at = told->start; at < told->end; at += page)
		if (at >= start && at < end)
			told->pages |= 1ull << (at - told->start) / page;
}

/* Up to 64 pages. */
static struct told drain(const char *at, size_t from, size_t to)
{
	struct told told = {(uintptr_t)at + from * page,
			    (uintptr_t)at + to * page, 0, 0};

	if (memwatch_pending() && !memwatch_drain(note, &told))
		abort();
	return told;
}

/* Counts the pages reported as changed. */
static int changed(const char *at, size_t from, size_t to)
{
	return __builtin_popcountll(drain(at, from, to).pages);
}

static void unmap(char *at)
{
	munmap(at + 4 * page, 4 * page);
}

static void map_over(char *at)
{
	mmap(at + 4 * page, 4 * page, PROT_READ,
	     MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void move(char *at)
{
	char *to = map(0);

	mremap(at + 4 * page, 4 * page, 4 * page, MREMAP_MAYMOVE | MREMAP_FIXED,
	       to);
}

static void move_onto(char *at)
{
	mremap(map(0), 4 * page, 4 * page, MREMAP_MAYMOVE | MREMAP_FIXED,
	       at + 4 * page);
}

static void shrink(char *at)
{
	munmap(at + 8 * page, 8 * page);
	mremap(at, 8 * page, 4 * page, 0);
}

static void dont_need(char *at)
{
	madvise(at + 4 * page, 4 * page, MADV_DONTNEED);
}

static void punch(char *at)
{
	madvise(at + 4 * page, 4 * page, MADV_REMOVE);
}

static const struct change {
	const char *name;
	void (*make)(char *at);
	int flags;
} changes[] = {
    {"munmap", unmap, 0},
    {"munmap of shared memory", unmap, MAP_SHARED},
    {"mmap over it", map_over, 0},
    {"mremap", move, 0},
    {"mremap of shared memory", move, MAP_SHARED},
    {"mremap onto it", move_onto, 0},
    {"mremap that shrinks", shrink, 0},
    {"MADV_DONTNEED", dont_need, 0},
    {"MADV_DONTNEED of shared memory", dont_need, MAP_SHARED},
    {"MADV_REMOVE", punch, MAP_SHARED},
};

/* Pages 4 to 8 change, 2 to 10 are watched. */
static void test_changes(void)
{
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		const struct change *c = &changes[i];
		char *at = map(c->flags);

		if (!add(at, 2, 10)) {
			if (c->flags & MAP_SHARED)
				printf("# shared memory: not watchable here\n");
			ok(c->flags & MAP_SHARED, "%s: refused", c->name);
			continue;
		}
		memset(at, 1,
		       PAGES *
			   page); /* this would wait for ever if it faulted */
		ok(!memwatch_pending(), "%s: nothing at first", c->name);
		c->make(at);
		is_int(changed(at, 4, 8), 4, "%s: told", c->name);
		ok(!memwatch_pending(), "%s: once", c->name);
		munmap(at, 4 * page);
		is_int(changed(at, 2, 4), 2, "%s: the rest stays watched",
		       c->name);
		munmap(at, PAGES * page);
		drain(at, 0, PAGES);
	}
}

static void test_heap(void)
{
	size_t len = 64 * page;
	char *top = sbrk(0);
	void *big;

	top = (char *)(((uintptr_t)top + page - 1) & ~(page - 1));
	if (!brk(top + len) && add(top, 0, 64) && !brk(top))
		is_int(changed(top, 0, 64), 64, "brk: told");
	else
		ok(false, "brk: watched");
	if (ASAN) {
		printf("# free: not tested, ASan keeps what is freed\n");
		return;
	}
	big = malloc(1 << 20);
	top = (char *)(((uintptr_t)big + page - 1) & ~(page - 1));
	ok(add(top, 0, 16), "malloc: watched");
	free(big);
	is_int(changed(top, 0, 16), 16, "free: told");
}

/* A page within a huge one. */
static void test_huge(void)
{
	size_t len = 4 << 20;
	char *at = mmap(NULL, len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (at == MAP_FAILED) {
		printf("# huge pages: not tested, none are free here\n");
		return;
	}
	if (!add(at, 511, 514)) {
		printf("# huge pages: not watchable here\n");
		munmap(at, len);
		return;
	}
	memset(at, 1, len);
	ok(!memwatch_pending(), "huge pages: nothing at first");
	munmap(at, len);
	is_int(changed(at, 511, 514), 3, "huge pages: told");
}

static void test_silence(void)
{
	char *at = map(0), *other = map(0);

	ok(add(at, 0, 4) && add(at, 2, 6) && add(at, 0, 4), "add again");
	munmap(other, PAGES * page);
	ok(!memwatch_pending(), "other memory is not told");
	memwatch_remove((uintptr_t)at, (uintptr_t)at + 4 * page);
	munmap(at, 4 * page);
	ok(!memwatch_pending(), "nor what is watched no more");
	munmap(at, 6 * page);
	is_int(changed(at, 4, 6), 2, "but the rest is");
	munmap(at, PAGES * page);
}

/* munmap has returned: its change must be reported even if the thread is
 * between reading and queueing. */
static void test_at_once(void)
{
	int late = 0;

	for (int i = 0; i < ROUNDS; i++) {
		char *at = map(0);

		add(at, 0, PAGES);
		munmap(at, PAGES * page);
		late += changed(at, 0, PAGES) != PAGES;
	}
	is_int(late, 0, "%d times told before munmap returned", ROUNDS);
}

static void test_overflow(void)
{
	struct told told;

	for (int i = 0; i < MANY; i++) {
		char *at = map(0);

		add(at, 0, PAGES);
		munmap(at, PAGES * page);
	}
	told = drain(NULL, 0, 1);
	is_int(told.pages, 1, "more than is kept: everything changed");
	ok(told.calls < MANY && !memwatch_pending(), "in fewer words");
}

/* Runs body in a child and returns its result. */
static int in_child(int (*body)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		alarm(20);
		_exit(body());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static char *shared_with_child;

static int child_has_none(void)
{
	struct told told = {0};
	char *at = map(0);

	munmap(shared_with_child,
	       PAGES * page); /* nobody would answer the event */
	return !memwatch_pending() + 2 * memwatch_drain(note, &told) +
	       4 * add(at, 0, 4);
}

static int child_opens(void)
{
	char *at = map(0);

	if (memwatch_open(true) || memwatch_pending() || !add(at, 0, 4))
		return 1;
	munmap(at, PAGES * page);
	return changed(at, 0, 4) != 4;
}

static int nobody_opens(void)
{
	return setgid(NOBODY) || setuid(NOBODY) || child_opens();
}

static int forbidden(void)
{
	struct sock_filter rules[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		     offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_userfaultfd, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog program = {4, rules};
	const char *why;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 2;
	why = memwatch_open(false);
	return !why || !strstr(why, "seccomp") || add(map(0), 0, 4);
}

static void test_fork(void)
{
	shared_with_child = map(0);
	add(shared_with_child, 0, PAGES);
	is_int(in_child(child_has_none), 0, "a child has no watch");
	ok(!memwatch_pending(), "what it unmaps is not the parent's");
	if (TSAN)
		printf("# its own: not tested, TSan has no threads there\n");
	else
		is_int(in_child(child_opens), 0, "it may have its own");
	if (!TSAN && geteuid() == 0)
		is_int(in_child(nobody_opens), 0, "an ordinary user may too");
	else if (!TSAN)
		printf("# not root: runs as an ordinary user all through\n");
	is_int(in_child(forbidden), 0, "without permission: says why");
	munmap(shared_with_child, PAGES * page);
	is_int(changed(shared_with_child, 0, PAGES), PAGES,
	       "the parent's goes on");
}

static void test_foreign(void)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	struct uffdio_api api = {.api = UFFD_API};
	char *at = map(0);
	struct uffdio_register reg = {.range = {(uintptr_t)at, 2 * page},
				      .mode = UFFDIO_REGISTER_MODE_MISSING};

	ok(!ioctl(fd, UFFDIO_API, &api) && !ioctl(fd, UFFDIO_REGISTER, &reg),
	   "another userfaultfd");
	ok(!add(at, 0, 4), "what it has is not watchable");
	close(fd);
	ok(add(at, 0, 4), "later it is");
	munmap(at, PAGES * page);
	drain(at, 0, 4);
}

/* A child that lives on does not keep the parent's munmap waiting. */
static void test_close(void)
{
	char *at = map(0);
	int hold[2], rc = pipe(hold);
	pid_t pid;

	add(at, 0, 4);
	pid = fork();
	if (!pid) {
		char c;

		close(hold[1]);
		_exit(read(hold[0], &c, 1) != 0);
	}
	memwatch_close();
	munmap(at, PAGES * page);
	ok(!rc, "munmap after close, beside a child");
	close(hold[1]);
	waitpid(pid, NULL, 0);
	ok(memwatch_pending() && !add(map(0), 0, 4), "closed");
	memwatch_close();
	ok(!memwatch_open(true) && !memwatch_pending(), "opened again");
}

int main(void)
{
	const char *why = memwatch_open(false);

	if (why)
		tap_skip_all(why);
	alarm(120); /* a munmap that nobody answers waits for ever */
	page = (size_t)sysconf(_SC_PAGESIZE);
	test_changes();
	test_heap();
	test_huge();
	test_silence();
	test_at_once();
	test_overflow();
	test_fork();
	test_foreign();
	test_close();
	test_changes(); /* now memwatch_pending also asks the kernel */
	test_at_once();
	memwatch_close();
	return tap_done();
}
