/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.h: groups: ordered sets of world ranks, without messages. Local
 * objects, which do not change once they are made; public handle struct
 * mrt_group. A group that comes out empty is always MRT_GROUP_EMPTY.
 */
#ifndef P2P_GROUP_H
#define P2P_GROUP_H

#include <stddef.h>
#include <stdint.h>

#include "mrt_lib.h"
#include "runtime/base/pool.h"

struct mrt_group {
	uint64_t magic; /* GROUP_MAGIC while alive */
	int size;
	int rank;    /* of the caller; MRT_UNDEFINED: it is not in the group */
	int *world;  /* [size] world rank of each */
	int *sorted; /* [size] group ranks by world rank */
};
#define GROUP_MAGIC 0x6d72742d67726f75ull

extern struct pool group_pool;

/* The object behind a handle, or NULL if the handle is not valid. */
struct mrt_group *group_get(struct mrt_group *handle);

/* What a handle that is none gives: MRT_ERR_GROUP (proc_fail). */
int group_unknown(const struct mrt_group *handle);

/* Lists the places 0 .. n-1 by the world rank that stands there. */
void group_sort(const int *world, int n, int *sorted);
/* Where a world rank stands, or -1. */
int group_search(const int *world, const int *sorted, int n, int rank);

/*
 * Making one: room for n ranks, which are added one by one, at most n and each
 * once; then *newgroup gets it, or it goes. NULL: no memory, which finish
 * turns into MRT_ERR_NO_MEM.
 */
struct mrt_group *group_make(size_t n);
static inline void group_add(struct mrt_group *group, int world)
{
	group->world[group->size++] = world;
}
int group_finish(struct mrt_group *group, struct mrt_group **newgroup);
/* NULL is fine. */
void group_destroy(struct mrt_group *group);

/* Two handles become groups, or MRT_ERR_GROUP; output must not be NULL. */
int group_check_two(struct mrt_group **a, struct mrt_group **b,
		    const void *output);
/* 0 or MRT_ERR_RANK. */
int group_check_rank(const struct mrt_group *group, int rank);

/* Group rank of a world rank, or -1. */
static inline int group_rank_of(const struct mrt_group *group, int world)
{
	return group_search(group->world, group->sorted, group->size, world);
}
#endif
