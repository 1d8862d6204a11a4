/* SPDX-License-Identifier: Apache-2.0 */
/* measure.h: options of `mrt-scale run`, and the parts of the job that it
 * starts for each number of ranks. */
#ifndef TOOLS_SCALE_MEASURE_H
#define TOOLS_SCALE_MEASURE_H

#include "tools/scale/study.h"
#include "tools/tune/tune.h"

enum { MEASURE_RANKS_MAX = 256 };

struct measure_options {
	const char *tests, *algorithms,
	    *output; /* lists; algorithms may be NULL */
	int ranks[MEASURE_RANKS_MAX], nranks;
	struct sizes sizes;
	double width;	  /* relative width of the interval that is enough */
	double sample;	  /* seconds per sample, at least one call */
	double limit;	  /* seconds per point */
	long least, most; /* samples per point */
	int quiet;
	char **launch; /* [nlaunch] arguments for mrun */
	int nlaunch;
};

/* Returns -1 to go on, or the exit code. Messages come from rank 0 only once
 * ranks run. */
int measure_parse(int argc, char **argv, struct measure_options *o);

/* State of one rank. */
struct measure {
	const struct measure_options *o;
	struct tune tune; /* buffers for the collectives of mrt-tune */
	struct mrt_place *places;
	char job[STUDY_NAME]; /* "" before the first point */
	int measured;
	double *us; /* [o->most] */
};

/*
 * Samples a point until the interval is narrow enough, and writes it on rank 0;
 * p has everything but samples and job. sample() returns this rank's
 * microseconds per call for the next k samples. A point that the study has is
 * skipped. Collective; returns 0 or an exit code, the same on all ranks.
 */
typedef void measure_fn(struct measure *m, const struct point *p, void *arg,
			double *us, int k);
int measure_point(struct measure *m, struct point *p, measure_fn *sample,
		  void *arg);
/* Returns 1 on all ranks if the study lacks the point. Collective. */
int measure_lacks(struct measure *m, const struct point *p);

/* Measures a collective with all its algorithms and sizes (measure_coll.c). */
int measure_collective(struct measure *m, const struct tune_collective *c);
/* Measures patterns of two ranks on each level of the job (measure_pairs.c). */
int measure_pairs(struct measure *m);
/* Returns the seconds that a CPU takes from one waiting rank to the next, from
 * 2 * calls switches (measure_turn.c). Rank 0 only. */
double measure_turn(long calls);
/* Writes the description of this job (measure_job.c) and sets m->job. Rank 0
 * only; returns 0 or an exit code. */
int measure_job(struct measure *m);

#endif
