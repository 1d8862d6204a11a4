/* SPDX-License-Identifier: Apache-2.0 */
/* trace_model.c: a collective of a trace as the simulator predicts it. */
#include <stdlib.h>
#include <string.h>

#include "coll/plan/rules.h"
#include "mrt.h"
#include "runtime/base/error.h"
#include "tools/scale/fabric_file.h"
#include "tools/sim/sim.h"
#include "tools/trace/trace_scene.h"

static int trace_model_refuse(const char *why)
{
	fprintf(stderr, "mrt-trace: the simulator has no such collective: %s\n",
		why);
	return EXIT_USAGE;
}

/* Numbers the nodes in the order of rows. Returns how many there are. */
static int number_nodes(const struct scene *s, int *node)
{
	int nodes = 0;

	for (int k = 0; k < s->n; k++) {
		int j = 0;

		while (strcmp(s->ranks[j].trace->head->host,
			      s->ranks[k].trace->head->host))
			j++;
		node[k] = j < k ? node[j] : nodes++;
	}
	return nodes;
}

/* Sets nodes and ppn. Returns false if no such numbers place the ranks. */
static bool set_nodes(const struct scene *s, struct sim_job *j)
{
	bool blocks = true, cyclic = true;
	int *node = malloc((size_t)s->n * sizeof(*node));
	int nodes = node ? number_nodes(s, node) : 0;

	for (int k = 0; node && k < s->n; k++) {
		blocks &= node[k] == k / (s->n / nodes);
		cyclic &= node[k] == k % nodes;
	}
	free(node);
	j->nodes = nodes;
	j->ppn = nodes ? s->n / nodes : 0;
	j->cyclic = !blocks;
	return nodes && s->n % nodes == 0 && (blocks || cyclic);
}

/* Returns what is in the way, or NULL. */
static const char *set_job(const struct scene *s, struct sim_job *j)
{
	if (!s->plan)
		return "it ran without a plan (MRT_COLL_DIRECT=no makes one)";
	for (int k = 0; k < s->n; k++)
		if (!s->ranks[k].trace)
			return "the trace of a rank is missing";
	if (s->plan->flags & TRACE_LISTS)
		return "its blocks differ, or not all ranks take part";
	j->collective = (enum collective)s->plan->collective;
	j->count = s->plan->bytes;
	j->type_size = s->shape->number;
	j->root = s->shape->peer;
	j->in_order = !(s->plan->flags & TRACE_COMMUTES);
	j->combine = (uint8_t)(s->plan->flags / TRACE_COMBINE);
	/* where only the root may be in place its plan alone has copies less */
	j->in_place = s->plan->flags & TRACE_IN_PLACE &&
		      rules[j->collective].in_place != IN_PLACE_ROOT;
	if (!set_nodes(s, j))
		return "its ranks are not dealt evenly to the nodes";
	j->choice = scene_choice(s);
	return j->choice.algorithm ? NULL : "the algorithm is not known";
}

struct filling {
	struct scene *model;
	bool failed;
};

static void trace_model_see(void *to, const struct sim_seen *step)
{
	struct filling *f = to;
	struct scene_rank *r = &f->model->ranks[step->rank];
	struct scene_step *s = scene_step(r, step->step);

	if (!s) {
		f->failed = true;
		return;
	}
	*s = (struct scene_step){.begun = true,
				 .ended = true,
				 .kind = step->kind,
				 .peer = step->peer,
				 .bytes = step->bytes,
				 .begin = step->begin,
				 .end = step->end};
	r->leave = step->end > r->leave ? step->end : r->leave;
	if (r->leave > f->model->end)
		f->model->end = r->leave;
}

/* Simulates the job into *model, which has its ranks. */
static int trace_model_simulate(struct sim_job job, struct scene *model)
{
	struct filling f = {model, false};
	struct sim_result result;
	char why[256];
	int rc;

	job.engine = SIM_HEAP;
	job.see = trace_model_see;
	job.to = &f;
	rc = sim_run(&job, &result, why, sizeof(why));
	if (!rc)
		sim_result_fini(&result);
	if (rc == MRT_ERR_ARG || rc == MRT_ERR_UNSUPPORTED)
		return trace_model_refuse(why);
	if (rc || f.failed) {
		fprintf(stderr, "mrt-trace: %s\n",
			error_text(rc ? rc : MRT_ERR_NO_MEM));
		return error_exit_code(rc ? rc : MRT_ERR_NO_MEM);
	}
	return 0;
}

int scene_simulate(const struct scene *s, const struct scene_options *options,
		   struct scene *model)
{
	struct sim_fabric fabric;
	struct sim_job job = {.fabric = &fabric, .cpus = options->cpus};
	const char *why = set_job(s, &job);
	double *begins;
	int rc = why ? trace_model_refuse(why)
		     : fabric_read(&fabric, options->fabric);

	if (rc)
		return rc;
	*model = *s;
	model->end = 0;
	model->ranks = calloc((size_t)s->n, sizeof(*model->ranks));
	begins = malloc((size_t)s->n * sizeof(*begins));
	for (int k = 0; model->ranks && begins && k < s->n; k++) {
		begins[k] = s->ranks[k].arrive;
		model->ranks[k] =
		    (struct scene_rank){.trace = s->ranks[k].trace,
					.left = true,
					.arrive = begins[k],
					.leave = begins[k] + fabric.call};
	}
	job.begins = begins;
	if (model->ranks && begins) {
		rc = trace_model_simulate(job, model);
	} else {
		fputs("mrt-trace: out of memory\n", stderr);
		rc = EXIT_RESOURCE;
	}
	free(begins);
	if (rc)
		scene_free(model);
	return rc;
}
