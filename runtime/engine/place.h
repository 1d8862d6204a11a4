/* SPDX-License-Identifier: Apache-2.0 */
/*
 * place.h: where each rank of the job runs: its node and the last-level cache
 * that it is bound to. The ranks of a node learn of each other through the
 * memory that they share; the lowest of them publishes the places of all for
 * the other nodes. So a rank asks the launcher at most once for each other
 * node.
 */
#ifndef RUNTIME_PLACE_H
#define RUNTIME_PLACE_H

struct place {
	int node;  /* lowest world rank of the node, as its name */
	int cache; /* names a cache of the node; -1: not bound to one */
};

/* Returns the cache of this rank, for fab_sink. Valid after boot_init. */
int place_cache(void);

/* Collects the places of this node and publishes them if there are other nodes;
 * after fab_open, on all ranks: it may contain a fence. Returns 0 or MRT_ERR_*
 * (logged). */
int place_start(void);
void place_stop(void);

/* Sets *places to the places of all world ranks, valid until place_stop. The
 * first call asks for those of other nodes. Returns 0 or MRT_ERR_* (logged). */
int place_all(const struct place **places);
#endif
