/* SPDX-License-Identifier: Apache-2.0 */
/* place.c: exchanges places through PMIx, with the addresses of the fabrics. */
#include "runtime/engine/place.h"

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/engine/proc.h"
#include "runtime/topo/topo.h"

static const char key[] = "mrt.place";
static struct place
    mine; /* kept here, as a job without a launcher publishes nothing */

int place_publish(void)
{
	mine = (struct place){proc.job.node_ranks[0], topo_cache()};
	/* groups that the user wants: so many consecutive ranks of the node
	 * each */
	if (env.coll_group)
		mine.cache = proc.job.node_rank / (int)env.coll_group;
	return boot_put(key, &mine, sizeof(mine));
}

int place_of(int rank, struct place *place)
{
	size_t len = sizeof(*place);
	int rc;

	if (rank == proc.job.rank) {
		*place = mine;
		return 0;
	}
	rc = boot_get(rank, key, place, &len);
	if (!rc && len != sizeof(*place))
		rc = log_error(MRT_ERR_PROTOCOL,
			       "rank %d: its place has %zu bytes, not %zu",
			       rank, len, sizeof(*place));
	return rc;
}
