/* SPDX-License-Identifier: Apache-2.0 */
/* harm_board.c: breaks plans that post and load. */
#include "tests/unit/coll/prove/harm.h"

void post_again(struct plan *plan, int rank)
{
	if (rank == 1)
		plan_add(plan, *find(plan, rank, STEP_POST));
}

void drop_post(struct plan *plan, int rank)
{
	*find(plan, rank, STEP_POST) = (struct step){.kind = STEP_COPY};
}

void post_less(struct plan *plan, int rank)
{
	find(plan, rank, STEP_POST)->count--;
}

void post_early(struct plan *plan, int rank)
{
	find(plan, rank, STEP_POST)->after[0] = 0;
}

void post_receive(struct plan *plan, int rank)
{
	find(plan, rank, STEP_POST)->src.buf = BUF_RECV;
}

void load_own(struct plan *plan, int rank)
{
	find(plan, rank, STEP_LOAD)->peer = 1;
}

/* All write to their boards again once they have posted. */
void write_posted(struct plan *plan, int rank)
{
	for (uint32_t i = 0; i < plan->nsteps; i++)
		if (plan->steps[i].kind == STEP_POST) {
			plan_copy(plan, ref(BUF_SEND, 0), plan->steps[i].src, 1,
				  i + 1);
			return;
		}
	(void)rank;
}

void load_ring(struct plan *plan, int rank)
{
	struct ref board = plan_board(plan, 1);
	struct part part = {ref(BUF_BOARD, 0), 0, 0};
	uint32_t got = plan_load(plan, (rank + 1) % 4, part, board, 0);

	plan_post(plan, (struct part){board, 1, 0}, got);
}

void load_nothing(struct plan *plan, int rank)
{
	plan_load(plan, (rank + 1) % 4, (struct part){ref(BUF_BOARD, 0), 0, 0},
		  ref(BUF_RECV, 0), 0);
}
