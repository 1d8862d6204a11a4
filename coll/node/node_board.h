/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node_board.h: the boards of a communicator (plan.h): memory of each rank that
 * the ranks of its node map, and the posts there. A communicator gets boards at
 * its first blocking call whose plan wants them.
 */
#ifndef COLL_NODE_BOARD_H
#define COLL_NODE_BOARD_H

#include <stddef.h>

#include "coll/plan/plan.h"
#include "coll/cells/turns.h"
#include "p2p/comm.h"

struct node_board;
struct idle_timeout;
struct counters;

/* Adds how many boards were made and what was loaded from others' to *t. */
void node_board_stats(struct counters *t);

/* Creates the boards of a communicator whose topology is known; collective, by
 * messages, and blocking. *board stays NULL on all ranks if one of them has no
 * memory for it or cannot map another's. Returns 0 or the error of a fault. */
int node_board_create(struct mrt_comm *comm, coll_combine *combine,
		      const struct topology *topo, struct node_board **board);
/* Frees the boards, from which no rank must load any more (coll_quiesce). Does
 * nothing for NULL. */
void node_board_destroy(struct node_board *board);
/* Forgets boards that were kept for other communicators, before the fabrics are
 * closed. */
void node_board_fini(void);

/* Waits until all turns taken so far are over, or limit, if it is not NULL.
 * Returns 0 or the error of a fault. Does nothing for NULL. */
int node_board_drain(struct node_board *board, struct idle_timeout *limit);

/* A run's turn on the board of this rank: as in turns.h. A turn of up to
 * BOARD_BYTES comes when all ranks of the node have left those whose memory it
 * gets; so a rank may be a few short turns ahead of others. */
bool node_board_enter(struct node_board *board, struct turn *turn);
/* Ends a turn, or after a fault cancels it, with the loads that wait. */
void node_board_leave(struct node_board *board, struct turn *turn);
/* Returns BUF_BOARD of the run whose turn it is. */
char *node_board_memory(const struct node_board *board);

/* One post of a rank: where the bytes lie, or why there are none. */
struct posted {
	const char *from;
	size_t bytes;
	int error; /* MRT_ERR_*: the poster's run has failed; or 0 */
};

/* Executes a post of bytes at `from`, on the own board, or of an error. */
void node_board_post(struct node_board *board, unsigned tag, const void *from,
		     size_t bytes, int error);

/* A load that waits for its post. */
struct load {
	struct list link;
	int peer;
	unsigned tag;
	bool waits;
	void (*ready)(struct load *load, struct posted posted);
};
/* Gets what the peer has posted in this turn, if it has. Otherwise calls
 * load->ready inside progress, once it has. */
bool node_board_load(struct node_board *board, struct load *load,
		     struct posted *posted);
#endif
