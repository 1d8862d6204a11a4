/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modex_places.h: which speaker of modex.c has told of each rank of a job, and
 * what it said, as ranges of ranks: where launchers place them in blocks, a job
 * takes memory for each cache, not for each rank.
 */
#ifndef FABRIC_MODEX_PLACES_H
#define FABRIC_MODEX_PLACES_H

#include "runtime/fabric/modex_blob.h"

/* `struct spot` says what the ranks of a range have in common. */
struct spot {
	int speaker; /* -1: nobody has told of them */
	int cache;   /* as in struct place */
};

/* places_open begins with `size` ranks of which nothing is known. It returns 0
 * or MRT_ERR_NO_MEM, as places_add does. */
int places_open(int size);
void places_close(void);
/* places_add notes what a speaker tells of n ranks, in ascending order. Those
 * that are known already stay as they are. */
int places_add(int speaker, const struct entry *entries, int n);
struct spot places_find(int rank);
/* places_unknown returns the lowest rank of which nothing is known; the job's
 * size if there is none. */
int places_unknown(void);
#endif
