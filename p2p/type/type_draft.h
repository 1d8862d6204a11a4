/* SPDX-License-Identifier: Apache-2.0 */
/*
 * type_draft.h: a type in the making: its parts are added, then its bounds
 * follow and a type comes of it.
 */
#ifndef P2P_TYPE_DRAFT_H
#define P2P_TYPE_DRAFT_H

#include "p2p/type/layout.h"

struct range {
	bool set;
	ptrdiff_t low, high;
};

struct draft {
	struct mrt_type type;
	struct range data;  /* where data are */
	struct range marks; /* bounds that a part was given */
	bool overflow;
};

/* n elements of a type, one after the other. */
struct block {
	ptrdiff_t at;
	size_t n;
	const struct mrt_type *type;
};

/*
 * Each makes a draft of a type, which draft_finish or draft_drop ends. 0,
 * MRT_ERR_NO_MEM or MRT_ERR_COUNT: larger than the address space; then there
 * is nothing to end.
 */
int draft_loop(struct draft *d, size_t count, size_t blocklength,
	       ptrdiff_t stride, const struct mrt_type *old);
int draft_blocks(struct draft *d, size_t n, const struct block blocks[]);
/* The same data as those of another. */
void draft_copy(struct draft *d, const struct mrt_type *old);
/* Gives it bounds. */
void draft_mark(struct draft *d, ptrdiff_t lb, ptrdiff_t extent);
void draft_drop(struct draft *d);

/* Room for a type, which its release gives back; NULL: no memory. */
struct mrt_type *type_room(void);
void type_room_back(struct mrt_type *type);

/* Room for a recipe; NULL: no memory. recipe_drop ends it. */
struct recipe *recipe_make(enum mrt_combiner combiner, size_t nvalues,
			   size_t ntypes);
/* Holds the recipe's types; MRT_ERR_NO_MEM. Takes over draft and recipe,
 * whatever it returns. */
int draft_finish(struct draft *d, struct recipe *recipe,
		 struct mrt_type **newtype);
void recipe_drop(struct recipe *recipe);
#endif
