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

/* ---- Names ---- */

/* Synonyms are the names that other libraries give an algorithm; the beginning
 * of a name suffices, as for libmrt's own. */
static const struct synonym {
	const char *name, *here;
} synonyms[] = {{"basic_linear", "linear"},
		{"binary_tree", "binary"},
		{"binomial_tree", "binomial"},
		{"modified_bruck", "bruck"},
		{"k_bruck", "bruck"},
		{"nonoverlapping", "reduce_bcast"},
		{"pipeline", "chain"},
		{"redscat_allgather", "rabenseifner"},
		{"reduce_scatter_allgather", "rabenseifner"}};

int times_collective(const char *name, enum collective *collective)
{
	if (!strcmp(name, "reduce_scatter"))
		name = "reduce_scatter_block";
	for (int k = 0; k < COLLECTIVES; k++)
		if (!strcmp(coll_tables[k].name, name) && !rules[k].neighbors) {
			*collective = (enum collective)k;
			return 0;
		}
	return -1;
}

/* Returns how many letters of words begin both names; each ends where the other
 * does, or where its next word begins. */
static size_t times_predict_common(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return (!a[n] && (!b[n] || b[n] == '_')) || (!b[n] && a[n] == '_') ? n
									   : 0;
}

/* Finds the algorithm whose name has most in common with this one. */
static const struct algorithm *times_predict_closest(const struct coll_table *t,
						     const char *name)
{
	const struct algorithm *best = NULL;
	size_t most = 0, n;

	for (size_t k = 0; k < t->nrows; k++) {
		n = times_predict_common(t->rows[k]->name, name);
		if (n > most) {
			most = n;
			best = t->rows[k];
		}
	}
	return best;
}

bool times_algorithm(enum collective collective, const char *name,
		     struct choice *choice)
{
	const struct coll_table *t = &coll_tables[collective];
	char why[256], words[STUDY_NAME];
	size_t n = sizeof(synonyms) / sizeof(synonyms[0]);

	if (select_parse(collective, name, choice, why, sizeof(why)))
		return true;
	*choice = (struct choice){NULL, 0};
	for (size_t k = 0; k < n && !choice->algorithm; k++)
		if (times_predict_common(synonyms[k].name, name) ==
		    strlen(synonyms[k].name))
			choice->algorithm =
			    times_predict_closest(t, synonyms[k].here);
	/* neighbor_ompi: drops words from the end until one name begins so */
	snprintf(words, sizeof(words), "%s", name);
	while (!choice->algorithm) {
		char *last = strrchr(words, '_');

		choice->algorithm = times_predict_closest(t, words);
		if (!last)
			break;
		*last = '\0';
	}
	return choice->algorithm;
}

/* ---- Predictions ---- */

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
			      .combine = rules[r->collective].reduces
					     ? COMBINE_SWAP
					     : COMBINE_NONE,
			      .engine = SIM_SYMMETRY};
	struct sim_result result;
	char why[256];
	int rc = sim_run(&job, &result, why, sizeof(why));

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
