/* SPDX-License-Identifier: Apache-2.0 */
/* direct_line.h: what lies in a region of direct collectives; for direct*.c
 * alone. */
#ifndef COLL_DIRECT_LINE_H
#define COLL_DIRECT_LINE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coll/node/direct.h"
#include "p2p/comm.h"
#include "runtime/base/clock.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

enum {
	DIRECT_POLLS = 2,    /* reads of a flag before waiting */
	DIRECT_EARLIER = 31, /* a wait for earlier epochs, in place of a call */
	DIRECT_SPINS = 100 /* polls while no other rank needs the CPU: the time
			      of a yield */
};

/* One cache line with one writer: flag and data travel together. */
struct line {
	_Atomic uint64_t epoch; /* written last */
	uint32_t call;		/* the writer's call in this epoch (call_id) */
	uint32_t several; /* the epoch's low half if the call takes several */
	char data[DIRECT_LINE];
};
_Static_assert(sizeof(struct line) == 64, "one cache line");
_Static_assert(offsetof(struct line, data) % 16 == 0, "any type fits");

/* Waits until all ranks have done `epoch`. */
int direct_ensure_done(const struct mrt_comm *comm, struct direct *d,
		       uint64_t epoch);
/* Reports that `rank`, whose line it is, calls something else
 * (direct_mismatch.c). Returns MRT_ERR_COLLECTIVE. */
int direct_differ(const struct mrt_comm *comm, struct direct *d,
		  const struct line *line, int rank);
/* After an error of wait_for_rank, publishes this rank's line without a call if
 * it has not been written (`put` is NULL), for those who wait for it. Returns
 * the error, or a fault. */
int direct_refuse(const struct mrt_comm *comm, struct direct *d,
		  const void *put, int error);
/* The call of a line that takes part in no collective. */
enum { DIRECT_NO_CALL = 31 };

/* Waits for the lines of all others in this epoch, so that all have entered it.
 * Only for collectives in which all ranks do so. */
int direct_wait_all(const struct mrt_comm *comm, struct direct *d,
		    uint32_t call);
/* Like direct_wait_all for many ranks: goes up the tree, reducing the data of
 * the lines on the way unless r is NULL, and down again by the release line,
 * which then holds the result. */
int direct_tree(const struct mrt_comm *comm, struct direct *d, uint32_t call,
		const struct direct_reduce *r);

/* Uses this memory for buffers; NULL, a fault: there is none. Returns 0 or
 * MRT_ERR_NO_MEM. */
int direct_use(const struct mrt_comm *comm, struct direct *d, char *memory);
/* Maps the buffers of world. Returns 0 or MRT_ERR_NO_MEM. */
int direct_map(const struct mrt_comm *comm, struct direct *d);
/* Returns a rank's buffer from slice k on, one of those taken last. */
char *direct_buffer(const struct direct *d, unsigned k, int rank);
/* Takes the next slices, the same on all ranks. If this rank writes them, it
 * waits until no rank reads them any more. */
int direct_take_slices(const struct mrt_comm *comm, struct direct *d,
		       size_t bytes, bool write, unsigned *first);
/* Marks this epoch as the last that uses those slices. */
void direct_mark_slices(struct direct *d, unsigned first);

/* A collective of one epoch: ranks that have a payload write it to their line
 * or buffer, and ranks that want a part of it take it from there. */
struct exchange {
	uint32_t call;
	const void *put;       /* this rank's payload; NULL: none */
	size_t bytes;	       /* of every payload */
	int first, n;	       /* take from n ranks, from this one on, */
	size_t offset, length; /* this part of their payloads, */
	void *recv;	       /* to recv + rank * stride, */
	size_t stride;
	/* or, unless NULL, all of it, as long as each rank's block is, to the
	 * place of that block; bytes: of the longest */
	const struct block *blocks;
	const struct direct_reduce *reduce; /* or, unless NULL, reduce the parts
					       in their order to recv */
	/* for payloads of several segments */
	const void *own; /* this rank's payload; NULL: it is in its buffer */
	enum { TO_ROOT, FROM_ROOT, ALL_TO_ALL } way;
};
int direct_exchange(struct mrt_comm *comm, struct direct *d,
		    const struct exchange *x);

/* The operands of all ranks, from byte `at` behind `slice` of each rank's
 * buffer. */
struct operand_list {
	const struct direct_reduce *r; /* without send, recv and count */
	unsigned slice;
	size_t at;
	const char *own; /* this rank's operand; NULL: in the buffer, too */
	char *to; /* the result; must not be `own` unless that is one of the
		     first two operands */
	size_t count;
};
/* Reduces the operands in rank order. */
void direct_reduce_operands(const struct mrt_comm *comm, const struct direct *d,
			    const struct operand_list *f);

/* Copies to the own buffer: past the caches while a plain copy moves less than
 * `least` bytes in a ns. For one thread at a time. */
/* bytes in a ns; a copy is slower only when cores are far apart */
enum { DIRECT_LEAST = 4 };
void direct_fill(char *to, const char *from, size_t bytes, unsigned least);

/* Like direct_exchange, for payloads of any length: in segments of one epoch
 * each. */
int direct_exchange_long(struct mrt_comm *comm, struct direct *d,
			 const struct exchange *x);
