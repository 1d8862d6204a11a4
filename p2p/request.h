/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request.h: a request is one operation under way (public handle struct
 * mrt_request).
 *
 * Requests of the public calls have ops. A persistent request is inactive
 * before it is started and after a test or wait has reported its completion; it
 * then counts as a null handle, and as complete.
 */
#ifndef P2P_REQUEST_H
#define P2P_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "mrt_lib.h"
#include "p2p/comm.h"
#include "p2p/type/datatype.h"
#include "runtime/base/env.h"
#include "runtime/base/list.h"
#include "runtime/base/pool.h"
#include "runtime/fabric/fabric.h"

/* A user's buffer of elements of a type of any layout. */
struct typed_buffer {
	void *buf;
	size_t count;
	const struct mrt_type *type; /* committed */
};

enum request_kind {
	REQ_SEND,
	REQ_RECV,
	REQ_RECV_PARTS,	 /* the same, by its owner's packer: see there */
	REQ_COLL,	 /* a collective's run (coll/run/run.h) */
	REQ_PARTITIONED, /* partitioned.c */
	REQ_GENERAL	 /* a generalized request (grequest.c) */
};

/* The state of a request that has a handle, and its magic number: it tells a
 * handle that is used too late, or never was one. The values are odd, unlike
 * the link that a freed request has there in its pool. */
enum request_state {
	REQUEST_FREED = 0,
	REQUEST_ACTIVE = 0xa5e1,
	REQUEST_INACTIVE = 0xa5e3 /* persistent and not started */
};

struct wait; /* runtime/engine/wait.h */

/* Functions that the creator of a request provides. */
struct request_ops {
	/* Starts a persistent request. Returns 0 or MRT_ERR_*. NULL if not
	 * persistent. */
	int (*start)(struct mrt_request *req);
	/* Waits for a request under way, as a part of w, where it can do better
	 * than by progress alone; perhaps not until it is complete. Returns 0
	 * or a fault. NULL: it cannot. */
	int (*await)(struct mrt_request *req, struct wait *w);
	/* Frees a complete request whose handle is gone. */
	void (*release)(struct mrt_request *req);
	/* Collectives and partitioned operations: describes which one it is
	 * and what it waits for (wait.h). */
	void (*describe)(const struct mrt_request *req, char *text, size_t len);
	/* The rest is for REQ_GENERAL alone and calls the user's callbacks;
	 * each returns 0 or an error. query sets the status, which is never
	 * NULL. */
	int (*query)(struct mrt_request *req, struct mrt_status *status);
	int (*cancel)(struct mrt_request *req);
	/* The handle is gone, whether or not the request is complete; called in
	 * place of release. */
	int (*give_up)(struct mrt_request *req);
};

/* An eager message touches only the first two cache lines. */
struct mrt_request {
	uint16_t state; /* enum request_state: first, see there */
	uint8_t kind;	/* enum request_kind */
	uint8_t stage;	/* enum stage (p2p/protocol.h): what it sends next */
	uint32_t id;	/* its name on the wire; 0: none */
	bool complete;
	bool sync;   /* send: completes only when matched */
	bool posted; /* receive: in the posted queue */
	bool queued; /* in an outbox, held back by back-pressure */
	int peer;    /* world rank; receive: wanted source or ANY */
	int tag;     /* receive: wanted tag or ANY */
	uint32_t context;
	void *buf;
	size_t bytes; /* send: length; receive: size of buf */
	/* Called once at completion, inside progress or the starting call; may
	 * start other operations. NULL for none. */
	void (*done)(struct mrt_request *req);
	const struct request_ops *ops; /* public requests */
	struct mrt_comm *comm; /* public requests: status has its ranks */

	struct list link; /* p2p's: posted queue, or outbox */
	uint64_t order;	  /* p2p's: of posting, for wildcards */
	/* Set at completion. source is a world rank until the public calls
	 * translate it with comm. */
	struct mrt_status status;
	struct fab_mem *mem; /* rendezvous: registration */

	struct list freed; /* persistent.c */
	/* private to p2p */
	uint32_t remote_id;   /* the peer's request, for its ACK, CTS or FIN */
	int iovcnt;	      /* push: length of the iovec at buf */
	uint64_t remote_addr; /* rendezvous: address of the data at the peer */
	struct fab_op op;     /* rendezvous: the read or write */
	struct fab_key key;
	/* iov_send.c, typed.c: the caller's done */
	void (*then)(struct mrt_request *req);
	/* typed.c: */
	struct typed_buffer into;
	/* of a fabric that packs or unpacks. The owner of a REQ_RECV_PARTS sets
	 * it: if the fabric offers it, a long message goes there, not to buf,
	 * and `reads` is set */
	struct fab_packer packer;
	char *part; /* the buffer to unpack from */
	size_t part_size;
	size_t moved;	/* bytes unpacked so far */
	bool reads;	/* the message is read part by part, into packer */
	bool withdrawn; /* send with an id: cancelled, not answered yet */
};
_Static_assert(offsetof(struct mrt_request, freed) <= 128, "two lines");

