/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_choice.c: chooses for each long copy whether it goes by CMA or through the
 * bounce buffers, and when it begins: few of one peer at a time, so that the
 * others are chosen by what these took. A copy whose peer turns out to be
 * outside the library goes on by CMA.
 */
#include <stdlib.h>

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/fabric/sm/sm_copy.h"

enum {
	/* shorter reads of messages are not worth a choice */
	CHOICE_MIN = 4096,
	/* from so many bytes on, peers that send to one rank copy themselves */
	CROWD_MIN = 1 << 19,
	TRAFFIC = 1 << 26, /* bytes until older ones count half */
	/* bytes of reads that are begun before the first ends */
	AHEAD = 1 << 19,
	/* up to so many for each rank beyond two on a CPU, a message is packed
	 * before the peer reads it */
	TURN = 1 << 19,
	/* A copy whose end the peer does not await goes by CMA once the peer
	 * has been silent for PATIENCE_NS, longer than it takes for a buffer of
	 * a far CPU or for a chunk by CMA. Later copies then go by CMA, too,
	 * for RETRY_NS, so that asking in vain costs little, and for twice as
	 * long each further time. */
	PATIENCE_NS = 50000,
	RETRY_NS = 32 * PATIENCE_NS,
	RETRY_MOST_NS = 1000000000,
	CLOCK_EVERY = 16 /* polls in vain between readings of the clock */
};

/* Values of MRT_SM_CMA. */
enum { CMA_NO, CMA_YES, CMA_AUTO };

/* Whether the peer waits for the end of a copy, so that it will help. */
static bool is_awaited(const struct sm_copy *c)
{
	return c->kind == COPY_READ && c->key.word[1];
}

/* Returns the copies of which this is one, or NULL if it has no choice. A peer
 * that shares its CPU is there only in its turn, and sends its own messages
 * then; what lies in a window, or is written, need not wait for that. */
static struct sm_choice *choice_of(const struct sm *sm, struct sm_ep *ep,
				   const struct sm_copy *c)
{
	if (env.sm_cma != CMA_AUTO ||
	    (is_awaited(c) ? c->len < CHOICE_MIN : sm->base.crowded))
		return NULL;
	if (!ep->choice) {
		ep->choice = calloc(1, sizeof(*ep->choice));
		if (ep->choice)
			list_init(&ep->choice->waiting);
	}
	return ep->choice;
}

static struct pace *pace_of(struct sm_choice *r, const struct sm_copy *c)
{
	enum sm_chosen what = c->to ? READS_UNPACKED : READS;

	if (c->kind == COPY_WRITE)
		what = WRITES;
	else if (!c->key.word[1])
		what = GETS;
	return &r->paces[what][pace_class(c->len)];
}

static bool may_begin(const struct sm_choice *r)
{
	return r->begun < 2 || r->under_way < AHEAD;
}

/* Returns whether this rank reads far more from its peers than they from it. */
static bool choice_gathers(const struct sm *sm)
{
	return sm->copies.took / 4 > sm->copies.gave;
}

void sm_count_traffic(struct sm *sm, uint64_t took, uint64_t gave)
{
	sm->copies.took += took;
	sm->copies.gave += gave;
	if (sm->copies.took + sm->copies.gave > TRAFFIC) {
		sm->copies.took /= 2;
		sm->copies.gave /= 2;
	}
}

/*
 * Returns whether a copy that begins goes by CMA. Where ranks share CPUs,
 * copies take as long as the others' turns, which says nothing about the way.
 * There one read is done sooner by CMA, without a turn of the owner; of several
 * at a time all but the first go through the buffers, which the owner fills for
 * all of them in one turn. So do long reads from several peers, if this rank
 * would else copy for all while nobody copies for it.
 */
static bool by_cma(const struct sm *sm, struct sm_choice *r,
		   const struct sm_copy *c)
{
	if (!sm->base.crowded)
		return pace_of(r, c)->way == PACE_CMA ||
		       (!is_awaited(c) &&
			(r->absent || c->began < r->ask_after));
	if (r->begun || r->last_move == sm->rings.moves)
		return false;
	return c->len < CROWD_MIN || !choice_gathers(sm) ||
	       (list_empty(&sm->copies.begun) &&
		sm->copies.last_move != sm->rings.moves);
}

