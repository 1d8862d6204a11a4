/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c: mrt_alloc and its kin over the fabric's heap. */
#include "p2p/comm.h"
#include "runtime/engine/proc.h"

static int memory_alloc(const char *call, size_t bytes, bool zeroed, void **ptr)
{
	const struct fab_ops *ops;
	int rc = proc_enter(call);

	if (!rc) {
		ops = proc.fab->ops;
		rc = ptr ? ops->heap_alloc(proc.fab, bytes, zeroed, ptr)
			 : proc_fail(MRT_ERR_ARG, "ptr is NULL");
		if (rc == MRT_ERR_NO_MEM)
			proc_fail(rc, "%zu bytes", bytes);
		proc_leave();
	}
	return proc_result(call, rc);
}

int mrt_alloc(size_t bytes, void **ptr)
{
	return memory_alloc("mrt_alloc", bytes, true, ptr);
}

int mrt_alloc_uncleared(size_t bytes, void **ptr)
{
	return memory_alloc("mrt_alloc_uncleared", bytes, false, ptr);
}

int mrt_free(void *ptr)
{
	int rc = proc_enter("mrt_free");

	if (!rc) {
		if (ptr && proc.fab->ops->heap_free(proc.fab, ptr))
			rc = proc_fail(MRT_ERR_BUFFER,
				       "%p is not memory of mrt_alloc", ptr);
		proc_leave();
	}
	return proc_result("mrt_free", rc);
}

static int memory_map(uint64_t remote, size_t bytes, int rank,
		      struct mrt_comm *comm, void **local)
{
	struct mrt_comm *c = comm_get(comm);
	struct fab_ep *ep;
	int world, rc;

	if (!c)
		return comm_unknown(comm);
	if (!local)
		return proc_fail(MRT_ERR_ARG, "local is NULL");
	if (rank < 0 || rank >= c->size)
		return proc_fail(MRT_ERR_RANK,
				 "rank %d of a communicator of %d", rank,
				 c->size);
	world = comm_world_rank(c, rank);
	ep = proc_ep(world);
	rc = ep->ops->heap_map(ep, remote, bytes, local);
	if (rc == MRT_ERR_NO_FABRIC)
		return proc_fail(rc, "rank %d shares no memory with this one",
				 rank);
	if (rc)
		return proc_fail(
		    MRT_ERR_BUFFER,
		    "%zu bytes at %#llx are not mrt_alloc memory of rank %d",
		    bytes, (unsigned long long)remote, rank);
	/* the caller's own memory has one address, not also that of a second
	 * mapping */
	if (world == proc.job.rank)
		*local = (void *)(uintptr_t)remote;
	return 0;
}

int mrt_map(uint64_t remote, size_t bytes, int rank, struct mrt_comm *comm,
	    void **local)
{
	int rc = proc_enter("mrt_map");

	if (!rc) {
		rc = memory_map(remote, bytes, rank, comm, local);
		proc_leave();
	}
	return proc_result("mrt_map", rc);
}
