/* SPDX-License-Identifier: Apache-2.0 */
/* acts.c: memory for the steps on cells of a plan, allocated once for all uses
 * of the plan. */
#include <stdlib.h>

#include "coll/cells/cells.h"
#include "mrt.h"

bool cells_acts_on(const struct step *s)
{
	return s->kind == STEP_WAIT_MEMORY ||
	       (step_has_peer(s->kind) && !step_is_message(s->kind) &&
		!step_is_load(s->kind));
}

static int acts_allocate(struct acts *a, const struct plan *p)
{
	size_t ops = 0;
	uint32_t n = 0;

	a->of = malloc((p->nsteps + 1) * sizeof(*a->of));
	for (uint32_t i = 0; i < p->nsteps && a->of; i++) {
		a->of[i] = n;
		n += cells_acts_on(&p->steps[i]);
		ops += cells_ops(&p->steps[i]);
	}
	a->acts = malloc((n + 1) * sizeof(*a->acts));
	a->ops = malloc((ops + 1) * sizeof(*a->ops));
	return a->of && a->acts && a->ops ? 0 : MRT_ERR_NO_MEM;
}

int acts_make(struct acts *a, const struct plan *p, const struct act *like)
{
	struct cell_op *ops;
	int rc = acts_allocate(a, p);

	ops = a->ops;
	for (uint32_t i = 0; i < p->nsteps && !rc; i++) {
		struct act *act = &a->acts[a->of[i]];

		if (!cells_acts_on(&p->steps[i]))
			continue;
		*act = *like;
		act->step = &p->steps[i];
		act->ops = ops;
		ops += cells_ops(act->step);
	}
	return rc;
}

void acts_free(struct acts *a)
{
	free(a->of);
	free(a->acts);
	free(a->ops);
}
