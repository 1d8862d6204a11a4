/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.h: groups are ordered sets of world ranks (public handle struct
 * mrt_group). They are local objects and do not change once made. An empty
 * group is always MRT_GROUP_EMPTY.
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
	int rank;    /* the caller's; MRT_UNDEFINED: not a member */
	int *world;  /* [size] world rank of each */
	int *sorted; /* [size] group ranks by world rank */
	struct mrt_buffer *shared; /* mrt_group_share_buffer; or NULL */
};
#define GROUP_MAGIC 0x6d72742d67726f75ull

extern struct pool group_pool;

/* The object behind a handle, or NULL if the handle is not valid. */
struct mrt_group *group_get(struct mrt_group *handle);

/* Reports an invalid group handle: returns MRT_ERR_GROUP (proc_fail). */
int group_unknown(const struct mrt_group *handle);

/* Sets sorted[n] to the group ranks 0 .. n-1 in the order of their world
 * ranks. */
void group_sort(const int *world, int n, int *sorted);
/* The group rank of a world rank, or -1. */
int group_search(const int *world, const int *sorted, int n, int rank);

/*
 * To make a group: group_make allocates one for n ranks that passes on the
 * shared buffer (NULL if out of memory), group_add adds them one by one, at
 * most n and each once, and group_finish stores it in *newgroup. group_finish
 * turns NULL into MRT_ERR_NO_MEM and frees the group if it fails.
 */
struct mrt_group *group_make(size_t n, struct mrt_buffer *shared);
static inline void group_add(struct mrt_group *group, int world)
{
	group->world[group->size++] = world;
}
int group_finish(struct mrt_group *group, struct mrt_group **newgroup);
/* Frees a group. NULL is fine. */
void group_destroy(struct mrt_group *group);

/* Turns two handles into groups. MRT_ERR_GROUP, or MRT_ERR_ARG if output is
 * NULL. */
int group_check_two(struct mrt_group **a, struct mrt_group **b,
		    const void *output);
/* Returns 0 or MRT_ERR_RANK. */
int group_check_rank(const struct mrt_group *group, int rank);

/* Group rank of a world rank, or -1. */
static inline int group_rank_of(const struct mrt_group *group, int world)
{
	return group_search(group->world, group->sorted, group->size, world);
}
#endif
