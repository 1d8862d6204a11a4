/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct_started.c: the protocol is that of direct.c, but a rank that would
 * wait goes on in progress, and it may enter epochs before it has left those
 * before them. So it has done an epoch when it has left all up to that one. All
 * ranks write a line in each epoch, be it without data, so that each of them
 * sees it when they call different things. tests/models/started.pml is this
 * protocol.
 */
#include "coll/node/direct_started.h"

#include <stdlib.h>
#include <string.h>

#include "coll/node/direct_line.h"
#include "coll/plan/rules.h"
#include "runtime/base/pool.h"
#include "runtime/engine/progress.h"

/* A persistent call may be under way in so many epochs at once. Where it has a
 * root, ranks that only send may be further ahead. */
enum { SLOTS = 4, SLOTS_AHEAD = 32 };

struct direct_lines {
	struct direct d;
	char *wide;	       /* [slots][size]; NULL: none */
	int size, rank;	       /* those of a communicator that may be gone */
	unsigned users;	       /* calls, and who may open more */
	struct list under_way; /* in the order of their epochs */
	struct list retired;   /* at rank 0, until all ranks have left */
};

struct direct_started {
	struct progress_hook hook;
	struct list link; /* in under_way */
	struct mrt_comm *comm;
	struct direct_lines *lines;
	struct exchange x;
	struct direct_reduce r;
	void (*done)(void *owner, int error);
	void *owner;
	size_t payload; /* bytes that the ranks put, if anything */
	uint64_t epoch;
	bool written; /* the own line is */
	int taken;    /* payloads that have been taken */
};

static struct pool started_pool = POOL_INIT(struct direct_started, 16);
static struct list retired = LIST_INIT(retired);

/* ---- Lines --------------------------------------------------------------- */

/* Tells whether a payload has a block for each rank. */
static bool has_blocks(enum collective collective)
{
	return rules[collective].send.holds == HOLDS_EACH;
}

/* Returns the bytes of a block or vector. */
static size_t bytes_of(const struct direct_call *c)
{
	return c->r.type ? c->r.count * c->r.type->size : 0;
}

static size_t payload_bytes(const struct mrt_comm *comm,
			    const struct direct_call *c)
{
	return bytes_of(c) *
	       (has_blocks(c->collective) ? (size_t)comm->size : 1);
}

struct direct_lines_place direct_lines_take(const struct mrt_comm *comm,
					    const struct direct_call *c)
{
	unsigned slots = rules[c->collective].rooted ? SLOTS_AHEAD : SLOTS;
	struct direct_lines_place place = {0};

	place.region = payload_bytes(comm, c) <= DIRECT_LINE
			   ? direct_take(comm, slots)
			   : direct_take_wide(comm, slots, &place.wide);
	return place;
}

struct direct_lines *direct_lines_open(const struct mrt_comm *comm,
				       const struct direct_lines_place *place)
{
	struct direct_lines *l = calloc(1, sizeof(*l));

	if (!l) {
		proc_fail(MRT_ERR_NO_MEM, "lines of collectives");
		return NULL;
	}
	direct_attach(comm, &l->d, place->region);
	l->d.place = place->wide;
	if (place->wide.units)
		l->wide = direct_wide(comm, &l->d);
	if (!l->d.lines || (place->wide.units && !l->wide)) {
		direct_detach(&l->d);
		free(l);
		return NULL;
	}
	l->size = comm->size;
	l->rank = comm->rank;
	l->users = 1;
	list_init(&l->under_way);
	list_init(&l->retired);
	return l;
}

int direct_lines_widen(struct direct_lines *lines, const struct mrt_comm *comm,
		       struct direct *d)
{
	int rc = d->slices ? direct_map(comm, d) : 0;

	lines->wide = d->started_wide;
	return rc;
}

void direct_lines_keep(struct direct_lines *lines, struct direct *d)
{
	lines->d.place = d->place;
	d->place = (struct direct_place){0, 0};
}

/* Tells whether all ranks have done an epoch. This rank, too: it still reads
 * its own line of one that it has not. */
static bool have_done(struct direct_lines *l, uint64_t epoch)
{
	uint64_t least = UINT64_MAX;

	if (l->d.all_done >= epoch)
		return true;
	for (int r = 0; r < l->size; r++) {
		/* acquire: as in line_reached */
		uint64_t seen = atomic_load_explicit(&l->d.done[r].epoch,
						     memory_order_acquire);

		least = seen < least ? seen : least;
	}
	l->d.all_done = least;
	return least >= epoch;
}

static void give_back_left(bool all)
{
	struct list *it = retired.next;

	while (it != &retired) {
		struct direct_lines *l =
		    list_entry(it, struct direct_lines, retired);

		it = it->next;
		if (!all && !have_done(l, l->d.epoch))
			continue;
		direct_give(&l->d, l->size);
		list_remove(&l->retired);
		free(l);
	}
}

