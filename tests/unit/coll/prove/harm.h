/* SPDX-License-Identifier: Apache-2.0 */
/* harm.h: how rules.c breaks plans: each function changes the plan of rank 1,
 * or of all. */
#ifndef TESTS_COLL_HARM_H
#define TESTS_COLL_HARM_H

#include "coll/plan/plan.h"

/* Returns the last step of a kind, or some other step if the rank has none. */
static inline struct step *find(struct plan *plan, int rank,
				enum step_kind kind)
{
	static struct step none;

	for (uint32_t i = plan->nsteps; i-- > 0 && rank == 1;)
		if (plan->steps[i].kind == kind)
			return &plan->steps[i];
	return &none;
}

/* On boards (harm_board.c). */
void post_again(struct plan *plan, int rank);
void drop_post(struct plan *plan, int rank);
void post_less(struct plan *plan, int rank);
void post_early(struct plan *plan, int rank);
void post_receive(struct plan *plan, int rank);
void load_own(struct plan *plan, int rank);
void write_posted(struct plan *plan, int rank);
void load_ring(struct plan *plan, int rank);
void load_nothing(struct plan *plan, int rank);
#endif
