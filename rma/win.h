/* SPDX-License-Identifier: Apache-2.0 */
/*
 * win.h: windows (public handle struct mrt_win). An operation reaches its
 * target in one of three ways:
 *
 *   direct   this rank has mapped the target's memory: loads, stores and
 *            atomics of the CPU, complete at once (move.c, update.c); or it
 *            copies elements by the kernel, and accumulates under a lock
 *   fabric   put and get of registered memory (move.c); accumulates of 8-byte
 *            integers and locks where the device's atomics are everybody's
 *            (device.c)
 *   message  what the target has to do itself: accumulate elsewhere, all
 *            operations on dynamic windows, locks of other nodes
 *            (message.c sends it, serve.c does it)
 *
 * Accumulates of one type are done by CPUs, here or at the target, or by the
 * device, for all origins alike, so they are atomic with each other.
 */
#ifndef RMA_WIN_H
#define RMA_WIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "coll/op/op.h"
#include "mrt_lib.h"
#include "p2p/comm.h"
#include "p2p/request.h"
#include "rma/shared_lock.h"
#include "runtime/base/list.h"
#include "runtime/base/pool.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"
#include "runtime/fabric/fabric.h"

/* One rank's part of the window, as it has told all others. */
struct win_card {
	uint64_t addr, bytes, unit; /* of the memory, at its owner */
	uint64_t lock;		    /* address of its shared_lock */
	struct fab_key lock_key;    /* of the lock, for the device */
	/* of the memory, for the fabric by which ranks of this node reach its
	 * owner */
	struct fab_key key;
	uint64_t cards;	 /* room for all cards, for the ranks of its node */
	uint16_t device; /* whether its device could accumulate */
	/* whether all accumulates on the memory, whatever their type, hold the
	 * lock of updates, so that ranks of its node may do them by copies */
	uint16_t locked;
	int32_t error; /* 0, or why this rank cannot take part */
};

/* A peer: a rank of the window of which this one has used the memory or the
 * lock. It is made at the first use (peer.c). */
struct win_peer {
	char *direct;		  /* the memory as mapped here, or NULL */
	struct shared_lock *lock; /* likewise */
	/* ticket of the lock whose turn has come if this rank draws it; while
	 * it writes, the one after its own (device_lock.c) */
	uint64_t next;
	uint32_t pending; /* operations that are not complete at both ends */
	int rank;
	uint8_t locked; /* enum lock_kind that this rank holds */
	bool others;	/* another rank has drawn the last ticket */
	bool started;	/* in the group of mrt_win_start */
};

enum lock_kind { LOCK_NONE, LOCK_SHARED, LOCK_EXCLUSIVE };

/* The access epoch of a rank decides which calls it allows. */
enum epoch {
	EPOCH_NONE,
	EPOCH_FENCE,
	EPOCH_START,
	EPOCH_LOCK,    /* nlocks ranks are locked */
	EPOCH_LOCK_ALL /* an access locks its rank unless that is locked */
};

struct mrt_win {
	uint64_t magic;	       /* WIN_MAGIC while alive */
	struct mrt_comm *comm; /* of this window alone; its id is on the wire */
	enum mrt_win_flavor flavor;
	char *base;
	size_t bytes, unit;
	/* [comm->size], in memory that the ranks of a node share if there are
	 * several, else in own_cards */
	const struct win_card *cards;
	struct win_card *own_cards;
	struct win_peer **peers; /* [peers_mask + 1] by rank, some NULL */
	struct win_peer *no_peer;
	uint32_t peers_mask, npeers;
	bool one; /* the first rank has allocated the memory of all */
	/* as in the own card, for peers that ask before all cards are here */
	bool locked;
	struct shared_lock *lock; /* of this rank's memory, for all */
	void *heap;   /* memory that this rank has allocated, or NULL */
	void *shared; /* memory of the node for the cards, or NULL */
	struct fab_region *region; /* the memory; NULL: none */
	/* endpoint to this rank itself, if the device does accumulates and
	 * locks (device.h) */
	struct fab_ep *loop;
	struct fab *lock_fab; /* fabric that registered the own lock, or NULL */
	struct fab_mem *lock_mem;
	uint64_t ticket, seen; /* drawn for a lock; its turns as last read */
	void *regions[2];      /* of dynamic windows (region.c) */
	struct accesses *accesses; /* under way; NULL: MRT_CHECK is off */

	enum epoch epoch;
	int nlocks;
	struct mrt_request *exposed; /* [nexposed] awaits the end of a post */
	int nexposed;
	bool posted;  /* mrt_win_post, perhaps to nobody */
	int *started; /* [nstarted] ranks of mrt_win_start */
	int nstarted;

	uint32_t next_id;
	struct list ops;   /* operations under way */
	uint32_t pending;  /* number of ops, at most UINT32_MAX */
	int error;	   /* of an operation that failed; 0: none */
	struct list held;  /* messages for which there was no room */
	struct list turns; /* locks that are waited for */
	struct list later; /* elements that the device has yet to update */
	/* elements whose compare-and-swap by the device is repeated until no
	 * other rank comes between */
	uint32_t repeating;
	bool unchecked; /* mrt_win_lock_all takes no locks */
	struct progress_hook hook;

