/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.c: collectives on one-sided operations, one after the other and several
 * at once. Algorithms, radices, counts, operations, communicators and roots
 * change from call to call, message algorithms come in between, and ranks are
 * late by turns. Values differ from call to call, so that leftovers of an
 * earlier call show. Rank 0 prints a line for each seed.
 *
 *   cells [--rounds N] [--seed S] [--seeds K] [--barriers N] [--die N]
 *
 * --barriers: this many barriers back to back come first. --die: the last rank
 * kills itself in this round. Force an algorithm with cells
 * (MRT_BARRIER=atomic), so that all communicators have cells.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/system/storm.h"

enum { COMMS = 4, BATCH = 5, COUNT_MAX = 300 };

static int me, np, failures;
static long die_at;
static struct mrt_comm *comms[COMMS];
static struct mrt_op *compose;
static uint64_t all; /* state of the draws that are equal on all ranks */
static uint64_t own; /* state of this rank's own draws */

#define W MRT_COMM_WORLD
#define CHECK(condition)                                                       \
	do {                                                                   \
		if (!(condition)) {                                            \
			failures++;                                            \
			fprintf(stderr, "rank %d: %s:%d: %s\n", me, __FILE__,  \
				__LINE__, #condition);                         \
		}                                                              \
	} while (0)

/* ---- What is computed --------------------------------------------------- */

/* Composes maps x -> a x + b modulo 2^32, which do not commute. */
static uint64_t then(uint64_t l, uint64_t r)
{
	uint32_t a = (uint32_t)(l >> 32), b = (uint32_t)l;
	uint32_t c = (uint32_t)(r >> 32), d = (uint32_t)r;

	return (uint64_t)(a * c) << 32 | (b * c + d);
}

static void compose_all(const void *in, void *inout, size_t count,
			struct mrt_type *type, void *context)
{
	const uint64_t *l = in;
	uint64_t *r = inout;

	for (size_t i = 0; i < count; i++)
		r[i] = then(l[i], r[i]);
}

enum op { SUM, MIN, MAX, BXOR, COMPOSE, OPS };

static uint64_t apply(enum op op, uint64_t l, uint64_t r)
{
	switch (op) {
	case SUM:
		return l + r;
	case MIN:
		return r < l ? r : l;
	case MAX:
		return r > l ? r : l;
	case BXOR:
		return l ^ r;
	default:
		return then(l, r);
	}
}

static struct mrt_op *handle(enum op op)
{
	struct mrt_op *const handles[] = {MRT_SUM, MRT_MIN, MRT_MAX, MRT_BXOR,
					  compose};

	return handles[op];
}

/* ---- A call ------------------------------------------------------------- */

enum kind { BARRIER, ALLREDUCE, BCAST, KINDS };

struct call {
	enum kind kind;
	enum op op;
	int comm, root;
	bool in_place, nonblocking;
	size_t count;
	uint64_t salt;
	uint64_t in[COUNT_MAX], out[COUNT_MAX];
	struct mrt_request *request;
};

static int world_rank(int comm, int rank)
{
	switch (comm) {
	case 1:
		return np - 1 - rank;
	case 2:
		return 2 * rank + me % 2;
	default:
		return rank;
	}
}

static uint64_t input(const struct call *c, int rank, size_t i)
{
	uint64_t state =
	    c->salt + (uint64_t)world_rank(c->comm, rank) * 977 + i;

	return storm_random(&state);
}

static const char *pick(const char *const *names, unsigned n)
{
	static char text[64];
	unsigned radix = 2 + storm_below(&all, 8);
	const char *name = names[storm_below(&all, n)];

	snprintf(text, sizeof(text), strchr(name, ':') ? "%s%u" : "%s", name,
		 radix);
	return text;
}

static void choose_algorithm(enum kind kind)
{
	static const char *const barriers[] = {"atomic:", "atomic:", "atomic",
					       "dissemination"};
	static const char *const allreduces[] = {
	    "fetch_add:", "fetch_add", "compare_swap:",	    "compare_swap",
	    "slots:",	  "slots",     "recursive_doubling"};

	if (kind == BARRIER)
		CHECK(!mrt_set_algorithm("barrier", pick(barriers, 4)));
	else if (kind == ALLREDUCE)
		CHECK(!mrt_set_algorithm("allreduce", pick(allreduces, 7)));
}

static void draw(struct call *c)
{
	/* most counts are short enough for all algorithms */
	static const size_t most[] = {1, 8, 64, 128, COUNT_MAX};

	c->kind = (enum kind)storm_below(&all, KINDS);
	c->op = storm_below(&all, 2) ? SUM : storm_below(&all, OPS);
	c->comm = (int)storm_below(&all, COMMS);
	/* the halves may differ in size by one */
	c->root = (int)storm_below(
	    &all, c->comm == 2 && np > 1 ? (unsigned)np / 2 : (unsigned)np);
	c->nonblocking = storm_below(&all, 2);
	c->in_place = storm_below(&all, 2);
	c->count = 1 + storm_below(&all, (unsigned)most[storm_below(&all, 5)]);
	c->salt = storm_random(&all);
	c->request = MRT_REQUEST_NULL;
}

static void start(struct call *c)
{
	struct mrt_comm *comm = comms[c->comm];
	struct mrt_op *op = handle(c->op);
	const void *from = c->in_place ? MRT_IN_PLACE : c->in;
	int rank = mrt_rank(comm);

	for (size_t i = 0; i < c->count; i++) {
		c->out[i] = ~0ull;
		c->in[i] = input(c, rank, i);
	}
	if (c->in_place || (c->kind == BCAST && rank == c->root))
		memcpy(c->out, c->in, sizeof(c->in));
	choose_algorithm(c->kind);
	if (c->kind == BARRIER)
		CHECK(!(c->nonblocking ? mrt_ibarrier(comm, &c->request)
				       : mrt_barrier(comm)));
	else if (c->kind == BCAST)
		CHECK(!(c->nonblocking
			    ? mrt_ibcast(c->out, c->count, MRT_UINT64, c->root,
					 comm, &c->request)
			    : mrt_bcast(c->out, c->count, MRT_UINT64, c->root,
					comm)));
	else
		CHECK(!(c->nonblocking
			    ? mrt_iallreduce(from, c->out, c->count, MRT_UINT64,
					     op, comm, &c->request)
			    : mrt_allreduce(from, c->out, c->count, MRT_UINT64,
					    op, comm)));
}

static uint64_t expected(const struct call *c, size_t i)
{
	uint64_t x = input(c, c->kind == BCAST ? c->root : 0, i);
	int n = mrt_size(comms[c->comm]);

	for (int r = 1; r < n && c->kind == ALLREDUCE; r++)
		x = apply(c->op, x, input(c, r, i));
	return x;
}

static void check(const struct call *c)
{
	int bad = 0;

	for (size_t i = 0; i < c->count && c->kind != BARRIER; i++)
		bad += c->out[i] != expected(c, i);
	CHECK(!bad);
}

/* ---- Rounds ------------------------------------------------------------- */

/* Makes this rank late, now and then. */
static void dawdle(void)
{
	unsigned turns = storm_below(&own, 16) ? 0 : storm_below(&own, 30000);

	for (volatile unsigned k = 0; k < turns; k++)
		;
}

static void batch(struct call *calls)
{
	struct mrt_request *requests[BATCH];
	unsigned n = 1 + storm_below(&all, BATCH), first;

	for (unsigned k = 0; k < n; k++) {
		draw(&calls[k]);
		dawdle();
		start(&calls[k]);
	}
	/* each rank waits in an order of its own */
	first = storm_below(&own, n);
	for (unsigned k = 0; k < n; k++)
		requests[k] = calls[(first + k) % n].request;
	CHECK(!mrt_waitall(n, requests, MRT_STATUSES_IGNORE));
	for (unsigned k = 0; k < n; k++)
		check(&calls[k]);
}

static void run(uint64_t seed, long rounds)
{
	static struct call calls[BATCH];
	int total;

	all = seed;
	own = seed * 64 + (uint64_t)me;
	if (storm_reseed)
		storm_reseed(seed);
	failures = 0;
	for (long r = 0; r < rounds && !failures; r++) {
		if (r == die_at && me == np - 1)
			raise(SIGKILL);
		batch(calls);
	}
	mrt_allreduce(&failures, &total, 1, MRT_INT, MRT_SUM, W);
	if (me == 0)
		printf("%sok - seed %llu, %ld rounds\n", total ? "not " : "",
		       (unsigned long long)seed, rounds);
	fflush(stdout);
	failures = total;
}

/* Returns where the right neighbour counts its barriers, or NULL if it is not
 * on this node. */
static volatile long *neighbour(volatile long *mine)
{
	uint64_t here = (uintptr_t)mine, there;
	void *local = NULL;

	mrt_sendrecv(&here, 1, MRT_UINT64, (me + np - 1) % np, 1, &there, 1,
		     MRT_UINT64, (me + 1) % np, 1, W, MRT_STATUS_IGNORE);
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (mrt_map(there, sizeof(*mine), (me + 1) % np, W, &local))
		local = NULL;
	mrt_set_error_mode(MRT_ERRORS_FATAL);
	return local;
}

/* Each rank counts before it enters: a rank that has left sees that its
 * neighbour has entered this barrier, and not the one after the next. */
static void run_barriers(long n)
{
	volatile long *mine, *theirs;
	long bad = 0;
	void *memory;
	int total;

	mrt_alloc(sizeof(*mine), &memory);
	mine = memory;
	theirs = neighbour(mine);
	for (long k = 1; k <= n; k++) {
		dawdle();
		*mine = k;
		mrt_barrier(W);
		bad += theirs && (*theirs < k || *theirs > k + 1);
	}
	failures = bad > 0;
	mrt_allreduce(&failures, &total, 1, MRT_INT, MRT_SUM, W);
	mrt_free(memory);
	if (me == 0)
		printf("%sok - %ld barriers%s\n", total ? "not " : "", n,
		       theirs ? "" : ", unobserved");
	failures = total;
}

static long number(int argc, char **argv, const char *name, long otherwise)
{
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], name))
			return atol(argv[i + 1]);
	return otherwise;
}

int main(int argc, char **argv)
{
	long seed = number(argc, argv, "--seed", 1);
	long seeds = number(argc, argv, "--seeds", 1), bad = 0;

	die_at = number(argc, argv, "--die", -1);
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	comms[0] = W;
	mrt_comm_split(W, 0, -me, &comms[1]);
	mrt_comm_split(W, me % 2, 0, &comms[2]);
	mrt_comm_dup(W, &comms[3]);
	mrt_op_create(compose_all, NULL, 0, &compose);
	run_barriers(number(argc, argv, "--barriers", 0));
	bad += failures;
	for (long k = 0; k < seeds && !bad; k++) {
		run((uint64_t)(seed + k), number(argc, argv, "--rounds", 1000));
		bad += failures;
	}
	mrt_op_free(&compose);
	for (int k = 1; k < COMMS; k++)
		mrt_comm_free(&comms[k]);
	return mrt_finalize() || bad;
}
