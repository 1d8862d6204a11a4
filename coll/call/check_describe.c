/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_describe.c: describes a public call by a statement and by its traffic
 * (check.h). It reads the arguments as the user gave them, since a checked call
 * counts bytes and no longer knows what its elements consist of.
 */
#include <stdio.h>
#include <string.h>

#include "coll/plan/neighbor.h"
#include "coll/call/check.h"
#include "p2p/type/type_sequence.h"
#include "runtime/engine/outer.h"

/* Returns a hash of the sequence of basic elements in `count` elements of a
 * type; or 0 if bytes or packed data are among them, which match anything. */
static uint64_t signature_of(struct mrt_type *handle, size_t count)
{
	const struct mrt_type *type = type_get(handle);
	struct type_sequence s =
	    type_sequence_repeat(type_sequence_of(type), count);

	/* the signature of no elements is not 0 either */
	return s.any ? 0 : s.value | 1ull << 63;
}

static size_t bytes_of(struct mrt_type *handle, size_t count)
{
	const struct mrt_type *type = type_get(handle);

	return type ? count * type->size : 0;
}

static uint64_t check_describe_mix(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ b * 0x9e3779b97f4a7c15ull) + 0x632be59bd9b4e019ull;

	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
	return x ^ x >> 32;
}

/* ---- Statements ---------------------------------------------------------- */

static void put_name(char *to, size_t len, const char *name)
{
	size_t n = strlen(name);

	memcpy(to, name, n < len ? n : len - 1);
}

struct statement check_statement(const char *name)
{
	struct statement s;

	/* the padding is sent and compared, too */
	memset(&s, 0, sizeof(s));
	put_name(s.name, sizeof(s.name), name);
	put_name(s.outer, sizeof(s.outer), outer_call ?: "");
	return s;
}

static void say_elements(struct statement *s, struct mrt_type *handle,
			 size_t count)
{
	const struct mrt_type *type = type_get(handle);

	s->count = count;
	if (type && type->name)
		put_name(s->type, sizeof(s->type), type->name);
	else
		snprintf(s->type, sizeof(s->type), "elements of %zu bytes",
			 type ? type->size : 0);
}

/* States that all ranks have `times` times `count` elements. */
static void say_data(struct statement *s, struct mrt_type *type, size_t count,
		     size_t times)
{
	say_elements(s, type, count);
	s->flags |= SAYS_DATA;
	s->bytes = bytes_of(type, count) * times;
	s->signature = signature_of(type, count * times);
}

static void say_op(struct statement *s, struct mrt_op *handle)
{
	const struct mrt_op *op = op_get(handle);

	if (op && op->fn)
		put_name(s->op, sizeof(s->op),
			 op->commutative ? "commutative" : "not commutative");
	else if (op)
		put_name(s->op, sizeof(s->op), op->name);
}

static void say_counts(struct statement *s, const struct coll_args *a, int n)
{
	size_t total = 0;

	for (int r = 0; r < n; r++) {
		total += a->recv.counts[r];
		s->list = check_describe_mix(s->list, a->recv.counts[r]);
	}
	say_data(s, a->recv.type, total, 1);
}

/* States the root by its rank in the communicator that runs the call. */
static void say_root(struct statement *s, int root, const struct mrt_comm *comm)
{
	const struct comm_inter *i = comm->inter;

	s->root = root;
	s->flags |= SAYS_ROOT;
	if (!i)
		return;
	if (root == MRT_PROC_NULL)
		s->flags |= SAYS_NO_PART;
	else
		s->root = root == MRT_ROOT ? i->merged->rank : i->peers[root];
}

/* States what a collective inside one group moves: its data, or that the
 * traffic must be compared. Two groups have no data in common to state. */
static void say_moves(struct statement *s, const struct rule *rule,
		      const struct coll_args *a)
{
	bool in_recv =
	    (rule_scatters(rule) ? a->recv.buf : a->send.buf) == MRT_IN_PLACE;

	if (rule->lengths != LENGTHS_EQUAL)
		s->flags |= SAYS_TRAFFIC;
	else if (rule_scatters(rule) == in_recv)
		say_data(s, a->send.type, a->send.count, 1);
	else
		say_data(s, a->recv.type, a->recv.count, 1);
}

