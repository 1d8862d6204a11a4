/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_scene.h: one collective, rank by rank and step by step, as a trace has
 * it or as the simulator predicts it. Times are in ns from the first rank's
 * arrival.
 */
#ifndef TOOLS_TRACE_SCENE_H
#define TOOLS_TRACE_SCENE_H

#include <stdio.h>

#include "coll/plan/select.h"
#include "tools/trace/trace_match.h"

struct scene_step {
	bool begun, ended; /* ended: or `end` is the end of the scene */
	uint8_t kind;	   /* enum step_kind */
	int rank, peer;	   /* the peer's rank in the job and row, or -1 */
	uint64_t bytes;
	double begin, end;
};

struct scene_rank {
	const struct rank_trace *trace; /* NULL: none */
	bool left;			/* or `leave` is the end of the scene */
	double arrive, leave;
	uint32_t nsteps;
	struct scene_step *steps; /* numbered as in the plan, from 0 */
};

struct scene {
	struct instance of;
	/* its algorithm and the events of any rank that tell the plan; NULL: it
	 * ran without */
	const char *algorithm;
	const struct trace_event *plan, *shape;
	int n;
	struct scene_rank *ranks; /* rows: by rank in the communicator if there
				     is a plan, else by rank of the job */
	double end;
};

/* Makes the scene of a collective; `which` is its name, and optionally its
 * number and communicator: those of calls of trace_file.h. Without a number it
 * is the one that took the longest from the last arrival. Returns 0 or an exit
 * code after a message. */
int scene_make(struct scene *s, const struct trace_set *set, const char *which);
/* Returns the step of a rank, numbered from 0, or NULL without memory. */
struct scene_step *scene_step(struct scene_rank *r, uint32_t number);
void scene_free(struct scene *s);

/* The options say how a scene is simulated, and shown. */
struct scene_options {
	const char *which;
	const char *fabric; /* NULL: it is not simulated */
	int cpus;	    /* of a node, which ranks share; 0: one per rank */
	int rows;	    /* ranks that are shown */
	enum scene_format { SCENE_TEXT, SCENE_SVG, SCENE_HTML } format;
};

/* Simulates the collective of the scene, with ranks that arrive as they did.
 * Returns 0 or an exit code after a message. */
int scene_simulate(const struct scene *s, const struct scene_options *options,
		   struct scene *model);

/* A step beside the one of the model that does the same, or NULL. */
struct scene_pair {
	int row;
	uint32_t number;
	const struct scene_step *step, *model;
};
/* Lists the steps that have begun, those first that took longest; with a model,
 * longest beyond it. Returns their number, or -1 without memory; the caller
 * frees the list. */
long scene_compare(const struct scene *s, const struct scene *model,
		   struct scene_pair **list);
/* Returns by how much longer a step took than by the model, in ns. */
double scene_excess(const struct scene_pair *p);

/* Choose the rows that are shown, at most `rows` of them, ascending: the
 * extremes, and others evenly. Returns their number. */
int scene_rows(const struct scene *s, int rows, int *row);
/* Return exit codes. model may be NULL. */
int scene_text(const struct scene *s, const struct scene *model,
	       const struct scene_options *options);
int scene_svg(const struct scene *s, const struct scene *model,
	      const struct scene_options *options);
int scene_html(const struct scene *s, const struct scene *model,
	       const struct scene_options *options);
/* Returns the algorithm of the plan, NULL if this libmrt has none of its name.
 */
struct choice scene_choice(const struct scene *s);
/* Writes "mrt_allreduce 7 of communicator 0 by ring: .." */
void scene_title(const struct scene *s, FILE *out);
#endif
