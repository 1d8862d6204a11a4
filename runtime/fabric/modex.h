/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modex.h: the modex (exchange of business cards, as PMIx and Open MPI call
 * it): what ranks learn of each other before they can send messages. That is
 * where each runs, and the card of the fabric that joins the nodes. The ranks
 * of a node hand theirs to the lowest of them through the memory that they
 * share; it publishes all as one blob. So a rank asks the launcher at most once
 * for each other node, whatever it then wants to know.
 *
 * Functions return 0 or MRT_ERR_* (logged). All ranks open the modex and renew
 * cards together; the rest is as each likes, by one thread at a time.
 */
#ifndef FABRIC_MODEX_H
#define FABRIC_MODEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct boot_job;
struct fab;

struct place {
	int node;  /* lowest world rank of the node, as its name */
	int cache; /* names a last-level cache of the node; -1: not bound to one
		    */
	/* hundredths of a CPU that each rank of the node has, if they share
	 * them equally */
	int cpu;
	/* `software` of struct fab, of the farthest fabric of the rank that
	 * has told of this one */
	bool software;
	/* names the switches of the node, sorted by those that they share
	 * (runtime/topo/switches.h); 0: unknown */
	uint64_t switches;
};

/* A census tells which providers the ranks of a job have opened to reach other
 * nodes. */
struct census {
	/* the lowest and the highest place in fab_list of what a rank has
	 * opened, FAB_NOTHING if it has opened nothing */
	int least, most;
	/* why a rank with the highest cannot use the providers before it; valid
	 * until modex_forget */
	const char *why;
};

enum { MODEX_TEXT = 1536 }; /* the most bytes of such a reason */

/* Collects what the ranks of this node know of each other by the nearest
 * fabric, the first of the list, which is wired if it shares memory. If there
 * are others publishes it, with the cards of `far`, the fabric that reaches
 * them (NULL: none does), and `why` this rank cannot use the providers before
 * it, a text that must stay until all is published; and waits at a fence. */
int modex_open(const struct boot_job *job, struct fab *near, struct fab *far,
	       const char *why);
/* Publishes again: cards that have changed, or those of another fabric. Waits
 * at two fences. */
int modex_renew(struct fab *far);
/* Takes the census. The ranks of each node must share memory. */
int modex_census(struct census *all);
/* Sets *card to what a rank that is reached by `far` has published. The caller
 * may change it there. Valid until modex_forget or, if the ranks connect at
 * first use, the next call for another rank that is not the lowest of its
 * node. */
int modex_card(int rank, void **card, size_t *len);
/* Frees the memory of all cards. They can be asked for again. */
void modex_forget(void);
/* Learns the places of all world ranks. */
int modex_places(void);
/* Returns the place of a world rank, which is known: near, or asked for. */
struct place modex_place_of(int rank);
void modex_close(void);
#endif
