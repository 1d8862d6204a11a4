/* SPDX-License-Identifier: Apache-2.0 */
/* sm_pace.c: chooses between two ways of copying by measured time. */
#include "runtime/fabric/sm/sm_pace.h"

#include <stdbool.h>

enum {
	/* a trial is so many copies, or fewer of so many bytes in all, which
	 * the first of a way has in any case: more than all buffers */
	TRIAL_COPIES = 64,
	TRIAL_LEAST = 2,
	TRIAL_BYTES = 1 << 22,
	/* a trial that takes so many times what the other way would is over */
	HOPELESS = 4,
	HOPELESS_COLD = 16, /* the first trial */
	/* trials of the faster way for each of the other, if that took as long;
	 * and at most */
	STAY = 32,
	STAY_MOST = 1 << 20,
	/* copies without the peer's use of the buffers before it begins anew */
	JOIN_AFTER = 2 * TRIAL_COPIES
};

unsigned pace_class(size_t len)
{
	unsigned class = 1;

	if (len <= PACE_SHORT)
		return 0;
	/* up to 32 KiB, 128 KiB, 512 KiB, 2 MiB, and longer */
	for (size_t bound = 1 << 15; len > bound && class < PACE_CLASSES - 1;
	     bound *= 4)
		class ++;
	return class;
}

static bool is_over(const struct pace *p)
{
	uint64_t whole_ns = p->ps[!p->way] * (TRIAL_BYTES / 1000);
	bool warm = p->warm[p->way];

	return (warm && p->copies >= TRIAL_COPIES) ||
	       (p->copies >= TRIAL_LEAST && p->bytes >= TRIAL_BYTES) ||
	       (whole_ns &&
		p->ns > (warm ? HOPELESS : HOPELESS_COLD) * whole_ns);
}

/* While the peer uses the buffers for the other direction, a copy by CMA, in
 * which both ends help, takes the time of both from that: twice what it shows.
 */
static uint64_t pace_cost(const struct pace *p, unsigned way)
{
	return p->ps[way] << (way == PACE_CMA && p->joined);
}

/* Chooses the way of the next trial, after one of p->way. */
static void pace_choose(struct pace *p)
{
	unsigned other = !p->way;
	uint64_t own = pace_cost(p, p->way), its = pace_cost(p, other);

	if (its && its < own) {
		p->stay =
		    (uint32_t)(own / its < STAY_MOST / STAY ? STAY * own / its
							    : STAY_MOST);
		p->way = (uint8_t)other;
	} else if (its && p->stay) {
		p->stay--;
	} else {
		p->way = (uint8_t)other;
		p->last[other] = 0; /* of another time */
	}
}

void pace_record(struct pace *p, enum pace_way way, size_t bytes, uint64_t ns)
{
	uint64_t ps;

	if (++p->alone > JOIN_AFTER)
		p->joined = 0;
	if (way != p->way)
		return;
	p->ns += ns;
	/* a short copy takes as long as one of the longest of its class */
	p->bytes += bytes > PACE_SHORT ? bytes : PACE_SHORT;
	p->copies++;
	if (!is_over(p))
		return;
	ps = p->ns * 1000 / p->bytes + 1;
	p->ns = p->bytes = p->copies = 0;
	if (!p->warm[way]) {
		p->warm[way] = 1;
		return;
	}
	/* a process that is not scheduled for a moment spoils one trial */
	p->ps[way] = p->last[way] && p->last[way] < ps ? p->last[way] : ps;
	p->last[way] = ps;
	pace_choose(p);
}

void pace_join(struct pace *p)
{
	bool begins = p->alone > JOIN_AFTER;

	p->alone = 0;
	p->joined = 1;
	if (!begins || p->way == PACE_BOUNCE || !p->ps[PACE_BOUNCE])
		return;
	p->way = PACE_BOUNCE;
	p->last[PACE_BOUNCE] = 0;
	p->ns = p->bytes = p->copies = 0;
}
