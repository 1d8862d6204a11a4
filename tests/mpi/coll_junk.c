/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_junk.c passes junk as every argument that is not significant (MPI 5.0,
 * chapter 6): at ranks other than the root, beside MPI_IN_PLACE, and between
 * two groups; in the three forms of every collective.
 */
#include <limits.h>

#include "tests/mpi/inter_pair.h"

struct args {
	const void *sendbuf;
	void *recvbuf;
	int sendcount, recvcount;
	const int *sendcounts, *sdispls, *recvcounts, *rdispls;
	MPI_Datatype sendtype, recvtype;
	const MPI_Datatype *sendtypes, *recvtypes;
	MPI_Op op;
	int root;
	MPI_Comm comm;
	MPI_Request request;
};

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

/* Makes one call in one of its three forms. */
#define CALL(Name, name, ...)                                                  \
	static int call_##Name(struct args *a, enum form form)                 \
	{                                                                      \
		if (form == BLOCKING)                                          \
			return MPI_##Name(__VA_ARGS__, a->comm);               \
		if (form == NONBLOCKING)                                       \
			return MPI_I##name(__VA_ARGS__, a->comm, &a->request); \
		return MPI_##Name##_init(__VA_ARGS__, a->comm, MPI_INFO_NULL,  \
					 &a->request);                         \
	}
#define SEND a->sendbuf, a->sendcount, a->sendtype
#define RECV a->recvbuf, a->recvcount, a->recvtype
#define V_SEND a->sendbuf, a->sendcounts, a->sdispls, a->sendtype
#define V_RECV a->recvbuf, a->recvcounts, a->rdispls, a->recvtype
#define VECTOR a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op
CALL(Bcast, bcast, RECV, a->root)
CALL(Gather, gather, SEND, RECV, a->root)
CALL(Gatherv, gatherv, SEND, V_RECV, a->root)
CALL(Scatter, scatter, SEND, RECV, a->root)
CALL(Scatterv, scatterv, V_SEND, RECV, a->root)
CALL(Allgather, allgather, SEND, RECV)
CALL(Allgatherv, allgatherv, SEND, V_RECV)
CALL(Alltoall, alltoall, SEND, RECV)
CALL(Alltoallv, alltoallv, V_SEND, V_RECV)
CALL(Alltoallw, alltoallw, a->sendbuf, a->sendcounts, a->sdispls, a->sendtypes,
     a->recvbuf, a->recvcounts, a->rdispls, a->recvtypes)
CALL(Reduce, reduce, VECTOR, a->root)
CALL(Allreduce, allreduce, VECTOR)
CALL(Scan, scan, VECTOR)
CALL(Exscan, exscan, VECTOR)
CALL(Reduce_scatter_block, reduce_scatter_block, VECTOR)
CALL(Reduce_scatter, reduce_scatter, a->sendbuf, a->recvbuf, a->recvcounts,
     a->recvtype, a->op)

/* ---- What is significant ------------------------------------------------- */

/* The blocks of a buffer; only the root has one that begins with R_. */
enum blocks { NONE, ONE, EACH, R_ONE, R_EACH };
enum {
	ROOTED = 1,
	REDUCES = 2,
	NO_PLACE = 4, /* never MPI_IN_PLACE */
	ALONE = 8,    /* not between two groups */
	BYTES = 16    /* displacements are in bytes */
};

static const struct kind {
	const char *name;
	int (*call)(struct args *a, enum form form);
	enum blocks send, recv;
	int flags;
} kinds[] = {
#define KIND(Name, send, recv, flags)                                          \
	{                                                                      \
#Name, call_##Name, send, recv, flags                          \
	}
    KIND(Bcast, NONE, ONE, ROOTED | NO_PLACE),
    KIND(Gather, ONE, R_EACH, ROOTED),
    KIND(Gatherv, ONE, R_EACH, ROOTED),
    KIND(Scatter, R_EACH, ONE, ROOTED),
    KIND(Scatterv, R_EACH, ONE, ROOTED),
    KIND(Allgather, ONE, EACH, 0),
    KIND(Allgatherv, ONE, EACH, 0),
    KIND(Alltoall, EACH, EACH, 0),
    KIND(Alltoallv, EACH, EACH, 0),
    KIND(Alltoallw, EACH, EACH, BYTES),
    KIND(Reduce, ONE, R_ONE, ROOTED | REDUCES),
    KIND(Allreduce, ONE, ONE, REDUCES),
    KIND(Scan, ONE, ONE, REDUCES | ALONE),
    KIND(Exscan, ONE, ONE, REDUCES | ALONE),
    KIND(Reduce_scatter_block, EACH, ONE, REDUCES),
    KIND(Reduce_scatter, EACH, ONE, REDUCES)};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

/* A call as one rank sees it. */
struct view {
	const struct kind *kind;
	MPI_Comm comm;
	int side, rank, own, peers; /* `peers` is the size of the other group */
	bool inter, in_place;
	int root_side, root; /* and its rank there */
	int count;	     /* of a block */
	int step;	     /* ints from one element to the next */
};

