/* SPDX-License-Identifier: Apache-2.0 */
/* drain.h: the last messages of a job; for mrt_finalize. */
#ifndef LIB_DRAIN_H
#define LIB_DRAIN_H

#include <stdint.h>

/*
 * Waits until all ranks are here; *word becomes the largest of theirs. It uses
 * no collective: those of the program may have gone wrong, so that ranks have
 * begun different numbers of them. 0 or a fault.
 */
int drain_barrier(uint64_t *word);
/*
 * Ends what was begun and nobody waits for: requests that were freed, buffered
 * sends, freed communicators. After drain_barrier, so what is not over a good
 * while later never will be, and is given up with a warning. 0 or a fault.
 */
int drain_requests(void);
/* Then: no rank acts on memory of another any more. */
int drain_cells(void);
#endif