void direct_lines_close(struct direct_lines *lines)
{
	if (!lines || --lines->users)
		return;
	direct_detach(&lines->d);
	if (lines->rank == 0)
		list_append(&retired, &lines->retired);
	else
		free(lines);
	give_back_left(false);
}

void direct_lines_fini(void)
{
	give_back_left(true);
}

/* ---- What a call moves --------------------------------------------------- */

bool direct_may_start(const struct mrt_comm *comm, const struct direct *d,
		      const struct direct_call *c)
{
	size_t bytes = bytes_of(c);

	/* without data buffers may be NULL */
	return rules[c->collective].lengths <= LENGTHS_EQUAL &&
	       (bytes > 0) == (c->collective != COLL_BARRIER) &&
	       bytes <= DIRECT_WIDE && payload_bytes(comm, c) <= DIRECT_WIDE &&
	       comm->size <= DIRECT_FLAT &&
	       fits_direct(d, c->collective, bytes);
}

/* Sets from which ranks this one takes: from all of them, its own payload
 * included, or from fewer. */
static void describe_sources(const struct mrt_comm *comm,
			     const struct direct_call *c, struct exchange *x)
{
	bool mine = comm->rank == c->root;

	x->n = comm->size;
	switch (c->collective) {
	case COLL_BCAST:
	case COLL_SCATTER:
		x->first = c->root;
		x->n = c->collective == COLL_SCATTER || !mine;
		x->bytes = mine ? x->bytes : 0;
		x->stride = 0;
		break;
	case COLL_REDUCE:
	case COLL_GATHER:
		x->n = mine ? comm->size : 0;
		break;
	case COLL_SCAN:
		x->n = comm->rank + 1;
		break;
	case COLL_EXSCAN:
		x->n = comm->rank;
		break;
	default:
		break;
	}
}

static void describe_exchange(const struct mrt_comm *comm,
			      const struct direct_call *c,
			      struct direct_started *s)
{
	bool reduces = rules[c->collective].reduces;
	bool blocks = has_blocks(c->collective);
	size_t bytes = bytes_of(c);

	s->x = (struct exchange){
	    .call =
		call_id(c->collective, bytes, c->root, reduces ? &s->r : NULL),
	    .put = c->collective == COLL_BCAST ? s->r.recv : s->r.send,
	    .bytes = payload_bytes(comm, c),
	    .offset = blocks ? bytes * (size_t)comm->rank : 0,
	    .length = bytes,
	    .recv = s->r.recv,
	    .stride = bytes,
	    .reduce = reduces ? &s->r : NULL,
	};
	s->payload = s->x.bytes;
	describe_sources(comm, c, &s->x);
}

/* ---- Calls --------------------------------------------------------------- */

static struct line *started_line(const struct direct_started *s, int rank)
{
	const struct direct *d = &s->lines->d;

	return &d->lines[(s->epoch & (d->slots - 1)) * (size_t)s->comm->size +
			 (size_t)rank];
}

/* Returns where the payload of a rank lies. */
static char *payload_of(const struct direct_started *s, int rank)
{
	const struct direct_lines *l = s->lines;
	size_t slot = s->epoch & (l->d.slots - 1), n = (size_t)l->size;

	if (s->payload <= DIRECT_LINE)
		return started_line(s, rank)->data;
	return l->wide + slot * n * DIRECT_WIDE +
	       (size_t)rank * direct_step(s->payload);
}

static int next_source(const struct direct_started *s)
{
	return (s->x.first + s->taken) % s->comm->size;
}

/* Writes this rank's line, unless others still read what was in it. */
static bool try_put(struct direct_started *s)
{
	struct direct *d = &s->lines->d;
	struct line *mine = started_line(s, s->comm->rank);

	if (s->epoch > d->slots && !have_done(s->lines, s->epoch - d->slots))
		return false;
	if (s->x.bytes)
		memcpy(payload_of(s, s->comm->rank), s->x.put, s->x.bytes);
	set_line(mine, s->epoch, s->x.call);
	line_notify(NULL);
	return true;
}

/* Copies or reduces what it wants of the payload of a rank. */
static void take_part(const struct direct_started *s, int rank)
{
	const struct exchange *x = &s->x;
	const char *part = payload_of(s, rank) + x->offset;

	if (!x->reduce)
		memcpy((char *)x->recv + (size_t)rank * x->stride, part,
		       x->length);
	else if (s->taken == 0)
		memcpy(x->recv, part, x->length);
	else
		op_apply(x->reduce->op, x->reduce->type, x->recv, part, x->recv,
			 x->reduce->count);
}

