/* SPDX-License-Identifier: Apache-2.0 */
/* coll_args.c: checks the arguments of a collective by the table of rules. */
#include "coll/call/coll_args.h"

#include <stdlib.h>

#include "coll/call/coll_state.h"
#include "runtime/engine/proc.h"

/* ---- Sides --------------------------------------------------------------- */

/* The names of the arguments in mrt.h. These are for collectives that move data
 * and have lists on both sides or on none. */
static const struct side_names moved[] = {
    {"sendbuf", "sendcount", "sendtype", "sendcounts", "sdispls"},
    {"recvbuf", "recvcount", "recvtype", "recvcounts", "rdispls"}};
/* These are for collectives that have lists on one side only. */
static const struct side_names displaced[] = {
    {"sendbuf", "sendcount", "sendtype", "sendcounts", "displs"},
    {"recvbuf", "recvcount", "recvtype", "recvcounts", "displs"}};
static const struct side_names reduced[] = {
    {"sendbuf", "count", "type", NULL, NULL},
    {"recvbuf", "count", "type", NULL, NULL}};
static const struct side_names reduced_blocks[] = {
    {"sendbuf", "recvcount", "type", NULL, NULL},
    {"recvbuf", "recvcount", "type", NULL, NULL}};
static const struct side_names reduced_counts[] = {
    {"sendbuf", "recvcounts", "type", NULL, NULL},
    {"recvbuf", "recvcounts", "type", NULL, NULL}};
static const struct side_names copied[] = {
    {NULL, NULL, NULL, NULL, NULL}, {"buf", "count", "type", NULL, NULL}};

static const struct side_names *names_of(const struct rule *rule)
{
	if (rule->send.holds == HOLDS_NOTHING)
		return copied;
	if (rule->reduces && rule->send.holds == HOLDS_ONE)
		return reduced;
	if (rule->reduces)
		return rule->send.given ? reduced_counts : reduced_blocks;
	return rule->send.given == rule->recv.given ? moved : displaced;
}

static struct role role_of(const struct rule *rule, const struct coll_args *a,
			   const struct mrt_comm *comm)
{
	bool inter = comm->inter;
	struct role role = {.dests = comm->size,
			    .sources = comm->size,
			    .rank = comm->rank,
			    .two_groups = inter,
			    .send_in_place = a->send.buf == MRT_IN_PLACE,
			    .recv_in_place = a->recv.buf == MRT_IN_PLACE};

	if (rule->rooted)
		role.root = a->root == (inter ? MRT_ROOT : comm->rank);
	role.absent = inter && rule->rooted && a->root == MRT_PROC_NULL;
	if (rule->reduces)
		role.dests = comm->own_size;
	if (rule->neighbors) {
		role.dests = a->neighbors->ndests;
		role.sources = a->neighbors->nsources;
	}
	return role;
}

/* Tells which of the sides use their lists, and whose blocks they have. */
static void set_lists(const struct rule *rule, struct coll_args *a)
{
	if (!rule->neighbors || a->lists) {
		a->send.lists = rule->send.given == BY_DISPLACEMENTS;
		a->recv.lists = rule->recv.given == BY_DISPLACEMENTS;
	}
	if (!rule->neighbors)
		return;
	if (rule->send.holds == HOLDS_EACH)
		a->send.ranks = a->neighbors->dests;
	a->recv.ranks = a->neighbors->sources;
}

/* The checks below are inlined into coll_args_check twice: once for a `plain`
 * call, which is within one group and has blocks of one length, and once for
 * all others. A plain call has no lists and no neighbours. */
#define FOR_BOTH __attribute__((always_inline)) static inline

FOR_BOTH void set_sides(const struct rule *rule, struct coll_args *a,
			const struct mrt_comm *comm, bool plain)
{
	const struct side_names *names = names_of(rule);

	if (plain || (!comm->inter && !rule->neighbors)) {
		const struct role role = {
		    .dests = comm->size,
		    .sources = comm->size,
		    .rank = comm->rank,
		    .root = rule->rooted && a->root == comm->rank,
		    .send_in_place = a->send.buf == MRT_IN_PLACE,
		    .recv_in_place = a->recv.buf == MRT_IN_PLACE};

		a->blocks = rule_blocks(rule, &role);
	} else {
		const struct role role = role_of(rule, a, comm);

		a->blocks = rule_blocks(rule, &role);
	}
	a->send.names = &names[0];
	a->send.n = a->blocks.send;
	a->recv.names = &names[1];
	a->recv.n = a->blocks.recv;
	if (!plain && rule->lengths != LENGTHS_EQUAL)
		set_lists(rule, a);
}

/* ---- Collectives that only move data ------------------------------------- */

struct block *coll_blocks(struct mrt_comm *comm, size_t n)
{
	struct coll_comm *c = comm->coll;

