/* SPDX-License-Identifier: Apache-2.0 */
/* check.c: builds the plans, checks each step by itself, then asks the other
 * parts of the prover in turn. */
#include "coll/check_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/algorithm.h"
#include "coll/select.h"

/* ---- Complaints and memory ---------------------------------------------- */

bool check_wrong(struct check *k, uint32_t step, const char *format, ...)
{
	const struct shape *s = check_shape(k, 0);
	size_t room = sizeof(k->complaint), n;
	va_list args;

	n = (size_t)snprintf(k->complaint, room,
			     "%s/%s size %d root %d count %zu arg %zu%s: ",
			     coll_tables[k->c->collective].name,
			     k->c->algorithm->name, s->size, s->root, s->count,
			     s->arg, s->commutative ? "" : " in order");
	if (step != NO_STEP) {
		int rank = k->rank_of[step];

		n += (size_t)snprintf(k->complaint + n, room - n,
				      "rank %d%s step %u: ", rank,
				      check_shape(k, rank)->in_place
					  ? " (in place)"
					  : "",
				      step - k->ranks[rank].first + 1);
	}
	va_start(args, format);
	vsnprintf(k->complaint + n, room - n, format, args);
	va_end(args);
	return false;
}

struct check_room {
	struct check_room *next;
	_Alignas(16) char items[];
};

void *check_room(struct check *k, size_t n, size_t size)
{
	struct check_room *room = calloc(1, sizeof(*room) + n * size);

	if (!room) {
		check_wrong(k, NO_STEP, "no memory");
		return NULL;
	}
	room->next = k->rooms;
	k->rooms = room;
	return room->items;
}

/* ---- Each step by itself ------------------------------------------------ */

/* What a kind of step does with its three references. */
enum what {
	UNUSED,
	IN,	 /* reads elements, of any buffer */
	OUT,	 /* writes elements, not of SEND or CELLS */
	COUNTER, /* one of its own cells */
	CELL,	 /* a cell of the peer */
	CELLS,	 /* a cell of the peer for each element */
	PACKED,	 /* cells of the peer, filled */
	SUMS	 /* an own cell for each element */
};

static const struct uses {
	uint8_t src, with, dst;
} uses[STEP_KINDS] = {
    [STEP_SEND] = {IN, UNUSED, UNUSED},
    [STEP_RECV] = {UNUSED, UNUSED, OUT},
    [STEP_RECV_REDUCE] = {OUT, IN, OUT},
    [STEP_SIGNAL] = {UNUSED, UNUSED, CELL},
    [STEP_WRITE] = {IN, UNUSED, PACKED},
    [STEP_FETCH_ADD] = {IN, UNUSED, CELLS},
    [STEP_COMPARE_SWAP] = {IN, UNUSED, CELLS},
    [STEP_COPY] = {IN, UNUSED, OUT},
    [STEP_REDUCE] = {IN, IN, OUT},
    [STEP_WAIT_MEMORY] = {UNUSED, UNUSED, COUNTER},
    [STEP_TAKE] = {SUMS, UNUSED, OUT},
};

size_t check_words(const struct check *k, size_t count)
{
	return (count * check_shape(k, 0)->type_size + 7) / 8;
}

static struct access access_of(const struct check *k, uint32_t step,
			       struct ref ref, enum what what)
{
	const struct check_rank *r = &k->ranks[k->rank_of[step]];
	size_t count = k->step[step]->count;
	struct access a = {.use = what == IN || what == COUNTER ? READS
								: WRITES,
			   .cells = what > OUT || ref.buf == BUF_CELLS,
			   .remote = what >= CELL && what <= PACKED,
			   .at = ref.at,
			   .count = count};

	if (what == COUNTER || what == CELL)
		a.count = 1;
	else if (what == PACKED || (what == IN && a.cells))
		a.count = check_words(k, count);
	else if (!a.cells)
		a.at += r->base[ref.buf];
	return a;
}