/* Reports a rank that calls something else in the epoch of this call. */
static int report_other(const struct direct_started *s, int rank)
{
	struct direct *d = &s->lines->d;
	uint64_t latest = d->epoch;
	int rc;

	d->epoch = s->epoch;
	rc = direct_differ(s->comm, d, started_line(s, rank), rank);
	if (!d->broken)
		d->epoch = latest;
	return rc;
}

/* Takes what is there. Returns 0 after the last payload, 1 if the next one is
 * not there, or an error. */
static int try_take(struct direct_started *s)
{
	for (; s->taken < s->x.n; s->taken++) {
		int q = next_source(s);
		const struct line *line = started_line(s, q);

		if (!line_reached(line, s->epoch))
			return 1;
		if (line->call != s->x.call)
			return report_other(s, q);
		if (s->x.length)
			take_part(s, q);
	}
	return 0;
}

/* Leaves the epoch of a call. */
static void leave_epoch(struct direct_started *s)
{
	struct direct_lines *l = s->lines;
	const struct direct_started *oldest;
	uint64_t done = l->d.epoch;

	list_remove(&s->link);
	if (l->d.broken)
		return;
	if (!list_empty(&l->under_way)) {
		oldest =
		    list_entry(l->under_way.next, struct direct_started, link);
		done = oldest->epoch - 1;
	}
	/* release: as in line_leave */
	atomic_store_explicit(&l->d.done[l->rank].epoch, done,
			      memory_order_release);
	line_notify(NULL);
}

/* Goes as far as it can. Returns like try_take. */
static int started_advance(struct direct_started *s)
{
	int rc;

	s->written = s->written || try_put(s);
	if (!s->written)
		return 1;
	rc = try_take(s);
	if (rc <= 0)
		leave_epoch(s);
	return rc;
}

static int started_poll(struct progress_hook *hook)
{
	struct direct_started *s =
	    list_entry(hook, struct direct_started, hook);
	int rc = started_advance(s);

	if (rc > 0)
		return 0;
	progress_remove(hook);
	s->done(s->owner, rc);
	return 1;
}

struct direct_started *direct_started_create(struct mrt_comm *comm,
					     struct direct_lines *lines,
					     const struct direct_call *c)
{
	struct direct_started *s = pool_get_zeroed(&started_pool);

	if (!s) {
		proc_fail(MRT_ERR_NO_MEM, "a collective in shared memory");
		return NULL;
	}
	s->hook.poll = started_poll;
	s->comm = comm;
	s->lines = lines;
	s->r = c->r;
	s->done = c->done;
	s->owner = c->owner;
	list_init(&s->link);
	describe_exchange(comm, c, s);
	lines->users++;
	return s;
}

void direct_started_begin(struct direct_started *s)
{
	struct direct *d = &s->lines->d;
	int rc;

	if (d->broken) {
		s->done(s->owner, direct_is_broken());
		return;
	}
	s->epoch = ++d->epoch;
	s->written = false;
	s->taken = 0;
	list_append(&s->lines->under_way, &s->link);
	rc = started_advance(s);
	if (rc > 0)
		progress_add(&s->hook);
	else
		s->done(s->owner, rc);
}

/* Waits for the lines that are still to be taken of the ranks that may share
 * this rank's CPU, or for those of the others (direct_wait_all says why). */
static int await_lines(const struct direct_started *s, bool same_cpu,
		       struct wait *w)
{
	const struct direct *d = &s->lines->d;
	int rc = 0;

	for (int i = s->taken; i < s->x.n && !rc; i++) {
		int q = (s->x.first + i) % s->comm->size;
		const struct line *line = started_line(s, q);

		if (q == s->comm->rank || (d->same_cpu >> q & 1) != same_cpu)
			continue;
		if (!same_cpu)
			line_spin(line, s->epoch);
		rc = wait_for_flag(w, &line->epoch, s->epoch, d->lines);
	}
	return rc;
}

int direct_started_await(struct direct_started *s, struct wait *w)
{
	int rc;

	if (!s->written)
		return 0;
	rc = await_lines(s, true, w) ?: await_lines(s, false, w);
	/* progress may have ended it meanwhile */
	if (!rc && !list_empty(&s->link))
		started_poll(&s->hook);
	return rc;
}

int direct_started_peer(const struct direct_started *s)
{
	const struct direct *d = &s->lines->d;
	int rank = next_source(s);

	/* it has no place for its payload while any rank is that late */
	for (int r = 0; !s->written && r < s->comm->size; r++)
		if (r != s->comm->rank &&
		    !line_reached(&d->done[r], s->epoch - d->slots))
			rank = r;
	return comm_world_rank(s->comm, rank);
}

void direct_started_destroy(struct direct_started *s)
{
	if (!s)
		return;
	direct_lines_close(s->lines);
	pool_put(&started_pool, s);
}
