/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h: how long an algorithm takes, as far as one can say beforehand: the
 * default choice is the one that takes least.
 *
 * Of what all ranks of a communicator know alike, and nothing else, so that
 * they come to the same choice without asking each other.
 *
 * Source: latency and bandwidth as in R. W. Hockney, "The communication
 * challenge for MPP", Parallel Computing 20 (1994); the processor's overhead
 * as in D. Culler et al., "LogP", PPoPP 1993, here shared by the ranks of a
 * node that has fewer cores than ranks.
 */
#ifndef COLL_MODEL_H
#define COLL_MODEL_H

#include <stdbool.h>

#include "coll/plan/algorithm.h"

/* The ways that messages of a communicator go, as a tuning file names them. */
enum medium {
	MEDIUM_SM,   /* all inside a node */
	MEDIUM_BUSY, /* the same, and more ranks than CPUs */
	MEDIUM_NET,  /* by a network */
	MEDIA
};
extern const char *const medium_names[MEDIA];

/* Nanoseconds. */
struct model {
	double latency;	   /* of a message that somebody waits for */
	double byte;	   /* of that message */
	double reduced;	   /* a byte of a result */
	double atomic;	   /* an operation that somebody waits for */
	double overhead;   /* of CPUs, for a message: both ends together */
	double copied;	   /* of CPUs, for a byte of it */
	double rendezvous; /* more for a long message, waited for or not */
};
extern struct model models[MEDIA];

/* Where a communicator's ranks run; the same on all of them. */
struct machine {
	enum medium medium;
	double cpus; /* that they have together; 0: one each */
};

/* Nanoseconds for a call; shape->arg 0 is the default. */
double model_time(const struct algorithm *algorithm, const struct shape *shape,
		  const struct machine *machine);

/* The parameter of that name ("latency"), or NULL. */
double *model_parameter(enum medium medium, const char *name);

/* Back to the shipped parameters. */
void model_reset(void);
#endif