static bool same(const struct check *k, uint32_t step, struct ref a,
		 struct ref b)
{
	const struct check_rank *r = &k->ranks[k->rank_of[step]];

	return (a.buf == BUF_CELLS) == (b.buf == BUF_CELLS) &&
	       r->base[a.buf] + a.at == r->base[b.buf] + b.at;
}

int check_accesses(const struct check *k, uint32_t step,
		   struct access out[ACCESSES])
{
	const struct step *s = k->step[step];
	const struct uses *u = &uses[s->kind];
	int n = 0;

	/* what a step reads it has read before it writes */
	if (u->src == IN || u->src == SUMS)
		out[n++] = access_of(k, step, s->src, u->src);
	if (u->with)
		out[n++] = access_of(k, step, s->with, u->with);
	if (u->src == OUT)
		out[n++] = access_of(k, step, s->src, u->src);
	if (u->dst && (s->kind != STEP_COPY || !same(k, step, s->src, s->dst)))
		out[n++] = access_of(k, step, s->dst, u->dst);
	for (int i = n; i-- > 0;)
		if (!out[i].count)
			out[i] = out[--n];
	return n;
}

static bool check_ref(struct check *k, uint32_t step, struct ref ref,
		      enum what what)
{
	const struct check_rank *r = &k->ranks[k->rank_of[step]];
	struct access a;

	if (what == UNUSED)
		return true;
	if (ref.buf >= BUF_TMP + r->plan.ntmp)
		return check_wrong(k, step, "there is no buffer %u", ref.buf);
	a = access_of(k, step, ref, what);
	if (!a.count)
		return true;
	if (what > OUT && ref.buf != BUF_CELLS)
		return check_wrong(k, step, "buffer %u is no cell", ref.buf);
	if (what == OUT && ref.buf == BUF_SEND)
		return check_wrong(k, step, "writes SEND");
	if (what == OUT && ref.buf == BUF_CELLS)
		return check_wrong(k, step, "writes CELLS as if memory");
	if (ref.at > r->len[ref.buf] || a.count > r->len[ref.buf] - ref.at)
		return check_wrong(k, step,
				   "%zu from %zu of buffer %u, which has %zu",
				   a.count, ref.at, ref.buf, r->len[ref.buf]);
	return true;
}

static bool overlap(const struct check *k, uint32_t step, struct ref a,
		    struct ref b)
{
	const struct check_rank *r = &k->ranks[k->rank_of[step]];
	size_t x = r->base[a.buf] + a.at, y = r->base[b.buf] + b.at;
	size_t count = k->step[step]->count;

	return a.buf != BUF_CELLS && b.buf != BUF_CELLS && x < y + count &&
	       y < x + count;
}

static bool check_overlap(struct check *k, uint32_t step)
{
	const struct step *s = k->step[step];
	const struct uses *u = &uses[s->kind];
	bool good = true;

	if (u->dst != OUT || !s->count)
		return true;
	if (u->src && overlap(k, step, s->src, s->dst))
		good = same(k, step, s->src, s->dst);
	if (u->with && overlap(k, step, s->with, s->dst))
		good &= same(k, step, s->with, s->dst);
	if (s->kind == STEP_RECV_REDUCE)
		good &= !overlap(k, step, s->src, s->with);
	return good || check_wrong(k, step, "its operands overlap");
}

static bool check_peer(struct check *k, uint32_t step)
{
	const struct step *s = k->step[step];

	if (!step_has_peer(s->kind))
		return true;
	if (s->peer < 0 || s->peer >= k->n)
		return check_wrong(k, step, "there is no rank %d", s->peer);
	if (s->peer == k->rank_of[step])
		return check_wrong(k, step, "its peer is itself");
	if (step_is_message(s->kind) && s->tag >= PLAN_TAGS)
		return check_wrong(k, step, "tag %u", s->tag);
	return true;
}

static bool check_combine(struct check *k, uint32_t step)
{
	uint8_t kind = k->step[step]->kind, can = check_shape(k, 0)->combine;

	if ((kind == STEP_FETCH_ADD && can != COMBINE_ADD) ||
	    (kind == STEP_COMPARE_SWAP && can == COMBINE_NONE))
		return check_wrong(k, step, "atomics cannot combine that");
	return true;
}

