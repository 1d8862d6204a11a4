/* SPDX-License-Identifier: Apache-2.0 */
/* direct_read.h: reading blocks that stay where they are (direct_read.c). */
#ifndef COLL_DIRECT_READ_H
#define COLL_DIRECT_READ_H

#include "coll/node/direct_line.h"
#include "runtime/engine/wait.h"

/* The content of a line of a rank that lets others read its memory. */
struct notice {
	uint64_t bytes; /* of all of it */
	uint64_t address;
	struct fab_key key;
};
_Static_assert(sizeof(struct notice) <= DIRECT_LINE, "fits a line");

/* A part of it, and where it goes. */
struct read {
	void *to;
	size_t offset, bytes;
};
struct reading;

/* Lets others read memory until mem_deregister. Returns 0 or MRT_ERR_*. */
int direct_offer(const void *at, size_t bytes, struct notice *n,
		 struct fab_mem **mem);
/* Waits until a rank has done this epoch. Returns 0 or a fault. */
int direct_wait_done(const struct direct *d, int rank, struct wait *w);
/* Begins a read, which it adds to the list (NULL: empty). Returns 0 or
 * MRT_ERR_*. */
int direct_read_begin(struct fab_ep *ep, const struct notice *n,
		      const struct read *read, struct reading **list,
		      struct wait *w);
/* Waits for all of the list and frees it. Returns 0, the error of one of them,
 * or a fault, after which reads may still be under way. */
int direct_read_end(struct reading *list, struct wait *w);
#endif
