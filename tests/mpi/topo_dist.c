/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topo_dist.c tests graphs of which each rank knows a part: random ones, which
 * all ranks draw whole, so that each knows what every rank must be told. With
 * reorder a process has the neighbours of the node that is its new rank.
 */
#include "tests/mpi/mpi_test.h"

enum { EDGES = 200 };

/* This is a variable because compilers see that the constant is no array. */
extern int *unweighted;
int *unweighted = MPI_UNWEIGHTED;

struct edge {
	int from, to, weight;
	int giver; /* the rank that passes the edge to MPI_Dist_graph_create */
};

struct graph {
	int n;
	struct edge edges[EDGES];
};

static void fails(int rc, int one, int other)
{
	int class = -1;

	MPI_Error_class(rc, &class);
	if (!CHECK(class == one || class == other))
		fprintf(stderr, "rank %d: class %d, not %d\n", me, class, one);
}

static struct graph draw(uint64_t *seed)
{
	struct graph g = {.n = random_below(seed, EDGES)};

	for (int i = 0; i < g.n; i++)
		g.edges[i] = (struct edge){
		    random_below(seed, np), random_below(seed, np),
		    random_below(seed, 100), random_below(seed, np)};
	return g;
}

/* Checks that each (rank, weight) occurs as often in the lists as in the
 * graph. */
static void same_edges(const struct graph *g, int node, bool out, int n,
		       const int *ranks, const int *weights)
{
	bool used[EDGES] = {false};

	for (int i = 0; i < n; i++) {
		int k = 0;

		for (; k < g->n; k++) {
			const struct edge *e = &g->edges[k];
			int own = out ? e->from : e->to;
			int other = out ? e->to : e->from;

			if (!used[k] && own == node && other == ranks[i] &&
			    (!weights || e->weight == weights[i]))
				break;
		}
		if (CHECK(k < g->n))
			used[k] = true;
	}
}

/* Checks what c says of the caller's node; if `ordered`, the edges must be in
 * the order of the graph. */
static void check_graph(MPI_Comm c, const struct graph *g, int weighted,
			bool ordered)
{
	int rank, kind, nin, nout, flag, want_in = 0, want_out = 0;
	int in[EDGES], out[EDGES], win[EDGES], wout[EDGES];

	OK(MPI_Comm_rank(c, &rank));
	OK(MPI_Topo_test(c, &kind));
	CHECK_EQ(kind, MPI_DIST_GRAPH);
	OK(MPI_Dist_graph_neighbors_count(c, &nin, &nout, &flag));
	for (int i = 0; i < g->n; i++) {
		want_in += g->edges[i].to == rank;
		want_out += g->edges[i].from == rank;
	}
	CHECK_EQ(!flag, !weighted);
	if (!CHECK_EQ(nin, want_in) || !CHECK_EQ(nout, want_out))
		return;
	OK(MPI_Dist_graph_neighbors(c, nin, in, weighted ? win : unweighted,
				    nout, out, weighted ? wout : unweighted));
	same_edges(g, rank, false, nin, in, weighted ? win : NULL);
	same_edges(g, rank, true, nout, out, weighted ? wout : NULL);
	if (!ordered)
		return;
	want_in = want_out = 0;
	for (int i = 0; i < g->n; i++) {
		if (g->edges[i].to == rank)
			CHECK_EQ(in[want_in++], g->edges[i].from);
		if (g->edges[i].from == rank)
			CHECK_EQ(out[want_out++], g->edges[i].to);
	}
}

/* Asking twice gives the same answer, and a shorter list gets the first
 * entries. */
static void check_room(MPI_Comm c)
{
	int nin, nout, flag;
	int in[EDGES], out[EDGES], in2[EDGES], out2[EDGES];

	OK(MPI_Dist_graph_neighbors_count(c, &nin, &nout, &flag));
	OK(MPI_Dist_graph_neighbors(c, nin, in, unweighted, nout, out,
				    unweighted));
	for (int i = 0; i < EDGES; i++)
		in2[i] = out2[i] = -9;
	OK(MPI_Dist_graph_neighbors(c, nin / 2, in2, unweighted, nout / 3, out2,
				    unweighted));
	for (int i = 0; i < nin; i++)
		CHECK_EQ(in2[i], i < nin / 2 ? in[i] : -9);
	for (int i = 0; i < nout; i++)
		CHECK_EQ(out2[i], i < nout / 3 ? out[i] : -9);
}

static void check_and_free(MPI_Comm c, const struct graph *g, int weighted,
			   bool ordered)
{
	MPI_Comm dup;
	int result;

	check_graph(c, g, weighted, ordered);
	check_room(c);
	OK(MPI_Comm_compare(W, c, &result));
	CHECK(result == MPI_CONGRUENT || result == MPI_SIMILAR);
	OK(MPI_Comm_dup(c, &dup));
	OK(MPI_Comm_free(&c));
	check_graph(dup, g, weighted, ordered);
	OK(MPI_Comm_free(&dup));
}

