/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks.h: the blocks of RECV (shape_recv) as one vector in rank order, for
 * algorithms that send several blocks in one message. Ranks may place their
 * blocks differently but agree on their lengths, so the messages depend on
 * counts only.
 */
#ifndef COLL_BLOCKS_H
#define COLL_BLOCKS_H

#include "coll/plan/plan.h"

/* Returns the elements of n_of blocks together, from block `first` on, wrapping
 * around after the last rank. */
size_t blocks_count(const struct shape *shape, int first, int n_of);
/* Returns the elements of the longest block. */
size_t blocks_longest(const struct shape *shape);

/* Tells whether the blocks lie one after the other from element 0 on, in rank
 * order. */
bool blocks_in_order(const struct shape *shape);

/* Returns blocks first .. first + n_of - 1 of a vector in rank order, as one
 * message. */
struct part blocks_part(const struct shape *shape, struct ref vector, int first,
			int n_of, unsigned tag);

/* Returns block i where it lies in `buf`, SEND or RECV, as a message. */
struct part blocks_one(const struct shape *shape, uint8_t buf, int i,
		       unsigned tag);

/* Returns the buffer in which to build the vector: RECV if its blocks lie in
 * order, else a new temporary. */
struct ref blocks_vector(struct plan *plan, const struct shape *shape);

/* Copies all blocks to their places in RECV from a vector that begins with
 * block `first`; does nothing if the vector is RECV itself. Returns the last
 * step, or `after` if there is none. */
uint32_t blocks_spread(struct plan *plan, const struct shape *shape,
		       struct ref vector, int first, uint32_t after);

/* Copies the blocks of SEND, which lie as those of RECV do (as in place), to a
 * vector that begins with block `first`. */
uint32_t blocks_collect(struct plan *plan, const struct shape *shape,
			struct ref vector, int first);
/* Like blocks_collect, but returns a new temporary, which is complete after
 * step *ready. */
struct ref blocks_save(struct plan *plan, const struct shape *shape, int first,
		       uint32_t *ready);

/* Copies the rank's own block from SEND to `dst`. In place, a block whose `dst`
 * is in RECV is there already, and there is no step. */
uint32_t blocks_own(struct plan *plan, const struct shape *shape, int rank,
		    struct ref dst);

/* ---- For `cost` */

/* Returns the mean bytes of a block. */
double blocks_mean(const struct shape *shape);
/* Returns how many blocks all messages carry together when each rank's block
 * goes up or down a binomial tree of n ranks. */
double blocks_by_tree(int n);
#endif
