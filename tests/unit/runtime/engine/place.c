/* SPDX-License-Identifier: Apache-2.0 */
/* place.c: a job of several nodes in one process: which ranks are asked for
 * places, how often, and that damaged answers are refused. */
#include "runtime/engine/place.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/engine/proc.h"
#include "runtime/topo/topo.h"
#include "tests/tap.h"

enum { RANKS = 12, NODES = 4 };

/* ---- stand-ins for the parts that place.c uses ---- */

struct proc proc;
struct env env;

static struct {
	char blob[256];
	size_t len;
	int asked;
} published[RANKS];
static int fences;

int boot_put(const char *key, const void *blob, size_t len)
{
	memcpy(published[proc.job.rank].blob, blob, len);
	published[proc.job.rank].len = len;
	return 0;
}

int boot_get(int rank, const char *key, void *blob, size_t *len)
{
	published[rank].asked++;
	if (!published[rank].len || published[rank].len > *len)
		return MRT_ERR_PROTOCOL;
	*len = published[rank].len;
	memcpy(blob, published[rank].blob, *len);
	return 0;
}

int boot_fence(void)
{
	fences++;
	return 0;
}

int topo_cache(void)
{
	return 100 + proc.job.rank;
}

void log_line(enum log_level level, int code, const char *format, ...)
{
}

static int cache_of(const struct fab *fab, int rank)
{
	return 100 + rank;
}

/* ---- tests ---- */

static const struct fab_ops shares = {.cache_of = cache_of}, apart;
static struct fab fab;
/* the node of each rank: placed in turn, and one by itself */
static const int node_of[RANKS] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 9, 0, 1};

/* Becomes a rank of the job and starts. */
static int become(int rank)
{
	static int ranks[RANKS];

	place_stop();
	proc.job = (struct boot_job){.rank = rank, .size = RANKS};
	proc.job.node_ranks = ranks;
	for (int r = 0; r < RANKS; r++)
		if (node_of[r] == node_of[rank])
			ranks[proc.job.node_size++] = r;
	proc.fab = &fab;
	return place_start();
}

/* Lets all ranks of the job publish, then becomes one of them. */
static int publish_all(const struct fab_ops *ops, int rank)
{
	int rc = 0;

	memset(published, 0, sizeof(published));
	fab.ops = ops;
	for (int r = 0; r < RANKS && !rc; r++)
		rc = become(r);
	fences = 0;
	return rc ? rc : become(rank);
}

static bool right(void)
{
	const struct place *p;

	if (place_all(&p))
		return false;
	for (int r = 0; r < RANKS; r++) {
		int lowest = 0;

		while (node_of[lowest] != node_of[r])
			lowest++;
		if (p[r].node != lowest || p[r].cache != 100 + r)
			return false;
	}
	return true;
}

static int count_asked(void)
{
	int n = 0;

	for (int r = 0; r < RANKS; r++)
		n += published[r].asked;
	return n;
}

static int count_published(void)
{
	int n = 0;

	for (int r = 0; r < RANKS; r++)
		n += published[r].len > 0;
	return n;
}

static void test_nodes(void)
{
	bool all = true;
	int most = 0;

	for (int r = 0; r < RANKS; r++) {
		all &= !publish_all(&shares, r) && right() && right();
		most = count_asked() > most ? count_asked() : most;
	}
	ok(all, "each rank learns all places");
	ok(count_published() == NODES, "one rank of each node publishes");
	ok(most == NODES - 1, "a rank asks once for each other node: %d", most);
	ok(fences == 1, "one fence");
	ok(!publish_all(&apart, 4) && right() && count_asked() == RANKS - 1,
	   "ranks that share no memory are asked one by one");
}

static void test_one_node(void)
{
	static int ranks[] = {0, 1, 2};
	const struct place *p = NULL;

	place_stop();
	memset(published, 0, sizeof(published));
	fab.ops = &shares;
	fences = 0;
	proc.job = (struct boot_job){
	    .rank = 1, .size = 3, .node_size = 3, .node_ranks = ranks};
	ok(!place_start() && !place_all(&p) && p[2].cache == 102 &&
	       p[2].node == 0,
	   "one node: places are known");
	ok(!fences && !count_published() && !count_asked(),
	   "without a request or a fence");
}

/* Sets word `at` of what rank 1 publishes for its node, {1, 0} and four ranks
 * with their caches, to a value, and the length to `len`. */
static void damage(const char *name, size_t at, int32_t value, size_t len)
{
	const struct place *p;

	publish_all(&shares, 0);
	memcpy(published[1].blob + at * sizeof(value), &value, sizeof(value));
	published[1].len = len;
	ok(place_all(&p) == MRT_ERR_PROTOCOL, "refused: %s", name);
}

int main(void)
{
	test_nodes();
	test_one_node();
	damage("a node that is no rank", 0, -5, 40);
	damage("a node above its lowest rank", 0, 4, 40);
	damage("another rank's", 2, 2, 40);
	damage("a rank of the own node", 4, 3, 40);
	damage("a rank out of range", 8, RANKS, 40);
	damage("descending ranks", 6, 2, 40);
	damage("no ranks", 0, 1, 8);
	damage("half a rank", 0, 1, 36);
	place_stop();
	return tap_done();
}
