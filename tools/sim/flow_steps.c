/* SPDX-License-Identifier: Apache-2.0 */
/* flow_steps.c: keeps the last few thousand plans, in a short form. */
#include <stdlib.h>

#include "tools/sim/flow.h"
#include "mrt.h"

int flow_plans_init(struct flow_plans *p, const struct algorithm *algorithm,
		    const struct shape *shape)
{
	*p = (struct flow_plans){.algorithm = algorithm, .shape = shape};
	p->slots = calloc(FLOW_SLOTS, sizeof(*p->slots));
	p->slot_of = calloc((size_t)shape->size, sizeof(*p->slot_of));
	if (!p->slots || !p->slot_of) {
		flow_plans_fini(p);
		return MRT_ERR_NO_MEM;
	}
	for (int k = 0; k < FLOW_SLOTS; k++)
		p->slots[k].rank = -1;
	return MRT_SUCCESS;
}

void flow_plans_fini(struct flow_plans *p)
{
	for (int k = 0; p->slots && k < FLOW_SLOTS; k++)
		free(p->slots[k].steps);
	free(p->slots);
	free(p->slot_of);
	plan_fini(&p->room);
	p->slots = NULL;
	p->slot_of = NULL;
}

static void flow_steps_follow(struct flow_step *steps, uint32_t before,
			      uint32_t step)
{
	struct flow_step *s = &steps[before - 1];

	if (s->nfollowers < FLOW_FOLLOWERS)
		s->followers[s->nfollowers] = (uint16_t)step;
	if (s->nfollowers <= FLOW_FOLLOWERS)
		s->nfollowers++;
}

static void flow_steps_shorten(struct flow_plan *to, const struct plan *from)
{
	for (uint32_t i = 0; i < from->nsteps; i++) {
		const struct step *s = &from->steps[i];

		to->steps[i] = (struct flow_step){
		    .kind = s->kind,
		    .tag = s->tag,
		    .peer = s->peer,
		    .after = {(uint16_t)s->after[0], (uint16_t)s->after[1]},
		    .in_place =
			s->src.buf == s->dst.buf && s->src.at == s->dst.at,
		    .count = (uint32_t)s->count};
		for (int k = 0; k < 2; k++)
			if (s->after[k])
				flow_steps_follow(to->steps, s->after[k], i);
	}
	to->nsteps = from->nsteps;
	for (uint32_t i = from->nsteps, next = i; i-- > 0;) {
		to->steps[i].receive = (uint16_t)next;
		if (flow_receives(&to->steps[i]))
			next = i;
	}
}

static int flow_steps_build(struct flow_plans *p, int rank,
			    struct flow_plan *slot)
{
	int rc = plan_rebuild(p->algorithm, p->shape, rank, &p->room);
	uint32_t n = p->room.nsteps;

	if (rc)
		return rc;
	if (n > FLOW_STEPS)
		return MRT_ERR_UNSUPPORTED;
	if (n > slot->room) {
		free(slot->steps);
		slot->steps = malloc(n * sizeof(*slot->steps));
		slot->room = slot->steps ? n : 0;
		if (!slot->steps)
			return MRT_ERR_NO_MEM;
	}
	slot->rank = rank;
	flow_steps_shorten(slot, &p->room);
	p->built++;
	return MRT_SUCCESS;
}

int flow_plans_get(struct flow_plans *p, int rank,
		   const struct flow_plan **plan)
{
	struct flow_plan *slot = &p->slots[p->slot_of[rank]];

	*plan = slot;
	if (slot->rank == rank)
		return MRT_SUCCESS;
	p->slot_of[rank] = (uint16_t)p->next;
	*plan = slot = &p->slots[p->next];
	p->next = (p->next + 1) % FLOW_SLOTS;
	slot->rank = -1;
	return flow_steps_build(p, rank, slot);
}
