/* SPDX-License-Identifier: Apache-2.0 */
/* same_choice.c: compares the ranks' settings that choose algorithms. */
#include "coll/run/same_choice.h"

#include <string.h>

#include "coll/plan/select.h"
#include "coll/plan/tune_file.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/engine/proc.h"

static const char key[] = "mrt.coll";

/* The settings of a rank, as it tells them; the first two are checksums. */
struct told {
	uint64_t variables, file;
	uint64_t direct; /* MRT_COLL_DIRECT */
	uint64_t check;	 /* MRT_CHECK */
};
_Static_assert(sizeof(struct told) == FAB_WORDS * sizeof(uint64_t),
	       "the node's ranks get it as words");

static struct told same_choice_told(void)
{
	return (struct told){select_checksum(), tune_checksum(),
			     (uint64_t)env.coll_direct, (uint64_t)env.check};
}

int same_choice_start(void)
{
	int rc = select_init();
	struct told own = same_choice_told();

	if (rc || proc.job.node_rank) /* asked by nobody */
		return rc;
	return boot_put(key, &own, sizeof(own));
}

void same_choice_words(uint64_t words[FAB_WORDS])
{
	struct told own = same_choice_told();

	memcpy(words, &own, sizeof(own));
}

void same_choice_stop(void)
{
	tune_read("");
}

/* Returns the rank to compare with: the node's first one or, for that, rank 0,
 * so that no rank is asked by all. */
static int same_choice_other(const struct boot_job *job)
{
	int first = job->node_ranks[0];

	return job->rank == first ? 0 : first;
}

static int same_choice_hear(int rank, struct told *theirs)
{
	size_t len = sizeof(*theirs);
	int rc;

	if (proc.node && boot_is_local(&proc.job, rank)) {
		memcpy(theirs, proc.node->ops->home_of(proc.node, rank)->words,
		       len);
		return 0;
	}
	rc = boot_get(rank, key, theirs, &len);
	if (!rc && len != sizeof(*theirs))
		rc = log_error(MRT_ERR_PROTOCOL,
			       "rank %d: its choices have %zu bytes, not %zu: "
			       "start all ranks with one libmrt",
			       rank, len, sizeof(*theirs));
	return rc;
}

int same_choice_check(void)
{
	struct told own = same_choice_told(), theirs;
	int rank = same_choice_other(&proc.job), rc;

	if (rank == proc.job.rank)
		return 0;
	rc = same_choice_hear(rank, &theirs);
	if (rc)
		return rc;
	if (theirs.file != own.file)
		return log_error(MRT_ERR_ENV,
				 "MRT_TUNE_FILE=%s: rank %d has another file, "
				 "or another text in it; all ranks must read "
				 "the same",
				 env.tune_file, rank);
	if (theirs.variables != own.variables || theirs.direct != own.direct)
		return log_error(
		    MRT_ERR_ENV,
		    "MRT_BARRIER and the like, MRT_COLL_DIRECT, MRT_IB_PEERS "
		    "or MRT_MESH_MAX are not set as on rank %d; all ranks "
		    "must choose the same algorithms",
		    rank);
	if (theirs.check != own.check)
		return log_error(MRT_ERR_ENV,
				 "MRT_CHECK is not set as on "
				 "rank %d; all ranks must check, or none",
				 rank);
	return 0;
}
