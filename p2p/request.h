/* SPDX-License-Identifier: Apache-2.0 */
/* request.h: one operation under way; public handle struct mrt_request. */
#ifndef P2P_REQUEST_H
#define P2P_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "mrt.h"
#include "runtime/base/list.h"
#include "runtime/fabric/fabric.h"

enum request_kind {
	REQ_SEND,
	REQ_RECV,
	REQ_COLL /* a collective's run (coll/run.h) */
};

struct mrt_request {
	bool complete;
	uint8_t kind;	/* enum request_kind */
	bool sync;	/* send: complete only when matched */
	bool posted;	/* receive: in the posted queue */
	int peer;	/* world rank; receive: wanted source or ANY */
	int tag;	/* receive: wanted tag or ANY */
	uint32_t context;
	void *buf;
	size_t bytes;	/* send: length; receive: room */
	/* Called once at completion, inside progress or the starting call;
	 * may start other operations. NULL for none. */
	void (*done)(struct mrt_request *req);
	/* Set at completion. source is a world rank here; the public calls
	 * translate it with `comm`. */
	struct mrt_status status;
	struct mrt_comm *comm;

	/* private to p2p from here */
	struct list link;	/* posted queue, pending sends, rendezvous */
	struct list any_link;
	uint64_t order;		/* posting order, for wildcards */
	uint32_t id;		/* names it on the wire */
	struct fab_op op;	/* rendezvous read */
	struct fab_mem *mem;
	uint64_t remote_id;
	size_t remote_bytes;
};

/* From the pool, zeroed but for the fields that p2p sets; NULL: no memory. */
struct mrt_request *request_alloc(void);
void request_free(struct mrt_request *req);

/* Marks complete and calls done. */
void request_complete(struct mrt_request *req, int error);
#endif
