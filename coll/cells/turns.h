/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns.h: turns of a communicator's runs on memory that one of them uses at a
 * time: cells, or boards. Turns come in the order of the calls of turns_enter,
 * which must be the same on all ranks.
 */
#ifndef COLL_TURNS_H
#define COLL_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/list.h"

struct mrt_comm;
/* Reduces words[n] of all ranks by bitwise or, in place and by messages:
 * returns 0 or MRT_ERR_*. Cells and boards are agreed on by it. */
typedef int coll_combine(struct mrt_comm *comm, uint64_t *words, size_t n);

/* A run's turn, in which it has the memory of this rank to itself. */
struct turn {
	struct list link;
	void (*begin)(struct turn *turn);
	size_t bytes; /* of a board that it takes */
};

struct turns {
	struct turn *owner; /* the current turn; NULL: none */
	struct list queue;  /* later turns */
	uint64_t number;    /* of the last turn that has begun, from 1 on */
};

void turns_init(struct turns *t);

/* Returns whether the turn has come, for which the memory must be free;
 * otherwise it is queued. */
bool turns_enter(struct turns *t, struct turn *turn, bool free);
/* Tells whether no turn is under way or queued. */
static inline bool turns_idle(const struct turns *t)
{
	return !t->owner && list_empty(&t->queue);
}
/* Returns the turn that is next if none is under way, or NULL. */
static inline const struct turn *turns_first(const struct turns *t)
{
	return t->owner || list_empty(&t->queue)
		   ? NULL
		   : list_entry(t->queue.next, struct turn, link);
}

/* Begins the next turn, if one is queued and none is under way, by calling its
 * begin. Returns whether one has begun. */
bool turns_next(struct turns *t);
/* Ends a turn, or after a fault cancels it. Returns whether it had come. */
bool turns_leave(struct turns *t, struct turn *turn);

struct idle_timeout;
/* Waits until all turns taken so far are over, or limit, if it is not NULL. The
 * text says for what a rank waits. Returns 0 or the error of a fault. */
int turns_drain(const struct turns *t, const char *text,
		struct idle_timeout *limit);
#endif
