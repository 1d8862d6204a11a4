/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_cma.h: copies by the kernel between this process and another one of the
 * node (CMA: process_vm_readv, process_vm_writev). For sm_copy.c; any thread.
 */
#ifndef FABRIC_SM_CMA_H
#define FABRIC_SM_CMA_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/*
 * Between len bytes at remote there and n pieces here, of the same length.
 * False with errno, if it was not all: where only the rest is not there, for
 * which the kernel sets none, EFAULT.
 */
static inline bool sm_cma_pieces(bool write, int pid, const struct iovec *here,
				 int n, uint64_t remote, size_t len)
{
	const struct iovec there = {(void *)(uintptr_t)remote, len};
	ssize_t got = (write ? process_vm_writev : process_vm_readv)(
	    pid, here, (unsigned long)n, &there, 1, 0);

	if (got >= 0 && (size_t)got != len)
		errno = EFAULT;
	return got == (ssize_t)len;
}

static inline bool sm_cma(bool write, int pid, void *local, uint64_t remote,
			  size_t len)
{
	return sm_cma_pieces(write, pid, &(struct iovec){local, len}, 1, remote,
			     len);
}
#endif
