/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules.h: a table of what each collective means: what a rank passes and what
 * it gets back. The argument checks, packing, MRT_CHECK, intercommunicators,
 * shapes and the choice of an algorithm read this table. The prover
 * (coll/prove) does not: it checks the plans, so it must have its own reading
 * of the standard.
 */
#ifndef COLL_RULES_H
#define COLL_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "coll/plan/shape.h"

/* The number of blocks in a buffer: none, one, or one for each rank (or
 * neighbour) that the rank sends to or receives from. */
enum holds { HOLDS_NOTHING, HOLDS_ONE, HOLDS_EACH };

/* The caller describes the blocks of a buffer by one count, for blocks that
 * follow one another; by a list of counts, for blocks that follow one another;
 * or by lists of counts and displacements. Counts are in elements of
 * the type. Displacements are in elements, too, unless each block has a type of
 * its own (alltoallw): then they are in bytes. */
enum given { BY_COUNT, BY_COUNTS, BY_DISPLACEMENTS };

struct rule_buffer {
	uint8_t holds; /* enum holds */
	uint8_t given; /* enum given; neighbours may use BY_COUNT as well */
	bool root_only;
};

/* The ranks that may pass MRT_IN_PLACE: as recvbuf if only the root has
 * something to send, else as sendbuf. No rank may between two groups. */
enum in_place {
	IN_PLACE_NEVER,
	IN_PLACE_ROOT, /* the root, whose own block stays where it is */
	IN_PLACE_ANY,  /* each rank, whatever the others do */
	IN_PLACE_ALL   /* all ranks or none */
};

/* Collectives differ in what their ranks know of the lengths of blocks. */
enum lengths {
	LENGTHS_NONE,	/* nothing moves */
	LENGTHS_EQUAL,	/* all blocks have one length, which all ranks know */
	LENGTHS_SHARED, /* all ranks know the lengths of all blocks */
	LENGTHS_OWN	/* a rank knows the lengths of its own blocks */
};

struct rule {
	/* a bcast has only a receive buffer, at the root as well */
	struct rule_buffer send, recv;
	uint8_t in_place;	/* enum in_place */
	uint8_t lengths;	/* enum lengths */
	bool rooted;		/* all ranks name one rank as the root */
	bool reduces;		/* has an operation; lengths are in elements */
	bool skips_first;	/* rank 0 receives nothing */
	bool neighbors;		/* a rank exchanges with given ranks only */
	bool intercommunicator; /* may be called on an intercommunicator */
};
extern const struct rule rules[COLLECTIVES];

/* The role of a rank in a call, which decides which of its buffers matter. */
struct role {
	/* The numbers of ranks that blocks go to and come from: the ranks of
	 * the communicator, those of the other group, or the neighbours. For
	 * reduce_scatter, `dests` is the size of the own group. */
	int dests, sources;
	int rank;
	bool two_groups;
	bool root;
	bool absent; /* in the root's group, but not the root */
	bool send_in_place, recv_in_place;
};

/* The blocks of both buffers that matter at a rank. */
struct role_blocks {
	int send, recv;
	bool in_place;	  /* the rank passes MRT_IN_PLACE and may do so */
	bool reads_recv;  /* the receive buffer holds input */
	bool writes_recv; /* the receive buffer gets output */
};

/* Tells whether ranks work on one vector, not on a block for each rank. */
static inline bool rule_is_vector(const struct rule *rule)
{
	return rule->send.holds != HOLDS_EACH && rule->recv.holds == HOLDS_ONE;
}

/* Tells whether only the root has something to send. */
static inline bool rule_scatters(const struct rule *rule)
{
	return rule->send.root_only;
}

/* Returns how many blocks of a buffer matter at a rank, of `ranks` partners. A
 * rank that is not the root has no blocks in a buffer that only the root uses.
 * Between two groups the root has no blocks in the other buffer, since all its
 * partners are in the other group. */
static inline int rule_count(const struct rule *rule,
			     const struct rule_buffer *buffer,
			     const struct role *role, int ranks)
{
	bool shared = rule->send.holds == HOLDS_NOTHING; /* bcast */

	if (buffer->holds == HOLDS_NOTHING || role->absent ||
	    (buffer->root_only && !role->root))
		return 0;
	if (role->two_groups && rule->rooted && role->root &&
	    !buffer->root_only && !shared)
		return 0;
	return buffer->holds == HOLDS_EACH ? ranks : ranks > 0;
}

/* Tells whether a rank passes MRT_IN_PLACE where it may. */
static inline bool rule_in_place(const struct rule *rule,
				 const struct role *role)
{
	bool allowed = rule->in_place == IN_PLACE_ROOT
			   ? role->root
			   : rule->in_place != IN_PLACE_NEVER;

	return allowed && !role->two_groups &&
	       (rule_scatters(rule) ? role->recv_in_place
				    : role->send_in_place);
}

/* Returns the blocks of both buffers that matter at a rank. It is always
 * inlined because most of it folds away for a call inside one group. */
__attribute__((always_inline)) static inline struct role_blocks
rule_blocks(const struct rule *rule, const struct role *role)
{
	struct role_blocks b = {
	    .send = rule_count(rule, &rule->send, role, role->dests),
	    .recv = rule_count(rule, &rule->recv, role, role->sources),
	    .in_place = rule_in_place(rule, role),
	    .writes_recv = true};

	if (rule->skips_first && !role->rank)
		b.recv = b.writes_recv = 0;
	if (rule->send.holds == HOLDS_NOTHING && role->root) {
		b.reads_recv = true;
		b.writes_recv = false;
	}
	if (b.in_place && rule_scatters(rule)) {
		b.recv = 0;
	} else if (b.in_place) {
		/* the whole input is in the receive buffer */
		b.recv = b.recv > b.send ? b.recv : b.send;
		b.send = 0;
		b.reads_recv = true;
	}
	return b;
}
#endif
