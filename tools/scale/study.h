/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study.h: a study, which is a folder:
 *
 *   study.json           what this is: format, version, where it came from
 *   jobs/JOB.json        one for each job that measured: where its ranks were,
 *                        versions, variables
 *   points/A,B,N,S.csv   one for each point measured: pattern, algorithm (or
 *                        level), ranks, bytes; all samples
 *
 * A file appears whole, under its name, when it is on the disk: whoever is
 * killed loses at most the point being measured. Rows repeat what their point
 * is, so that all files in points/ together are one table. Reading checks
 * everything: what is damaged is named by file, line and field.
 */
#ifndef SCALE_STUDY_H
#define SCALE_STUDY_H

#include <stddef.h>
#include <stdio.h>

enum {
	STUDY_NAME = 64,
	STUDY_SAMPLES_MAX = 100000,
	STUDY_FOLDER = 2048,
	STUDY_PATH = 4096
};

/* What names of a study are made of. */
extern const char study_letters[];

struct point {
	char test[STUDY_NAME];	 /* collective or pattern: "allreduce" */
	char way[STUDY_NAME];	 /* algorithm or level, "default" */
	char chosen[STUDY_NAME]; /* what the default was */
	char job[STUDY_NAME];	 /* predicted: the fabric's file */
	int ranks;
	size_t bytes;
	long calls; /* in a sample */
	int n;	    /* samples */
	double *us; /* microseconds a call, slowest rank; sorted once read */
};

struct study {
	char path[STUDY_FOLDER];
	int simulated;	      /* predictions: one sample each */
	struct point *points; /* by pattern, ranks, way, bytes */
	int n;
};

/*
 * Reads a study. 0, or an exit code (APP_NOINPUT, APP_DATAERR) after a message
 * that names the program, file, line and field.
 */
int study_load(struct study *s, const char *path);
void study_fini(struct study *s);

/* The point of s that is measured as p was, or NULL. */
const struct point *study_find(const struct study *s, const struct point *p);
/* 1: both are of one algorithm; defaults may be of two. */
int study_same_choice(const struct point *p, const struct point *q);

/* Makes the folder, or opens one that is a study already; 0 or an exit code
 * after a message. */
int study_create(const char *path, int simulated);

/* Is the point there? */
int study_has(const char *path, const struct point *p);

/* Writes a point; 0 or an exit code after a message. */
int study_write(const char *path, const struct point *p);

/*
 * A file that appears whole: writes to a temporary name in the same folder,
 * and study_commit moves it to its place, synced. NULL or -1 after a message.
 */
struct study_file {
	FILE *f;
	char path[STUDY_PATH], tmp[STUDY_PATH];
};
int study_open_file(struct study_file *file, const char *path);
int study_commit(struct study_file *file);

#endif
