/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study.h: a study is a folder:
 *
 *   study.json           what this is: format, version, origin
 *   jobs/JOB.json        one for each job that measured: placement of its
 *                        ranks, versions, variables
 *   points/A,B,N,S.csv   one for each point: pattern, algorithm (or level),
 *                        ranks, bytes; all samples
 *
 * A file appears whole, under its name, once it is on the disk: whoever is
 * killed loses at most the point being measured. Each row repeats the names of
 * its point, so that all files in points/ together are one table. Reading
 * checks everything; what is damaged is reported with file, line and field.
 */
#ifndef TOOLS_SCALE_STUDY_H
#define TOOLS_SCALE_STUDY_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

enum {
	STUDY_NAME = 64,
	STUDY_SAMPLES_MAX = 100000,
	STUDY_FOLDER = 2048,
	STUDY_PATH = 4096
};

/* Letters allowed in names of a study. */
extern const char study_letters[];

struct point {
	char test[STUDY_NAME];	 /* collective or pattern: "allreduce" */
	char way[STUDY_NAME];	 /* algorithm or level, "default" */
	char chosen[STUDY_NAME]; /* the algorithm that the default chose */
	char job[STUDY_NAME];	 /* for predictions, the fabric's file */
	int ranks;
	size_t bytes;
	long calls; /* calls per sample */
	int n;	    /* number of samples */
	double *us; /* [n] microseconds per call, slowest rank; study_load sorts
		       them */
};

struct study {
	char path[STUDY_FOLDER];
	int simulated;	      /* predictions, with one sample each */
	struct point *points; /* sorted by pattern, ranks, way, bytes */
	int n;
};

/* Reads a study. Returns 0, or an exit code (APP_NOINPUT, APP_DATAERR) after a
 * message that names the program, file, line and field. */
int study_load(struct study *s, const char *path);
void study_fini(struct study *s);

/* Returns the point of s with the test, algorithm, ranks and bytes of p, or
 * NULL. */
const struct point *study_find(const struct study *s, const struct point *p);
/* Returns 1 if both points used one algorithm; defaults may have chosen two. */
int study_same_choice(const struct point *p, const struct point *q);

/* Makes the folder, or opens an existing study. Returns 0, or an exit code
 * after a message. */
int study_create(const char *path, int simulated);

/* Returns whether the study has the point. */
int study_has(const char *path, const struct point *p);

/* Writes a point. Returns 0, or an exit code after a message. */
int study_write(const char *path, const struct point *p);

/*
 * A file that appears whole: study_open_file opens a temporary name in the same
 * folder, and study_commit syncs the file and renames it. Both return 0, or -1
 * after a message.
 */
struct study_file {
	FILE *f;
	char path[STUDY_PATH], tmp[STUDY_PATH];
};
int study_open_file(struct study_file *file, const char *path);
int study_commit(struct study_file *file);

/* Writes and frees o; NULL counts as out of memory. Returns 0, or an exit code
 * after a message. */
int study_write_json(const char *path, json_t *o);

#endif
