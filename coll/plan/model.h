/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.h: the cost model, which predicts the time of an algorithm; the default
 * choice is the algorithm with the least.
 *
 * A prediction depends only on what all ranks of a communicator know alike, so
 * that they come to the same choice without communicating.
 *
 * Source: latency and bandwidth as in R. W. Hockney, "The communication
 * challenge for MPP", Parallel Computing 20 (1994); the processor's overhead as
 * in D. Culler et al., "LogP", PPoPP 1993, here shared by the ranks of a node
 * that has fewer cores than ranks.
 */
#ifndef COLL_MODEL_H
#define COLL_MODEL_H

#include <stdbool.h>

#include "coll/plan/algorithm.h"

/* The fabric that carries the messages of a communicator, as a tuning file
 * names it. */
enum medium {
	MEDIUM_SM,   /* shared memory of one node */
	MEDIUM_BUSY, /* shared memory, more ranks than CPUs */
	MEDIUM_NET,  /* a network */
	MEDIUM_SOFT, /* a network whose packets the nodes' CPUs make */
	MEDIA
};
extern const char *const medium_names[MEDIA];

/* The parameters of a medium, in nanoseconds. */
struct model {
	double latency;	   /* of a message that a rank waits for */
	double byte;	   /* per byte of that message */
	double reduced;	   /* per byte of a reduction's result */
	double atomic;	   /* of an atomic operation that a rank waits for */
	double overhead;   /* CPU time of a message, both ends together */
	double copied;	   /* CPU time per byte of it */
	double rendezvous; /* added to a message of more than `eager` bytes */
	double eager;	   /* as many as libmrt sends at once by default */
	/* per byte that the ranks of a node receive and reduce together, beyond
	 * what its caches keep */
	double memory;
	/* added to each message to another node if a rank has more than
	 * `connected` peers there: it closes the connection to one of them and
	 * opens its own; connected 0: all stay open */
	double connect;
	double connected; /* a number */
	/* the nodes of a switch for each of its links to others: a number; 1:
	 * the network is not tapered */
	double taper;
};
extern struct model models[MEDIA];

/* The machine is what a communicator's ranks run on, as all of them know it. */
struct machine {
	enum medium medium;
	double cpus; /* CPUs of all ranks together; 0: one for each */
	/* calls like this one that share the links of each node; 0: this one
	 * alone */
	int sharing;
};

/* Returns the predicted nanoseconds of a call. shape->arg 0 stands for the
 * default argument. */
double model_time(const struct algorithm *algorithm, const struct shape *shape,
		  const struct machine *machine);

/* Returns the predicted nanoseconds of the longest chain of a cost between
 * nodes, inside them, or both, if every rank has a CPU. */
double model_chain(const struct cost *cost);

/* Returns how many rounds of a plan inside a node are by rendezvous. */
double model_fetched(const struct cost *cost);

/* Returns the parameter of that name ("latency"), or NULL. */
double *model_parameter(enum medium medium, const char *name);

/* Restores the shipped parameters. */
void model_reset(void);
/* model_keep sets how many connections a rank keeps between nodes; 0: all. */
void model_keep(double connected);
#endif