static void choice_begin(struct sm *sm, struct sm_choice *r, struct sm_copy *c)
{
	bool cma;

	c->began = clock_ns();
	cma = c->ep->can_cma && by_cma(sm, r, c);
	r->begun++;
	r->under_way += c->len;
	c->waits = false;
	list_append(&sm->copies.begun, &c->link);
	if (cma) {
		c->how = CMA;
		sm_offer_join(sm, c);
	} else {
		sm_copy_by_ring(sm, c);
	}
}

/* Begins copies that had to wait. progress moves them. */
static void begin_more(struct sm *sm, struct sm_choice *r)
{
	while (!list_empty(&r->waiting) && may_begin(r)) {
		struct list *first = r->waiting.next;

		list_remove(first);
		choice_begin(sm, r, list_entry(first, struct sm_copy, link));
	}
}

void sm_choice_begin(struct sm *sm, struct sm_copy *c)
{
	struct sm_choice *r = choice_of(sm, c->ep, c);

	if (!r) {
		list_append(&sm->copies.begun, &c->link);
		c->how = CMA;
		sm_offer_join(sm, c);
	} else if (list_empty(&r->waiting) && may_begin(r)) {
		choice_begin(sm, r, c);
	} else {
		list_append(&r->waiting, &c->link);
		c->waits = true;
	}
}

bool sm_choice_regretted(struct sm *sm, struct sm_copy *c)
{
	struct sm_choice *r = c->ep->choice;
	uint64_t now;

	if (!c->began || is_awaited(c) || sm->base.crowded || !c->ep->can_cma ||
	    (c->kind == COPY_WRITE && !c->pushed))
		return false;
	if (r->absent)
		return true;
	if (++r->polls % CLOCK_EVERY)
		return false;
	now = clock_ns();
	if (!r->quiet_since)
		r->quiet_since = now;
	if (now - r->quiet_since < PATIENCE_NS)
		return false;
	r->absent = c->asked || c->out;
	r->quiet_since = 0;
	r->retry_ns = r->retry_ns ? 2 * r->retry_ns : RETRY_NS;
	if (r->retry_ns > RETRY_MOST_NS)
		r->retry_ns = RETRY_MOST_NS;
	r->ask_after = now + r->retry_ns;
	return true;
}

void sm_choice_answered(struct sm_choice *r)
{
	if (!r)
		return;
	r->absent = false;
	r->quiet_since = 0;
}

/* Tells the pace how long a copy has taken since it was the oldest one. */
static void choice_record(const struct sm *sm, struct sm_choice *r,
			  const struct sm_copy *c)
{
	uint64_t now = clock_ns();
	uint64_t since = c->began > r->ended ? c->began : r->ended;

	if (!sm->base.crowded)
		pace_record(pace_of(r, c),
			    c->how == CMA ? PACE_CMA : PACE_BOUNCE, c->len,
			    now - since);
	r->ended = now;
}

void sm_choice_ended(struct sm *sm, const struct sm_copy *c, int status)
{
	struct sm_choice *r = c->ep->choice;

	if (!status)
		choice_record(sm, r, c);
	r->last_move = sm->copies.last_move = sm->rings.moves;
	if (is_awaited(c))
		sm_count_traffic(sm, c->len, 0);
	else if (c->how == RING)
		r->retry_ns = 0;
	r->begun--;
	r->under_way -= c->len;
	begin_more(sm, r);
}

void sm_choice_joined(const struct sm_ep *ep, size_t len)
{
	for (int k = READS; ep->choice && k <= READS_UNPACKED; k++)
		pace_join(&ep->choice->paces[k][pace_class(len)]);
}

/* Packing while the peer reads takes turns of both, which come late where more
 * than two ranks share a CPU. Elsewhere the peer's CPU may be far: packing
 * beforehand is a copy more, but pays if this rank's own reads from the peer
 * take less than half the time by CMA. */
bool sm_choice_packed(const struct sm_ep *ep, size_t len)
{
	const struct sm *sm = (const struct sm *)ep->base.fab;
	int share = sm->slots / sm->base.node_cpus;
	const struct pace *p;

	if (!ep->can_cma || env.sm_cma != CMA_AUTO)
		return ep->can_cma;
	if (sm->base.crowded)
		return share > 2 && len <= (size_t)(share - 2) * TURN;
	p = ep->choice ? &ep->choice->paces[READS][pace_class(len)] : NULL;
	return p && p->ps[PACE_CMA] && p->ps[PACE_BOUNCE] > 2 * p->ps[PACE_CMA];
}