	if (!c->blocks || c->nblocks < n) {
		free(c->blocks);
		c->nblocks = n;
		c->blocks = malloc((n + 1) * sizeof(*c->blocks));
	}
	if (!c->blocks)
		proc_fail(MRT_ERR_NO_MEM, "%zu blocks", n);
	return c->blocks;
}

/* Sets *bytes to the length of each block or, for a side with lists, *blocks to
 * `list` with all blocks filled in. */
static int coll_args_measure(struct side *side, struct block *list,
			     size_t *bytes, const struct block **blocks)
{
	if (!side->n)
		return 0;
	if (!side->lists)
		return coll_check_side(side, bytes);
	*blocks = list;
	return coll_check_lists(side, list);
}

/* Completes a call in place: the rank's own block is as long as the list says;
 * if each rank has a block for each other rank, the blocks sent lie where the
 * blocks received do. */
static void stay_in_place(const struct rule *rule, int rank,
			  struct coll_call *call)
{
	const struct block *blocks =
	    call->shape.send ? call->shape.send : call->shape.recv;

	if (!blocks)
		return;
	if (rule->send.holds == rule->recv.holds)
		call->shape.send = blocks;
	else
		call->shape.count = blocks[rank].count;
}

/* Lists the blocks received, whose length differs from that of the blocks sent,
 * as is allowed between groups and among neighbours. */
static int list_received(struct mrt_comm *comm, const struct side *recv,
			 size_t bytes, struct coll_call *call)
{
	struct block *in = coll_blocks(comm, (size_t)recv->n);

	if (!in)
		return MRT_ERR_NO_MEM;
	for (int i = 0; i < recv->n; i++)
		in[i] = (struct block){(size_t)i * bytes, bytes};
	call->shape.recv = in;
	return 0;
}

/* Checks that sides with lists do not overlap; if both sides have lists, only
 * the blocks that the rank sends to itself are compared. */
static int check_lists_apart(const struct coll_args *a, int rank,
			     const struct coll_call *call)
{
	const struct block *out = call->shape.send, *in = call->shape.recv;
	const struct block all = {0, call->shape.count};
	int rc = 0;

	if (out && in)
		return coll_check_overlap(
		    coll_place(call->send, &out[rank]), out[rank].count,
		    coll_place(call->recv, &in[rank]), in[rank].count);
	for (int i = 0; i < (out ? a->send.n : a->recv.n) && !rc; i++) {
		const struct block *from = out ? &out[i] : &all;
		const struct block *to = in ? &in[i] : &all;

		rc = coll_check_overlap(coll_place(call->send, from),
					from->count, coll_place(call->recv, to),
					to->count);
	}
	return rc;
}

/* Checks that both sides match each other and do not overlap. Sides with holes
 * will be packed, and packed sides never overlap. */
FOR_BOTH int check_both(const struct coll_args *a, const struct mrt_comm *comm,
			const struct coll_call *call, size_t sent,
			size_t received, bool plain)
{
	const struct block *out = plain ? NULL : call->shape.send;
	const struct block *in = plain ? NULL : call->shape.recv;
	bool others = !plain && (comm->inter || call->shape.neighbors);
	bool listed = !plain && (a->send.lists || a->recv.lists);
	int rc = others
		     ? 0
		     : coll_check_equal(out ? out[comm->rank].count : sent,
					in ? in[comm->rank].count : received);

	if (rc || a->send.holes || a->recv.holes || (listed && others))
		return rc;
	if (listed)
		return check_lists_apart(a, comm->rank, call);
	return coll_check_overlap(call->send, sent * (size_t)a->send.n,
				  call->recv, received * (size_t)a->recv.n);
}

/* Measures both sides when one of them has lists. */
static int measure_lists(struct mrt_comm *comm, struct coll_args *a,
			 size_t *sent, size_t *received, struct coll_call *call)
{
	size_t n = (size_t)a->send.n;
	struct block *list = coll_blocks(comm, n + (size_t)a->recv.n);
	int rc;

	if (!list)
		return MRT_ERR_NO_MEM;
	rc = coll_args_measure(&a->send, list, sent, &call->shape.send);
	return rc ? rc
		  : coll_args_measure(&a->recv, list + n, received,
				      &call->shape.recv);
}

FOR_BOTH int check_moves(const struct rule *rule, struct mrt_comm *comm,
			 struct coll_args *a, struct coll_call *call,
			 bool plain)
{
	size_t sent = 0, received = 0;
	int rc = 0;

	if (!plain && (a->send.lists || a->recv.lists)) {
		rc = measure_lists(comm, a, &sent, &received, call);
	} else {
		if (a->send.n)
			rc = coll_check_side(&a->send, &sent);
		if (!rc && a->recv.n)
			rc = coll_check_side(&a->recv, &received);
	}
	if (rc)
		return rc;
	call->shape.count =
	    a->send.n && (plain || !a->send.lists) ? sent : received;
	if (!plain && call->shape.in_place)
		stay_in_place(rule, comm->rank, call);
	if (a->send.n && a->recv.n)
		rc = check_both(a, comm, call, sent, received, plain);
	if (!plain && !rc && a->recv.n && !a->recv.lists &&
	    received != call->shape.count)
		rc = list_received(comm, &a->recv, received, call);
	return rc;
}

