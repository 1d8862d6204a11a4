/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.c: orders of ranks on machines of the test's own: known grids get the
 * cut that they can have, random ones a permutation that is not worse than the
 * ranks as they are.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_order.h"
#include "tests/tap.h"

enum { RANKS = 64, DIMS = 3 };

struct machine {
	int n;
	struct mrt_place places[RANKS];
};

struct cut {
	int nodes, caches;
};

/* n ranks, so many to a node and to a cache of it; scattered: rank r is on
 * node r modulo their number. */
static struct machine machine_of(int n, int node, int cache, int scattered)
{
	struct machine m = {.n = n};
	int nodes = n / node;

	for (int r = 0; r < n; r++) {
		int q = scattered ? r % nodes * node + r / nodes : r;

		m.places[r] = (struct mrt_place){q / node, q / cache, -1};
	}
	return m;
}

static void add(struct cut *cut, const struct machine *m, int a, int b)
{
	const struct mrt_place *p = &m->places[a], *q = &m->places[b];

	if (p->node != q->node)
		cut->nodes++;
	else
		cut->caches += p->cache != q->cache;
}

/* By coordinates of each cell: another way than that of mpi/. */
static struct cut cut_of(const struct machine *m, const struct mpi_grid *g,
			 const int *order)
{
	struct cut cut = {0, 0};
	int c[DIMS];

	for (int r = 0; r < m->n; r++) {
		mpi_grid_coords(g, r, c);
		for (int i = 0; i < g->ndims; i++) {
			int k = 0;

			if (c[i] + 1 == g->dims[i] && !g->periods[i])
				continue;
			for (int j = 0; j < g->ndims; j++)
				k = k * g->dims[j] +
				    (j == i ? (c[j] + 1) % g->dims[j] : c[j]);
			add(&cut, m, order ? order[r] : r,
			    order ? order[k] : k);
		}
	}
	return cut;
}

static int is_permutation(const int *order, int n)
{
	char seen[RANKS] = {0};

	for (int r = 0; r < n; r++) {
		if (order[r] < 0 || order[r] >= n || seen[order[r]])
			return 0;
		seen[order[r]] = 1;
	}
	return 1;
}

static void known(const char *name, struct machine m, const int *dims,
		  const int *periods, struct cut want)
{
	struct mpi_grid g = {0, dims, periods, NULL};
	int *order = NULL, rc;
	struct cut got;

	while (g.ndims < DIMS && dims[g.ndims])
		g.ndims++;
	rc = mpi_order_grid(m.places, &g, &order);
	got = cut_of(&m, &g, order);
	ok(rc == 0 && (!order || is_permutation(order, m.n)) &&
	       got.nodes == want.nodes && got.caches == want.caches,
	   "%s: %d between nodes, %d between caches", name, got.nodes,
	   got.caches);
	free(order);
}

#define D(...) ((const int[DIMS]){__VA_ARGS__})
#define P(...) D(__VA_ARGS__)

static void test_known(void)
{
	known("4 x 4 on 2 nodes", machine_of(16, 8, 8, 0), D(4, 4), P(0),
	      (struct cut){4, 0});
	known("4 x 4 on 4 nodes", machine_of(16, 4, 4, 0), D(4, 4), P(0),
	      (struct cut){8, 0});
	known("4 x 4 on 4 nodes, scattered", machine_of(16, 4, 4, 1), D(4, 4),
	      P(0), (struct cut){8, 0});
	known("4 x 4 on 2 nodes of 2 caches", machine_of(16, 8, 4, 0), D(4, 4),
	      P(0), (struct cut){4, 4});
	known("4 x 4 x 4 on 8 nodes", machine_of(64, 8, 8, 0), D(4, 4, 4), P(0),
	      (struct cut){48, 0});
	known("a torus of 8 x 8 on 4 nodes", machine_of(64, 16, 16, 0), D(8, 8),
	      P(1, 1), (struct cut){32, 0});
	known("2 x 16, periodic, on 4 nodes", machine_of(32, 8, 8, 0), D(2, 16),
	      P(0, 1), (struct cut){8, 0});
	known("a line, scattered on 4 nodes", machine_of(32, 8, 8, 1), D(32),
	      P(0), (struct cut){3, 0});
	known("6 x 10 on 5 nodes", machine_of(60, 12, 12, 0), D(6, 10), P(0),
	      (struct cut){24, 0});
	known("one node", machine_of(16, 16, 16, 0), D(4, 4), P(0),
	      (struct cut){0, 0});
}

static unsigned state = 1;

static int below(int n)
{
	state = state * 1103515245u + 12345u;
	return (int)(state >> 16) % n;
}

/* Nodes and caches of any size, numbered as mrt_comm_places does not: only
 * which are equal counts. */
static struct machine any_machine(int n)
{
	struct machine m = {.n = n};
	int nodes = 1 + below(5), caches = 1 + below(3);

	for (int r = 0; r < n; r++) {
		int node = below(nodes);

		m.places[r] =
		    (struct mrt_place){node, node * caches + below(caches), -1};
	}
	return m;
}

static int one_grid(void)
{
	int dims[DIMS] = {1 + below(4), 1 + below(4), 1 + below(4)};
	int periods[DIMS] = {below(2), below(2), below(2)}, good, rc;
	struct mpi_grid g = {DIMS, dims, periods, NULL};
	struct machine m = any_machine(dims[0] * dims[1] * dims[2]);
	struct cut before = cut_of(&m, &g, NULL), after;
	int *order = NULL;

	rc = mpi_order_grid(m.places, &g, &order);
	after = cut_of(&m, &g, order);
	good = rc == 0 && (!order || is_permutation(order, m.n)) &&
	       (after.nodes < before.nodes ||
		(after.nodes == before.nodes && after.caches <= before.caches));
	free(order);
	return good;
}

static int one_graph(void)
{
	int index[RANKS], edges[RANKS * 6], weights[RANKS * 6], rc, good;
	int *order = NULL;
	struct machine m = any_machine(1 + below(RANKS));
	struct mpi_graph g = {m.n, 0, index, edges};
	long long before = 0, after = 0;

	for (int i = 0; i < m.n; i++) {
		for (int k = below(7); k; k--) {
			weights[g.nedges] = below(50);
			edges[g.nedges++] = below(m.n);
		}
		index[i] = g.nedges;
	}
	rc = mpi_order_graph(m.places, &g, weights, &order);
	good = rc == 0 && (!order || is_permutation(order, m.n));
	for (int i = 0, k = 0; i < m.n && good; i++)
		for (; k < index[i]; k++) {
			int j = edges[k], a = order ? order[i] : i;
			int b = order ? order[j] : j;

			if (m.places[i].node != m.places[j].node)
				before += weights[k];
			if (m.places[a].node != m.places[b].node)
				after += weights[k];
		}
	free(order);
	return good && after <= before;
}

static void test_random(void)
{
	int grids = 0, graphs = 0;

	for (int i = 0; i < 500; i++) {
		grids += one_grid();
		graphs += one_graph();
	}
	ok(grids == 500, "random grids on random machines: %d of 500", grids);
	ok(graphs == 500, "random graphs on random machines: %d of 500",
	   graphs);
}

int main(void)
{
	test_known();
	test_random();
	return tap_done();
}
