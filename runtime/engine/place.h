/* SPDX-License-Identifier: Apache-2.0 */
/* place.h: where each rank of the job runs: its node and the last-level cache
 * that it is bound to. Every rank publishes its place at start; others look it
 * up when a collective needs it, without messages. */
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

struct place {
	int node;  /* lowest world rank of the node, as its name */
	int cache; /* names a cache of the node; -1: not bound to one */
};

/* Publishes this rank's place; between boot_init and the fence of fab_open. */
int place_publish(void);

/* Gets the place of a world rank; after fab_open. MRT_ERR_PROTOCOL (logged). */
int place_of(int rank, struct place *place);
#endif
