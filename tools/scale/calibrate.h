/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrate.h: fits a fabric to tables of measured times. The parameters are
 * few, for tables are short: one factor for each cost in the path of a message
 * or of a rank. Each begins at the value of a base fabric and is drawn to it
 * (by a normal distribution of its logarithm), so that what the times do not
 * tell stays what it was.
 */
#ifndef TOOLS_SCALE_CALIBRATE_H
#define TOOLS_SCALE_CALIBRATE_H

#include "tools/scale/times.h"

enum parameter {
	P_CALL,	      /* sim.h: call */
	P_LATENCY,    /* L of eager messages, */
	P_SEND,	      /* o_s, */
	P_RECEIVE,    /* o_r, */
	P_COPIED,     /* O_s + O_r */
	P_RENDEZVOUS, /* L of rendezvous */
	P_BYTE,	      /* G, */
	P_BYTE_LONG,  /* and that of long messages */
	P_REDUCE,     /* reduce, copy and their far ones, cache */
	P_REDUCE_FAR,
	P_COPY,
	P_COPY_FAR,
	P_CACHE,
	P_SPREAD, /* spread, exchange */
	P_EXCHANGE,
	P_FRESH, /* fresh, fresh_huge */
	P_FRESH_HUGE,
	P_JITTER, /* jitter, of the base's tail */
	P_TURN,	  /* turn */
	P_NODE,	  /* factor for all times inside a node */
	PARAMETERS
};

struct calibration {
	struct sim_fabric fabric;
	double value[PARAMETERS]; /* ns, ns per byte, bytes */
	/* 80 % intervals */
	double low[PARAMETERS], high[PARAMETERS];
	/* the part of the width of the prior that the times leave: near 1, they
	 * do not determine the parameter */
	double left[PARAMETERS];
	uint64_t eager, medium; /* limits of eager and of medium messages */
	double cost;
	int rows; /* that were fitted */
};
#define CALIBRATE_LEFT 0.7

extern const char *const parameter_names[PARAMETERS];
/* The unit of each parameter: "ns", "ns/byte", "bytes", or "" for a factor. */
extern const char *const parameter_units[PARAMETERS];

/* The rows of a table to which a fabric is fitted; the others are held out. */
struct calibrate_rows {
	int max_ranks;	     /* those of no more ranks */
	const char *without; /* and of other collectives than this; NULL: all */
};

/* Returns whether a row is held out. */
bool calibrate_holds_out(const struct calibrate_rows *rows,
			 const struct times_row *row);

/*
 * Fits to some rows of a table (less those that are slow to simulate, if there
 * are many). Least squares of the logarithms of predicted to measured times,
 * with the weights of Student's t distribution (4 degrees of freedom), by
 * Levenberg's and Marquardt's method. It goes on from `start`, with its limits,
 * or begins at the base and searches for them if that is NULL.
 */
void calibrate(const struct times *t, const struct calibrate_rows *rows,
	       const struct sim_fabric *base,
	       const struct sim_topology *topology,
	       const struct calibration *start, struct calibration *c);

/* fit_tables.c: `mrt-scale fit` of tables. */
struct fit_tables {
	const char *base, *output; /* fabrics */
	struct times_run run;
};

/* Fits a fabric, reports how far it predicts more nodes than it was fitted to,
 * and writes it. Returns 0 or an exit code after a message. */
int fit_tables(const struct fit_tables *fit, char **paths, int n);

/* ---- Between the files ---- */

/* calibrate_model.c: the parameters of a base fabric, and a fabric with
 * other values of them. theta: logarithms. */
void parameters_of(const struct sim_fabric *base, double theta[PARAMETERS],
		   double width[PARAMETERS]);
void parameters_apply(struct calibration *c, const struct sim_fabric *base,
		      const double theta[PARAMETERS]);
#endif
