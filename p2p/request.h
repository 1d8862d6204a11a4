/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request.h: one operation under way; public handle struct mrt_request.
 *
 * A request of the public calls has ops. A persistent one is idle before it is
 * started and after its completion has been told; it then counts as a null
 * handle. An idle one is complete.
 */
#ifndef P2P_REQUEST_H
#define P2P_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "mrt_lib.h"
#include "p2p/comm.h"
#include "p2p/type/datatype.h"
#include "runtime/base/list.h"
#include "runtime/base/pool.h"
#include "runtime/fabric/fabric.h"

/* Elements of a type of any layout. */
struct elements {
	void *buf;
	size_t count;
	const struct mrt_type *type; /* committed */
};

enum request_kind {
	REQ_SEND,
	REQ_RECV,
	REQ_COLL,   /* a collective's run (coll/run/run.h) */
	REQ_GENERAL /* the user's own (grequest.c) */
};

/* Requests that have handles: what a handle says that is used too late, or was
 * never one. Odd: a pool's link, which a freed one has there, is not. */
enum request_life {
	REQUEST_GONE = 0,
	REQUEST_LIVE = 0xa5e1,
	REQUEST_IDLE = 0xa5e3 /* see above */
};

/* What the maker of a request does with it. */
struct request_ops {
	/* Persistent requests: begins anew. 0 or MRT_ERR_*. NULL: is not. */
	int (*start)(struct mrt_request *req);
	/* It is over, its handle gone. */
	void (*release)(struct mrt_request *req);
	/* Collectives: which one, and what it waits for (wait.h). */
	void (*describe)(const struct mrt_request *req, char *text, size_t len);
	/* Those of REQ_GENERAL alone, with callbacks of the user's; 0 or an
	 * error. What the status says; status is never NULL. */
	int (*query)(struct mrt_request *req, struct mrt_status *status);
	int (*cancel)(struct mrt_request *req);
	/* Its handle is gone, complete or not: in place of release. */
	int (*give_up)(struct mrt_request *req);
};

/* An eager message touches the first two lines only. */
struct mrt_request {
	uint16_t life; /* enum request_life: first, see there */
	uint8_t kind;  /* enum request_kind */
	uint8_t stage; /* enum stage (p2p/protocol.h): what it sends next */
	uint32_t id;   /* names it on the wire; 0: nothing does */
	bool complete; /* stays, should another thread wait for a freed one */
	bool sync;     /* send: completes only when matched */
	bool posted;   /* receive: in the posted queue */
	bool queued;   /* in an outbox, held back by back-pressure */
	int peer;      /* world rank; receive: wanted source or ANY */
	int tag;       /* receive: wanted tag or ANY */
	uint32_t context;
	void *buf;
	size_t bytes; /* send: length; receive: room */
	/* Called once at completion, inside progress or the starting call;
	 * may start other operations. NULL for none. */
	void (*done)(struct mrt_request *req);
	const struct request_ops *ops; /* public requests */
	struct mrt_comm *comm; /* public requests: whose ranks status has */

	struct list link; /* p2p's: posted queue, or outbox */
	uint64_t order;	  /* p2p's: of posting, for wildcards */
	/* Set at completion; source is a world rank until the public calls
	 * translate it with comm. */
	struct mrt_status status;
	struct fab_mem *mem; /* rendezvous: registration */

	struct mrt_request *next_orphan; /* persistent.c */
	/* private to p2p */
	uint32_t remote_id;   /* the other side's, for its ACK, CTS or FIN */
	int pieces;	      /* push: of the list at buf */
	uint64_t remote_addr; /* rendezvous: where the message lies, or goes */
	struct fab_op op;     /* rendezvous: the read or write */
	struct fab_key key;
	/* iov_send.c, typed.c: the user's done */
	void (*then)(struct mrt_request *req);
	/* typed receive: */
	struct elements into;
	char *part; /* the buffer that it unpacks from */
	size_t part_size;
	size_t moved; /* unpacked so far */
	bool reads;   /* part by part */
};
_Static_assert(offsetof(struct mrt_request, next_orphan) <= 128, "two lines");

