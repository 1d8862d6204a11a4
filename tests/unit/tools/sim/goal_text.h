/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal_text.h: a GOAL schedule, as mrt-plan writes it, and what it takes under
 * LogGP. For goal.c; shares nothing with tools/sim, which it is the measure of.
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
	int64_t size; /* bytes; of a calc ns */
	int peer, tag;
	int waits;	 /* for so many others */
	int first, last; /* links to those that require it, from 0; -1: none */
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

/* Cuts up the text. False: it is not GOAL as it is written here; *line is what
 * was not understood. goal_free in any case. */
bool goal_read(struct goal *goal, char *text, const char **line);
void goal_free(struct goal *goal);

/* In ps. GOAL knows no nodes: which hosts share a NIC, and need none between
 * them, stands here. */
struct loggp {
	int64_t L, o_s, o_r, g;
	int64_t G, O_s, O_r; /* of a byte */
	int ppn;	     /* hosts of a node, one after the other */
};

/* When the last host has done, in ps; -1: one never does. */
int64_t goal_time(const struct goal *goal, const struct loggp *p);
#endif
