/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timed.h: the engine that takes all events of all ranks in the order of time;
 * exact for everything, and the measure of the others.
 *
 * Every resource is a server that takes what comes first, first: a number, the
 * time when it is free. CPUs do as the library does (coll/run/run.c): what has
 * become ready is done before the next message is looked at, each in order.
 *
 * Of several ranks that do the same at the same time one is enough
 * (symmetry.h): what it sends to one that another stands for, one as far from
 * that other sends to it.
 */
#ifndef APPS_SIM_TIMED_H
#define APPS_SIM_TIMED_H

#include "tools/sim/sim_machine.h"
#include "tools/sim/sim_steps.h"

#define NIL UINT32_MAX

/* What is under way: in a queue of a rank, or between two. */
enum item_kind {
	ITEM_STEP,   /* local work, or the CPU's part of a send */
	ITEM_WAIT,   /* a wait that is over */
	ITEM_EAGER,  /* a message */
	ITEM_RTS,    /* rendezvous: request, ... */
	ITEM_READ,   /* ... answer, ... */
	ITEM_DATA,   /* ... data, ... */
	ITEM_FIN,    /* ... and the end of the send */
	ITEM_ACT,    /* one-sided, on its way */
	ITEM_EFFECT, /* done there */
	ITEM_ACK     /* and known here */
};

enum stage {
	STAGE_POOL, /* one of 2 SIM_TIERS, up and down */
	STAGE_NIC = STAGE_POOL + 2 * SIM_TIERS, /* of the receiver */
	STAGE_THERE
};

struct item {
	struct moment at;
	uint64_t bytes;
	const struct range *range;
	int from, to; /* ranks, the sender of data and its receiver */
	uint32_t from_step, to_step; /* from 0 */
	uint32_t next;		     /* in a queue */
	uint16_t tag;
	uint8_t kind, stage, step_kind;
	bool far; /* between nodes */
};

struct queue {
	uint32_t first, last;
};

struct event {
	int64_t time;
	uint64_t order; /* of those at one time */
	uint32_t item;
	/* of this rank has done with the item, or, NIL, comes to it; -1: the
	 * item moves on */
	int cpu;
};

struct rank_state {
	struct moment cpu;		 /* when it is free */
	struct queue ready, come, early; /* early: not yet received */
	uint8_t *steps; /* [nsteps] of plan: what it waits for, and flags */
	uint32_t running, base, left; /* base: all before have finished */
	int rank;
};

/* A cell of a rank. */
struct word {
	uint64_t key; /* 0: none */
	int64_t free;
	size_t came;
	uint32_t waiting; /* step, or NIL */
};

struct timed {
	const struct sim_machine *m;
	struct sim_plans *plans;
	int period; /* ranks that are simulated; all, if it is their number */
	struct rank_state *ranks;
	int64_t *nic_out, *nic_in;     /* [nodes] */
	int64_t *pools[2 * SIM_TIERS]; /* [groups * links], heaps */
	long links[SIM_TIERS];
	struct cpu *cpus; /* [nodes * cpus]; NULL: each rank has its own */
	struct item *items;
	size_t nitems, room;
	uint32_t free;
	struct event *heap;
	size_t nheap, heap_room;
	struct word *words;
	size_t nwords, words_room;
	struct sim_result *result;
	int woken; /* the rank that has something to look at */
	bool no_mem, broken;
};

/* Fills times, parts, messages, bytes and hashes of result. MRT_ERR_NO_MEM,
 * MRT_ERR_INTERNAL. Of the ranks that the plans have. */
int timed_run(const struct sim_machine *m, struct sim_plans *plans,
	      struct sim_result *result);

/* ---- Between the parts --------------------------------------------------- */

/* timed_items.c */
uint32_t item_new(struct timed *e, const struct item *item);
void item_free(struct timed *e, uint32_t i);
void queue_add(struct timed *e, struct queue *q, uint32_t i);
uint32_t queue_take(struct timed *e, struct queue *q);
/* When items[i].at says: it moves on, or a rank's CPU has done with it. */
void event_add(struct timed *e, uint32_t i);
void event_add_cpu(struct timed *e, uint32_t i, int rank);
/* The CPU comes to a rank; after all else at that time. */
void event_add_visit(struct timed *e, int rank, int64_t time);
/* The first. False: there is none. */
bool event_take(struct timed *e, struct event *event);

/* timed_net.c: sends what the item says, from where and when it is. */
void net_send(struct timed *e, uint32_t i);
/* What only needs latency. */
void net_notify(struct timed *e, uint32_t i, enum item_kind kind);
/* The data of a rendezvous inside a node, as a CPU fetches them. */
void net_fetch(const struct item *i, struct moment *at);
/* They are there. */
void net_have(struct timed *e, uint32_t i);
/* Its time has come. */
void net_move(struct timed *e, uint32_t i);

/* timed_cells.c: one-sided steps. */
void cells_issue(struct timed *e, struct rank_state *r, uint32_t step);
void cells_arrive(struct timed *e, uint32_t i);
void cells_effect(struct timed *e, uint32_t i);
/* The step waits from now on. */
void cells_await(struct timed *e, struct rank_state *r, uint32_t step,
		 const struct moment *at);

/* timed_cpus.c: CPUs that ranks share, if they do. False: no memory. */
bool cpus_init(struct timed *e);
/* Has the rank a CPU? If not, it gets one as soon as it can. */
bool cpus_may_work(struct timed *e, const struct rank_state *r);
/* The CPU comes to the rank now, unless it has found another one before. */
void cpus_visit(struct timed *e, int rank, int64_t time);
/* The rank begins with something, no sooner than it has the CPU. */
void cpus_begin(const struct timed *e, struct rank_state *r);
/* It has nothing more to do. */
void cpus_leave(struct timed *e, const struct rank_state *r);
/* Does the receiver's CPU fetch the data of this rendezvous? It does inside a
 * node, which matters if others wait for the CPU. */
bool cpus_fetch(const struct timed *e, const struct item *rts);

/* timed.c */
struct rank_state *rank_of(struct timed *e, int rank);
/* What is at `here`, from or to the other, as seen from the rank that stands
 * for it. */
void timed_move(const struct timed *e, int *here, int *other);
/* Something of the rank has come to it, and is looked at when it is its turn.
 */
void rank_come(struct timed *e, int rank, uint32_t i);
/* A message, a request: to its receive. */
void rank_match(struct timed *e, uint32_t i);
/* Counts, at its level; and finds the range. */
const struct range *timed_count(struct timed *e, int from, int to,
				uint64_t bytes, double messages);
const struct sim_step *timed_step(struct timed *e, int rank, uint32_t step);
#endif
