/* SPDX-License-Identifier: Apache-2.0 */
/* times_predict.c: what a fabric predicts for a row of a table (see times.h).
 */
#include "tools/scale/times.h"

#include "tools/scale/fabric_file.h"
#include "coll/plan/algorithm.h"
#include "coll/plan/rules.h"

#include <math.h>
#include <string.h>

enum { MANY = 128 }; /* ranks */

/* Returns how many blocks the bytes of a row hold. */
static size_t blocks_of(const struct times_row *r)
{
	const struct rule *rule = &rules[r->collective];

	return rule->send.holds == HOLDS_EACH || rule->recv.holds == HOLDS_EACH
		   ? (size_t)r->nodes * (size_t)r->ppn
		   : 1;
}

bool times_has_elements(const struct times_row *r)
{
	return r->kind != TIMES_COLLECTIVE || r->collective == COLL_BARRIER ||
	       r->bytes >= blocks_of(r) * r->element;
}

/* Returns whether the algorithm passes blocks round many ranks. */
static bool is_ring(const struct times_row *r, size_t count)
{
	int ranks = times_ranks(r);
	struct shape shape = {.size = ranks,
			      .count = count,
			      .type_size = r->element,
			      .commutative = true};
	struct cost cost = {0};

	if (!r->choice.algorithm || ranks < MANY)
		return false;
	shape.arg =
	    r->choice.arg ? r->choice.arg : r->choice.algorithm->arg_default;
	r->choice.algorithm->cost(&shape, &cost);
	return cost.rounds >= ranks - 1;
}

/*
 * Returns the elements of a block or vector. Those of a vector that is passed
 * round are rounded up to a multiple of the ranks: blocks of one length are
 * quick to simulate, and an element more takes no time worth mentioning.
 */
static size_t count_of(const struct times_row *r)
{
	size_t count = r->bytes / blocks_of(r) / r->element;
	size_t ranks = (size_t)r->nodes * (size_t)r->ppn;

	return blocks_of(r) == 1 && is_ring(r, count)
		   ? (count + ranks - 1) / ranks * ranks
		   : count;
}

/* ---- Memory that the other library allocates ---- */

/* The vectors that a rank allocates for a call, of the length of its largest
 * buffer, in Open MPI 4.1 (ompi/mca/coll/base). */
static const struct vectors {
	const char *collective, *algorithm;
	double vectors;
} vectors[] = {{"reduce", "linear", 1},
	       {"reduce", NULL, 2},
	       {"reduce_scatter_block", "ring", 1},
	       {"reduce_scatter_block", NULL, 2},
	       {"allreduce", "recursive_doubling", 1},
	       {"allreduce", "rabenseifner", 1},
	       {"alltoall", "bruck", 1},
	       {"gather", "binomial", 0.5},
	       {"scatter", "binomial", 0.5}};

/*
 * Sets the bytes that come from the system each time, by malloc of glibc: a
 * rank's first vector stays in its heap up to 32 MiB; two of them, from 128 KiB
 * on, are more than the heap keeps at its end. A mapping has large pages except
 * at its ends.
 */
static void count_allocated(const struct times_row *r, struct sim_job *job)
{
	const struct vectors *v = vectors;
	size_t n = sizeof(vectors) / sizeof(vectors[0]);
	double bytes, small;

	for (; n; n--, v++)
		if (!strcmp(v->collective, coll_tables[r->collective].name) &&
		    (!v->algorithm ||
		     (r->choice.algorithm &&
		      !strcmp(v->algorithm, r->choice.algorithm->name))))
			break;
	if (!n)
		return;
	bytes = v->vectors * (double)r->bytes;
	if (v->vectors > 1 ? bytes <= 2 << 17 : bytes < 32 << 20)
		return;
	small = fmin(bytes, ceil(v->vectors) * (2 << 20));
	job->allocated = small;
	job->allocated_huge = bytes - small;
}

/* ---- Predictions ---- */

static double collective_us(struct times_row *r,
			    const struct sim_fabric *fabric,
			    const struct sim_topology *topology)
{
	struct sim_job job = {.fabric = fabric,
			      .topology = *topology,
			      .nodes = r->nodes,
			      .ppn = r->ppn,
			      .cpus = r->cpus,
			      .collective = r->collective,
			      .choice = r->choice,
			      .type_size = r->element,
			      .count = count_of(r),
			      .in_turn = r->in_turn,
			      .no_exchange = r->no_exchange,
			      .combine = rules[r->collective].reduces
					     ? COMBINE_SWAP
					     : COMBINE_NONE,
			      .engine = SIM_SYMMETRY};
	struct sim_result result;
	char why[256];
	int rc;

	count_allocated(r, &job);
	rc = sim_run(&job, &result, why, sizeof(why));
	job.engine = SIM_AUTO;
	if (rc)
		rc = sim_run(&job, &result, why, sizeof(why));
	if (rc)
		return NAN;
	for (int l = 0; l < SIM_LEVELS && result.engine != SIM_SYMMETRY; l++)
		r->work += result.messages[l];
	if (sim_band(fabric, &result, &r->low, &r->high)) {
		r->low /= 1000;
		r->high /= 1000;
	}
	sim_result_fini(&result);
	return result.time / 1000;
}

/* A message and the gap between messages, by the formulas of sim.h. */
static double pairs_us(const struct times_row *r,
		       const struct sim_fabric *fabric)
{
	const struct sim_link *link = &fabric->levels[SIM_LEAF];
	const struct sim_range *p = link->ranges;
	double n = r->bytes ? (double)r->bytes : 1, cpu;

	if (r->kind == TIMES_MESSAGE)
		return fabric_message(link, r->bytes) / 1000;
	while (r->bytes > p->max_bytes)
		p++;
	cpu = fmax(p->o_s + n * p->O_s, p->o_r + n * p->O_r);
	return fmax(cpu / r->ppn, p->g + (n - 1) * p->G) / 1000;
}

void times_predict(struct times_row *r, const struct sim_fabric *fabric,
		   const struct sim_topology *topology)
{
	r->work = r->low = r->high = 0;
	r->predicted = r->kind == TIMES_COLLECTIVE
			   ? collective_us(r, fabric, topology)
			   : pairs_us(r, fabric);
}