static bool is_root(const struct view *v)
{
	return v->side == v->root_side && v->rank == v->root;
}

static bool gets_nothing(const struct view *v)
{
	return v->kind->call == call_Exscan && v->rank == 0;
}

static bool is_significant(const struct view *v, bool send)
{
	enum blocks blocks = send ? v->kind->send : v->kind->recv;
	bool of_root = blocks >= R_ONE;
	bool placed_recv = v->kind->send == R_EACH; /* MPI_IN_PLACE is there */

	if (v->in_place && send != placed_recv &&
	    (is_root(v) || !(v->kind->flags & ROOTED)))
		return false;
	if (gets_nothing(v) && !v->in_place && !send)
		return false;
	if (!(v->kind->flags & ROOTED))
		return blocks != NONE;
	if (!v->inter)
		return blocks != NONE && (is_root(v) || !of_root);
	if (v->side == v->root_side)
		return is_root(v) && (of_root || v->kind->send == NONE);
	return blocks != NONE && !of_root;
}

/* ---- Junk ---------------------------------------------------------------- */

static const struct junk {
	uintptr_t address, handle;
	int count;
} junks[] = {{0x5a5a5a5a5a5a5a50, 0x5a5a5a5a5a5a5a50, -7},
	     {0, 0, INT_MAX},
	     {0x10, 7, 1}};
enum { JUNKS = sizeof(junks) / sizeof(*junks) };

#define BURY(to) memcpy(&(to), &junk->handle, sizeof(to))

static void bury(const struct view *v, const struct junk *junk, struct args *a)
{
	void *nowhere = (void *)junk->address; /* NOLINT */
	bool sends = is_significant(v, true),
	     receives = is_significant(v, false);
	bool shared = v->kind->flags & REDUCES && sends;

	if (!sends && a->sendbuf != MPI_IN_PLACE)
		a->sendbuf = nowhere;
	if (!sends) {
		a->sendcount = junk->count;
		a->sendcounts = a->sdispls = nowhere;
		BURY(a->sendtype);
		a->sendtypes = nowhere;
	}
	if (!receives && a->recvbuf != MPI_IN_PLACE)
		a->recvbuf = nowhere;
	if (!receives && !shared) {
		a->recvcount = junk->count;
		a->recvcounts = a->rdispls = nowhere;
		BURY(a->recvtype);
		a->recvtypes = nowhere;
		BURY(a->op);
	}
}

/* ---- Data ---------------------------------------------------------------- */

enum { MOST = 3000 }; /* ints of a block */

static int *out, *in, *counts, *displs;
static MPI_Datatype *types, spread; /* an int and as much behind it */

/* Element j of what a rank sends. */
static int value(int side, int rank, int j)
{
	return side * 1000000 + (rank + 1) * 10000 + j % 9999;
}

static void fill(const struct view *v)
{
	bool to_all = v->kind->send == EACH || v->kind->send == R_EACH;
	bool reduces = v->kind->flags & REDUCES;
	int n = v->count * (!to_all ? 1 : reduces ? v->own : v->peers);
	int from = 0;

	for (int k = 0; k < np * v->count * v->step; k++)
		in[k] = out[k] = -1;
	if (v->kind->send == NONE) {
		for (int k = 0; k < n && is_root(v); k++)
			in[k * v->step] = value(v->side, v->rank, k);
		return;
	}
	for (int k = 0; k < n; k++)
		out[k * v->step] = value(v->side, v->rank, k);
	if (!v->in_place || v->kind->send == R_EACH)
		return;
	if (!to_all && !reduces)
		from = v->rank * n;
	for (int k = 0; k < n; k++)
		in[(from + k) * v->step] = out[k * v->step];
}

static bool contributes(const struct view *v, int r)
{
	return v->kind->call == call_Scan     ? r <= v->rank
	       : v->kind->call == call_Exscan ? r < v->rank
					      : true;
}

/* Returns the value that element i of block b must have. */
static int wanted(const struct view *v, int b, int i)
{
	bool to_all = v->kind->send == EACH || v->kind->send == R_EACH;
	int j = to_all ? v->rank * v->count + i : i, sum = 0;
	int from = v->inter ? !v->side : 0;

	if (!(v->kind->flags & REDUCES))
		return value(from, v->kind->recv == ONE ? v->root : b, j);
	for (int r = 0; r < v->peers; r++)
		sum += contributes(v, r) ? value(from, r, j) : 0;
	return sum;
}

static void check(const struct view *v)
{
	bool all = v->kind->recv == EACH || v->kind->recv == R_EACH;
	bool good = true;

	if (!is_significant(v, false) || gets_nothing(v) ||
	    (v->inter && v->kind->send == NONE && is_root(v)))
		return;
	for (int b = 0; b < (all ? v->peers : 1); b++)
		for (int i = 0; i < v->count; i++)
			good &=
			    in[(b * v->count + i) * v->step] == wanted(v, b, i);
	if (!CHECK(good))
		fprintf(stderr, "MPI_%s of %d, rank %d of side %d\n",
			v->kind->name, v->count, v->rank, v->side);
}