static void say_reduction(struct statement *s, const struct rule *rule,
			  const struct coll_args *a,
			  const struct mrt_comm *comm)
{
	say_op(s, a->op);
	if (rule->send.given == BY_COUNTS) {
		say_counts(s, a, comm->own_size);
	} else if (rule->send.holds == HOLDS_EACH) {
		say_data(s, a->recv.type, a->recv.count,
			 (size_t)comm->own_size);
		s->list = a->recv.count;
	} else {
		say_data(s, a->recv.type, a->recv.count, 1);
	}
}

void check_describe(const char *name, enum collective collective,
		    const struct coll_args *a, const struct mrt_comm *comm,
		    struct statement *s)
{
	const struct rule *rule = &rules[collective];

	*s = check_statement(name);
	if (rule->rooted)
		say_root(s, a->root, comm);
	if (rule->lengths == LENGTHS_NONE)
		return;
	if (rule->in_place == IN_PLACE_ALL && a->send.buf == MRT_IN_PLACE)
		s->flags |= SAYS_IN_PLACE;
	if (!rule->reduces && rule->send.holds != HOLDS_NOTHING) {
		if (comm->inter)
			s->flags |= SAYS_TRAFFIC;
		else
			say_moves(s, rule, a);
	} else if (!(s->flags & SAYS_NO_PART)) {
		if (rule->reduces)
			say_reduction(s, rule, a, comm);
		else
			say_data(s, a->recv.type, a->recv.count, 1);
	}
}

/* ---- Traffic ------------------------------------------------------------- */

/* Adds a message with a tag to the traffic. */
static void check_describe_add(struct traffic *f, unsigned tag,
			       struct mrt_type *type, size_t count)
{
	uint64_t signature = signature_of(type, count);
	size_t bytes = bytes_of(type, count);
	bool any = !signature || (f->messages && !f->signature);

	f->messages++;
	f->bytes += bytes;
	/* a sum, so that the order of the messages does not matter */
	f->signature +=
	    check_describe_mix(check_describe_mix(tag + 1, bytes), signature);
	if (any)
		f->signature = 0;
}

static void add_sent(const struct coll_args *a, int k, unsigned tag,
		     struct traffic *f)
{
	check_describe_add(f, tag,
			   a->send.types ? a->send.types[k] : a->send.type,
			   a->send.counts ? a->send.counts[k] : a->send.count);
}

static void add_received(const struct coll_args *a, int k, unsigned tag,
			 struct traffic *f)
{
	check_describe_add(f, tag,
			   a->recv.types ? a->recv.types[k] : a->recv.type,
			   a->recv.counts ? a->recv.counts[k] : a->recv.count);
}

static void among_neighbors(const struct coll_args *a, struct check *v)
{
	const struct mrt_neighbors *n = a->neighbors;
	const struct neighbors nb = {n->nsources, n->ndests, n->sources,
				     n->dests, n->grid != 0};

	for (int i = 0; i < nb.ndests; i++)
		if (nb.dests[i] != MRT_PROC_NULL)
			add_sent(a, i, neighbor_dest_tag(&nb, i),
				 check_to(v, nb.dests[i]));
	for (int i = 0; i < nb.nsources; i++)
		if (nb.sources[i] != MRT_PROC_NULL)
			add_received(a, i, neighbor_source_tag(&nb, i),
				     check_from(v, nb.sources[i]));
}

/* Adds the messages to and from rank r of the other group, or of the only group
 * there is. */
static void with_rank(const struct rule *rule, const struct coll_args *a,
		      const struct mrt_comm *comm, int r, struct traffic *to,
		      struct traffic *from)
{
	bool root = a->root == (comm->inter ? MRT_ROOT : comm->rank);

	if (rule->rooted) {
		if (!root && r != a->root)
			return;
		if (root == rule_scatters(rule))
			add_sent(a, r, 0, to);
		else
			add_received(a, r, 0, from);
		return;
	}
	if (a->send.buf != MRT_IN_PLACE)
		add_sent(a, r, 0, to);
	else
		add_received(a, rule->send.holds == HOLDS_EACH ? r : comm->rank,
			     0, to);
	add_received(a, r, 0, from);
}

void check_traffic(enum collective collective, const struct coll_args *a,
		   const struct mrt_comm *comm, struct check *v)
{
	if (a->neighbors) {
		among_neighbors(a, v);
		return;
	}
	for (int r = 0; r < comm->size; r++) {
		int at = comm->inter ? comm->inter->peers[r] : r;

		with_rank(&rules[collective], a, comm, r, check_to(v, at),
			  check_from(v, at));
	}
}
