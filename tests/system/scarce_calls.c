/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scarce_calls.c wraps the library's calls for memory and for scarce system
 * resources, each of which may be told to fail. The linker sends them here
 * (--wrap=CALL); it leaves alone those of the C library, of PMIx and of hwloc.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "tests/system/scarce.h"

enum kind { MEM = 1, SYS = 2 };

struct scarce scarce;
static int kind;
static bool armed, later;
static atomic_long left;

/* Returns whether this call fails. Threads of the library may ask, too. */
static bool fails(enum kind k, const char *what)
{
	long n;

	if (!armed || !(kind & (int)k))
		return false;
	n = atomic_fetch_sub(&left, 1);
	if (n == 1 || (n < 1 && later)) {
		scarce.what = what;
		return true;
	}
	return false;
}

void scarce_kind(const char *text)
{
	kind = !strcmp(text, "mem") ? MEM : SYS;
}

void scarce_arm(long n, bool all_later)
{
	scarce.what = NULL;
	atomic_store(&left, n);
	later = all_later;
	armed = true;
}

void scarce_disarm(void)
{
	armed = false;
}

bool scarce_from_environment(void)
{
	const char *text = getenv("SCARCE"), *rank = getenv("PMIX_RANK");
	char what[8], plus[4] = "";
	long n, of;

	if (!text)
		return true;
	if (sscanf(text, "%3[a-z]:%ld%1[+]:%ld", what, &n, plus, &of) != 4 &&
	    sscanf(text, "%3[a-z]:%ld:%ld", what, &n, &of) != 3)
		return false;
	scarce.mine = of == (rank ? atol(rank) : 0);
	scarce_kind(what);
	if (scarce.mine)
		scarce_arm(n, *plus == '+');
	return true;
}

/* WRAP(result, call, (parameters), (arguments), kind, failure) */
#define WRAP(type, name, params, args, k, bad)                                 \
	type __real_##name params;                                             \
	type __wrap_##name params;                                             \
	type __wrap_##name params                                              \
	{                                                                      \
		return fails(k, #name) ? (bad) : __real_##name args;           \
	}

/* null and minus set errno as the failing call would, and return its result. */
static void *null(int err)
{
	errno = err;
	return NULL;
}

static int minus(int err)
{
	errno = err;
	return -1;
}

WRAP(void *, malloc, (size_t n), (n), MEM, null(ENOMEM))
WRAP(void *, calloc, (size_t n, size_t size), (n, size), MEM, null(ENOMEM))
WRAP(void *, realloc, (void *p, size_t n), (p, n), MEM, null(ENOMEM))
WRAP(void *, aligned_alloc, (size_t align, size_t n), (align, n), MEM,
     null(ENOMEM))
WRAP(int, memfd_create, (const char *name, unsigned flags), (name, flags), SYS,
     minus(EMFILE))
WRAP(int, ftruncate, (int fd, off_t len), (fd, len), SYS, minus(ENOSPC))
WRAP(int, posix_fallocate, (int fd, off_t at, off_t len), (fd, at, len), SYS,
     ENOSPC)
WRAP(int, eventfd, (unsigned value, int flags), (value, flags), SYS,
     minus(EMFILE))
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), SYS,
     null(EMFILE))
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attr, void *(*run)(void *),
      void *arg),
     (thread, attr, run, arg), SYS, EAGAIN)
WRAP(ssize_t, getrandom, (void *buf, size_t len, unsigned flags),
     (buf, len, flags), SYS, minus(ENOSYS))

void *__real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off);
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	if (fails(SYS, "mmap")) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return __real_mmap(at, len, prot, flags, fd, off);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	if (fails(SYS, "open"))
		return minus(EMFILE);
	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	return __real_open(path, flags, mode);
}

/*
 * The futex never fails: ranks wait by it. It alone has six arguments; the
 * sixth is on the caller's stack, where there is nothing of ours otherwise.
 */
long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	va_list args;
	const int n = number == SYS_futex ? 6 : 5;
	long a[6] = {0};

	if (number != SYS_futex && fails(SYS, "syscall"))
		return minus(number == SYS_userfaultfd ? EMFILE : ENOSYS);
	va_start(args, number);
	for (int k = 0; k < n; k++)
		a[k] = va_arg(args, long);
	va_end(args);
	return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