/* Sets what p2p_isend and p2p_irecv expect of a request in any storage. What
 * only public requests have is left as it is. */
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

/* The ops of requests from request_alloc, which are not persistent and of kind
 * REQ_SEND or REQ_RECV. */
extern const struct request_ops request_pooled;
extern struct pool request_pool;
/* The pools of other objects that begin with a request. */
extern struct pool request_persistent_pool, request_general_pool,
    request_pair_pool, request_partitioned_pool;
/* Reports for comm that there is no memory for a request (proc_fail); returns
 * NULL. */
struct mrt_request *request_no_memory(struct mrt_comm *comm);

/* Allocates and prepares a public request, which holds comm. Returns NULL if
 * out of memory (proc_fail). */
static inline struct mrt_request *request_alloc(enum request_kind kind,
						struct mrt_comm *comm)
{
	struct mrt_request *req = pool_get(&request_pool);

	if (__builtin_expect(!req, 0))
		return request_no_memory(comm);
	request_prepare(req, kind);
	req->state = REQUEST_ACTIVE;
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

/* The request of every send that was complete when it returned. It is complete,
 * and releasing it does nothing. */
extern struct mrt_request request_sent;

/* Reports an invalid request handle: returns MRT_ERR_REQUEST (proc_fail). */
int request_unknown(const struct mrt_request *handle);
/* Returns 0, or MRT_ERR_* if the array is NULL or has an invalid handle. Null
 * and inactive handles are valid and count as complete. */
int requests_check(size_t n, struct mrt_request *const requests[]);

/* Makes mrt_error_comm return the failed request's communicator, or none if
 * only the request still holds it. */
void request_set_error_comm(const struct mrt_request *req);

/* Whether a handle is active: neither null nor inactive. */
static inline bool request_is_active(const struct mrt_request *req)
{
	return req != MRT_REQUEST_NULL && req->state == REQUEST_ACTIVE;
}

/* Whether this is a valid handle other than null. Handles of other objects and
 * of freed requests are not, as long as their memory is no new request. */
static inline bool request_is_known(const struct mrt_request *req)
{
	return (uintptr_t)req >= MRT_CONSTANTS_END &&
	       (req->state == REQUEST_ACTIVE || req->state == REQUEST_INACTIVE);
}

/* Whether a handle points to memory at all, as one that was never set may not;
 * a call of the kernel. */
bool request_is_mapped(const struct mrt_request *req);

/* Whether a call may be given this handle. */
static inline bool request_is_valid(const struct mrt_request *req)
{
	return (__builtin_expect(!env.check, 1) || request_is_mapped(req)) &&
	       request_is_known(req);
}

/* Whether a handle is null or its request complete. */
static inline bool request_is_over(const struct mrt_request *req)
{
	return req == MRT_REQUEST_NULL || req->complete;
}

/* Completes a request with an error or 0, and calls done. */
static inline void request_complete(struct mrt_request *req, int error)
{
	req->status.error = error;
	req->complete = true;
	if (req->done)
		req->done(req);
}

/* Releases a request from request_alloc that failed in the call that started
 * it. Returns its error, reported (p2p_report). */
int request_release_failed(struct mrt_request *req);

/* Gives req an id (never 0) for the wire, under which request_by_id finds it
 * until request_drop_id. MRT_ERR_NO_MEM. */
int request_take_id(struct mrt_request *req);
void request_drop_id(struct mrt_request *req);
/* Returns NULL if no operation with `peer` has this id. */
struct mrt_request *request_by_id(uint32_t id, int peer);

/* Releases an active request in some later progress, once it is complete. Its
 * handle is gone. */
void request_free_later(struct mrt_request *req);
/* Visits the requests of request_free_later that are not released. */
void requests_each_freed(void (*visit)(void *req, void *context),
			 void *context);
/* Waits until all requests of request_free_later are released, or gives them
 * up, with a warning, when limit expires. Returns 0 or a fault. */
struct idle_timeout;
int requests_drain(struct idle_timeout *limit);

void requests_init(void);
void requests_fini(void);
#endif
