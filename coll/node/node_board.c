/* SPDX-License-Identifier: Apache-2.0 */
/*
 * node_board.c: boards in the memory that fabrics share inside a node.
 *
 * A post is made by its turn's number, so that nothing is reset, and SETS turns
 * after another have posts of their own. A rank begins turn k when all ranks of
 * the node have left turn k - SETS, and the turns whose memory it gets: then
 * nobody reads there any more, and a rank that is ahead overwrites nothing. It
 * takes the lowest memory that it knows to be free, which may be in a cache,
 * and asks who has left which turn only if there is none.
 */
#include "coll/node/node_board.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "coll/plan/topology.h"
#include "runtime/base/counters.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"

enum { SETS = 8, MEMORY = 2 * BOARD_BYTES };

static struct {
	uint64_t made, loads;
} count;

void node_board_stats(struct counters *t)
{
	counters_add(t, "coll", "boards made", count.made);
	counters_add(t, "coll", "loads from boards", count.loads);
}

struct post {
	_Atomic uint64_t turn; /* in which it was made, last of all */
	uint64_t at, bytes;    /* at: of the board */
	int64_t error;
};

/* A rank's board, which it alone writes. `next` lists those that no
 * communicator has any more: they are used again, since their memory has been
 * touched. */
struct memory {
	_Alignas(64) _Atomic uint64_t left; /* the last turn that it left */
	_Alignas(64) struct post post[SETS][BOARD_POSTS];
	struct memory *next;
	_Alignas(64) char bytes[MEMORY];
};

static struct memory *spare;

/* Another rank's board, and the last turn that it is known to have left:
 * reading `left` of each rank at each turn would cost a cache line for each. */
struct mate {
	struct memory *memory;
	uint64_t left;
};

struct node_board {
	struct mrt_comm *comm;
	struct turns turns;
	struct memory *own;
	struct {
		size_t at, end;
	} used[SETS];	 /* of the own board, by turns */
	struct mate *of; /* [size] by rank; memory NULL: on another node */
	int *mates;	 /* [nmates] the other ranks here */
	int nmates;
	struct list waiting;	   /* loads */
	struct progress_hook hook; /* while a turn or a load may wait */
};

/* ---- Memory ------------------------------------------------------------- */

/* Maps the boards of the node's ranks; topo NULL: all are on one. Returns
 * whether all could be mapped. */
static bool node_board_map(struct node_board *b, const struct topology *topo,
			   const uint64_t *addr)
{
	int node = topo ? topology_node_of(topo, b->comm->rank) : 0;

	for (int r = 0; r < b->comm->size; r++) {
		struct fab_ep *ep = proc_ep(comm_world_rank(b->comm, r));
		void *local;

		if (r == b->comm->rank ||
		    (topo && topology_node_of(topo, r) != node))
			continue;
		if (!addr[r] || !ep->ops->heap_map ||
		    ep->ops->heap_map(ep, addr[r], sizeof(struct memory),
				      &local))
			return false;
		b->of[r].memory = local;
		b->mates[b->nmates++] = r;
	}
	return true;
}

/* Tells all ranks whether each of them has its part. */
static int node_board_agree(struct mrt_comm *comm, coll_combine *combine,
			    bool *good)
{
	uint64_t missing = !*good;
	int rc = combine(comm, &missing, 1);

	*good = !missing;
	return rc;
}

static int node_board_poll(struct progress_hook *hook);

/* Returns a board without posts, or NULL. */
static struct memory *take_memory(void)
{
	struct memory *m = spare;
	void *fresh;

	if (!m)
		return proc.fab->ops->heap_alloc(proc.fab, sizeof(*m), true,
						 &fresh)
			   ? NULL
			   : fresh;
	spare = m->next;
	memset(m, 0, offsetof(struct memory, bytes));
	return m;
}

static struct node_board *node_board_allocate(struct mrt_comm *comm)
{
	size_t n = (size_t)comm->size;
	struct node_board *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->comm = comm;
	b->hook.poll = node_board_poll;
	turns_init(&b->turns);
	list_init(&b->waiting);
	b->of = calloc(n, sizeof(*b->of));
	b->mates = calloc(n, sizeof(*b->mates));
	if (b->of && b->mates)
		b->own = take_memory();
	return b;
}

int node_board_create(struct mrt_comm *comm, coll_combine *combine,
		      const struct topology *topo, struct node_board **board)
{
	struct node_board *b = node_board_allocate(comm);
	uint64_t *addr = calloc((size_t)comm->size, sizeof(*addr));
	bool good = b && addr && b->own;
	int rc;

	if (good)
		addr[comm->rank] = (uintptr_t)b->own;
	rc = node_board_agree(comm, combine, &good);
	if (!rc && good)
		rc = combine(comm, addr, (size_t)comm->size);
	if (!rc && good) {
		good = node_board_map(b, topo, addr);
		rc = node_board_agree(comm, combine, &good);
	}
	free(addr);
	if (rc || !good)
		node_board_destroy(b);
	else
		*board = b;
	count.made += !rc && good;
	return rc;
}

void node_board_destroy(struct node_board *b)
{
	if (!b)
		return;
	progress_remove(&b->hook);
	if (b->own) {
		b->own->next = spare;
		spare = b->own;
	}
	free(b->of);
	free(b->mates);
	free(b);
}

