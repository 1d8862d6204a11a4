/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_near.c tests collectives among neighbours (MPI 4.1, 8.6): in grids with
 * dimensions of size 1 and 2, periodic or not, and in graphs with any number of
 * edges between two ranks; lengths match edge by edge only.
 */
#include "tests/mpi/coll_trial.h"

/* The edges that connect ranks: block i of my dests is block j of theirs. */
struct near {
	MPI_Comm comm;
	int nsources, ndests;
	int *sources, *dests;		/* ranks, or MPI_PROC_NULL */
	int *source_edges, *dest_edges; /* numbers that both ends know */
};

struct kind {
	const char *name;
	enum lie lie;
	bool one; /* one block for all neighbours */
	int (*call)(struct trial *t, enum form form);
};

#define CALL(Name, name, ...)                                                  \
	static int call_##Name(struct trial *t, enum form form)                \
	{                                                                      \
		switch (form) {                                                \
		case BLOCKING:                                                 \
			return MPI_##Name(__VA_ARGS__, t->comm);               \
		case NONBLOCKING:                                              \
			return MPI_I##name(__VA_ARGS__, t->comm, &t->request); \
		default:                                                       \
			return MPI_##Name##_init(__VA_ARGS__, t->comm,         \
						 MPI_INFO_NULL, &t->request);  \
		}                                                              \
	}
#define SEND t->sendbuf, t->send.counts[0], t->send.types[t->send.n]
#define RECV t->recvbuf, t->recv.counts[0], t->recv.types[t->recv.n]
#define V_SEND                                                                 \
	t->sendbuf, t->send.counts, t->send.displs, t->send.types[t->send.n]
#define V_RECV                                                                 \
	t->recvbuf, t->recv.counts, t->recv.displs, t->recv.types[t->recv.n]
CALL(Neighbor_allgather, neighbor_allgather, SEND, RECV)
CALL(Neighbor_allgatherv, neighbor_allgatherv, SEND, V_RECV)
CALL(Neighbor_alltoall, neighbor_alltoall, SEND, RECV)
CALL(Neighbor_alltoallv, neighbor_alltoallv, V_SEND, V_RECV)
CALL(Neighbor_alltoallw, neighbor_alltoallw, t->sendbuf, t->send.counts,
     t->send.far, t->send.types, t->recvbuf, t->recv.counts, t->recv.far,
     t->recv.types)

static const struct kind kinds[] = {
    {"Neighbor_allgather", REGULAR, true, call_Neighbor_allgather},
    {"Neighbor_allgatherv", ELEMENTS, true, call_Neighbor_allgatherv},
    {"Neighbor_alltoall", REGULAR, false, call_Neighbor_alltoall},
    {"Neighbor_alltoallv", ELEMENTS, false, call_Neighbor_alltoallv},
    {"Neighbor_alltoallw", BYTES, false, call_Neighbor_alltoallw}};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static int length(const struct trial *t, const struct kind *kind, int from,
		  int edge)
{
	if (kind->lie == REGULAR)
		return UNIT * draw(t, 1, 0, 0, 4);
	return UNIT * draw(t, 1, from, kind->one ? 0 : edge, 4);
}

static void make(struct trial *t, const struct kind *kind,
		 const struct near *near, uint64_t seed)
{
	memset(t, 0, sizeof(*t));
	t->seed = seed;
	t->comm = near->comm;
	MPI_Comm_rank(t->comm, &t->rank);
	MPI_Comm_size(t->comm, &t->size);
	t->derived = draw(t, 2, 0, 0, 4) != 0;
	blocks_make(&t->send, kind->one ? 1 : near->ndests);
	blocks_make(&t->recv, near->nsources);
	for (int i = 0; i < t->send.n; i++) {
		int edge = kind->one ? 0 : near->dest_edges[i];

		t->send.key[i] = edge;
		t->send.ints[i] = length(t, kind, t->rank, edge);
	}
	for (int i = 0; i < t->recv.n; i++) {
		t->recv.peer[i] = near->sources[i];
		t->recv.key[i] = kind->one ? 0 : near->source_edges[i];
		t->recv.ints[i] =
		    length(t, kind, near->sources[i] + 3, t->recv.key[i]);
		if (near->sources[i] >= 0)
			t->recv.ints[i] =
			    length(t, kind, near->sources[i], t->recv.key[i]);
	}
	blocks_place(t, &t->send, kind->one ? REGULAR : kind->lie, 0);
	blocks_place(t, &t->recv, kind->lie, 1);
	t->sendbuf = t->send.buf;
	t->recvbuf = t->recv.buf;
	trial_fill(t);
}

static void run_one(const struct near *near, const struct kind *kind,
		    enum form form, uint64_t seed)
{
	struct trial t;

	make(&t, kind, near, seed);
	OK(kind->call(&t, form));
	for (int k = 0; k < (form == PERSISTENT ? 3 : 1); k++) {
		if (form == PERSISTENT)
			OK(MPI_Start(&t.request));
		if (form != BLOCKING)
			OK(MPI_Wait(&t.request, MPI_STATUS_IGNORE));
		trial_check(&t, kind->name, "among neighbours");
		t.round++;
		trial_fill(&t);
	}
	if (form == PERSISTENT)
		OK(MPI_Request_free(&t.request));
	trial_free(&t);
}

