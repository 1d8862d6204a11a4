/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_comm.c makes and frees communicators: each is made from the world or
 * from another slot's, in every way that there is, of one group or two.
 */
#include "tests/soak/soak.h"
#include "tests/system/trial.h"

/* A struct birth says what is made, and from which communicator. */
struct birth {
	struct soak *s;
	struct mrt_comm *parent;
	int rank, size;
	struct slot *made;
};

/* Draws a number for a rank of the parent; every rank of it knows the
 * number. */
static uint64_t of_rank(const struct birth *b, int rank)
{
	return trial_hash(b->s->op, 300, (uint64_t)rank) >> 5;
}

/* ---- Of any ----------------------------------------------------------------
 */

static int make_dup(struct birth *b)
{
	return mrt_comm_dup(b->parent, &b->made->comm);
}

/* The parent is used while the duplicate is being made. */
static int make_idup(struct birth *b)
{
	struct mrt_request *request;
	int rc = mrt_comm_idup(b->parent, &b->made->comm, &request);

	if (!rc && draw(b->s, 310, 2))
		rc = mrt_barrier(b->parent);
	return rc ? rc : mrt_wait(&request, MRT_STATUS_IGNORE);
}

static int make_split(struct birth *b)
{
	uint64_t h = of_rank(b, b->rank);
	int color = (int)(h % 3), key = (int)(h >> 8 & 15);

	if (draw(b->s, 311, 3) == 0 && color == 2)
		color = MRT_UNDEFINED;
	return mrt_comm_split(b->parent, color, key, &b->made->comm);
}

static int make_node(struct birth *b)
{
	return mrt_comm_split_node(b->parent, -b->rank, &b->made->comm);
}

static int make_cache(struct birth *b)
{
	return mrt_comm_split_locality(b->parent, MRT_LOCALITY_CACHE, b->rank,
				       &b->made->comm);
}

/* Chooses by a bit ranks of the parent's group (of two groups: the own one). */
static struct mrt_group *choose(struct birth *b, int bit, bool *member)
{
	struct mrt_group *all, *some;
	int *ranks = calloc((size_t)b->size, sizeof(*ranks));
	size_t n = 0;

	*member = false;
	for (int k = 0; k < b->size; k++) {
		int r = (k + (int)draw(b->s, 312, 7)) % b->size;

		if ((int)(of_rank(b, r) >> 20 & 1) != bit)
			continue;
		ranks[n++] = r;
		*member |= r == b->rank;
	}
	MUST_OK(b->s, mrt_comm_group(b->parent, &all));
	MUST_OK(b->s, mrt_group_incl(all, n, ranks, &some));
	MUST_OK(b->s, mrt_group_free(&all));
	free(ranks);
	return some;
}

/* Makes two groups at once, or one of them, as on each side of two. */
static int make_create(struct birth *b)
{
	bool both = b->made->side == ONE_GROUP && draw(b->s, 313, 2), member;
	int mine = both ? (int)(of_rank(b, b->rank) >> 20 & 1) : 0, rc;
	struct mrt_group *group = choose(b, mine, &member);

	rc = mrt_comm_create(b->parent, group, &b->made->comm);
	MUST_OK(b->s, mrt_group_free(&group));
	return rc;
}

/* Only the members call. */
static int make_group(struct birth *b)
{
	bool member;
	struct mrt_group *group = choose(b, 1, &member);
	int rc = 0;

	if (member)
		rc = mrt_comm_create_group(b->parent, group, b->s->number,
					   &b->made->comm);
	MUST_OK(b->s, mrt_group_free(&group));
	return rc;
}

/* ---- Two groups ------------------------------------------------------------
 */

/* Divides by a bound, or into odd and even ranks. */
static int side_of(const struct birth *b, int rank)
{
	int bound = 1 + (int)draw(b->s, 320, (uint64_t)(b->size - 1));

	return draw(b->s, 321, 2) ? rank % 2 : rank >= bound;
}

/* The last rank of a side leads it. */
static int make_inter(struct birth *b)
{
	int side, own = 0, leader = 0, rc;
	struct mrt_comm *local;

	if (b->size < 2)
		return make_dup(b);
	side = side_of(b, b->rank);
	for (int r = 0; r < b->size; r++) {
		own += side_of(b, r) == side;
		if (side_of(b, r) != side)
			leader = r;
	}
	rc = mrt_comm_split(b->parent, side, b->rank, &local);
	if (rc)
		return rc;
	rc = mrt_intercomm_create(local, own - 1, b->parent, leader, 17,
				  &b->made->comm);
	b->made->side = side;
	MUST_OK(b->s, mrt_comm_free(&local));
	return rc;
}

static int make_merge(struct birth *b)
{
	int high = draw(b->s, 322, 2) ? b->made->side : 1 - b->made->side;

	b->made->side = ONE_GROUP;
	return mrt_intercomm_merge(b->parent, high, &b->made->comm);
}

/* ---- Slots -----------------------------------------------------------------
 */

static const struct way {
	const char *name;
	int (*make)(struct birth *b);
} ways[] =
    {
	{"dup", make_dup},
	{"idup", make_idup},
	{"split", make_split},
	{"split node", make_node},
	{"create", make_create},
	{"split cache", make_cache},
	{"create group", make_group},
	{"intercomm", make_inter},
	{"intercomm", make_inter},
},
  inter_ways[] = {
      {"inter dup", make_dup},	   {"inter idup", make_idup},
      {"inter split", make_split}, {"inter create", make_create},
      {"inter merge", make_merge},
};

/* A rank that is not in the parent is not in the new communicator either; the
 * members do not depend on it. */
void slot_make(struct soak *s, int k)
{
	int from = (int)draw(s, 330, 2 * SLOTS);
	struct slot parent = {s->world, ONE_GROUP}, made;
	struct birth b = {.s = s, .made = &made};
	const struct way *way;

	if (from < SLOTS && from != k)
		parent = s->slots[from];
	made = (struct slot){MRT_COMM_NULL, parent.side};
	s->slots[k] = made;
	if (parent.comm == MRT_COMM_NULL)
		return;
	b.parent = parent.comm;
	b.rank = mrt_rank(b.parent);
	b.size = mrt_size(b.parent);
	way = parent.side == ONE_GROUP
		  ? &ways[draw(s, 331, sizeof(ways) / sizeof(*ways))]
		  : &inter_ways[draw(s, 331,
				     sizeof(inter_ways) / sizeof(*inter_ways))];
	s->doing = way->name;
	MUST_OK(s, way->make(&b));
	s->slots[k] = made;
	soak_count(way->name, 0);
}

void slot_free(struct soak *s, int k)
{
	s->doing = "free";
	if (s->slots[k].comm != MRT_COMM_NULL)
		MUST_OK(s, mrt_comm_free(&s->slots[k].comm));
}
