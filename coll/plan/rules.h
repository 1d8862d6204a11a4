/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules.h: what each collective means: what a rank passes and gets back. The
 * argument checks, packing, MRT_CHECK, intercommunicators, shapes and the
 * choice of an algorithm read this table. The prover (coll/prove) does not: it
 * has its own reading of the standard, since it judges the plans.
 */
#ifndef COLL_RULES_H
#define COLL_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "coll/plan/shape.h"

/* The blocks that a buffer has: none, one, or one for each rank (or neighbour)
 * that the rank sends to or receives from. */
enum holds { HOLDS_NOTHING, HOLDS_ONE, HOLDS_EACH };

/* How the blocks of a buffer are given: by one count, one block after the
 * other; by a list of counts, one block after the other; by lists of counts and
 * displacements. Counts are in elements of the type; displacements, too, unless
 * each block has a type of its own (alltoallw): then they are in bytes. */
enum given { BY_COUNT, BY_COUNTS, BY_DISPLACEMENTS };

struct rule_buffer {
	uint8_t holds; /* enum holds */
	uint8_t given; /* enum given; neighbours: or BY_COUNT */
	bool root_only;
};

/* Who may pass MRT_IN_PLACE, instead of sendbuf, or of recvbuf where only the
 * root has something to send; never between two groups. */
enum in_place {
	IN_PLACE_NEVER,
	IN_PLACE_ROOT, /* the root, whose own block stays where it is */
	IN_PLACE_ANY,  /* each rank as it likes */
	IN_PLACE_ALL   /* all ranks or none */
};

/* What the ranks know of the lengths of blocks. */
enum lengths {
	LENGTHS_NONE,	/* nothing moves */
	LENGTHS_EQUAL,	/* all blocks have one length, which all ranks know */
	LENGTHS_SHARED, /* all ranks know the lengths of all blocks */
	LENGTHS_OWN	/* a rank knows the lengths of its own blocks */
};

struct rule {
	/* bcast: the root's data are in the receive buffer, like the others' */
	struct rule_buffer send, recv;
	uint8_t in_place;	/* enum in_place */
	uint8_t lengths;	/* enum lengths */
	bool rooted;		/* a rank is the root, which all ranks name */
	bool reduces;		/* by an operation; lengths are in elements */
	bool skips_first;	/* rank 0 receives nothing */
	bool neighbors;		/* with given ranks only */
	bool intercommunicator; /* may be called on one */
};
extern const struct rule rules[COLLECTIVES];

/* Of a rank in a call: what decides which buffers count there. */
struct role {
	/* ranks that blocks are for and from: those of the communicator, the
	 * other group's, or neighbours; reduce_scatter: `dests` are the ranks
	 * of the own group */
	int dests, sources;
	int rank;
	bool two_groups;
	bool root;
	bool absent; /* of the root's group, and not the root */
	bool send_in_place, recv_in_place;
};

/* The blocks of both buffers that count at a rank. */
struct role_blocks {
	int send, recv;
	bool in_place;	  /* one buffer is part of the other, as allowed */
	bool reads_recv;  /* input is in the receive buffer */
	bool writes_recv; /* output is in the receive buffer */
};

/* Ranks work on one vector, not on blocks by rank. */
static inline bool rule_is_vector(const struct rule *rule)
{
	return rule->send.holds != HOLDS_EACH && rule->recv.holds == HOLDS_ONE;
}

/* Only the root has something to send. */
static inline bool rule_scatters(const struct rule *rule)
{
	return rule->send.root_only;
}

/* A rank that names another one, or nobody, as the root has nothing in a buffer
 * that is the root's alone. Between two groups the root has nothing in the
 * other buffer: its partners are in the other group. */
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

/* Always inline, since most of it folds away for a call inside one group. */
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
		/* all of the input is in the receive buffer */
		b.recv = b.recv > b.send ? b.recv : b.send;
		b.send = 0;
		b.reads_recv = true;
	}
	return b;
}
#endif
