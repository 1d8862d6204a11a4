/* SPDX-License-Identifier: Apache-2.0 */
/* sm_cma.c: copies by the kernel, and what is wrong if one fails: CMA is
 * denied, the peer is gone, or memory that the program has named is none. */
#include "runtime/fabric/sm/sm_cma.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/fabric/sm/sm_wait.h"

enum { PAGE = 4096 }; /* or less than one */

/* Returns the first address, or the first one of a page, that the process
 * cannot read in its memory; NULL: it can read all. */
static char *find_unreadable(int pid, const struct sm_pieces *p)
{
	char byte;

	for (int i = 0; i < p->n; i++) {
		char *at = p->list[i].iov_base, *end = at + p->list[i].iov_len;

		while (at < end) {
			if (!sm_cma(false, pid, &byte, (uintptr_t)at, 1))
				return at;
			at += PAGE - (uintptr_t)at % PAGE;
		}
	}
	return NULL;
}

static int log_gone(const struct sm_ep *ep, bool write, int error)
{
	fault_suspect(error == ESRCH ? MRT_ERR_PEER : 0);
	return log_error(error == ESRCH ? MRT_ERR_PEER : MRT_ERR_INTERNAL,
			 "%s memory of rank %d (pid %d): %s",
			 write ? "write" : "read", ep->base.peer, ep->card->pid,
			 strerror(error));
}

/* Finds the end whose memory is none: the source, if it cannot be read, else
 * the destination, which then perhaps can be read. That of a peer may be about
 * to be gone. */
static int log_bad_memory(const struct sm_ep *ep, bool write,
			  const struct sm_pieces *here,
			  const struct sm_pieces *there)
{
	const struct sm_pieces *end = write ? here : there;
	bool own = write, source = true;
	char *at, who[32] = "this rank";

	at = find_unreadable(own ? getpid() : ep->card->pid, end);
	if (!at) {
		source = false;
		own = !own;
		end = write ? there : here;
		at = find_unreadable(own ? getpid() : ep->card->pid, end);
	}
	if (!own && at && errno == ESRCH)
		return log_gone(ep, write, ESRCH);
	if (!own) {
		fault_suspect(0);
		snprintf(who, sizeof(who), "rank %d", ep->base.peer);
	}
	return log_error(MRT_ERR_BUFFER,
			 "%s has no memory to %s at %p, in %zu bytes from %p "
			 "on: the buffer of a call, or the base of a window",
			 who, source ? "read" : "write",
			 at ? (void *)at : end->list[0].iov_base, end->len,
			 end->list[0].iov_base);
}

int sm_cma_copy(struct sm_ep *ep, bool write, struct sm_pieces here,
		struct sm_pieces there)
{
	int error;

	if (sm_cma_pieces(write, ep->card->pid, here, there))
		return 0;
	error = errno;
	if (error == EFAULT)
		return log_bad_memory(ep, write, &here, &there);
	if (error != EPERM && error != ENOSYS)
		return log_gone(ep, write, error);
	if (ep->can_cma)
		log_info("CMA with rank %d is denied: through the rings",
			 ep->base.peer);
	ep->can_cma = false;
	return MRT_ERR_NO_FABRIC;
}

int sm_cma_range(struct sm_ep *ep, bool write, void *local, uint64_t remote,
		 size_t len)
{
	const struct iovec here = {local, len};
	const struct iovec there = {(void *)(uintptr_t)remote, len};

	return sm_cma_copy(ep, write, (struct sm_pieces){&here, 1, len},
			   (struct sm_pieces){&there, 1, len});
}
