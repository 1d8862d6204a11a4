/* SPDX-License-Identifier: Apache-2.0 */
/* caches.c: tests which bytes of a plan the simulator takes to go through
 * memory, against numbers that follow from the distances of their uses. */
#include <math.h>

#include "mrt.h"
#include "tests/tap.h"
#include "tools/sim/sim_caches.h"

enum { M = 4096, MOST = 8 }; /* M: elements, here bytes, of each step */

/* Tells whether the steps move so many times M bytes. */
static bool moves(const struct step *steps, uint32_t n, double room,
		  bool in_place, const double *want)
{
	struct step copies[MOST];
	struct plan plan = {.steps = copies, .nsteps = n};
	struct shape shape = {.type_size = 1, .in_place = in_place};
	struct sim_caches c;
	float cold[MOST];
	bool good;

	for (uint32_t i = 0; i < n; i++) {
		copies[i] = steps[i];
		copies[i].count = M;
	}
	sim_caches_init(&c, room * M, M);
	good = sim_caches_trace(&c, &plan, &shape, cold);
	for (uint32_t i = 0; i < n && good; i++) {
		double got = (double)cold[i] / M;

		if (fabs(got - want[i]) < 0.01)
			continue;
		printf("# step %u: %g, not %g\n", i + 1, got, want[i]);
		good = false;
	}
	sim_caches_fini(&c);
	return good;
}

static const struct ref a = {BUF_SEND, 0}, b = {BUF_RECV, 0}, t = {BUF_TMP, 0},
			board = {BUF_BOARD, 0};

static void test_kinds(void)
{
	const struct step all[] = {
	    {.kind = STEP_SEND, .src = a},
	    {.kind = STEP_RECV, .dst = t},
	    {.kind = STEP_RECV_REDUCE, .src = t, .with = a, .dst = b},
	    {.kind = STEP_LOAD, .src = board, .dst = b},
	    {.kind = STEP_LOAD_REDUCE, .src = board, .with = a, .dst = b},
	    {.kind = STEP_POST, .src = board},
	    {.kind = STEP_COPY, .src = a, .dst = b},
	    {.kind = STEP_REDUCE, .src = a, .with = t, .dst = b}};

	ok(moves(all, 8, 0, false, (const double[]){1, 1, 2, 2, 3, 0, 2, 3}),
	   "without caches all that a step reads and writes is moved");
	ok(moves(all, 8, 16, false, (const double[8]){0}),
	   "nothing is if all fits into the caches");
}

static void test_distance(void)
{
	const struct step twice[] = {{.kind = STEP_SEND, .src = a},
				     {.kind = STEP_RECV, .dst = t},
				     {.kind = STEP_SEND, .src = a}};
	const struct step again[] = {{.kind = STEP_SEND, .src = a},
				     {.kind = STEP_SEND, .src = a}};
	const struct step swapped[] = {
	    {.kind = STEP_SEND, .src = a},
	    {.kind = STEP_RECV, .dst = t},
	    {.kind = STEP_REDUCE, .src = t, .with = a, .dst = b}};

	ok(moves(twice, 3, 1, false, (const double[]){0.5, 0.5, 0.5}),
	   "half of what was used two lengths ago is still there");
	ok(moves(twice, 3, 0.5, false, (const double[]){0.75, 0.75, 0.75}),
	   "a quarter of it in a smaller cache");
	ok(moves(again, 2, 1, false, (const double[]){0, 0}),
	   "what was used last is there");
	ok(moves(swapped, 3, 1.5, false,
		 (const double[]){0.5, 0.5, 0.25 + 0.25 + 0.5}),
	   "the order of two operands does not matter");
}

static void test_same_memory(void)
{
	const struct step copies[] = {{.kind = STEP_SEND, .src = a},
				      {.kind = STEP_RECV, .dst = b}};
	/* a board that is used again and again */
	const struct step sums[] = {
	    {.kind = STEP_LOAD_REDUCE, .src = board, .with = t, .dst = t},
	    {.kind = STEP_LOAD_REDUCE, .src = board, .with = t, .dst = t},
	    {.kind = STEP_SEND, .src = a}};

	ok(moves(copies, 2, 1, false, (const double[]){0.5, 0.5}),
	   "two buffers do not fit");
	ok(moves(copies, 2, 1, true, (const double[]){0, 0}),
	   "one that is both does");
	ok(moves(sums, 3, 2, false, (const double[]){2 / 3.0, 0, 1 / 3.0}),
	   "what is used at once again is moved once");
}

int main(void)
{
	test_kinds();
	test_distance();
	test_same_memory();
	return tap_done();
}
