/* SPDX-License-Identifier: Apache-2.0 */
/*
 * large_pages.c is preloaded and makes pages of 64 KiB, as many kernels of Arm
 * and POWER have, of those of this machine: sysconf says so, and mmap and
 * madvise refuse what is not at such a page.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 65536 };

#define PUBLIC __attribute__((visibility("default")))

PUBLIC long sysconf(int name)
{
	static long (*real)(int);

	if (name == _SC_PAGESIZE)
		return PAGE;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "sysconf");
	return name == _SC_PHYS_PAGES ? real(name) / (PAGE / 4096) : real(name);
}

PUBLIC int getpagesize(void)
{
	return PAGE;
}

PUBLIC void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t at)
{
	static void *(*real)(void *, size_t, int, int, int, off_t);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "mmap");
	if (at % PAGE) {
		errno = EINVAL;
		return MAP_FAILED;
	}
	return real(addr, len, prot, flags, fd, at);
}

PUBLIC int madvise(void *addr, size_t len, int advice)
{
	static int (*real)(void *, size_t, int);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "madvise");
	if ((uintptr_t)addr % PAGE && advice == MADV_REMOVE) {
		errno = EINVAL;
		return -1;
	}
	return real(addr, len, advice);
}
