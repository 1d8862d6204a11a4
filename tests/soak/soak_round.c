/* SPDX-License-Identifier: Apache-2.0 */
/* soak_round.c chooses the next operation and its communicator. */
#include <math.h>

#include "tests/soak/soak.h"
#include "tests/system/trial.h"

enum { WARM_UP = 8 };

/* Weights in percent, for communicators of one group and of two. */
static const struct row {
	void (*run)(struct soak *s, const struct slot *slot);
	unsigned one, two;
} rows[] = {
    {run_trial, 38, 0},	       {run_trials, 8, 0},  {run_typed, 18, 34},
    {run_messages, 16, 24},    {run_pairs, 16, 20}, {run_map, 4, 0},
    {run_inter_reduce, 0, 22},
};

uint64_t draw(const struct soak *s, uint64_t what, uint64_t n)
{
	return (trial_hash(s->op, what, 12345) >> 7) % n;
}

/* Each order of magnitude is equally frequent, except that the first rounds
 * draw large sizes, so that caches soon grow to their final size. */
size_t draw_bytes(const struct soak *s, uint64_t what, size_t max)
{
	double share = (double)draw(s, what, 1 << 16) / (1 << 16);

	if (s->round < WARM_UP && draw(s, what + 1, 2))
		share = 1 - share / 16;

	return (size_t)pow((double)max + 1, share) - 1;
}

static const struct row *draw_row(const struct soak *s, bool two)
{
	int left = (int)draw(s, 1000, 100);
	const struct row *row = rows;

	while ((left -= (int)(two ? row->two : row->one)) >= 0)
		row++;
	return row;
}

static void run_operation(struct soak *s)
{
	int k = (int)draw(s, 1001, SLOTS + 1);
	struct slot slot = {s->world, ONE_GROUP};
	const struct row *row;

	/* drawn by all ranks, also by those that are not members */
	if (draw(s, 1002, 100) < 20) {
		k %= SLOTS;
		slot_free(s, k);
		slot_make(s, k);
		return;
	}
	if (k < SLOTS)
		slot = s->slots[k];
	if (slot.comm == MRT_COMM_NULL)
		return;
	row = draw_row(s, slot.side != ONE_GROUP);
	row->run(s, &slot);
}

void run_round(struct soak *s)
{
	for (int k = 0; k < SLOTS; k++)
		s->slots[k] = (struct slot){MRT_COMM_NULL, ONE_GROUP};
	for (s->number = 0; s->number < soak_options.ops; s->number++) {
		s->op = trial_hash(s->seed, 1, (uint64_t)s->number);
		if (s->number < SLOTS)
			slot_make(s, s->number);
		else
			run_operation(s);
	}
	for (int k = 0; k < SLOTS; k++)
		slot_free(s, k);
}