static void adjacent(const struct graph *g, int weighted, int reorder)
{
	int nin = 0, nout = 0;
	int in[EDGES], out[EDGES], win[EDGES], wout[EDGES];
	MPI_Comm c;

	for (int i = 0; i < g->n; i++) {
		if (g->edges[i].to == me) {
			win[nin] = g->edges[i].weight;
			in[nin++] = g->edges[i].from;
		}
		if (g->edges[i].from == me) {
			wout[nout] = g->edges[i].weight;
			out[nout++] = g->edges[i].to;
		}
	}
	OK(MPI_Dist_graph_create_adjacent(W, nin, in,
					  !weighted ? unweighted
					  : nin	    ? win
						    : MPI_WEIGHTS_EMPTY,
					  nout, out,
					  !weighted ? unweighted
					  : nout    ? wout
						    : MPI_WEIGHTS_EMPTY,
					  MPI_INFO_NULL, reorder, &c));
	check_and_free(c, g, weighted, true);
}

static void anyone(const struct graph *g, int weighted, int reorder)
{
	int n = 0, k = 0;
	int sources[EDGES], degrees[EDGES], dests[EDGES], weights[EDGES];
	MPI_Comm c;

	for (int i = 0; i < g->n; i++) {
		const struct edge *e = &g->edges[i];

		if (e->giver != me)
			continue;
		/* consecutive edges of one source are passed together */
		if (n && sources[n - 1] == e->from) {
			degrees[n - 1]++;
		} else {
			sources[n] = e->from;
			degrees[n++] = 1;
		}
		weights[k] = e->weight;
		dests[k++] = e->to;
	}
	OK(MPI_Dist_graph_create(W, n, sources, degrees, dests,
				 !weighted ? unweighted
				 : k	   ? weights
					   : MPI_WEIGHTS_EMPTY,
				 MPI_INFO_NULL, reorder, &c));
	check_and_free(c, g, weighted, false);
}

static void test_random(void)
{
	uint64_t seed = mpi_test_seed;

	for (int trial = 0; trial < 40; trial++) {
		struct graph g = draw(&seed);

		adjacent(&g, trial & 1, trial >> 1 & 1);
		anyone(&g, trial & 1, trial >> 1 & 1);
	}
}

static void test_empty(void)
{
	struct graph g = {.n = 0};

	for (int weighted = 0; weighted < 2; weighted++) {
		adjacent(&g, weighted, 0);
		anyone(&g, weighted, 0);
	}
}

static void test_errors(void)
{
	int r[2] = {0, 0}, w[2] = {1, 1}, one[1] = {1};
	int far[1] = {np}, low[1] = {-1};
	MPI_Comm c = W;

	fails(MPI_Dist_graph_create_adjacent(W, -1, r, w, 0, r, w,
					     MPI_INFO_NULL, 0, &c),
	      MPI_ERR_ARG, MPI_ERR_TOPOLOGY);
	fails(MPI_Dist_graph_create_adjacent(W, 0, r, w, -1, r, w,
					     MPI_INFO_NULL, 0, &c),
	      MPI_ERR_ARG, MPI_ERR_TOPOLOGY);
	fails(MPI_Dist_graph_create_adjacent(W, 1, far, w, 0, r, w,
					     MPI_INFO_NULL, 0, &c),
	      MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Dist_graph_create_adjacent(W, 0, r, w, 1, low, w,
					     MPI_INFO_NULL, 0, &c),
	      MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Dist_graph_create_adjacent(W, 1, r, low, 1, r, w,
					     MPI_INFO_NULL, 0, &c),
	      MPI_ERR_ARG, MPI_ERR_ARG);
	fails(MPI_Dist_graph_create_adjacent(W, 1, r, unweighted, 1, r, w,
					     MPI_INFO_NULL, 0, &c),
	      MPI_ERR_ARG, MPI_ERR_TOPOLOGY);
	fails(MPI_Dist_graph_create_adjacent(MPI_COMM_NULL, 1, r, w, 1, r, w,
					     MPI_INFO_NULL, 0, &c),
	      MPI_ERR_COMM, MPI_ERR_COMM);
	fails(MPI_Dist_graph_create(W, -1, r, one, r, w, MPI_INFO_NULL, 0, &c),
	      MPI_ERR_ARG, MPI_ERR_TOPOLOGY);
	fails(MPI_Dist_graph_create(W, 1, far, one, r, w, MPI_INFO_NULL, 0, &c),
	      MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Dist_graph_create(W, 1, r, low, r, w, MPI_INFO_NULL, 0, &c),
	      MPI_ERR_ARG, MPI_ERR_ARG);
	fails(MPI_Dist_graph_create(W, 1, r, one, far, w, MPI_INFO_NULL, 0, &c),
	      MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Dist_graph_create(W, 1, r, one, r, low, MPI_INFO_NULL, 0, &c),
	      MPI_ERR_ARG, MPI_ERR_ARG);
	CHECK(c == W);
}

static void test_no_graph(void)
{
	int a, b, flag, v[2] = {0, 0};

	fails(MPI_Dist_graph_neighbors_count(W, &a, &b, &flag),
	      MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	fails(MPI_Dist_graph_neighbors(W, 1, v, v, 1, v, v), MPI_ERR_TOPOLOGY,
	      MPI_ERR_TOPOLOGY);
	fails(MPI_Dist_graph_neighbors_count(MPI_COMM_NULL, &a, &b, &flag),
	      MPI_ERR_COMM, MPI_ERR_COMM);
}

static const struct mpi_case cases[] = {{"random graphs", test_random},
					{"no edges", test_empty},
					{"errors", test_errors},
					{"no graph", test_no_graph},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	/* this gives libmrt a reason to reorder ranks */
	setenv("MRT_COLL_GROUP", "2", 0);
	return mpi_test_run(argc, argv, cases);
}
