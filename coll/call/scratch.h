/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scratch.h: memory for the temporaries of collectives under way. What one
 * collective gives back is kept for the next, since mapping fresh pages for a
 * long vector costs more than reducing it.
 */
#ifndef COLL_SCRATCH_H
#define COLL_SCRATCH_H

#include <stddef.h>

enum { SCRATCH_ALIGN = 64 };

/* Returns memory aligned to SCRATCH_ALIGN, or NULL if there is none. bytes is a
 * multiple of SCRATCH_ALIGN above 0. */
char *scratch_take(size_t bytes);
/* Gives back memory of scratch_take. Does nothing for NULL. */
void scratch_give(char *buffer);

/* Frees the memory that is kept, at finalize. */
void scratch_fini(void);
#endif
