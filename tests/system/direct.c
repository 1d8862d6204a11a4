/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.c calls the collectives of coll/node/direct.h directly, in an order
 * drawn from a seed: any length up to direct_max, any root, in place or not.
 * Now and then one of them is repeated many times while ranks are late, so that
 * others run ahead. Payloads differ from round to round; doubles are added in
 * the order of ranks, which rounding shows. The rounds run first with the
 * buffers of world, then in a region without buffers; then ranks call different
 * things. Rank 0 prints TAP.
 *
 *   direct ROUNDS [SEED]
 */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "coll/node/direct.h"
#include "coll/op/op.h"
#include "mrt.h"

enum {
	MOST = 8 * DIRECT_LONG, /* bytes of the longest result */
	WORDS = MOST / sizeof(double)
};

static int me, n, failed;
static unsigned seed = 12345; /* equal on all ranks */
static struct direct direct;
static double in[WORDS + 1], out[WORDS + 1];

static unsigned draw(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % below;
}

/* ---- Inputs, results ----------------------------------------------------- */

struct round {
	unsigned number;
	size_t count; /* of the vector or of a block, in doubles */
	int root;
	bool in_place;
};

/* Returns an element that a rank sends. Sums of these depend on the order of
 * adding; they are whole numbers where lines are added as they come up the
 * tree. */
static double input(const struct round *r, int rank, size_t i)
{
	unsigned h = (r->number * 31u + (unsigned)rank) * 2654435761u +
		     (unsigned)i * 40503u;

	if (n > 16)
		return h >> 20;
	return (double)(h ^ h >> 13) / (rank % 3 == 1 ? 3e9 : 7.0);
}

static double sum(const struct round *r, int ranks, size_t i)
{
	double s = input(r, 0, i);

	for (int q = 1; q < ranks; q++)
		s += input(r, q, i);
	return s;
}

static void fill(const struct round *r, double *at, size_t count)
{
	for (size_t i = 0; i < count; i++)
		at[i] = input(r, me, i);
}

/* Returns where the input goes: the own place in out, or in. */
static double *place(const struct round *r, size_t at)
{
	return r->in_place ? out + at : in;
}

/* Returns whether out holds the input elements from `from` + i of rank q. */
static bool is_of(const struct round *r, const double *at, int q, size_t from)
{
	for (size_t i = 0; i < r->count; i++)
		if (at[i] != input(r, q, from + i))
			return false;
	return true;
}

static bool is_sum(const struct round *r, int ranks, size_t from)
{
	for (size_t i = 0; i < r->count; i++)
		if (out[i] != sum(r, ranks, from + i))
			return false;
	return true;
}

/* ---- Collectives --------------------------------------------------------- */

static size_t bytes_of(const struct round *r)
{
	return r->count * sizeof(double);
}

static bool try_barrier(const struct round *r)
{
	(void)r;
	return !direct_barrier(&comm_world, &direct);
}

static bool try_bcast(const struct round *r)
{
	if (me == r->root)
		fill(r, out, r->count);
	return !direct_bcast(&comm_world, &direct, out, bytes_of(r), r->root) &&
	       is_of(r, out, r->root, 0);
}

static bool try_gather(const struct round *r)
{
	double *send = me == r->root ? place(r, (size_t)me * r->count) : in;
	bool good = true;

	fill(r, send, r->count);
	if (direct_gather(&comm_world, &direct, send, bytes_of(r), out,
			  r->root))
		return false;
	for (int q = 0; q < n && me == r->root; q++)
		good &= is_of(r, out + (size_t)q * r->count, q, 0);
	return good;
}

static bool try_scatter(const struct round *r)
{
	size_t at = (size_t)me * r->count;
	double *recv = me == r->root && r->in_place ? in + at : out;
	bool good;

	if (me == r->root)
		fill(r, in, (size_t)n * r->count);
	if (direct_scatter(&comm_world, &direct, in, bytes_of(r), recv,
			   r->root))
		return false;
	good = is_of(r, recv, r->root, at);
	/* nobody reads the root's buffer any more */
	if (me == r->root)
		memset(in, 0, (size_t)n * bytes_of(r));
	return good;
}

