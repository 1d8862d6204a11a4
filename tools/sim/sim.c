/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c: simulates one job: checks it, chooses the algorithm and the engine. */
#include "tools/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/sim/sim_machine.h"
#include "tools/sim/sim_steps.h"
#include "tools/sim/symmetry.h"
#include "tools/sim/timed.h"
#include "coll/plan/algorithm.h"
#include "coll/plan/model.h"
#include "coll/plan/rules.h"
#include "coll/plan/step_hash.h"
#include "coll/plan/topology.h"
#include "mrt.h"

enum {
	RANKS_MAX = 1 << 24,
	MANY = 512,	    /* ranks from which symmetry is tried */
	STEPS_MAX = 1 << 29 /* of all ranks, for the engine in time order */
};
#define PLANS_BUDGET ((size_t)2 << 30) /* bytes of the plans of all ranks */

/* ---- The job ---- */

/* Returns whether nodes that differ are as struct sim_job wants them. */
static bool uneven_fits(const struct sim_job *j)
{
	for (int k = 0; k < j->nodes; k++)
		if (j->node_ranks[k] < 1 || j->node_ranks[k] > j->ppn)
			return false;
	return !j->cyclic && !j->cpus;
}

/* Returns whether all nodes are inside a torus, if the network is one. */
static bool is_inside(const struct sim_job *j)
{
	const struct sim_topology *t = &j->topology;
	long routers = sim_torus_routers(t), most = j->nodes - 1;

	for (int k = 0; k < j->nodes && j->places; k++)
		most = j->places[k] > most ? j->places[k] : most;
	return !t->dimensions || (most < routers && routers <= RANKS_MAX);
}

/* Returns what is wrong with the numbers of a job, or NULL. */
static const char *sim_wrong(const struct sim_job *j)
{
	long ranks = (long)j->nodes * j->ppn;

	if (j->nodes < 1 || j->ppn < 1 || ranks > RANKS_MAX)
		return "nodes times ppn: 1 to 16777216 ranks";
	if (!is_inside(j))
		return "nodes: no more than the torus has, of up to 16777216";
	if (j->caches < 0 || j->caches > j->ppn)
		return "caches: no more than ranks of a node";
	if (j->cpus < 0)
		return "cpus: none, or as many as a node has";
	if (j->collective >= COLLECTIVES || rules[j->collective].neighbors)
		return "collective: one among all ranks";
	if (j->node_ranks && !uneven_fits(j))
		return "nodes that differ: 1 to ppn ranks, a CPU for each, in "
		       "blocks";
	if (j->root < 0 || j->root >= sim_ranks(j))
		return "root: a rank";
	if (!j->type_size || j->count > SIZE_MAX / j->type_size / RANKS_MAX)
		return "count and type_size: too large";
	if (j->noise < 0 || !(j->noise_chance >= 0 && j->noise_chance <= 1))
		return "noise: not negative, by chance of 0 to 1";
	if ((j->begins || j->see) && j->engine != SIM_HEAP)
		return "begins and steps: the engine in the order of time";
	return NULL;
}

static struct topology_place sim_place(int rank, const void *arg)
{
	const struct sim_machine *m = arg;

	int node = machine_node(m, rank);
	bool known = m->job->topology.tiers && !m->job->no_switches;

	return (struct topology_place){
	    node, machine_cache(m, rank),
	    known ? (uint64_t)machine_group(m, node, 0) : 0};
}

static struct shape shape_of(const struct sim_job *j)
{
	return (struct shape){.size = sim_ranks(j),
			      .root = j->root,
			      .count = j->count,
			      .type_size = j->type_size,
			      .commutative = !j->in_order,
			      .combine = j->combine,
			      .in_place = j->in_place,
			      .arg = j->choice.arg};
}

/* Chooses as the library would, unless the job names an algorithm. */
static int sim_choose(const struct sim_job *j, const struct shape *shape,
		      struct choice *choice, char *why, size_t whyl)
{
	struct machine where = {.medium =
				    j->nodes > 1 ? MEDIUM_NET : MEDIUM_SM};

	if (j->nodes == 1 && j->cpus &&
	    j->cpus < j->ppn) /* as the library does */
		where =
		    (struct machine){.medium = MEDIUM_BUSY, .cpus = j->cpus};
	*choice = j->choice;
	if (!choice->algorithm)
		*choice = select_default(j->collective, shape, &where);
	if (select_choice_fits(choice, shape))
		return MRT_SUCCESS;
	snprintf(why, whyl, "%s of %s does not fit this call",
		 choice->algorithm->name, coll_tables[j->collective].name);
	return MRT_ERR_ARG;
}

/* ---- The engines ---- */

struct sim {
	const struct sim_job *job;
	struct sim_machine machine;
	struct shape shape;
	struct topology *topo;
	struct sim_plans plans;
	struct sim_caches caches;
};

/* Returns the caches if they may not hold all that a plan uses. */
static struct sim_caches *caches_of(struct sim *s)
{
	enum { VECTORS = 32 };

	return s->machine.memory > 0 &&
		       VECTORS * machine_vector(s->job) > s->caches.room
		   ? &s->caches
		   : NULL;
}

