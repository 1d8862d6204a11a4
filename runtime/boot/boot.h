/* SPDX-License-Identifier: Apache-2.0 */
/*
 * boot.h: how a rank joins its job: a PMIx client under mrun, srun
 * --mpi=pmix, Open MPI's mpirun or prterun, a singleton without any of them.
 * Called by init and by fabrics while they wire up; main thread only.
 */
#ifndef BOOT_BOOT_H
#define BOOT_BOOT_H

#include <stdbool.h>
#include <stddef.h>

struct boot_job {
	int rank, size;	  /* in the job */
	int nnodes;	  /* nodes of the job */
	int node_rank;	  /* among the ranks of this node */
	int node_size;	  /* ranks on this node */
	int *node_ranks;  /* [node_size] their world ranks, ascending */
	bool singleton;	  /* no launcher */
	char id[256];	  /* name of the job */
	char host[128];	  /* this node */
	char nodes[256];  /* names of all nodes, for messages */
	char dir[256];	  /* job's own directory, removed by the launcher; "" */
	char cpuset[256]; /* hwloc list syntax "0-1,4"; "" if unknown */
};

/* Joins. MRT_ERR_SERVICE when the launcher cannot be spoken to (logged). */
int boot_init(struct boot_job *job);

/* Whether a rank is on this node. */
bool boot_is_local(const struct boot_job *job, int rank);

/* Publishes a blob under a key; seen by others after the next boot_fence. */
int boot_put(const char *key, const void *blob, size_t len);

/* Waits for all ranks and exchanges what was put; bounded by MRT_TIMEOUT. */
int boot_fence(void);
/*
 * The last one: until all ranks are there, which may compute for long before
 * they end, or a fault. Meanwhile is called ten times a second, to look for
 * one.
 */
int boot_fence_last(void (*meanwhile)(void *arg), void *arg);

/* Fetches what `rank` has put; *len: size of blob in, length out.
 * MRT_ERR_PROTOCOL: no such key, or longer than the caller's buffer. */
int boot_get(int rank, const char *key, void *blob, size_t *len);

/* Asks the launcher to end the job and exits with `code`. */
void boot_abort(int code, const char *text) __attribute__((noreturn));

/* In a child of fork(): the launcher does not know it. Async-signal-safe. */
void boot_forked(void);

/*
 * Leaves; waits for the other ranks (bounded by faults only). Not for good, as
 * after a start that has failed: stays connected, since the others still wait
 * for this rank, which may start again; if it ends, the launcher sees that it
 * has not left.
 */
int boot_finalize(struct boot_job *job, bool for_good);
#endif
