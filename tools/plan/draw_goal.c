/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draw_goal.c: writes plans as a GOAL schedule for LogGOPSim (whose txt2bin
 * reads it). Each step is an operation with a label. Reductions and copies are
 * computations; so is the reduction after a receive.
 *
 * Source: T. Hoefler, C. Siebert, A. Lumsdaine, "Group operation assembly
 * language - a flexible way to express collective communication", ICPP 2009; T.
 * Hoefler, T. Schneider, A. Lumsdaine, "LogGOPSim - simulating large-scale
 * applications in the LogGOPS model", LSAP 2010.
 */
#include "tools/plan/draw.h"

/* Returns at least 1: LogGOPSim computes the time of a message from
 * size - 1. */
static double message_bytes(const struct drawing *d, const struct step *s)
{
	double bytes = draw_bytes(d, s);

	return bytes > 1 ? bytes : 1;
}

/* Returns the ns of computation of a step; a copy of a place to itself costs
 * nothing. */
static double draw_goal_calc(const struct drawing *d, const struct step *s)
{
	bool nothing = s->kind == STEP_COPY && s->src.buf == s->dst.buf &&
		       s->src.at == s->dst.at;

	return nothing ? 0 : draw_bytes(d, s) * d->options->calc_per_byte;
}

static void write_step(const struct drawing *d, const struct plan *plan,
		       unsigned number, FILE *out)
{
	const struct step *s = &plan->steps[number - 1];
	const char *way = s->kind == STEP_SEND ? "to" : "from";
	/* what follows a receive with a reduction needs the reduction, too */
	char own = s->kind == STEP_RECV_REDUCE ? 'r' : 's';

	if (step_is_message(s->kind))
		fprintf(out, "%c%u: %s %.0fb %s %d tag %u\n", own, number,
			s->kind == STEP_SEND ? "send" : "recv",
			message_bytes(d, s), way, s->peer, s->tag);
	else
		fprintf(out, "s%u: calc %.0f\n", number, draw_goal_calc(d, s));
	for (int k = 0; k < 2; k++)
		if (s->after[k])
			fprintf(out, "%c%u requires s%u\n", own, number,
				s->after[k]);
	if (s->kind == STEP_RECV_REDUCE)
		fprintf(out, "s%u: calc %.0f\ns%u requires r%u\n", number,
			draw_goal_calc(d, s), number, number);
}

void draw_goal(const struct drawing *d, FILE *out)
{
	fputs("// ", out);
	draw_title(d, out);
	fprintf(out, "\nnum_ranks %d\n", d->options->shape.size);
	for (int r = 0; r < d->options->shape.size; r++) {
		fprintf(out, "\nrank %d {\n", r);
		for (uint32_t i = 0; i < d->plans[r].nsteps; i++)
			write_step(d, &d->plans[r], i + 1, out);
		fputs("}\n", out);
	}
}