	void *data;	  /* the user's */
	struct list link; /* in a list of all windows */
};
#define WIN_MAGIC 0x6d72742d77696e64ull

extern struct pool win_pool;

/* Receives the messages of windows from now on. At the end win_drain completes
 * the operations on windows that the program has not freed, and win_fini frees
 * these. */
int win_init(void);
int win_drain(void);
void win_fini(void);

/* Returns a window of the communicator, which it owns; NULL: no memory.
 * win_destroy frees it; no rank must use it any more. */
struct mrt_win *win_make(struct mrt_comm *comm);
void win_destroy(struct mrt_win *w);

/* Whether a handle is a window. */
static inline bool win_is(const struct mrt_win *handle)
{
	return (uintptr_t)handle >= MRT_CONSTANTS_END &&
	       handle->magic == WIN_MAGIC;
}
/* The window behind a handle, or NULL (proc_fail with MRT_ERR_WIN). */
struct mrt_win *win_get(struct mrt_win *handle);
/* The window on whose communicator messages have this context, or NULL. */
struct mrt_win *win_of_context(uint32_t context);

/*
 * Begins a public call on a window, after proc_enter or proc_enter_local, whose
 * result is `entered`. Returns 0 with *w set, or an error with the call left:
 * `win_begin(proc_enter(call), win, &w) ?: proc_leave_with(work(w))`.
 */
static inline int win_begin(int entered, struct mrt_win *handle,
			    struct mrt_win **w)
{
	if (entered)
		return entered;
	*w = win_get(handle);
	return *w ? 0 : proc_leave_with(MRT_ERR_WIN);
}

/* Returns 0 if these bytes at addr belong to this rank's part of the window,
 * else MRT_ERR_RANGE. */
int win_check_range(const struct mrt_win *w, uint64_t addr, size_t bytes);
/* Forgets all attached memory. */
void win_detach_all(struct mrt_win *w);

static inline struct fab_ep *win_ep(const struct mrt_win *w, int rank)
{
	return proc_ep(comm_world_rank(w->comm, rank));
}

/* win_fab returns the fabric that joins this rank with one of the window. */
static inline struct fab *win_fab(const struct mrt_win *w, int rank)
{
	return proc_fab_of(comm_world_rank(w->comm, rank));
}

/* Polls the window's messages and locks in progress, until there are none. */
void win_listen(struct mrt_win *w);

/* ---- Peers (peer.c) ------------------------------------------------------ */

/* Returns the peer at the first place where the rank may be, which may be
 * another one, or NULL. */
static inline struct win_peer *win_peer_first(const struct mrt_win *w, int rank)
{
	return w->peers[(uint32_t)rank & w->peers_mask];
}

/* Returns the peer that is this rank of the window; NULL if nothing of it has
 * been used yet. */
static inline struct win_peer *win_peer_used(const struct mrt_win *w, int rank)
{
	uint32_t k = (uint32_t)rank & w->peers_mask;

	while (w->peers[k] && w->peers[k]->rank != rank)
		k = (k + 1) & w->peers_mask;
	return w->peers[k];
}

/* Slow path of win_peer. */
struct win_peer *win_peer_add(struct mrt_win *w, int rank);
/* Like win_peer_used, but begins to use it. NULL: no memory (proc_fail). */
static inline struct win_peer *win_peer(struct mrt_win *w, int rank)
{
	struct win_peer *p = win_peer_first(w, rank);

	if (__builtin_expect(p && p->rank == rank, 1))
		return p;
	return win_peer_used(w, rank) ?: win_peer_add(w, rank);
}

/* Returns where memory of a rank's heap is mapped here, or NULL. */
void *win_map(const struct mrt_win *w, int rank, uint64_t remote, size_t bytes);
/* Whether memory of the rank may be mapped here. */
bool win_is_near(const struct mrt_win *w, int rank);
/* Returns where a rank's part of the window is mapped here, or NULL. */
char *win_map_part(const struct mrt_win *w, int rank);
void win_peers_free(struct mrt_win *w);

/* ---- Operations (operation.c) -------------------------------------------- */

enum { WIN_OP_STORE = 160 }; /* bytes: one part of any kind */

/* An operation under way. It is complete when all its parts are. */
struct win_op {
	struct list link;
	struct mrt_win *win;
	struct win_peer *peer;
	uint32_t id; /* on the wire */
	int rank;
	size_t left; /* parts */
	int error;
	struct mrt_request *request; /* the user's, or NULL */
	char *packed;		     /* the origin's data, or the result */
	size_t room;		     /* bytes of it that replies fill */
	bool owns_packed;
	struct typed_buffer into; /* where packed is unpacked at the end */
	struct typed_buffer from; /* layout of packed, unless dense */
	void *parts;		  /* memory of the fab_ops, or NULL */
	_Alignas(16) char store[WIN_OP_STORE]; /* parts that fit */
};
struct win_part {
	struct fab_op op;
	struct win_op *of;
};

