/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timed.h: the engine that takes all events of all ranks in the order of time.
 * It is exact for every job, and the reference for the other engines.
 *
 * Every resource is a first-come, first-served server, represented by the time
 * when it is free. CPUs work as the library does (coll/run/run.c): what has
 * become ready is done before the next message is taken, each in order.
 *
 * Of several ranks that do the same at the same time, one is simulated
 * (symmetry.h): what it sends to a rank that another stands for, it gets from a
 * rank at the same distance.
 */
#ifndef TOOLS_SIM_TIMED_H
#define TOOLS_SIM_TIMED_H

#include "tools/sim/sim_machine.h"
#include "tools/sim/sim_steps.h"

#define NIL UINT32_MAX

/* Something under way: in a queue of a rank, or between two ranks. */
enum item_kind {
	ITEM_STEP,   /* local work, or the sender's CPU time */
	ITEM_WAIT,   /* a wait that has ended */
	ITEM_EAGER,  /* an eager message */
	ITEM_RTS,    /* rendezvous: request, */
	ITEM_READ,   /* answer, */
	ITEM_DATA,   /* data, */
	ITEM_PART,   /* of data, but the last part, */
	ITEM_FIN,    /* and end of the send */
	ITEM_ACT,    /* a one-sided operation under way */
	ITEM_EFFECT, /* its effect at the target */
	ITEM_ACK,    /* its acknowledgement */
	ITEM_LOAD    /* a load, from its post on */
};

enum stage {
	STAGE_POOL, /* 2 * SIM_TIERS pools of links, up and down; or a torus */
	STAGE_NIC = STAGE_POOL + 2 * SIM_TIERS, /* the receiver's */
	STAGE_THERE,
	STAGE_TURN /* a long message waits for its turn at the sender's NIC */
};

struct item {
	struct moment at;
	uint64_t bytes;
	uint64_t left; /* bytes that wait for a turn of the NIC, or a part */
	float cold;    /* bytes that are read from memory to be sent */
	const struct range *range;
	int from, to; /* ranks: sender of the data, and receiver */
	int router;   /* of a torus, where it is */
	uint32_t from_step, to_step; /* numbered from 0 */
	uint32_t next;		     /* index in a queue */
	uint32_t behind; /* what goes through the same queue pair later */
	uint16_t tag;
	uint8_t kind, stage, step_kind, rail;
	bool far;    /* between nodes */
	bool opened; /* its sender has opened a connection for it */
	bool turned; /* it has had its turn */
};

struct queue {
	uint32_t first, last;
};

struct event {
	int64_t time;
	uint64_t order; /* among events at the same time */
	uint32_t item;
	/* the CPU of this rank has finished the item or, if that is NIL, visits
	 * the rank; -1: the item moves on */
	int cpu;
};

/* A post of a rank, and its time. */
struct post {
	unsigned tag;
	struct moment at;
	int64_t free; /* when the next rank may read it */
};

struct rank_state {
	struct moment cpu; /* the time when it is free */
	struct queue ready, come,
	    early;	/* early: messages without a receive yet */
	uint8_t *steps; /* [nsteps] count of steps waited for, and flags */
	uint32_t running, base,
	    left; /* base: first unfinished step; left: unfinished steps */
	int rank;
	bool opens;	     /* a connection for each message to another node */
	struct moment start; /* it does nothing before */
	int64_t *begun;	     /* [nsteps] ps; NULL: nobody asks */
	struct post *posts;  /* [nposts] */
	size_t nposts, posts_capacity;
	struct queue loads; /* of others, which wait for a post */
};

/* A cell of a rank. */
struct word {
	uint64_t key; /* 0: unused */
	int64_t free;
	size_t came;
	uint32_t waiting; /* step that waits for it, or NIL */
};

struct timed {
	const struct sim_machine *m;
	struct sim_plans *plans;
	int period; /* number of ranks that are simulated */
	struct rank_state *ranks;
	int64_t *nic_out, *nic_in; /* [nodes][rails] */
	int rails;
	struct queue *turns; /* [nodes] what takes turns at its NICs */
	int64_t *memory;     /* [nodes] */
	int64_t *pools[2 * SIM_TIERS]; /* [groups * links], heaps */
	long links[SIM_TIERS];
	int64_t *torus;	  /* [routers][2 * dimensions] links */
	struct cpu *cpus; /* [nodes * cpus]; NULL: each rank has its own CPU */
	struct item *items;
	size_t nitems, capacity;
	uint32_t free;
	struct event *heap;
	size_t nheap, heap_capacity;
	struct word *words;
	size_t nwords, words_capacity;
	struct sim_result *result;
	int woken; /* rank whose CPU may have something to do */
	bool no_mem, broken;
};