static bool try_allgather(const struct round *r)
{
	double *send = place(r, (size_t)me * r->count);
	bool good = true;

	fill(r, send, r->count);
	if (direct_allgather(&comm_world, &direct, send, bytes_of(r), out))
		return false;
	for (int q = 0; q < n; q++)
		good &= is_of(r, out + (size_t)q * r->count, q, 0);
	return good;
}

static bool try_alltoall(const struct round *r)
{
	double *send = place(r, 0);
	bool good = true;

	fill(r, send, (size_t)n * r->count);
	if (direct_alltoall(&comm_world, &direct, send, bytes_of(r), out))
		return false;
	for (int q = 0; q < n; q++)
		good &= is_of(r, out + (size_t)q * r->count, q,
			      (size_t)me * r->count);
	return good;
}

static struct direct_reduce reduction(const struct round *r, size_t count)
{
	double *send = place(r, 0);

	fill(r, send, count);
	return (struct direct_reduce){send, out, r->count, op_get(MRT_SUM),
				      type_get(MRT_DOUBLE)};
}

static bool try_reduce(const struct round *r)
{
	struct direct_reduce d = reduction(r, r->count);

	if (me != r->root)
		d.recv = NULL;
	return !direct_reduce(&comm_world, &direct, &d, r->root) &&
	       (me != r->root || is_sum(r, n, 0));
}

static bool try_allreduce(const struct round *r)
{
	struct direct_reduce d = reduction(r, r->count);

	return !direct_allreduce(&comm_world, &direct, &d) && is_sum(r, n, 0);
}

static bool try_reduce_scatter(const struct round *r)
{
	struct direct_reduce d = reduction(r, (size_t)n * r->count);

	return !direct_reduce_scatter(&comm_world, &direct, &d) &&
	       is_sum(r, n, (size_t)me * r->count);
}

/* The blocks of rank q: all but the last have a length that depends on q. */
static size_t listed(const struct round *r, int q, size_t *at)
{
	size_t most = r->count / (size_t)n + 1, total = 0, len = 0;

	for (int k = 0; k <= q; k++) {
		total += len;
		len = k == n - 1 ? r->count - total
				 : (size_t)(k + r->root) * 7 % most;
		if (len > r->count - total)
			len = r->count - total;
	}
	*at = total;
	return len;
}

static bool try_reduce_scatter_list(const struct round *r)
{
	struct direct_reduce d = reduction(r, r->count);
	struct round block = *r;
	size_t at;

	block.count = d.count = listed(r, me, &at);
	return !direct_reduce_scatter_list(&comm_world, &direct, &d, at,
					   r->count) &&
	       is_sum(&block, n, at);
}

static bool try_scan(const struct round *r)
{
	struct direct_reduce d = reduction(r, r->count);

	return !direct_scan(&comm_world, &direct, &d) && is_sum(r, me + 1, 0);
}

static bool try_exscan(const struct round *r)
{
	struct direct_reduce d = reduction(r, r->count);

	if (direct_exscan(&comm_world, &direct, &d))
		return false;
	return me == 0 ? !r->in_place || is_of(r, out, 0, 0) : is_sum(r, me, 0);
}

