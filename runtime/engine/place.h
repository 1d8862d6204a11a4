/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.h: where each rank of the job is: its node, and the last-level cache
 * that it keeps to. Every rank publishes its own place at start; others look
 * it up when a collective wants to know, without messages.
 */
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

struct place {
	int node;  /* lowest world rank of the node: names it */
	int cache; /* names a cache of the node; -1: bound to none alone */
};

/* Between boot_init and the fence of fab_open. */
int place_publish(void);

/* Place of a world rank; after fab_open. */
int place_of(int rank, struct place *place);
#endif