/* A scatter whose blocks are read from the root's memory. */
int direct_read(struct mrt_comm *comm, struct direct *d,
		const struct exchange *x);
/* A scan, or an exscan, in segments that go from each rank to the next. */
int direct_chain(struct mrt_comm *comm, struct direct *d,
		 const struct direct_reduce *r, bool exclusive, uint32_t call);

static inline struct line *line_at(const struct mrt_comm *comm,
				   const struct direct *d, int rank)
{
	return &d->lines[(d->epoch & (d->slots - 1)) * (size_t)comm->size +
			 (size_t)rank];
}

/* Returns the bytes from a rank's payload to the next one's where they lie one
 * behind the other. So short ones of many ranks take few pages, and a reader
 * has a page fault for sixteen of them. A multiple of two lines, which CPUs
 * fetch together. */
static inline size_t direct_step(size_t bytes)
{
	return (bytes + 127) & ~(size_t)127;
}

/* Returns where the payload of a rank's line lies in this epoch when it is too
 * long for the line. */
static inline char *wide_at(const struct mrt_comm *comm, const struct direct *d,
			    size_t bytes, int rank)
{
	size_t slot = d->epoch & (d->slots - 1), n = (size_t)comm->size;

	return d->wide + slot * n * DIRECT_WIDE +
	       (size_t)rank * direct_step(bytes);
}

static inline struct line *release_at(const struct direct *d)
{
	return &d->releases[d->epoch & (d->slots - 1)];
}

/* Tells whether a flag, which only grows, has reached an epoch. acquire: pairs
 * with publish (the data of the line) and leave (the reads of the others are
 * over). */
static inline bool line_reached(const struct line *line, uint64_t epoch)
{
	return atomic_load_explicit(&line->epoch, memory_order_acquire) >=
	       epoch;
}

/* Lists a region whose lines are set, so that direct_describe finds it. */
void direct_list(struct direct *d, const struct mrt_comm *comm);
/* Describes a wait for wait_flag, whose hint is the call. */
int direct_describe(const struct wait *w, char *text, size_t len);

static inline void line_spin(const struct line *line, uint64_t epoch)
{
	for (int k = 0; k < DIRECT_SPINS && !line_reached(line, epoch); k++)
		cpu_relax();
}

/* Waits for the flag of another rank's line. It spins first unless a rank of
 * the communicator may need this CPU: if there are more ranks than CPUs,
 * wait_flag gives it away at once. */
static inline int wait_for_line(const struct direct *d, const struct line *line,
				uint64_t epoch, uint32_t call)
{
	for (int k = 0; k < DIRECT_POLLS; k++)
		if (__builtin_expect(line_reached(line, epoch), 1))
			return 0;
	if (!d->same_cpu)
		line_spin(line, epoch);
	return wait_flag(&line->epoch, epoch, d->lines, direct_describe, call);
}

/* Wakes the ranks that sleep and wait for a flag among these, those of a
 * region; NULL: all that sleep, since they wait for requests. */
static inline void line_notify(const struct line *flags)
{
	node_notify(proc.node, flags);
}

static inline void set_line(struct line *line, uint64_t epoch, uint32_t call)
{
	line->call = call;
	/* release: pairs with reached; the data precedes the flag */
	atomic_store_explicit(&line->epoch, epoch, memory_order_release);
}

static inline void line_publish(const struct direct *d, struct line *line,
				uint64_t epoch, uint32_t call)
{
	set_line(line, epoch, call);
	line_notify(d->lines);
}

/* Marks a line of a call that takes several epochs; before publish. */
static inline void mark_several(struct line *line, uint64_t epoch)
{
	line->several = (uint32_t)epoch;
}

/* Begins an epoch in which this rank writes its line. */
static inline int line_enter(const struct mrt_comm *comm, struct direct *d)
{
	uint64_t e = ++d->epoch;

	return e > d->slots ? direct_ensure_done(comm, d, e - d->slots) : 0;
}

static inline void line_leave(const struct mrt_comm *comm, struct direct *d)
{
	/* release: pairs with reached in direct_ensure_done; our reads of this
	 * epoch precede the next writes of its lines */
	atomic_store_explicit(&d->done[comm->rank].epoch, d->epoch,
			      memory_order_release);
}

/* Returns a number that differs when ranks do not call the same collective with
 * the same arguments. Types do not matter to bcast. */
static inline uint32_t call_id(enum collective collective, size_t bytes,
			       int root, const struct direct_reduce *r)
{
	uint32_t what =
	    r ? (uint32_t)(r->op->kernel + 1) << 6 | r->type->kind : 0;

	/* the low five bits are the collective's; the factors are multiples of
	 * 32 so as not to change them */
	return (uint32_t)collective ^ what << 5 ^
	       (uint32_t)bytes * (0x9e3779b1u << 5) ^
	       (uint32_t)root * (0x85ebca77u << 5);
}

static inline int wait_for_rank(const struct mrt_comm *comm, struct direct *d,
				int rank, uint32_t call)
{
	const struct line *line = line_at(comm, d, rank);
	int rc = wait_for_line(d, line, d->epoch, call);

	if (__builtin_expect(!rc && line->call != call, 0))
		rc = direct_differ(comm, d, line, rank);
	return rc;
}
#endif
