/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_file.h: fabrics as files (JSON; mrt-scale(1) describes them). One that
 * has no '/' in its name and is no file here is one of those of libmrt.
 */
#ifndef SCALE_FABRIC_FILE_H
#define SCALE_FABRIC_FILE_H

#include "tools/scale/study.h"
#include "tools/sim/sim.h"

/* Its path. 0, or APP_NOINPUT after a message that names those of libmrt. */
int fabric_find(char path[STUDY_PATH], const char *name);

/* ns, of a file that does not say (sim.h) */
enum { TURN_DEFAULT = 1300 };

/* 0, or APP_NOINPUT or APP_DATAERR after a message that names file, line and
 * field. */
int fabric_read(struct sim_fabric *fabric, const char *name);

/* How a parameter was found: measured and predicted one-way times. */
struct fabric_residual {
	enum sim_level level;
	size_t bytes;
	double us, model;
};

/* 0, or APP_CANTCREAT after a message. `sources` says where all comes from. */
int fabric_write(const struct sim_fabric *fabric, const char *path,
		 const char *sources, const struct fabric_residual *residuals,
		 int n);

/* One way of a message of n bytes without others, in ns: sim.h's formula. */
double fabric_message(const struct sim_link *link, size_t n);

#endif