/* ---- Cases --------------------------------------------------------------- */

static enum form form;

static void run_form(const struct view *v, struct args *a)
{
	if (!OK(v->kind->call(a, form)))
		return;
	for (int k = 0; form != BLOCKING && k < 2 && a->request; k++) {
		if (form == PERSISTENT)
			OK(MPI_Start(&a->request));
		OK(MPI_Wait(&a->request, MPI_STATUS_IGNORE));
		if (form == PERSISTENT && k == 0)
			fill(v);
	}
	if (form == PERSISTENT)
		OK(MPI_Request_free(&a->request));
}

static void run(const struct view *v, const struct junk *junk)
{
	MPI_Datatype type = v->step == 1 ? MPI_INT : spread;
	struct args a = {.sendbuf = out,
			 .recvbuf = in,
			 .sendcount = v->count,
			 .recvcount = v->count,
			 .sendcounts = counts,
			 .sdispls = displs,
			 .recvcounts = counts,
			 .rdispls = displs,
			 .sendtype = type,
			 .recvtype = type,
			 .sendtypes = types,
			 .recvtypes = types,
			 .op = MPI_SUM,
			 .root = v->root,
			 .comm = v->comm,
			 .request = MPI_REQUEST_NULL};
	int size = v->kind->flags & BYTES ? 4 * v->step : 1;

	for (int r = 0; r < np; r++) {
		counts[r] = v->count;
		displs[r] = r * v->count * size;
		types[r] = type;
	}
	if (v->inter && v->side == v->root_side)
		a.root = is_root(v) ? MPI_ROOT : MPI_PROC_NULL;
	if (v->in_place && v->kind->send == R_EACH && is_root(v))
		a.recvbuf = MPI_IN_PLACE;
	else if (v->in_place && v->kind->send != R_EACH &&
		 (is_root(v) || !(v->kind->flags & ROOTED)))
		a.sendbuf = MPI_IN_PLACE;
	bury(v, junk, &a);
	fill(v);
	run_form(v, &a);
	check(v);
}

static void with_counts(struct view *v)
{
	static const int lengths[] = {1, 5, 300};

	for (int k = 0; k < 3; k++)
		for (int j = 0; j < JUNKS; j++)
			for (v->step = 1; v->step <= 2; v->step++) {
				bool reduces = v->kind->flags & REDUCES;

				if (reduces && v->step > 1)
					continue;
				v->count = lengths[k];
				if (v->inter && reduces &&
				    v->kind->send == EACH)
					v->count *= v->peers;
				run(v, &junks[j]);
			}
}

static void with_kinds(struct view v)
{
	for (int k = 0; k < KINDS; k++) {
		v.kind = &kinds[k];
		if (v.inter ? v.kind->flags & ALONE
			    : v.in_place && v.kind->flags & NO_PLACE)
			continue;
		if (v.kind->flags & ROOTED || (!v.root && !v.root_side))
			with_counts(&v);
	}
}

static void one_group(bool in_place)
{
	struct view v = {.comm = W,
			 .rank = me,
			 .own = np,
			 .peers = np,
			 .in_place = in_place};

	for (v.root = 0; v.root<np; v.root += np> 1 ? np - 1 : 1)
		with_kinds(v);
}

static void two_groups(struct pair *p)
{
	struct view v = {.comm = p->inter,
			 .side = p->side,
			 .rank = p->rank,
			 .own = p->own,
			 .peers = p->other,
			 .inter = true};

	for (v.root_side = 0; v.root_side < 2; v.root_side++) {
		int last = (p->side == v.root_side ? p->own : p->other) - 1;

		for (v.root = 0; v.root <= last; v.root += last ? last : 1)
			with_kinds(v);
	}
}

static void plain(void)
{
	for (form = 0; form < FORMS; form++)
		one_group(false);
}

static void in_place(void)
{
	for (form = 0; form < FORMS; form++)
		one_group(true);
}

static void between(void)
{
	for (form = 0; form < FORMS; form++)
		each_pair(two_groups);
}

static void types_free(void)
{
	OK(MPI_Type_free(&spread));
}

static const struct mpi_case cases[] = {{"at others than the root", plain},
					{"beside MPI_IN_PLACE", in_place},
					{"between two groups", between},
					{"types are freed", types_free},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	size_t n;

	MPI_Init(&argc, &argv);
	MPI_Comm_size(W, &np);
	n = (size_t)np;
	in = malloc(n * MOST * 2 * sizeof(*in));
	out = malloc(n * MOST * 2 * sizeof(*out));
	counts = malloc(n * sizeof(*counts));
	displs = malloc(n * sizeof(*displs));
	types = malloc(n * sizeof(*types));
	MPI_Type_create_resized(MPI_INT, 0, 8, &spread);
	MPI_Type_commit(&spread);
	return mpi_test_run(argc, argv, cases);
}
