/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure.h: what `mrt-scale run` was told, and the parts of the job that it
 * starts for each number of ranks.
 */
#ifndef SCALE_MEASURE_H
#define SCALE_MEASURE_H

#include "tools/scale/study.h"
#include "tools/tune/tune.h"

enum { MEASURE_RANKS_MAX = 256 };

struct measure_options {
	const char *tests, *algorithms,
	    *output; /* lists; algorithms: or NULL */
	int ranks[MEASURE_RANKS_MAX], nranks;
	struct sizes sizes;
	double width;	  /* of the interval, relative, that is narrow enough */
	double sample;	  /* seconds of a sample, at least one call */
	double limit;	  /* seconds of a point */
	long least, most; /* samples */
	int quiet;
	char **launch; /* arguments of mrun, nlaunch */
	int nlaunch;
};

/* -1: go on; otherwise the exit code, after a message on rank 0 if ranks run
 * already. */
int measure_parse(int argc, char **argv, struct measure_options *o);

/* One rank's state. */
struct measure {
	const struct measure_options *o;
	struct tune tune; /* buffers, for the collectives of mrt-tune */
	struct mrt_place *places;
	char job[STUDY_NAME]; /* "" until the first point */
	int measured;
	double *us; /* [o->most] */
};

/* Takes samples of one point until they say enough, and writes it, on rank 0;
 * p has everything but samples and job. sample() gives this rank's microseconds
 * a call for the next k samples. Nothing happens if the point is there.
 * Collective; 0 or an exit code on all ranks. */
typedef void measure_fn(struct measure *m, const struct point *p, void *arg,
			double *us, int k);
int measure_point(struct measure *m, struct point *p, measure_fn *sample,
		  void *arg);
/* 1 on all ranks if the study lacks the point. Collective. */
int measure_lacks(struct measure *m, const struct point *p);

/* A collective, all its ways and sizes (measure_coll.c). */
int measure_collective(struct measure *m, const struct tune_collective *c);
/* Patterns of two ranks, for each level that the job has (measure_pairs.c). */
int measure_pairs(struct measure *m);
/* Seconds that a CPU takes from one waiting rank to the next, of 2 * calls
 * turns (measure_turn.c). On rank 0. */
double measure_turn(long calls);
/* Writes what is to be known of this job (measure_job.c), and names it. On rank
 * 0; 0 or an exit code. */
int measure_job(struct measure *m);

#endif
