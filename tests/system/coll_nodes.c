/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_nodes.c makes collectives take the ranks of one node for those of
 * several (coll_all with the linker's --wrap). NODES says how the ranks are
 * placed: "3,5,4" puts three on the first node, five on the second and so on,
 * over and over; "round:3" puts them on three nodes in turn. NO_BOARD names a
 * rank that gets no memory for a board.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/engine/proc.h"
#include "runtime/fabric/modex.h"

enum { RANKS = 64 };

struct place __real_modex_place_of(int rank);
struct place __wrap_modex_place_of(int rank);

/* Names each node after its lowest rank. */
static void fill(struct place *places, int ranks, const char *nodes)
{
	const char *at = nodes;
	int round = strncmp(nodes, "round:", 6) ? 0 : atoi(nodes + 6);

	for (int r = 0, left = 0, node = 0; r < ranks; r++, left--) {
		if (!round && !left) {
			node = r;
			left = atoi(at);
			at = strchr(at, ',') ? strchr(at, ',') + 1 : nodes;
		}
		places[r].node = round ? r % round : node;
		places[r].cache = -1;
	}
}

static int refuse(struct fab *fab, size_t len, bool zeroed, void **ptr)
{
	(void)fab;
	(void)len;
	(void)zeroed;
	(void)ptr;
	return MRT_ERR_NO_MEM;
}

static void take_memory(void)
{
	static struct fab_ops without;
	const char *rank = getenv("NO_BOARD");

	if (!rank || atoi(rank) != proc.job.rank)
		return;
	without = *proc.fab->ops;
	without.heap_alloc = refuse;
	proc.fab->ops = &without;
}

struct place __wrap_modex_place_of(int rank)
{
	static struct place several[RANKS];
	static bool filled;
	const char *nodes = getenv("NODES");

	if (!nodes || proc.job.size > RANKS)
		return __real_modex_place_of(rank);
	if (!filled) {
		for (int r = 0; r < proc.job.size; r++)
			several[r] = __real_modex_place_of(r);
		take_memory();
		fill(several, proc.job.size, nodes);
		filled = true;
	}
	return several[rank];
}
