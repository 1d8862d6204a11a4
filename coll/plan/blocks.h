/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks.h: the blocks of RECV (shape_recv) as one vector in the order of
 * ranks, for algorithms that send several of them in one message. Where blocks
 * lie may differ between ranks; how many elements they have does not, so that
 * messages depend on counts only.
 */
#ifndef COLL_BLOCKS_H
#define COLL_BLOCKS_H

#include "coll/plan/plan.h"

/* Elements of n_of blocks together, from `first` on; ranks go around. */
size_t blocks_count(const struct shape *shape, int first, int n_of);
/* Elements of the longest block. */
size_t blocks_longest(const struct shape *shape);

/* Do the blocks lie one after the other from 0 on, in the order of ranks? */
bool blocks_in_order(const struct shape *shape);

/* Blocks first .. first + n_of - 1 of such a vector, as a message. */
struct part blocks_part(const struct shape *shape, struct ref vector, int first,
			int n_of, unsigned tag);

/* Block i where it lies in SEND or RECV, as a message. */
struct part blocks_one(const struct shape *shape, uint8_t buf, int i,
		       unsigned tag);

/* Where the vector is made: RECV, if the blocks lie there in order, else a
 * temporary. */
struct ref blocks_vector(struct plan *plan, const struct shape *shape);

/* Moves all blocks to RECV from such a vector, or from another one that begins
 * with block `first`. Returns the last step; `after` if there is none. */
uint32_t blocks_spread(struct plan *plan, const struct shape *shape,
		       struct ref vector, int first, uint32_t after);

/* The other way round, for blocks of SEND that lie as those of RECV do (as in
 * place): a new temporary that has them, from block `first` on, after step
 * *ready. */
struct ref blocks_save(struct plan *plan, const struct shape *shape, int first,
		       uint32_t *ready);

/* Copies a rank's own block from SEND to `dst`, RECV or elsewhere, of which
 * `in_place` says that it is there already. */
uint32_t blocks_own(struct plan *plan, const struct shape *shape, int rank,
		    struct ref dst);

/* ---- For `cost` */

/* Bytes of a block, on average. */
double blocks_mean(const struct shape *shape);
/* How many blocks travel in all messages together when each goes up or down a
 * binomial tree of n ranks. */
double blocks_by_tree(int n);
#endif