/* ---- Reductions ---------------------------------------------------------- */

/* Checks the counts of a reduce_scatter and lists the blocks of its vector,
 * indexed by rank of the communicator that runs the call: between two groups
 * the ranks of the own group have the blocks, and the others have none. */
static int check_counts(struct coll_args *a, struct mrt_comm *comm,
			struct coll_call *call)
{
	const struct mrt_comm *runs = coll_runs_on(comm);
	bool lists = rules[call->collective].send.given == BY_COUNTS;
	int first = comm->inter ? comm->inter->own : 0;
	struct block *blocks = coll_blocks(comm, (size_t)runs->size);
	size_t total = 0;

	if (!blocks)
		return MRT_ERR_NO_MEM;
	if (lists && !a->recv.counts)
		return proc_fail(MRT_ERR_ARG, "recvcounts is NULL");
	for (int i = 0; i < runs->size; i++) {
		int r = i - first;
		size_t n = r < 0 || r >= comm->own_size ? 0
			   : lists			? a->recv.counts[r]
							: a->recv.count;

		if (n > TYPE_COUNT_MAX - total)
			return proc_fail(MRT_ERR_COUNT,
					 "recvcounts of rank %d is %zu (a "
					 "negative one?)",
					 r, n);
		blocks[i] = (struct block){total, n};
		total += n;
	}
	a->send.count = total;
	a->send.n = !call->shape.in_place;
	a->recv.count = call->shape.in_place ? total : blocks[runs->rank].count;
	a->recv.n = 1;
	call->shape.recv = blocks;
	return 0;
}

FOR_BOTH int check_reduction(const struct rule *rule, struct coll_args *a,
			     struct mrt_comm *comm, struct coll_call *call,
			     bool plain)
{
	size_t sent = 0, received = 0;
	int rc = 0;

	call->shape.count = a->recv.count;
	if (!plain && (rule->send.given == BY_COUNTS ||
		       (comm->inter && rule->send.holds == HOLDS_EACH))) {
		call->shape.count = 0;
		rc = check_counts(a, comm, call);
	}
	if (!rc && a->send.n)
		rc = coll_check_side(&a->send, &sent);
	if (!rc && a->recv.n)
		rc = coll_check_side(&a->recv, &received);
	if (rc || a->send.holes || a->recv.holes)
		return rc;
	return coll_check_overlap(a->send.buf, sent * (size_t)a->send.n,
				  a->recv.buf, received * (size_t)a->recv.n);
}

/* ---- All checks ---------------------------------------------------------- */

static int check_root(const struct mrt_comm *comm, int root)
{
	if (root >= 0 && root < comm->size)
		return 0;
	return proc_fail(MRT_ERR_ROOT, "root %d of a communicator of %d", root,
			 comm->size);
}

FOR_BOTH int check(const struct rule *rule, struct coll_args *a,
		   struct mrt_comm *comm, struct coll_call *call, bool plain)
{
	int rc;

	call->type = type_get(MRT_BYTE);
	call->shape.root = a->root; /* 0 if the collective has no root */
	rc = !plain && comm->inter ? inter_check_root(a, comm, call)
				   : check_root(comm, a->root);
	if (!plain && !rc && rule->neighbors)
		rc = coll_check_neighbors(a->neighbors, comm, call);
	if (!rc && rule->reduces && (plain || call->shape.root >= 0))
		rc = coll_check_op(call, a->recv.type, a->op);
	if (rc)
		return rc;
	set_sides(rule, a, comm, plain);
	call->shape.in_place = a->blocks.in_place;
	call->send = a->send.n ? a->send.buf : NULL;
	call->recv = a->recv.n ? (void *)(uintptr_t)a->recv.buf : NULL;
	rc = rule->reduces ? check_reduction(rule, a, comm, call, plain)
			   : check_moves(rule, comm, a, call, plain);
	if (!plain && !rc && rule->neighbors)
		rc = coll_check_own(comm, call, a->send.holes || a->recv.holes);
	if (!plain && !rc && comm->inter)
		inter_translate(a, comm, call);
	return rc;
}

static __attribute__((noinline)) int check_any(const struct rule *rule,
					       struct coll_args *a,
					       struct mrt_comm *comm,
					       struct coll_call *call)
{
	return check(rule, a, comm, call, false);
}

int coll_args_check(struct coll_args *a, struct mrt_comm *comm,
		    struct coll_call *call)
{
	const struct rule *rule = &rules[call->collective];

	if (rule->lengths == LENGTHS_NONE)
		return 0;
	if (__builtin_expect(rule->lengths == LENGTHS_EQUAL && !comm->inter, 1))
		return check(rule, a, comm, call, true);
	return check_any(rule, a, comm, call);
}
