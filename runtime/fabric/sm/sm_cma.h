/* SPDX-License-Identifier: Apache-2.0 */
/* sm_cma.h: copies by the kernel between this process and another one of the
 * node (CMA: process_vm_readv, process_vm_writev). For the copies
 * and sm_liveness.c; what takes no endpoint, on any thread. */
#ifndef FABRIC_SM_CMA_H
#define FABRIC_SM_CMA_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct sm_ep;

/* Pieces of memory, of len bytes in all. */
struct sm_pieces {
	const struct iovec *list;
	int n;
	size_t len;
};

/* Copies between process pid and as many bytes here. False with errno if not
 * all was copied; EFAULT if only the rest is missing, for which the kernel sets
 * no errno. */
static inline bool sm_cma_pieces(bool write, int pid, struct sm_pieces here,
				 struct sm_pieces there)
{
	ssize_t got = (write ? process_vm_writev : process_vm_readv)(
	    pid, here.list, (unsigned long)here.n, there.list,
	    (unsigned long)there.n, 0);

	if (got >= 0 && (size_t)got != here.len)
		errno = EFAULT;
	return got == (ssize_t)here.len;
}

static inline bool sm_cma(bool write, int pid, void *local, uint64_t remote,
			  size_t len)
{
	const struct iovec here = {local, len};
	const struct iovec there = {(void *)(uintptr_t)remote, len};

	return sm_cma_pieces(write, pid, (struct sm_pieces){&here, 1, len},
			     (struct sm_pieces){&there, 1, len});
}

/* Copy from a peer, or to it. Return 0, MRT_ERR_NO_FABRIC (not logged) if CMA
 * is denied, which the endpoint remembers, or MRT_ERR_*: MRT_ERR_BUFFER if
 * memory of one end is none, which the log names. */
int sm_cma_copy(struct sm_ep *ep, bool write, struct sm_pieces here,
		struct sm_pieces there);
int sm_cma_range(struct sm_ep *ep, bool write, void *local, uint64_t remote,
		 size_t len);
#endif