static int by_time(struct sim *s, struct symmetry symmetry,
		   struct sim_result *result)
{
	int rc =
	    sim_plans_init(&s->plans, result->choice.algorithm, &s->shape,
			   symmetry, s->job->ppn, PLANS_BUDGET, caches_of(s));

	if (rc)
		return rc;
	s->plans.in_turn = s->job->in_turn;
	s->machine.rotation = symmetry.rotation;
	rc = timed_run(&s->machine, &s->plans, result);
	result->last_rank = rotate_back(&symmetry.rotation, result->last_rank);
	s->machine.rotation = (struct rotation){0};
	if (s->plans.full)
		rc = MRT_ERR_UNSUPPORTED;
	sim_plans_fini(&s->plans);
	return rc;
}

static int by_symmetry(struct sim *s, struct sim_result *result)
{
	struct symmetry symmetry;
	bool found;
	int rc = symmetry_find(&s->machine, result->choice.algorithm, &s->shape,
			       &symmetry, &found);

	if (rc)
		return rc;
	return found ? by_time(s, symmetry, result) : MRT_ERR_UNSUPPORTED;
}

/* Simulates all events of all ranks, unless they are too many to end. */
static int by_heap(struct sim *s, struct sim_result *result, char *why,
		   size_t whyl)
{
	struct plan plan;
	int rc = plan_build(result->choice.algorithm, &s->shape, 0, &plan);
	double steps = plan.nsteps * (double)s->shape.size;

	if (rc)
		return rc;
	plan_fini(&plan);
	rc = steps <= STEPS_MAX
		 ? by_time(s, symmetry_none(s->shape.size), result)
		 : MRT_ERR_UNSUPPORTED;
	if (rc == MRT_ERR_UNSUPPORTED)
		snprintf(why, whyl,
			 "%d ranks of up to %.0f steps are too many; if all "
			 "did the same, a few would do: blocks of the same "
			 "length, a power of two of nodes, whole groups",
			 s->shape.size, steps / s->shape.size);
	return rc;
}

static int sim_simulate(struct sim *s, struct sim_result *result, char *why,
			size_t whyl)
{
	enum sim_engine wanted = s->job->engine;
	int rc = MRT_ERR_UNSUPPORTED;

	result->engine = SIM_SYMMETRY;
	if (wanted == SIM_SYMMETRY ||
	    (wanted == SIM_AUTO && s->shape.size >= MANY))
		rc = by_symmetry(s, result);
	if (rc != MRT_ERR_UNSUPPORTED || wanted == SIM_SYMMETRY)
		return rc;
	result->engine = SIM_HEAP;
	return by_heap(s, result, why, whyl);
}

static int add_hashes(const struct sim *s, struct sim_result *result)
{
	if (!s->job->hashes)
		return MRT_SUCCESS;
	result->hashes = calloc((size_t)s->shape.size, sizeof(uint64_t));
	return result->hashes ? MRT_SUCCESS : MRT_ERR_NO_MEM;
}

static void join_hashes(const struct sim *s, struct sim_result *result)
{
	for (int r = 0; result->hashes && r < s->shape.size; r++)
		result->hash = step_hash_mix(result->hash ^ result->hashes[r]);
}

static int sim_prepare(struct sim *s, struct sim_result *result, char *why,
		       size_t whyl)
{
	const struct sim_fabric *f = s->job->fabric;
	int rc;

	s->topo = topology_create(s->machine.ranks, sim_place, &s->machine);
	if (!s->topo)
		return MRT_ERR_NO_MEM;
	/* as in the library: a single cache is not a level */
	if (s->topo->caches > 1)
		shape_place(&s->shape, s->job->collective, s->topo);
	/* as the library, which takes the direct path on one node */
	if (s->job->ppn > 1 && !s->job->no_boards &&
	    (s->job->nodes > 1 || s->job->choice.algorithm))
		s->shape.board = BOARD_BYTES;
	rc = sim_choose(s->job, &s->shape, &result->choice, why, whyl);
	s->shape.arg = result->choice.arg;
	if (s->job->nodes > f->measured_nodes)
		result->outside = "more nodes than were measured";
	return rc ? rc : add_hashes(s, result);
}

int sim_run(const struct sim_job *job, struct sim_result *result, char *why,
	    size_t whyl)
{
	struct sim s = {.job = job};
	const char *field = sim_wrong(job);
	struct sim_result made = {0};
	int rc;

	snprintf(why, whyl, "%s", field ? field : "");
	if (field || !sim_fabric_check(job->fabric, why, whyl))
		return MRT_ERR_ARG;
	s.shape = shape_of(job);
	rc = machine_init(&s.machine, job);
	sim_caches_init(&s.caches, job->fabric->node_cache / job->ppn,
			machine_vector(job));
	if (!rc)
		rc = sim_prepare(&s, &made, why, whyl);
	if (!rc)
		rc = sim_simulate(&s, &made, why, whyl);
	topology_destroy(s.topo);
	sim_caches_fini(&s.caches);
	machine_fini(&s.machine);
	if (rc) {
		sim_result_fini(&made);
		return rc;
	}
	join_hashes(&s, &made);
	*result = made;
	return MRT_SUCCESS;
}

void sim_result_fini(struct sim_result *result)
{
	free(result->hashes);
	result->hashes = NULL;
}