/*
 * Simulates the ranks that `plans` has, and fills in times, parts, messages,
 * bytes and hashes of the result. Returns MRT_SUCCESS, MRT_ERR_NO_MEM or
 * MRT_ERR_INTERNAL.
 */
int timed_run(const struct sim_machine *m, struct sim_plans *plans,
	      struct sim_result *result);

/* ---- Between the files ---- */

/* timed_items.c */
uint32_t item_new(struct timed *e, const struct item *item);
void item_free(struct timed *e, uint32_t i);
/* Returns room for one more post of a rank; NULL if out of memory. */
struct post *board_room(struct timed *e, struct rank_state *r);
void queue_add(struct timed *e, struct queue *q, uint32_t i);
uint32_t queue_take(struct timed *e, struct queue *q);
/* Adds an event at items[i].at: the item moves on, or the CPU of a rank has
 * finished it. */
void event_add(struct timed *e, uint32_t i);
void event_add_cpu(struct timed *e, uint32_t i, int rank);
/* Adds a visit of a CPU to a rank, after all other events of that time. */
void event_add_visit(struct timed *e, int rank, int64_t time);
/* Takes the first event; false if there is none. */
bool event_take(struct timed *e, struct event *event);

/* timed_net.c: makes the NICs and links. Returns false if out of memory, which
 * needs net_fini, too. */
bool net_init(struct timed *e);
void net_fini(struct timed *e);
/* Sends what the item says, from its place and time. */
void net_send(struct timed *e, uint32_t i);
/* Sends a notice, which takes only latency. */
void net_notify(struct timed *e, uint32_t i, enum item_kind kind);
/* Advances *at by the fetch of rendezvous data inside a node, by a CPU. */
void net_fetch(const struct item *i, struct moment *at);
/* Advances *at by a load of data that a rank of the node has posted. */
void net_load(const struct item *i, struct moment *at);
/* The data have arrived. */
void net_have(struct timed *e, uint32_t i);
/* Moves an item whose time has come. */
void net_move(struct timed *e, uint32_t i);

/* timed_cells.c: one-sided steps. */
void cells_issue(struct timed *e, struct rank_state *r, uint32_t step);
void cells_arrive(struct timed *e, uint32_t i);
void cells_effect(struct timed *e, uint32_t i);
/* Starts a step that waits for a cell. */
void cells_await(struct timed *e, struct rank_state *r, uint32_t step,
		 const struct moment *at);

/* timed_board.c: starts a load, once its peer has posted; and a post. */
void board_await(struct timed *e, struct rank_state *r, uint32_t step,
		 const struct moment *at);
void board_post(struct timed *e, struct rank_state *r, unsigned tag);

/* timed_work.c: advances the CPU of a rank by its work for an item. */
void work_do(struct timed *e, struct rank_state *r, const struct item *i);
/* Sets whether the rank has more peers on other nodes than stay connected.
 * Returns false if out of memory. */
bool work_opens(struct timed *e, int rank, bool *opens);
/* Returns the number of operations of a step with a peer; 0 if it does
 * nothing. */
size_t work_acts(const struct sim_step *s);

/* timed_cpus.c: CPUs that ranks share. Returns false if out of memory. */
bool cpus_init(struct timed *e);
/* Returns whether the rank has a CPU; if not, it gets one as soon as
 * possible. */
bool cpus_may_work(struct timed *e, const struct rank_state *r);
/* A CPU visits the rank, unless it has found another rank before. */
void cpus_visit(struct timed *e, int rank, int64_t time);
/* Delays the rank's work until it has the CPU. */
void cpus_begin(const struct timed *e, struct rank_state *r);
/* The rank has nothing more to do, and gives the CPU away. */
void cpus_leave(struct timed *e, const struct rank_state *r);

/* timed.c */
struct rank_state *rank_of(struct timed *e, int rank);
/* Translates two ranks so that *here becomes the rank that stands for it. */
void timed_move(const struct timed *e, int *here, int *other);
/* Queues an item for a rank, which takes it in its turn. */
void rank_come(struct timed *e, int rank, uint32_t i);
/* Gives a message or a request to its receive. */
void rank_match(struct timed *e, uint32_t i);
/* Counts messages by level, and returns their range. */
const struct range *timed_count(struct timed *e, int from, int to,
				uint64_t bytes, double messages);
struct sim_step timed_step(struct timed *e, int rank, uint32_t step);
#endif
