/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal_text.h: reads a GOAL schedule, as mrt-plan writes it, and tells how long
 * it takes under LogGP. For goal.c. It shares no code with tools/sim, so that
 * it can be the reference for it.
 *
 * Source: T. Hoefler, T. Schneider, A. Lumsdaine, "LogGOPSim - simulating
 * large-scale applications in the LogGOPS model", LSAP 2010.
 */
#ifndef TESTS_SIM_GOAL_TEXT_H
#define TESTS_SIM_GOAL_TEXT_H

#include <stdbool.h>
#include <stdint.h>

struct goal_op {
	char label[12];
	enum goal_kind { GOAL_CALC, GOAL_SEND, GOAL_RECV } kind;
	int64_t size; /* bytes; for a calc, ns */
	int peer, tag;
	int waits;	 /* number of operations that this one requires */
	int first, last; /* links to the operations that require it, or -1 */
};

struct goal_link {
	int op, next;
};

struct goal_host {
	int nops, nlinks;
	struct goal_op *ops;
	struct goal_link *links;
};

struct goal {
	int nhosts;
	struct goal_host *hosts;
};

/* Parses the text, which it modifies. Returns false, with *line the line that
 * it did not understand, if the text is not GOAL as mrt-plan writes it. The
 * caller calls goal_free in either case. */
bool goal_read(struct goal *goal, char *text, const char **line);
void goal_free(struct goal *goal);

/* The machine; times are in ps. GOAL has no nodes, so ppn says which hosts
 * share a NIC and do not use it among themselves. */
struct loggp {
	int64_t L, o_s, o_r, g;
	int64_t G, O_s, O_r; /* per byte */
	int ppn;	     /* consecutive hosts per node */
};

/* Returns the time in ps at which the last host finishes, or -1 if a host never
 * does. */
int64_t goal_time(const struct goal *goal, const struct loggp *p);
#endif
