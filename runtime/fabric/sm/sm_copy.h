/* SPDX-License-Identifier: Apache-2.0 */
/* sm_copy.h: a copy under way, shared by sm_copy.c and sm_relay.c. */
#ifndef FABRIC_SM_COPY_H
#define FABRIC_SM_COPY_H

#include "runtime/base/pieces.h"
#include "runtime/base/pool.h"
#include "runtime/fabric/sm/sm.h"

enum copy_kind { COPY_READ, COPY_WRITE, COPY_ATOMIC };

/* A read, write or atomic that this rank has under way. */
struct sm_copy {
	struct list link;
	struct sm_ep *ep;
	char *local;	    /* destination of a read */
	struct iovec flat;  /* source of a write in one piece */
	struct pieces from; /* source of a write: what is left */
	char *mapped;	    /* MAPPED: the peer's memory here */
	uint64_t remote, len, moved;
	struct fab_key key;
	struct fab_op *op;
	struct sm_offer *offer; /* NULL: this end copies alone */
	uint64_t operand[2];	/* atomics: add, or compare and swap */
	uint32_t id;		/* RING: names it in the answers */
	uint8_t how, kind;
	bool swap, asked;
};

/* Memory that peers may ask for. */
struct fab_mem {
	struct list link;
	char *addr;
	size_t len;
	uint32_t id;
	struct sm_offer *offer;
};

/* An answer that this rank owes to a peer's RING operation. */
struct sm_serve {
	struct list link;
	struct sm_ep *ep;
	uint32_t kind; /* enum sm_kind */
	uint32_t id;   /* the peer's */
	uint32_t mem;  /* of struct fab_mem that holds `from` */
	const char *from;
	uint64_t len, moved, value;
};

/* sm_relay.c: copies through the rings */
int sm_relay_step(struct sm *sm, struct sm_copy *c);
int sm_relay_serve(struct sm *sm);
/* Answers that are owed from this memory become refusals: a peer asked, and
 * then said that it had all. */
void sm_relay_drop(struct sm *sm, const struct fab_mem *m);
void sm_relay_message(struct sm *sm, struct sm_ep *ep, uint32_t kind,
		      const struct ring_line *line, const void *data,
		      size_t len);

/* sm_copy.c */
void *sm_find_mem(struct sm *sm, uint64_t id, uint64_t addr, uint64_t len);
void sm_copy_finish(struct sm *sm, struct sm_copy *c, int status);
#endif
