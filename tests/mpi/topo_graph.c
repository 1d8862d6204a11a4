/* SPDX-License-Identifier: Apache-2.0 */
/* topo_graph.c tests graphs that all ranks pass whole, random ones among
 * them. */
#include "tests/mpi/mpi_test.h"

struct graph {
	int n;
	int index[64], edges[64 * 64];
};

static void fails(int rc, int one, int other)
{
	int class = -1;

	MPI_Error_class(rc, &class);
	if (!CHECK(class == one || class == other))
		fprintf(stderr, "rank %d: class %d, not %d\n", me, class, one);
}

static int first(const struct graph *g, int node)
{
	return node ? g->index[node - 1] : 0;
}

static int nedges(const struct graph *g)
{
	return g->n ? g->index[g->n - 1] : 0;
}

/* Checks all inquiries about c. */
static void check_graph(MPI_Comm c, const struct graph *g)
{
	int kind, size, n, m, index[64], edges[64 * 64];

	OK(MPI_Comm_size(c, &size));
	CHECK_EQ(size, g->n);
	OK(MPI_Topo_test(c, &kind));
	CHECK_EQ(kind, MPI_GRAPH);
	OK(MPI_Graphdims_get(c, &n, &m));
	CHECK_EQ(n, g->n);
	CHECK_EQ(m, nedges(g));
	OK(MPI_Graph_get(c, 64, 64 * 64, index, edges));
	CHECK(!memcmp(index, g->index, (size_t)n * sizeof(int)));
	CHECK(!memcmp(edges, g->edges, (size_t)m * sizeof(int)));
	for (int r = 0; r < g->n; r++) {
		OK(MPI_Graph_neighbors_count(c, r, &n));
		CHECK_EQ(n, g->index[r] - first(g, r));
		OK(MPI_Graph_neighbors(c, r, n, edges));
		CHECK(!memcmp(edges, g->edges + first(g, r),
			      (size_t)n * sizeof(int)));
	}
}

static void one_graph(const struct graph *g, int reorder)
{
	MPI_Comm c = W, dup;
	int mapped = -5;

	OK(MPI_Graph_map(W, g->n, g->index, g->edges, &mapped));
	CHECK(mapped == MPI_UNDEFINED || (mapped >= 0 && mapped < g->n));
	OK(MPI_Graph_create(W, g->n, g->index, g->edges, reorder, &c));
	if (!reorder)
		CHECK_EQ(c != MPI_COMM_NULL, me < g->n);
	if (c == MPI_COMM_NULL)
		return;
	check_graph(c, g);
	OK(MPI_Comm_dup(c, &dup));
	OK(MPI_Comm_free(&c));
	check_graph(dup, g);
	OK(MPI_Comm_free(&dup));
}

/* A ring in both directions. */
static void test_ring(void)
{
	struct graph g = {.n = np};

	for (int r = 0; r < np; r++) {
		g.edges[2 * r] = left_of(r);
		g.edges[2 * r + 1] = right_of(r);
		g.index[r] = 2 * (r + 1);
	}
	one_graph(&g, 0);
	one_graph(&g, 1);
}

/* Each node has any number of edges, several between the same nodes, and edges
 * to itself. */
static void test_random(void)
{
	uint64_t seed = mpi_test_seed;

	for (int trial = 0; trial < 30; trial++) {
		struct graph g = {.n = 1 + random_below(&seed, np)};
		int k = 0;

		for (int r = 0; r < g.n; r++) {
			int degree = random_below(&seed, 6);

			while (degree--)
				g.edges[k++] = random_below(&seed, g.n);
			g.index[r] = k;
		}
		one_graph(&g, trial & 1);
	}
}

static void test_empty(void)
{
	struct graph g = {.n = np};
	MPI_Comm c = W;

	one_graph(&g, 0);
	OK(MPI_Graph_create(W, 0, NULL, NULL, 0, &c));
	CHECK(c == MPI_COMM_NULL);
}

static void test_errors(void)
{
	int index[64] = {1}, edges[2] = {0, 0}, bad[2] = {1 << 20, 0}, r;
	int down[2] = {1, 0}, all[65], n;
	MPI_Comm c = W;

	for (int i = 0; i < 65; i++)
		all[i] = 1;
	fails(MPI_Graph_create(W, -1, index, edges, 0, &c), MPI_ERR_ARG,
	      MPI_ERR_TOPOLOGY);
	fails(MPI_Graph_create(W, np + 1, all, edges, 0, &c), MPI_ERR_ARG,
	      MPI_ERR_TOPOLOGY);
	fails(MPI_Graph_create(W, 1, index, bad, 0, &c), MPI_ERR_ARG,
	      MPI_ERR_TOPOLOGY);
	if (np > 1)
		fails(MPI_Graph_create(W, 2, down, edges, 0, &c), MPI_ERR_ARG,
		      MPI_ERR_TOPOLOGY);
	fails(MPI_Graph_create(MPI_COMM_NULL, 1, index, edges, 0, &c),
	      MPI_ERR_COMM, MPI_ERR_COMM);
	fails(MPI_Graph_map(W, np + 1, all, edges, &r), MPI_ERR_ARG,
	      MPI_ERR_TOPOLOGY);
	CHECK(c == W);
	for (int i = 0; i < np; i++)
		index[i] = 1;
	OK(MPI_Graph_create(W, np, index, edges, 0, &c));
	fails(MPI_Graph_neighbors_count(c, np, &r), MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Graph_neighbors_count(c, -1, &r), MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Graph_neighbors(c, np, 1, edges), MPI_ERR_RANK, MPI_ERR_ARG);
	fails(MPI_Graph_neighbors(c, 0, 0, edges), MPI_ERR_ARG,
	      MPI_ERR_TOPOLOGY);
	fails(MPI_Graph_get(c, np - 1, 1, all, edges), MPI_ERR_ARG,
	      MPI_ERR_TOPOLOGY);
	fails(MPI_Graph_get(c, np, 0, all, edges), MPI_ERR_ARG,
	      MPI_ERR_TOPOLOGY);
	fails(MPI_Cartdim_get(c, &n), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	OK(MPI_Comm_free(&c));
}

static void test_no_graph(void)
{
	int n, m, v[4] = {0};
	MPI_Comm c;

	fails(MPI_Graphdims_get(W, &n, &m), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	fails(MPI_Graph_get(W, 2, 2, v, v), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	fails(MPI_Graph_neighbors(W, 0, 4, v), MPI_ERR_TOPOLOGY,
	      MPI_ERR_TOPOLOGY);
	fails(MPI_Graph_neighbors_count(W, 0, &n), MPI_ERR_TOPOLOGY,
	      MPI_ERR_TOPOLOGY);
	v[0] = np;
	OK(MPI_Cart_create(W, 1, v, v + 1, 0, &c));
	fails(MPI_Graphdims_get(c, &n, &m), MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY);
	OK(MPI_Comm_free(&c));
	fails(MPI_Graphdims_get(MPI_COMM_NULL, &n, &m), MPI_ERR_COMM,
	      MPI_ERR_COMM);
}

static const struct mpi_case cases[] = {{"a ring", test_ring},
					{"random graphs", test_random},
					{"no edges, no nodes", test_empty},
					{"errors", test_errors},
					{"no graph", test_no_graph},
					{NULL, NULL}};

int main(int argc, char **argv)
{
	/* this gives libmrt a reason to reorder ranks */
	setenv("MRT_COLL_GROUP", "2", 0);
	return mpi_test_run(argc, argv, cases);
}
