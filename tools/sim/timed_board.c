/* SPDX-License-Identifier: Apache-2.0 */
/* timed_board.c: posts and loads (plan.h): when a load may begin. */
#include "tools/sim/timed.h"

static struct moment *post_of(struct rank_state *r, unsigned tag)
{
	for (size_t k = 0; k < r->nposts; k++)
		if (r->posts[k].tag == tag)
			return &r->posts[k].at;
	return NULL;
}

/* The load waits until what was posted has come from the other CPU's cache. */
static void come(struct timed *e, const struct moment *posted,
		 const struct item *load)
{
	struct item item = *load;
	uint32_t i;

	if (item.at.t < posted->t + item.range->L) {
		item.at = *posted;
		moment_add(&item.at, SIM_LATENCY, item.range->L);
	}
	i = item_new(e, &item);
	if (i != NIL)
		event_add(e, i);
}

void board_await(struct timed *e, struct rank_state *r, uint32_t step,
		 const struct moment *at)
{
	const struct sim_step *s = timed_step(e, r->rank, step);
	struct item item = {.at = *at,
			    .kind = ITEM_LOAD,
			    .stage = STAGE_THERE,
			    .bytes = machine_bytes(e->m, s),
			    .to = r->rank,
			    .to_step = step,
			    .tag = s->tag};
	struct rank_state *peer;
	const struct moment *posted;
	uint32_t i;

	item.from = sim_plans_peer(e->plans, r->rank, s);
	item.range = timed_count(e, item.from, item.to, item.bytes, 1);
	peer = rank_of(e, item.from);
	posted = post_of(peer, s->tag);
	if (posted) {
		come(e, posted, &item);
		return;
	}
	i = item_new(e, &item);
	if (i != NIL)
		queue_add(e, &peer->loads, i);
}

void board_post(struct timed *e, struct rank_state *r, unsigned tag)
{
	struct queue waiting = r->loads;
	struct post *post = board_room(e, r);
	uint32_t i;

	if (!post)
		return;
	*post = (struct post){tag, r->cpu};
	r->loads = (struct queue){NIL, NIL};
	while ((i = queue_take(e, &waiting)) != NIL) {
		struct item load = e->items[i];

		if (load.tag != tag) {
			queue_add(e, &r->loads, i);
			continue;
		}
		item_free(e, i);
		come(e, &r->cpu, &load);
	}
}
