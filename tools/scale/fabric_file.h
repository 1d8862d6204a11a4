/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_file.h: fabrics as JSON files, which mrt-scale(1) describes. A name
 * without '/' that is no file in this folder means one of the fabrics that come
 * with libmrt. A fabric is hardware with the costs of a library: by default
 * libmrt's. A file may have profiles, which replace some members by those of
 * another library or system; hdr+openmpi is hdr with its profile openmpi.
 */
#ifndef TOOLS_SCALE_FABRIC_FILE_H
#define TOOLS_SCALE_FABRIC_FILE_H

#include "tools/scale/study.h"
#include "tools/sim/sim.h"

/* Writes the path of a fabric's file, and the name of its profile or "".
 * Returns 0, or APP_NOINPUT after a message that lists libmrt's fabrics. */
int fabric_find(char path[STUDY_PATH], const char *name,
		char profile[STUDY_NAME]);

/* ns; used if the file has no turn (sim.h) */
enum { TURN_DEFAULT = 1300 };

/* Reads a fabric. Returns 0, or APP_NOINPUT or APP_DATAERR after a message that
 * names the file and the field. */
int fabric_read(struct sim_fabric *fabric, const char *name);

/* Quality of a fit: one-way times as measured and as predicted. */
struct fabric_residual {
	enum sim_level level;
	size_t bytes;
	double us, model;
};

/* Writes a fabric; `sources` says where its parameters come from. Returns 0, or
 * APP_CANTCREAT after a message. */
int fabric_write(const struct sim_fabric *fabric, const char *path,
		 const char *sources, const struct fabric_residual *residuals,
		 int n);

/* Returns the ns of a single message of n bytes one way, by the formula of
 * sim.h. */
double fabric_message(const struct sim_link *link, size_t n);

#endif