/* A lock that this rank waits for, itself or for a peer. */
struct win_turn {
	struct list link;
	struct shared_lock *lock;
	uint32_t ticket;
	bool exclusive;
	bool *granted; /* NULL: tells the peer */
	int rank;
	uint32_t id; /* of the peer's operation */
};

/* Makes an operation of one part, which the caller ends with win_op_end when it
 * has started all others. NULL: no memory (proc_fail). */
struct win_op *win_op_begin(struct mrt_win *w, int rank);
/* Returns memory for op->parts, which ends with the operation; not initialised.
 * NULL: no memory (proc_fail). */
void *win_op_parts(struct win_op *op, size_t bytes);
/* Ends a part; the last one ends the operation. */
void win_op_end(struct win_op *op, int error);
/* Finds an operation by its id; NULL: there is none on that rank. */
struct win_op *win_op_find(struct mrt_win *w, int rank, uint32_t id);
/* Waits until no operation is pending on a rank, or on any for rank -1. Returns
 * 0, the error of an operation, or that of a fault. */
int win_complete(struct mrt_win *w, int rank);

/* ---- Accumulate (apply.c) ------------------------------------------------ */

/* An update names the operation and the predefined type of its elements. */
struct win_update {
	const struct mrt_op *op;
	const struct mrt_type *type;
	uint32_t handle; /* of the operation, for the wire */
};

/* Memory on which this rank does accumulates. */
struct win_place {
	struct shared_lock *lock;
	struct fab_ep *ep; /* by copies to and from it; NULL: it is mapped */
	bool locked;	   /* as in the card of its owner */
};

/*
 * Applies the update to memory of n runs, by their owner's addresses if it is
 * not mapped here, which together are whole elements: `in` is packed and may be
 * NULL for MRT_NO_OP; `out` gets the former value, packed, unless it is NULL.
 * Atomic for each element. Returns 0, an error, or MRT_ERR_NO_FABRIC (not
 * logged): nothing is done, and never will be in this way.
 */
int win_apply(const struct win_place *place, const struct win_update *u,
	      const struct iovec *runs, size_t n, const char *in, char *out);
/* Whether the operation is defined for the type. */
bool win_update_fits(const struct win_update *u);
/* Stores left op right in *sum, one element. */
void win_combine(const struct win_update *u, const void *left,
		 const void *right, void *sum);
/* Compares and swaps one element; in: what is expected, and the new value. */
int win_apply_swap(const struct win_place *place, const struct mrt_type *type,
		   char *at, const char *in, char *out);

/* ---- Messages (message.c, serve.c) --------------------------------------- */

enum message_kind {
	MESSAGE_PUT,
	MESSAGE_GET,
	MESSAGE_UPDATE, /* accumulate */
	MESSAGE_FETCH,	/* get_accumulate */
	MESSAGE_SWAP,
	MESSAGE_LOCK,
	MESSAGE_UNLOCK,
	MESSAGE_REPLY,
	MESSAGES
};

/* Asks the target for what op is, with messages of at most some KiB: kind is
 * MESSAGE_PUT to MESSAGE_SWAP, runs[n] the target's memory by its own
 * addresses, in the packed data of the origin, if the kind sends any. Replies
 * go to op->packed. Adds parts to op. */
int win_request(struct win_op *op, enum message_kind kind,
		const struct win_update *u, const struct iovec *runs, size_t n,
		const char *in);
/* Sends a MESSAGE_LOCK or MESSAGE_UNLOCK, as a part of op. */
int win_request_lock(struct win_op *op, enum message_kind kind, bool exclusive);
/* Moves on what the window has to do in progress; returns the number of
 * events. */
int win_messages_poll(struct mrt_win *w);
/* Receives a message (p2p.h). Returns false if it is invalid. */
bool win_deliver(int peer, uint32_t context, const void *data, size_t len);
void win_messages_free(struct mrt_win *w);

/* Waits in progress for the turn of a ticket of this rank. */
void win_await_turn(struct mrt_win *w, struct win_turn *turn);

/* ---- Epochs (epoch.c, lock.c) -------------------------------------------- */

/* Releases a lock, and wakes the ranks of the node. */
void win_release(struct shared_lock *lock, bool exclusive);

/* Whether the epoch allows an operation on a rank as it is. */
static inline bool win_is_entered(const struct mrt_win *w,
				  const struct win_peer *p)
{
	return p->locked || p->started || w->epoch == EPOCH_FENCE ||
	       (w->epoch == EPOCH_LOCK_ALL && w->unchecked);
}

/* Whether the targets of the epoch take no part in it. */
static inline bool win_is_passive(const struct mrt_win *w)
{
	return w->epoch >= EPOCH_LOCK;
}

/* Prepares for an operation on a rank: MRT_ERR_EPOCH, or locks it under
 * mrt_win_lock_all. */
int win_enter(struct mrt_win *w, const struct win_peer *p);
#endif
