/* SPDX-License-Identifier: Apache-2.0 */
/* place.c: exchanges places through the node's shared memory and PMIx. */
#include "runtime/engine/place.h"

#include <stdint.h>
#include <stdlib.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/engine/proc.h"
#include "runtime/topo/topo.h"

static const char key[] = "mrt.places";

/* A rank publishes an array of these: its node, then the ranks for which it
 * speaks, in ascending order and itself first. It speaks for all ranks of its
 * node, or for itself alone if they share no memory. */
struct spoken {
	int32_t rank, cache;
};

static struct place *places; /* [proc.job.size]; node -1: unknown */
static int unknown;	     /* number of ranks whose place is unknown */
static int first_unknown;    /* no lower rank's place is unknown */

int place_cache(void)
{
	/* groups that the user wants: so many consecutive ranks of the node
	 * each */
	return env.coll_group ? proc.job.node_rank / (int)env.coll_group
			      : topo_cache();
}

static void learn(int rank, int node, int cache)
{
	places[rank] = (struct place){node, cache};
	unknown--;
}

static int publish(const int *ranks, int n)
{
	size_t len = (size_t)(n + 1) * sizeof(struct spoken);
	struct spoken *blob = malloc(len);
	int rc;

	if (!blob)
		return log_error(MRT_ERR_NO_MEM, "places of %d ranks", n);
	blob[0] = (struct spoken){proc.job.node_ranks[0], 0};
	for (int i = 0; i < n; i++)
		blob[i + 1] = (struct spoken){ranks[i], places[ranks[i]].cache};
	rc = boot_put(key, blob, len);
	free(blob);
	return rc;
}

int place_start(void)
{
	const struct fab *fab = proc.fab; /* the nearest */
	bool shares = fab->ops->cache_of;
	const int *ranks = shares ? proc.job.node_ranks : &proc.job.rank;
	int n = shares ? proc.job.node_size : 1, rc = 0;

	places = malloc((size_t)proc.job.size * sizeof(*places));
	if (!places)
		return log_error(MRT_ERR_NO_MEM, "places of %d ranks",
				 proc.job.size);
	unknown = proc.job.size;
	first_unknown = 0;
	for (int r = 0; r < proc.job.size; r++)
		places[r].node = -1;
	for (int i = 0; i < n; i++)
		learn(ranks[i], proc.job.node_ranks[0],
		      shares ? fab->ops->cache_of(fab, ranks[i])
			     : place_cache());
	if (!unknown)
		return 0;
	if (proc.job.rank == ranks[0])
		rc = publish(ranks, n);
	return rc ? rc : boot_fence();
}

void place_stop(void)
{
	free(places);
	places = NULL;
}

/* Learns what a rank has published. */
static int read_spoken(int rank, const struct spoken *blob, size_t len)
{
	size_t n = len / sizeof(*blob);
	int below = rank - 1;

	for (size_t i = 1; i < n; i++) {
		int r = blob[i].rank;

		if (r <= below || r >= proc.job.size || places[r].node >= 0)
			break;
		learn(r, blob[0].rank, blob[i].cache);
		below = r;
	}
	if (len % sizeof(*blob) == 0 && n > 1 && below == blob[n - 1].rank &&
	    places[rank].node >= 0 && blob[0].rank >= 0 && blob[0].rank <= rank)
		return 0;
	return log_error(MRT_ERR_PROTOCOL,
			 "rank %d has published damaged places (%zu bytes)",
			 rank, len);
}

/* Asks the lowest rank of which nothing is known: it is the lowest of its node,
 * or one that speaks for itself alone. */
static int ask(void)
{
	size_t len = ((size_t)unknown + 1) * sizeof(struct spoken);
	struct spoken *blob = malloc(len);
	int rc;

	if (!blob)
		return log_error(MRT_ERR_NO_MEM, "places of %d ranks", unknown);
	while (places[first_unknown].node >= 0)
		first_unknown++;
	rc = boot_get(first_unknown, key, blob, &len);
	if (!rc)
		rc = read_spoken(first_unknown, blob, len);
	free(blob);
	return rc;
}

int place_all(const struct place **all)
{
	int rc = 0;

	while (unknown && !rc)
		rc = ask();
	*all = places;
	return rc;
}
