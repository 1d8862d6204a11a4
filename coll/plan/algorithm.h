/* SPDX-License-Identifier: Apache-2.0 */
/*
 * algorithm.h: an algorithm for a collective: its name, the calls it can serve,
 * the function that builds its plan, and its cost. Each algorithm is one
 * constant, listed in algorithms.h.
 */
#ifndef COLL_ALGORITHM_H
#define COLL_ALGORITHM_H

#include "coll/plan/plan.h"
#include "coll/plan/shape.h"

/* The cost of one call, by which algorithms are compared. rounds, together,
 * bytes, reduced and atomics are counted along the longest chain of steps that
 * wait for each other; sends and moved are sums over all ranks and matter where
 * ranks share cores or links. */
struct cost {
	double rounds; /* messages of the chain */
	/* the rounds that follow another message of the same rank and wait for
	 * nothing else */
	double together;
	/* those of `together` of a rank that only sends: that takes some half
	 * of what it takes to receive one */
	double sent;
	double bytes;	/* bytes of those messages */
	double reduced; /* bytes that the chain's reductions produce */
	double atomics; /* atomic operations of the chain */
	double packed;	/* bytes that it copies (cost_packed) */
	double sends;	/* messages of all ranks */
	double moved;	/* bytes of those messages */
	/* the parts of rounds, together, sent and bytes that stay inside a
	 * node; 0 unless the shape has a topology */
	double intra_rounds, intra_together, intra_sent, intra_bytes;
	double intra_sends, intra_moved; /* the same of sends and moved */
	double fetched; /* intra_rounds by rendezvous (model_fetched) */
	/* with a topology: ranks of each node that send such a chain to other
	 * nodes at the same time; 0: one */
	int leaders;
	/* the most others that a rank of the chain exchanges messages with one
	 * after the other, where these are nearly all ranks; 0: few */
	double peers;
	/* which ranks talk, where each node is a range of ranks, or those of a
	 * ring whatever nodes are */
	enum reach {
		REACH_ALL,    /* those of a node with all nodes alike */
		REACH_NEXT,   /* each with the next: a ring, a chain */
		REACH_RANGES, /* two of a range with those outside: a tree */
		/* some of a range with those outside in each round, but most
		 * bytes stay: a Bine butterfly */
		REACH_NEAR,
		/* in rounds of ever more distant ranks: by equal messages, by
		 * ever longer, by ever shorter ones */
		REACH_EQUAL,
		REACH_LONGER,
		REACH_SHORTER
	} reach;
};

struct algorithm {
	const char *name; /* the value of MRT_<COLLECTIVE> that selects it */
	/* The name of the optional argument, one lower-case word ("radix",
	 * "segment"), or NULL if there is none. A user writes it as a number
	 * after the algorithm's name and a colon; build finds it in shape->arg.
	 * A segment is in bytes. */
	const char *arg;
	size_t arg_default, arg_min; /* arg_default stands for arg 0 */
	/* Further arguments that the default choice tries, up to a 0; NULL:
	 * none
	 */
	const size_t *arg_tries;
	/* The argument is another algorithm of the same collective, written by
	 * name: its index in the table, counted from 1; 0 stands for the
	 * default choice. */
	bool arg_is_algorithm;
	bool by_node; /* its plans depend on the topology */
	bool cells;   /* its plans have steps on cells */
	bool board;   /* its plans use boards */
	/* The cost as a formula for people: n ranks, m bytes, a latency, b time
	 * per byte, c time per reduced byte, k the argument. */
	const char *formula;
	/* Tells whether the algorithm can serve this shape. It reads only
	 * what is the same on all ranks (size, count of regular collectives,
	 * operation, topology), so all ranks get the same answer. NULL:
	 * always. */
	bool (*fits)(const struct shape *shape);
	/* Appends the rank's steps; a pure function. shape->arg is never 0 if
	 * the algorithm has an argument, unless arg_is_algorithm. size may be 1
	 * and count 0. */
	void (*build)(struct plan *plan, const struct shape *shape, int rank);
	/* Adds to *cost, which the caller has zeroed. sends and moved are exact
	 * for regular shapes. */
	void (*cost)(const struct shape *shape, struct cost *cost);
};

/* An argument among the members of a struct algorithm. */
#define ALGORITHM_ARG(word, usual, least)                                      \
	.arg = word, .arg_default = usual, .arg_min = least

/* A value for `fits`. */
bool fits_commutative(const struct shape *shape);

/* Helpers for `cost`: ceil(log2 n), and the bytes of a block. */
static inline int log2_ceil(int n)
{
	int k = 0;

	while (1 << k < n)
		k++;
	return k;
}

/* Adds as many messages in the other direction, without reductions. */
static inline void cost_both_ways(struct cost *c)
{
	c->rounds *= 2;
	c->together *= 2;
	c->sent *= 2;
	c->bytes *= 2;
	c->sends *= 2;
	c->moved *= 2;
}

/* Returns as which bytes outside of the caches those count that a rank copies:
 * of a vector they keep 16 MiB, where a copy takes a sixth of the time
 * (assumed, as in tools/scale/fabrics). */
static inline double cost_packed(double bytes, double vector)
{
	const double kept = 16 << 20, part = vector > kept ? kept / vector : 1;

	return bytes * (1 - part * 5 / 6);
}

/* The cost of a block from each rank to each other one, one after the other. */
static inline void cost_all_pairs(int n, double block, struct cost *c)
{
	c->rounds = n - 1;
	c->bytes = (n - 1) * block;
	c->sends = (double)n * (n - 1);
	c->moved = n * c->bytes;
}

static inline double shape_bytes(const struct shape *shape)
{
	return (double)shape->count * (double)shape->type_size;
}
#endif
