/* SPDX-License-Identifier: Apache-2.0 */
/* partitioned.h: the objects of partitioned communication, which partitioned.c
 * moves and partitioned_calls.c makes. */
#ifndef P2P_PARTITIONED_H
#define P2P_PARTITIONED_H

#include "p2p/args.h"
#include "p2p/request.h"

/* A sender tells its receiver by an offer what it will send. */
struct offer {
	uint64_t bytes;	     /* of a partition */
	uint32_t partitions; /* > 0 */
	uint32_t first;	     /* tag of partition 0 */
};

/* A partition of the sender, on either side. */
struct partition {
	struct mrt_request req; /* first: done gets its address */
	struct partitioned *whole;
	bool ready; /* send: the user has said so */
};

struct partitioned {
	struct mrt_request req;
	struct mrt_request offering; /* sends or receives the offer */
	struct offer offer;
	struct args args; /* of all partitions together */
	void *buf;	  /* for a send: only read */
	int partitions;	  /* number on this side */
	bool sends;
	bool freed;    /* the handle is gone, the offer is under way */
	uint32_t left; /* partitions of this round not moved yet */
	struct partition *parts; /* [offer.partitions]; NULL: no offer yet */
	char *packed; /* receive: all bytes, if the partitions of the sender
			 begin within elements that have holes, else NULL */
};

extern const struct request_ops partitioned_ops;

/* Sends the offer of a new request, or receives that of its peer. */
void partitioned_offer(struct partitioned *p);
/* Sends a partition that has become ready. */
void partitioned_send(struct partitioned *p, uint32_t k);

/* Whether both sides have the same bytes, as they must; the offer is there. */
static inline bool partitioned_sizes_agree(const struct partitioned *p)
{
	return p->offer.bytes * p->offer.partitions == p->args.bytes;
}
#endif
