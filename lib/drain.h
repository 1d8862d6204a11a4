/* SPDX-License-Identifier: Apache-2.0 */
/* drain.h: the last messages of a job; for mrt_finalize. */
#ifndef LIB_DRAIN_H
#define LIB_DRAIN_H

#include <stdint.h>

/* Waits until all ranks are here; *word becomes the largest of theirs. It uses
 * no collective: those of the program may have gone wrong, so that ranks have
 * begun different numbers of them. Returns 0 or a fault. */
int drain_barrier(uint64_t *word);
/*
 * Waits for what nobody else waits for: freed requests, buffered sends, freed
 * communicators. It follows drain_barrier, so what has not finished a good
 * while later never will, and is given up with a warning. Returns 0 or a fault.
 */
int drain_requests(void);
/* Waits, after drain_requests, until no rank acts on memory of another any
 * more. Returns 0 or a fault. */
int drain_cells(void);
#endif
