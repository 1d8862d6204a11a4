/* SPDX-License-Identifier: Apache-2.0 */
/* direct_line.h: what lies in a direct region; for direct*.c alone. */
#ifndef COLL_DIRECT_LINE_H
#define COLL_DIRECT_LINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/direct/direct.h"
#include "p2p/comm.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

enum {
	DIRECT_FLAT = 16,    /* ranks up to which everybody reads all lines */
	DIRECT_POLLS = 2,    /* at a flag before pausing */
	DIRECT_EARLIER = 31, /* in place of a call: those before this one */
	DIRECT_SPINS = 100 /* when nobody has use for the CPU: a yield's time */
};

/* One cache line with one writer: flag and data travel together. */
struct line {
	_Atomic uint64_t epoch; /* written last */
	uint32_t call;		/* what the writer believes this epoch is */
	uint32_t several;	/* low half of the epoch: its call takes more */
	char data[DIRECT_LINE];
};
_Static_assert(sizeof(struct line) == 64, "one cache line");
_Static_assert(offsetof(struct line, data) % 16 == 0, "any type fits");

/* What direct*.c share of the protocol (direct.c says how it
 * works), beyond the lines themselves. */

/* Makes sure that all ranks have done `epoch`. */
int direct_ensure_done(const struct mrt_comm *comm, struct direct *d,
		       uint64_t epoch);
/* Says that `rank`, whose line it is, calls something else; see direct_wrong.c.
 * MRT_ERR_COLLECTIVE. */
int direct_differ(const struct mrt_comm *comm, struct direct *d,
		  const struct line *line, int rank);
/* After an error of wait_for_rank: for those who wait for this rank's line, if
 * it has not been written (`put`). That error, or a fault. */
int direct_refuse(const struct mrt_comm *comm, struct direct *d,
		  const void *put, int error);
/* Of no collective. */
enum { DIRECT_NO_CALL = 31 };

/* Waits for the lines of all others in this epoch, which all have entered
 * then. For collectives in which all do so. */
int direct_wait_all(const struct mrt_comm *comm, struct direct *d,
		    uint32_t call);
/* The same for many ranks: up the tree, reducing the lines' data on the way (r
 * may be NULL), and down again by the release line, which then holds the
 * result. */
int direct_tree(const struct mrt_comm *comm, struct direct *d, uint32_t call,
		const struct direct_reduce *r);
/* Enters an epoch and waits until everybody has; leave comes later. */
int direct_synchronise(const struct mrt_comm *comm, struct direct *d,
		       uint32_t call);

/* The rank's buffers are mapped; or MRT_ERR_NO_MEM. */
int direct_map(struct direct *d);
/* A rank's buffer from slice k on. */
char *direct_buffer(const struct mrt_comm *comm, const struct direct *d,
		    unsigned k, int rank);
/* The next slices, the same on all ranks; waits until nobody reads them any
 * more if this rank writes them. */
int direct_take_slices(const struct mrt_comm *comm, struct direct *d,
		       size_t bytes, bool write, unsigned *first);
/* This epoch is the last that uses them. */
void direct_mark_slices(struct direct *d, unsigned first);

/*
 * A collective of one epoch: those who have a payload write it, in their line
 * or buffer, and those who want a part of it take it from there.
 */
struct exchange {
	uint32_t call;
	const void *put;       /* this rank's payload; NULL: none */
	size_t bytes;	       /* of every payload */
	int first, n;	       /* take from n ranks, from this one on, round, */
	size_t offset, length; /* this part of their payloads, */
	void *recv;	       /* to recv + rank * stride, */
	size_t stride;
	const struct direct_reduce *reduce; /* or, unless NULL, its op over
					       them, in their order, to recv */
	/* of long ones */
	const void *own; /* this rank's payload, NULL: take its part from its
			    buffer */
	enum { TO_ROOT, FROM_ROOT, ALL_TO_ALL } way;
};
int direct_exchange(struct mrt_comm *comm, struct direct *d,
		    const struct exchange *x);

/* Operands of all ranks, from byte `at` behind `slice` of each one's buffer. */
struct operand_list {
	const struct direct_reduce *r; /* but for send, recv and count */
	unsigned slice;
	size_t at;
	const char *own; /* this rank's; NULL: in the buffer too */
	char *to; /* where `own` is not, unless it is one of the first two */
	size_t count;
};
/* Reduces them in the order of ranks. */
void direct_reduce_operands(const struct mrt_comm *comm, const struct direct *d,
			    const struct operand_list *f);