static void run(const struct near *near, uint64_t seed)
{
	for (int k = 0; k < KINDS; k++)
		for (int form = 0; form < FORMS; form++)
			run_one(near, &kinds[k], (enum form)form,
				seed * 100 + (uint64_t)(k * 10 + form));
}

static void room(struct near *near, int n)
{
	size_t bytes = ((size_t)n + 1) * sizeof(int);

	near->sources = malloc(bytes);
	near->dests = malloc(bytes);
	near->source_edges = malloc(bytes);
	near->dest_edges = malloc(bytes);
}

static void drop(struct near *near)
{
	free(near->sources);
	free(near->dests);
	free(near->source_edges);
	free(near->dest_edges);
	OK(MPI_Comm_free(&near->comm));
}

/* ---- Grids -------------------------------------------------------------- */

/* Lists both neighbours by dimension, the lower one first. What goes in a
 * direction of a dimension comes from the opposite one, and this gives the
 * edge its number. */
static void grid(int ndims, const int *dims, const int *periods, uint64_t seed)
{
	struct near near;

	OK(MPI_Cart_create(W, ndims, dims, periods, 0, &near.comm));
	if (near.comm == MPI_COMM_NULL)
		return;
	near.nsources = near.ndests = 2 * ndims;
	room(&near, 2 * ndims);
	for (int d = 0; d < ndims; d++) {
		int low, high;

		OK(MPI_Cart_shift(near.comm, d, 1, &low, &high));
		near.sources[2 * d] = near.dests[2 * d] = low;
		near.sources[2 * d + 1] = near.dests[2 * d + 1] = high;
		near.dest_edges[2 * d] = near.source_edges[2 * d + 1] = 2 * d;
		near.dest_edges[2 * d + 1] = near.source_edges[2 * d] =
		    2 * d + 1;
	}
	run(&near, seed);
	drop(&near);
}

static void grids(void)
{
	const int open[3] = {0, 0, 0}, closed[3] = {1, 1, 1};
	const int mixed[3] = {1, 0, 1};
	int line[1] = {np}, flat[3] = {1, np, 1}, half[3] = {np / 2, 2, 1};

	grid(1, line, open, 1);
	grid(1, line, closed, 2);
	grid(3, flat, closed, 3);
	grid(3, flat, mixed, 4);
	if (np < 2)
		return;
	grid(2, half, closed, 5);
	grid(3, half, mixed, 6);
	line[0] = 2;
	grid(1, line, closed, 7);
}

/* ---- Graphs ------------------------------------------------------------- */

/* not static, so that the compiler does not take it for an array */
extern int *unweighted;
int *unweighted = MPI_UNWEIGHTED;

/* Returns the number of edges between two ranks, 0 to 4. The kth edge is the
 * same one on both sides. */
static int edges(uint64_t seed, int from, int to)
{
	const struct trial t = {.seed = seed};
	int n = draw(&t, 40, from, to, 6);

	return n < 3 ? 0 : n - 2;
}

static void graph(uint64_t seed)
{
	struct near near = {.nsources = 0};

	room(&near, 4 * np);
	for (int r = 0; r < np; r++) {
		for (int k = 0; k < edges(seed, r, me); k++) {
			near.source_edges[near.nsources] = r * 8 + k;
			near.sources[near.nsources++] = r;
		}
	}
	for (int r = np - 1; r >= 0; r--) {
		for (int k = 0; k < edges(seed, me, r); k++) {
			near.dest_edges[near.ndests] = me * 8 + k;
			near.dests[near.ndests++] = r;
		}
	}
	OK(MPI_Dist_graph_create_adjacent(
	    W, near.nsources, near.sources, unweighted, near.ndests, near.dests,
	    unweighted, MPI_INFO_NULL, 0, &near.comm));
	run(&near, seed);
	drop(&near);
}

static void graphs(void)
{
	for (uint64_t k = 0; k < 6; k++)
		graph(mpi_test_seed + 11 * k);
}

/* Lengths of edges may differ between parts of the graph that are not
 * connected: here a chain, whose edges become longer and longer. */
static void chain(void)
{
	int from = me - 1, to = me + 1, in[40], out[40];
	MPI_Comm comm;

	if (np > 32)
		return;
	for (int i = 0; i < 40; i++)
		in[i] = -1, out[i] = me;
	OK(MPI_Dist_graph_create_adjacent(W, me > 0, &from, unweighted,
					  me < np - 1, &to, unweighted,
					  MPI_INFO_NULL, 0, &comm));
	OK(MPI_Neighbor_alltoall(out, me + 1, MPI_INT, in, me, MPI_INT, comm));
	for (int i = 0; i < 40; i++)
		CHECK_EQ(in[i], i < me ? me - 1 : -1);
	OK(MPI_Comm_free(&comm));
}

static void no_topology(void)
{
	int in = 0, out = 0;
	MPI_Request request;

	CHECK_ERROR(
	    MPI_ERR_TOPOLOGY,
	    MPI_Neighbor_allgather(&in, 1, MPI_INT, &out, 1, MPI_INT, W));
	CHECK_ERROR(MPI_ERR_TOPOLOGY,
		    MPI_Ineighbor_alltoall(&in, 1, MPI_INT, &out, 1, MPI_INT, W,
					   &request));
}

static const struct mpi_case cases[] = {{"grids", grids},
					{"graphs", graphs},
					{"lengths by edge", chain},
					{"without a topology", no_topology},
					{"types are freed", shapes_free},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	shapes_make();
	return mpi_test_run(argc, argv, cases);
}
