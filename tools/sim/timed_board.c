/* SPDX-License-Identifier: Apache-2.0 */
/* timed_board.c: posts and loads (plan.h): when a load may begin. */
#include "tools/sim/timed.h"

/* The CPUs get a line one after the other, in this part of the time that an
 * atomic operation takes. */
enum { READERS = 4 };

static struct post *post_of(struct rank_state *r, unsigned tag)
{
	for (size_t k = 0; k < r->nposts; k++)
		if (r->posts[k].tag == tag)
			return &r->posts[k];
	return NULL;
}

/* The load begins when the post has come from the other CPU's cache. */
static void timed_board_come(struct timed *e, struct post *post,
			     const struct item *load)
{
	struct item item = *load;
	enum sim_level level = machine_level(e->m, item.from, item.to);
	uint32_t i;

	if (item.at.t < post->at.t + item.range->L) {
		item.at = post->at;
		moment_add(&item.at, SIM_LATENCY, item.range->L);
	}
	moment_queue(&item.at, post->free);
	post->free = item.at.t + e->m->atomic[level] / READERS;
	i = item_new(e, &item);
	if (i != NIL)
		event_add(e, i);
}

void board_await(struct timed *e, struct rank_state *r, uint32_t step,
		 const struct moment *at)
{
	const struct sim_step s = timed_step(e, r->rank, step);
	struct item item = {.at = *at,
			    .kind = ITEM_LOAD,
			    .stage = STAGE_THERE,
			    .bytes = machine_bytes(e->m, &s),
			    .to = r->rank,
			    .to_step = step,
			    .tag = s.tag};
	struct rank_state *peer;
	struct post *posted;
	uint32_t i;

	item.from = sim_plans_peer(e->plans, r->rank, &s);
	item.range = timed_count(e, item.from, item.to, item.bytes, 1);
	peer = rank_of(e, item.from);
	posted = post_of(peer, s.tag);
	if (posted) {
		timed_board_come(e, posted, &item);
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
	*post = (struct post){.tag = tag, .at = r->cpu};
	r->loads = (struct queue){NIL, NIL};
	while ((i = queue_take(e, &waiting)) != NIL) {
		struct item load = e->items[i];

		if (load.tag != tag) {
			queue_add(e, &r->loads, i);
			continue;
		}
		item_free(e, i);
		timed_board_come(e, post, &load);
	}
}
