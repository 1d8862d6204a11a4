/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.h: room for the temporaries of collectives under way. What one gives
 * back is kept for the next: mapping fresh pages for a long vector costs more
 * than reducing it.
 */
#ifndef COLL_SCRATCH_H
#define COLL_SCRATCH_H

#include <stddef.h>

enum { SCRATCH_ALIGN = 64 };

/* bytes > 0, a multiple of SCRATCH_ALIGN; NULL: no memory. */
char *scratch_take(size_t bytes);
/* NULL is fine. */
void scratch_give(char *room);

/* Frees what is kept, at finalize. */
void scratch_fini(void);
#endif
