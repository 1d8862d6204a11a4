/* SPDX-License-Identifier: Apache-2.0 */
/* sm_cma.h: copies by the kernel between this process and another one of the
 * node (CMA: process_vm_readv, process_vm_writev). For sm_copy.c and
 * sm_liveness.c; any thread. */
#ifndef FABRIC_SM_CMA_H
#define FABRIC_SM_CMA_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* Copies between len bytes at `remote` in process pid and n pieces here of the
 * same length in all. False with errno if not all was copied; EFAULT if only
 * the rest is missing, for which the kernel sets no errno. */
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