/*
 * Copies to the own buffer: past the caches while a plain copy moves less than
 * `least` bytes in a ns. One thread at a time.
 */
enum { DIRECT_LEAST = 4 }; /* never so few but when cores are far apart */
void direct_fill(char *to, const char *from, size_t bytes, unsigned least);

/* The same in pieces, an epoch each: for payloads of any length. */
int direct_exchange_long(struct mrt_comm *comm, struct direct *d,
			 const struct exchange *x);
/* A scatter whose blocks are read from the root's memory. */
int direct_read(struct mrt_comm *comm, struct direct *d,
		const struct exchange *x);
/* A scan, or an exscan, in pieces that go from each rank to the next. */
int direct_chain(struct mrt_comm *comm, struct direct *d,
		 const struct direct_reduce *r, bool exclusive, uint32_t call);

static inline struct line *line_at(const struct mrt_comm *comm,
				   const struct direct *d, int rank)
{
	return &d->lines[(d->epoch & (d->slots - 1)) * (size_t)comm->size +
			 (size_t)rank];
}

/* What goes with a rank's line in this epoch when it is too long for it. */
static inline char *wide_at(const struct mrt_comm *comm, const struct direct *d,
			    int rank)
{
	return direct_buffer(comm, d, 0, rank) +
	       (d->epoch & (d->slots - 1)) * DIRECT_WIDE;
}

static inline struct line *release_at(const struct direct *d)
{
	return &d->releases[d->epoch & (d->slots - 1)];
}

/* A flag only grows while we wait for it. acquire: pairs with publish (data
 * of the line) and leave (reads of the others are over). */
static inline bool reached(const struct line *line, uint64_t epoch)
{
	return atomic_load_explicit(&line->epoch, memory_order_acquire) >=
	       epoch;
}

/* For wait_flag; the hint is the call. */
void direct_describe(const struct wait *w, char *text, size_t len);

static inline int wait_for_line(const struct line *line, uint64_t epoch,
				uint32_t call)
{
	for (int k = 0; k < DIRECT_POLLS; k++)
		if (__builtin_expect(reached(line, epoch), 1))
			return 0;
	return wait_flag(&line->epoch, epoch, direct_describe, call);
}

static inline void publish(struct line *line, uint64_t epoch, uint32_t call)
{
	line->call = call;
	/* release: pairs with reached; the data before the flag */
	atomic_store_explicit(&line->epoch, epoch, memory_order_release);
	if (proc.fab->ops->notify)
		proc.fab->ops->notify(proc.fab);
}

/* Of a call that takes several epochs: before publish. */
static inline void mark_several(struct line *line, uint64_t epoch)
{
	line->several = (uint32_t)epoch;
}

/* Begins an epoch in which this rank writes its line. */
static inline int enter(const struct mrt_comm *comm, struct direct *d)
{
	uint64_t e = ++d->epoch;

	return e > d->slots ? direct_ensure_done(comm, d, e - d->slots) : 0;
}

static inline void leave(const struct mrt_comm *comm, struct direct *d)
{
	/* release: pairs with reached in ensure_done; our reads of this
	 * epoch before its lines are written again */
	atomic_store_explicit(&d->done[comm->rank].epoch, d->epoch,
			      memory_order_release);
}

/* A number that differs when ranks do not call the same collective with the
 * same arguments. Types do not matter to bcast. */
static inline uint32_t call_id(enum collective collective, size_t bytes,
			       int root, const struct direct_reduce *r)
{
	uint32_t what =
	    r ? (uint32_t)(r->op->kernel + 1) << 6 | r->type->kind : 0;

	/* the low five bits are the collective's; the factors are odd but for
	 * these */
	return (uint32_t)collective ^ what << 5 ^
	       (uint32_t)bytes * (0x9e3779b1u << 5) ^
	       (uint32_t)root * (0x85ebca77u << 5);
}

static inline int wait_for_rank(const struct mrt_comm *comm, struct direct *d,
				int rank, uint32_t call)
{
	const struct line *line = line_at(comm, d, rank);
	int rc = wait_for_line(line, d->epoch, call);

	if (__builtin_expect(!rc && line->call != call, 0))
		rc = direct_differ(comm, d, line, rank);
	return rc;
}
#endif