void node_board_fini(void)
{
	spare = NULL; /* the fabric frees it */
}

static unsigned set_of(const struct node_board *b)
{
	return b->turns.number % SETS;
}

char *node_board_memory(const struct node_board *b)
{
	return b->own->bytes + b->used[set_of(b)].at;
}

/* ---- Turns -------------------------------------------------------------- */

/* Wakes ranks of the node that sleep and may wait for what has been stored. */
static void node_board_wake(void)
{
	node_notify(proc.node, NULL);
}

/* Returns the last turn that all ranks of the node are known to have left.
 * Acquire pairs with the release in node_board_leave, so that all loads of that
 * turn are over. */
static uint64_t left_by_all(struct node_board *b, bool ask)
{
	uint64_t least = b->turns.number;

	for (int i = 0; i < b->nmates; i++) {
		struct mate *m = &b->of[b->mates[i]];

		if (ask)
			m->left = atomic_load_explicit(&m->memory->left,
						       memory_order_acquire);
		if (m->left < least)
			least = m->left;
	}
	return least;
}

/* Takes the lowest memory of so many bytes that no turn after `left` has used,
 * for the next turn. Returns false if there is none. */
static bool node_board_place(struct node_board *b, size_t bytes, uint64_t left)
{
	uint64_t next = b->turns.number + 1;
	size_t at = 0;

	if (left + SETS < next)
		return false;
	for (uint64_t k = left + 1; k < next; k++) {
		size_t begin = b->used[k % SETS].at;
		size_t end = b->used[k % SETS].end;

		if (begin >= at + bytes || end <= at)
			continue;
		at = end;
		k = left; /* from the first turn again */
	}
	b->used[next % SETS].at = at;
	b->used[next % SETS].end = at + bytes;
	return at + bytes <= MEMORY;
}

/* Tells whether there is memory for this turn, which is the next. */
static bool is_free(struct node_board *b, const struct turn *turn)
{
	size_t bytes = (turn->bytes + 63) & ~(size_t)63;

	return node_board_place(b, bytes, left_by_all(b, false)) ||
	       node_board_place(b, bytes, left_by_all(b, true));
}

bool node_board_enter(struct node_board *b, struct turn *turn)
{
	bool come = turns_enter(&b->turns, turn,
				turns_idle(&b->turns) && is_free(b, turn));

	if (!come)
		progress_add(&b->hook);
	return come;
}

void node_board_leave(struct node_board *b, struct turn *turn)
{
	if (!turns_leave(&b->turns, turn))
		return;
	list_init(&b->waiting);
	atomic_store_explicit(&b->own->left, b->turns.number,
			      memory_order_release);
	node_board_wake();
}

int node_board_drain(struct node_board *b, struct idle_timeout *limit)
{
	return b ? turns_drain(&b->turns,
			       "other ranks to end collectives on boards",
			       limit)
		 : 0;
}

/* ---- Posts and loads ---------------------------------------------------- */

void node_board_post(struct node_board *b, unsigned tag, const void *from,
		     size_t bytes, int error)
{
	struct post *post = &b->own->post[set_of(b)][tag];

	post->at = (size_t)((const char *)from - b->own->bytes);
	post->bytes = bytes;
	post->error = error;
	/* release pairs with the acquire in find: whoever sees the post sees
	 * what was posted */
	atomic_store_explicit(&post->turn, b->turns.number,
			      memory_order_release);
	node_board_wake();
}

/* Whoever posts in a turn has left the one before. */
static bool node_board_find(struct node_board *b, const struct load *load,
			    struct posted *posted)
{
	const struct memory *m = b->of[load->peer].memory;
	const struct post *post = &m->post[set_of(b)][load->tag];

	if (atomic_load_explicit(&post->turn, memory_order_acquire) !=
	    b->turns.number)
		return false;
	if (b->of[load->peer].left < b->turns.number - 1)
		b->of[load->peer].left = b->turns.number - 1;
	count.loads++;
	*posted =
	    (struct posted){m->bytes + post->at, post->bytes, (int)post->error};
	return true;
}

bool node_board_load(struct node_board *b, struct load *load,
		     struct posted *posted)
{
	load->waits = !node_board_find(b, load, posted);
	if (!load->waits)
		return true;
	list_append(&b->waiting, &load->link);
	progress_add(&b->hook);
	return false;
}

/* A load that is ready may end the turn, which empties the list. */
static int node_board_poll(struct progress_hook *hook)
{
	struct node_board *b = list_entry(hook, struct node_board, hook);
	const struct turn *first = turns_first(&b->turns);
	int n = first && is_free(b, first) && turns_next(&b->turns);
	struct list *it = b->waiting.next;

	while (it != &b->waiting) {
		struct load *load = list_entry(it, struct load, link);
		uint64_t turn = b->turns.number;
		struct posted posted;

		it = it->next;
		if (!node_board_find(b, load, &posted))
			continue;
		n++;
		list_remove(&load->link);
		load->waits = false;
		load->ready(load, posted);
		if (turn != b->turns.number || !b->turns.owner)
			break;
	}
	if (list_empty(&b->waiting) && list_empty(&b->turns.queue))
		progress_remove(&b->hook);
	return n;
}
