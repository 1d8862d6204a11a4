/* SPDX-License-Identifier: Apache-2.0 */
/* boot.h: joins a rank to its job, as a client of PMIx (mrun, srun
 * --mpi=pmix, Open MPI's mpirun, prterun) or of PMI-1 (Hydra, srun --mpi=pmi2),
 * or as a singleton without a launcher. Called by init and by fabrics while
 * they wire up, on the main thread only. */
#ifndef BOOT_BOOT_H
#define BOOT_BOOT_H

#include <stdbool.h>
#include <stddef.h>

struct boot_job {
	int rank, size;	 /* in the job */
	int nnodes;	 /* nodes in the job */
	int node_rank;	 /* among this node's ranks */
	int node_size;	 /* ranks on this node */
	int *node_ranks; /* [node_size] world ranks of this node, ascending */
	char id[256];	 /* name of the job */
	char host[128];	 /* this node */
	char nodes[256]; /* names of all nodes, for messages */
	char dir[256];	 /* job's directory, removed by the launcher; or "" */
};

/* Joins the job and fills *job, which is all 0 at first, and later as
 * boot_finalize has left it. MRT_ERR_SERVICE (logged) if the launcher cannot be
 * reached, MRT_ERR_PROTOCOL (logged) if it does not describe the job. */
int boot_init(struct boot_job *job);

/* Whether a launcher has started this process as a rank. */
bool boot_is_launched(void);

/* Returns the place of a world rank among those of this node, or -1. */
static inline int boot_local_index(const struct boot_job *job, int rank)
{
	int low = 0, high = job->node_size - 1, k = rank - job->node_ranks[0];

	if (job->node_ranks[high] - job->node_ranks[0] == high)
		return k >= 0 && k <= high ? k : -1;
	while (low < high) {
		int middle = (low + high) / 2;

		if (job->node_ranks[middle] < rank)
			low = middle + 1;
		else
			high = middle;
	}
	return job->node_ranks[low] == rank ? low : -1;
}

/* Whether a world rank is on this node. */
static inline bool boot_is_local(const struct boot_job *job, int rank)
{
	return boot_local_index(job, rank) >= 0;
}

/* Publishes a copy of a blob under a key. Others see it after the next
 * boot_fence. */
int boot_put(const char *key, const void *blob, size_t len);

/* Waits for all ranks and exchanges what was put. MRT_ERR_SERVICE (logged)
 * after MRT_TIMEOUT, or the code of a fault. */
int boot_fence(void);
/* Like boot_fence for the end of the job: without a time limit, since other
 * ranks may compute for long, and without data. Ends with a fault. Calls
 * meanwhile(arg) ten times a second to look for one. */
int boot_fence_last(void (*meanwhile)(void *arg), void *arg);

/* Fetches what `rank` has put under a key; *len: size of blob in, length out.
 * MRT_ERR_PROTOCOL (logged): no such key, or longer than blob, or not of this
 * job. Does not wait for a key that is missing. */
int boot_get(int rank, const char *key, void *blob, size_t *len);
/* Like boot_get for a blob of any length, in memory that the caller frees.
 * MRT_ERR_NO_MEM (logged). */
int boot_get_whole(int rank, const char *key, void **blob, size_t *len);

/* Like boot_put and boot_get for ranks of this node, from the lowest of them:
 * by a file of the job's directory, so that none asks the launcher unless it
 * does not see that file. boot_drop_node removes the file, after all have read
 * it. */
int boot_put_node(const struct boot_job *job, const char *key, const void *blob,
		  size_t len);
int boot_get_node(const struct boot_job *job, const char *key, void *blob,
		  size_t *len);
void boot_drop_node(const struct boot_job *job, const char *key);

/* Adds the counters of requests. */
struct counters;
void boot_stats(struct counters *t);

/* Asks the launcher to end the job and exits with `code`, after two seconds
 * even if the launcher does not answer. */
void boot_abort(int code, const char *text) __attribute__((noreturn));

/* Detaches a child of fork(), which the launcher does not know.
 * Async-signal-safe. */
void boot_forked(void);

/* Leaves the job and waits for the other ranks, bounded by faults only. With
 * for_good false, after a failed start, the rank stays connected, since the
 * others still wait for it and it may start again; if it ends, the launcher
 * sees that it has not left. */
int boot_finalize(struct boot_job *job, bool for_good);
#endif
