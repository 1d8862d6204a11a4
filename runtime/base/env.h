/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the MRT_* variables, parsed once. Their rows are in env_defs.h. */
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

/* Valid after env_load, and read-only from then on. */
extern struct env env;

/* Parses the environment into `env`. At the first bad value it returns
 * MRT_ERR_ENV and writes one line to err[len] that names the variable and its
 * valid range. An MRT_* variable without a row is no error; see env_unknown. */
int env_load(char *err, size_t len);

/* The choices of MRT_STREAM_BUFFERING. */
enum { STREAM_NONE, STREAM_LINE, STREAM_FULL };

/* Returns the position of a choice, for what cannot wait for env_load; the
 * default if the value is none, which env_load reports. */
int env_choice(const char *name);

/* An MRT_* variable of the environment that has no row: most likely a
 * misspelling. */
struct env_unknown {
	char name[64];	/* truncated */
	char text[160]; /* says that it is unknown and which name is closest */
};

/* Fills *unknown with the k-th such variable. Returns false past the last. */
bool env_unknown(int k, struct env_unknown *unknown);

/* Whether these n characters name a variable: one that has a row, or one of the
 * environment. */
bool env_is_name(const char *name, size_t n);

/* Parses a whole number of lo..hi. */
bool env_parse_int(const char *text, long lo, long hi, int *out);

/* Parses a number of bytes as written in a variable: "4096", "64K". */
bool env_parse_bytes(const char *text, size_t *bytes);

/* A row of the table, for programs that print it. */
struct env_row {
	const char *name, *help;
	char value[256];   /* current value */
	char fallback[64]; /* default */
	char range[128];   /* "0..16384", "no|yes", "text" */
	bool set;	   /* set in the environment; else the default holds */
};

/* Fills *row with the k-th row. Returns false past the last. */
bool env_row(int k, struct env_row *row);
#endif