static const struct kind {
	const char *name;
	enum collective collective;
	bool (*run)(const struct round *r);
} kinds[] = {
    {"barrier", COLL_BARRIER, try_barrier},
    {"bcast", COLL_BCAST, try_bcast},
    {"gather", COLL_GATHER, try_gather},
    {"scatter", COLL_SCATTER, try_scatter},
    {"allgather", COLL_ALLGATHER, try_allgather},
    {"alltoall", COLL_ALLTOALL, try_alltoall},
    {"reduce", COLL_REDUCE, try_reduce},
    {"allreduce", COLL_ALLREDUCE, try_allreduce},
    {"reduce_scatter", COLL_REDUCE_SCATTER_BLOCK, try_reduce_scatter},
    {"reduce_scatter of a list", COLL_REDUCE_SCATTER, try_reduce_scatter_list},
    {"scan", COLL_SCAN, try_scan},
    {"exscan", COLL_EXSCAN, try_exscan},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* ---- Rounds -------------------------------------------------------------- */

/* Draws a length in doubles, mostly short, at most direct_max and MOST. */
static size_t draw_count(enum collective collective)
{
	/* clang-format off */
	static const unsigned bytes[] = {
	    8, DIRECT_LINE, DIRECT_LINE + 8, DIRECT_WIDE, 2048,
	    DIRECT_SLICE, DIRECT_SLICE + 8, 2 * DIRECT_SLICE + 8,
	    DIRECT_LONG, DIRECT_LONG + 8, MOST};
	size_t most = direct_max(&comm_world, &direct, collective);
	size_t limit = bytes[draw(16) ? draw(5) : draw(11)];

	if (limit > MOST / (size_t)n)
		limit = MOST / (size_t)n;
	if (limit > most)
		limit = most;
	limit /= sizeof(double);
	if (limit == 0)
		return 0;
	return draw(2) ? limit : 1 + draw((unsigned)limit);
}

/* Makes a rank late, now and then. */
static void dawdle(unsigned number)
{
	if (((number * 31u + (unsigned)me) * 2654435761u) >> 27)
		return;
	for (int i = 0; i < 300; i++)
		sched_yield();
}

static const struct kind *draw_round(struct round *r)
{
	const struct kind *kind = &kinds[draw(KINDS)];

	r->count = draw_count(kind->collective);
	r->root = (int)draw((unsigned)n);
	r->in_place = draw(2);
	return r->count || kind->collective == COLL_BARRIER ? kind : NULL;
}

/* Reports the first wrong result; later ones follow from it. */
static bool rounds(unsigned how_many, const char *what)
{
	const struct kind *kind = NULL;
	unsigned again = 0;
	struct round r;
	bool good = true;

	for (r.number = 0; r.number < how_many && good; r.number++) {
		if (!kind || again-- == 0) {
			kind = draw_round(&r);
			again = draw(16) ? 0 : draw(150);
		}
		if (!kind)
			continue;
		dawdle(r.number);
		out[(size_t)n * r.count] = -1;
		good = kind->run(&r) && out[(size_t)n * r.count] == -1;
		if (!good)
			fprintf(stderr, "rank %d: %s: round %u: %s of %zu "
				"doubles, root %d%s\n", me, what, r.number,
				kind->name, r.count, r.root,
				r.in_place ? ", in place" : "");
	}
	/* clang-format on */
	return good;
}

/* ---- Ranks that differ ----------------------------------------------------
 */

static bool fails(int rc, bool expected, const char *what)
{
	if ((rc == MRT_ERR_COLLECTIVE) == expected)
		return true;
	fprintf(stderr, "rank %d: %s: %d\n", me, what, rc);
	return false;
}

/* Rank 1 calls with another operation: it sees the difference, and the ranks
 * above it learn of it. */
static bool scans(unsigned bytes, const char *what)
{
	struct direct_reduce d = {in, out, bytes / sizeof(double),
				  op_get(me == 1 ? MRT_MAX : MRT_SUM),
				  type_get(MRT_DOUBLE)};

	return fails(direct_scan(&comm_world, &direct, &d), me > 0, what);
}

/* Rank 1 takes only one line: all see the difference. */
static bool allreduces(unsigned bytes, const char *what)
{
	struct direct_reduce d = {in, out, me == 1 ? 1 : bytes / sizeof(double),
				  op_get(MRT_SUM), type_get(MRT_DOUBLE)};

	return fails(direct_allreduce(&comm_world, &direct, &d), true, what);
}

/* Rank 0 takes several epochs, in which it waits for nobody, and the others
 * one: the others see it, and rank 0 learns of it in its next call. */
static bool out_of_step(unsigned bytes, const char *what)
{
	struct direct_reduce d = {in, out, 1, op_get(MRT_SUM),
				  type_get(MRT_DOUBLE)};

	if (me)
		return fails(direct_allreduce(&comm_world, &direct, &d), true,
			     what);
	return fails(direct_bcast(&comm_world, &direct, in, bytes, 0), false,
		     what) &&
	       fails(direct_barrier(&comm_world, &direct), true, what);
}

/* ---- Pages ----------------------------------------------------------------
 */

/* Calls allgathers of so many bytes, which must not cost more page faults. */
static bool allgathers(unsigned calls, size_t bytes, long most,
		       const char *what)
{
	struct rusage before, after;
	bool good = true;
	long faults;

	getrusage(RUSAGE_SELF, &before);
	for (unsigned k = 0; k < calls && good; k++)
		good = !direct_allgather(&comm_world, &direct, in, bytes, out);
	getrusage(RUSAGE_SELF, &after);
	faults = after.ru_minflt - before.ru_minflt;
	if (faults > most)
		fprintf(stderr, "rank %d: %s: %ld page faults\n", me, what,
			faults);
	return good && faults <= most;
}

/* The first payloads of an epoch each cost a reader a page fault for a few
 * pages, not for one of each rank; a sanitizer's own memory costs some, too. */
static bool few_faults(unsigned epochs, const char *what)
{
	enum { BYTES = DIRECT_LINE + 8, PAGE = 4096 };

	return allgathers(epochs, BYTES,
			  n * (long)epochs * DIRECT_WIDE / PAGE * 3 / 4, what);
}

/* Two calls with payloads of one slice touch new slices, and eight more use
 * these again. */
static bool old_slices(unsigned most, const char *what)
{
	return allgathers(2, DIRECT_SLICE, LONG_MAX, what) &&
	       allgathers(8, DIRECT_SLICE, most, what);
}

/* Calls body(argument, what) in a region of its own. */
static void run(bool body(unsigned argument, const char *what),
		unsigned argument, bool buffers, const char *what)
{
	int32_t region = me == 0 ? direct_take(&comm_world, DIRECT_SLOTS) : 0;
	int good, all;

	mrt_bcast(&region, 1, MRT_INT32, 0, MRT_COMM_WORLD);
	direct_attach(&comm_world, &direct, region);
	/* the slices of world, which does not use them in the meantime */
	direct.slices = buffers ? direct_slices(&comm_world) : 0;
	mrt_barrier(MRT_COMM_WORLD);
	good = region && body(argument, what);
	mrt_allreduce(&good, &all, 1, MRT_INT, MRT_MIN, MRT_COMM_WORLD);
	if (me == 0) {
		printf("%sok - %s\n", all ? "" : "not ", what);
		direct_give(&direct, mrt_size(MRT_COMM_WORLD));
	}
	failed += !all;
}

int main(int argc, char **argv)
{
	unsigned how_many = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;

	if (argc > 2)
		seed = (unsigned)atoi(argv[2]);
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(MRT_COMM_WORLD);
	n = mrt_size(MRT_COMM_WORLD);
	if (n > 16)
		run(few_faults, DIRECT_SLOTS, true, "few page faults");
	run(old_slices, 24, true, "slices are used again");
	run(rounds, how_many, true, "lines and buffers");
	run(rounds, how_many, false, "lines alone");
	run(scans, DIRECT_LONG, true, "scans that differ");
	run(allreduces, DIRECT_LONG, true, "allreduces that differ");
	/* up a tree rank 0 reports nothing as long as it calls another
	 * collective */
	if (n <= 16)
		run(out_of_step, DIRECT_LONG, true, "ranks out of step");
	return mrt_finalize() || failed;
}
