/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the MRT_* variables, parsed once (rows in env_defs.h). */
#ifndef BASE_ENV_H
#define BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct env {
#define ENV_INT(f, n, d, lo, hi, h) long f;
#define ENV_SIZE(f, n, d, lo, hi, h) size_t f;
#define ENV_ENUM(f, n, d, c, h) int f;
#define ENV_STR(f, n, d, h) const char *f;
#include "runtime/base/env_defs.h"
};

/* Valid after env_load; read-only then. */
extern struct env env;

/*
 * Parses the environment into `env`. MRT_ERR_ENV at the first bad value, with
 * one line that names the variable and the valid range in err[len]. A MRT_*
 * variable that has no row is not an error (see env_unknown).
 */
int env_load(char *err, size_t len);

/* A MRT_* variable of the environment that has no row: a misspelling, most
 * likely. */
struct env_unknown {
	char name[64];	/* cut off where it is longer */
	char text[160]; /* says that it is unknown, and which row is nearest */
};

/* Fills *unknown with the k-th of them; false past the last. */
bool env_unknown(int k, struct env_unknown *unknown);

/* "4096", "64K": a number of bytes, as in the variables that hold sizes. */
bool env_parse_bytes(const char *text, size_t *bytes);

/* One row, for those who print the table. */
struct env_row {
	const char *name, *help;
	char value[256];   /* in force now */
	char fallback[64]; /* default */
	char range[128];   /* "0..16384", "no|yes", "text" */
	bool set;	   /* from the environment, else default */
};

/* Fills *row with the k-th row; false past the last. */
bool env_row(int k, struct env_row *row);
#endif