/* Fills in what p2p_isend/irecv expects of a request of any storage; what only
 * public requests have stays as it is. */
static inline void request_prepare(struct mrt_request *req,
				   enum request_kind kind)
{
	req->complete = false;
	req->kind = (uint8_t)kind;
	req->sync = req->posted = req->queued = false;
	req->id = 0;
	req->mem = NULL;
	req->done = NULL;
	req->status.error = 0;
	req->status.cancelled = 0;
}

/* Requests of request_alloc have these, are not persistent, and of kind
 * REQ_SEND or REQ_RECV. */
extern const struct request_ops request_pooled;
extern struct pool request_pool;
/* Those of others, each of which begins with a request. */
extern struct pool request_persistent_pool, request_general_pool,
    request_pair_pool;
/* proc_fail's, for comm; NULL. */
struct mrt_request *request_no_memory(struct mrt_comm *comm);

/* A public request from the pool, prepared, which holds the communicator;
 * NULL: no memory (proc_fail). */
static inline struct mrt_request *request_alloc(enum request_kind kind,
						struct mrt_comm *comm)
{
	struct mrt_request *req = pool_get(&request_pool);

	if (__builtin_expect(!req, 0))
		return request_no_memory(comm);
	request_prepare(req, kind);
	req->life = REQUEST_LIVE;
	req->ops = &request_pooled;
	req->comm = comm;
	comm_hold(comm);
	return req;
}

static inline void request_put(struct mrt_request *req)
{
	comm_release(req->comm);
	pool_put(&request_pool, req);
}

/* The one request of all sends that were over when they returned: complete,
 * and releasing it does nothing. */
extern struct mrt_request request_sent;

/* What a handle that is not known gives: MRT_ERR_REQUEST (proc_fail). */
int request_unknown(const struct mrt_request *handle);

/* Tells mrt_error_comm whose request has failed: nobody's, if only the request
 * still holds the communicator. */
void request_blame(const struct mrt_request *req);

/* A handle that is active: neither null nor idle. */
static inline bool request_is_active(const struct mrt_request *req)
{
	return req != MRT_REQUEST_NULL && req->life == REQUEST_LIVE;
}

/* Is it a handle, other than the null one? Handles of other objects and freed
 * ones are not, as long as their memory is no new request. */
static inline bool request_is_known(const struct mrt_request *req)
{
	return (uintptr_t)req >= MRT_CONSTANTS_END &&
	       (req->life == REQUEST_LIVE || req->life == REQUEST_IDLE);
}

/* A handle that is null, or of something complete. */
static inline bool request_is_over(const struct mrt_request *req)
{
	return req == MRT_REQUEST_NULL || req->complete;
}

/* Marks complete with an error or 0, and calls done. */
static inline void request_complete(struct mrt_request *req, int error)
{
	req->status.error = error;
	req->complete = true;
	if (req->done)
		req->done(req);
}

/* Releases a request from request_alloc that has failed in the call that began
 * it; its error, which the call returns. */
int request_refused(struct mrt_request *req);

/*
 * Names for the wire: gives req an id (never 0) under which request_by_id
 * finds it until request_forget. MRT_ERR_NO_MEM.
 */
int request_name(struct mrt_request *req);
void request_forget(struct mrt_request *req);
/* NULL if no operation with `peer` has this id. */
struct mrt_request *request_by_id(uint32_t id, int peer);

/* Releases an active request when it is complete, in some later progress. */
void request_orphan(struct mrt_request *req);
/* Waits until there are no orphans, or limit is over, when it says so and
 * leaves them; 0, or a fault. */
struct idle_timeout;
int requests_drain(struct idle_timeout *limit);

void requests_init(void);
void requests_fini(void);
#endif