static bool check_step(struct check *k, uint32_t step)
{
	const struct step *s = k->step[step];
	uint32_t number = step - k->ranks[k->rank_of[step]].first + 1;

	if (s->kind >= STEP_KINDS)
		return check_wrong(k, step, "kind %u", s->kind);
	for (int a = 0; a < 2; a++)
		if (s->after[a] >= number)
			return check_wrong(k, step, "after step %u",
					   s->after[a]);
	return check_peer(k, step) && check_combine(k, step) &&
	       check_ref(k, step, s->src, uses[s->kind].src) &&
	       check_ref(k, step, s->with, uses[s->kind].with) &&
	       check_ref(k, step, s->dst, uses[s->kind].dst) &&
	       check_overlap(k, step);
}

/* ---- Plans -------------------------------------------------------------- */

static bool build(struct check *k)
{
	uint64_t steps = 0;

	for (int r = 0; r < k->n; r++) {
		struct check_rank *rank = &k->ranks[r];

		if (plan_build(k->c->algorithm, check_shape(k, r), r,
			       &rank->plan))
			return check_wrong(k, NO_STEP, "no memory");
		if (rank->plan.ncells != k->ranks[0].plan.ncells)
			return check_wrong(k, NO_STEP,
					   "rank %d has %u cells, rank 0 %u", r,
					   rank->plan.ncells,
					   k->ranks[0].plan.ncells);
		rank->first = (uint32_t)steps;
		steps += rank->plan.nsteps;
		check_layout(k, r);
	}
	if (steps >= NO_STEP)
		return check_wrong(k, NO_STEP, "too many steps");
	k->nsteps = (uint32_t)steps;
	k->ncells = k->ranks[0].plan.ncells;
	return true;
}

static bool number(struct check *k)
{
	uint32_t i = 0;

	k->step = check_room(k, k->nsteps, sizeof(*k->step));
	k->rank_of = check_room(k, k->nsteps, sizeof(*k->rank_of));
	k->partner = check_room(k, k->nsteps, sizeof(*k->partner));
	k->order = check_room(k, k->nsteps, sizeof(*k->order));
	if (!k->step || !k->rank_of || !k->partner || !k->order)
		return false;
	for (int r = 0; r < k->n; r++)
		for (uint32_t j = 0; j < k->ranks[r].plan.nsteps; j++, i++) {
			k->step[i] = &k->ranks[r].plan.steps[j];
			k->rank_of[i] = r;
			k->partner[i] = NO_STEP;
		}
	return true;
}

static bool check_steps(struct check *k)
{
	for (uint32_t i = 0; i < k->nsteps; i++)
		if (!check_step(k, i))
			return false;
	return true;
}

static void clear(struct check *k)
{
	for (int r = 0; k->ranks && r < k->n; r++)
		plan_fini(&k->ranks[r].plan);
	while (k->rooms) {
		struct check_room *next = k->rooms->next;

		free(k->rooms);
		k->rooms = next;
	}
}

const char *check_plans(const struct check_case *c,
			struct check_counts *counts)
{
	static char complaint[sizeof(((struct check *)NULL)->complaint)];
	struct check k = {.c = c, .n = c->shapes[0].size};
	bool good;

	k.ranks = check_room(&k, (size_t)k.n, sizeof(*k.ranks));
	good = k.ranks && build(&k) && number(&k) && check_steps(&k) &&
	       check_match(&k) && check_races(&k) && check_counters(&k) &&
	       check_deadlock(&k) && check_cells(&k) && check_begun(&k) &&
	       check_flow(&k);
	if (counts) {
		counts->sets++;
		counts->plans += (size_t)k.n;
		counts->steps += k.nsteps;
	}
	memcpy(complaint, k.complaint, sizeof(complaint));
	clear(&k);
	return good ? NULL : complaint;
}
