/* SPDX-License-Identifier: Apache-2.0 */
/* app.h: shared by the programs of apps/: numbers on the command line, memory,
 * messages, and exit codes (those of sysexits.h). */
#ifndef COMMON_APP_H
#define COMMON_APP_H

#include <getopt.h>
#include <stddef.h>

enum app_exit {
	APP_OK = 0,
	APP_FAILED = 1,	    /* the result is not what was asked for */
	APP_USAGE = 64,	    /* bad command line */
	APP_DATAERR = 65,   /* the input is malformed */
	APP_NOINPUT = 66,   /* the input cannot be read */
	APP_RESOURCE = 71,  /* out of memory */
	APP_CANTCREAT = 73, /* the output cannot be written */
	APP_CONFIG = 78	    /* a variable has a bad value */
};

/* The command line of a program. */
struct app_options {
	const char *program; /* its name in messages */
	/* The table of options, too: "  -s, --sizes SIZES  ..." takes a value,
	 * "      --csv, --json  ..." are two. --version may be missing. */
	const char *usage;
	const char *ids; /* what apply gets for options without a letter */
	/* Applies option c with its value, optarg; -1 if that is not valid. */
	int (*apply)(int c, void *arg);
};

/*
 * Parses options by getopt_long, handling -h and -V; what is to be printed is
 * printed if `speaks`. Returns -1 to go on at optind, or the exit code.
 */
int app_parse_options(int argc, char **argv, const struct app_options *o,
		      void *arg, int speaks);

/* Parses a whole number in min..max. Returns 0, or -1 for anything else. */
int app_parse_long(const char *text, long min, long max, long *value);

/* Parses bytes with an optional suffix K, M or G (powers of 1024). Returns 0 or
 * -1. */
int app_parse_size(const char *text, size_t *value);

/* Parses a finite number in min..max. Returns 0 or -1. */
int app_parse_double(const char *text, double min, double max, double *value);

/*
 * Returns n zeroed elements of `size` bytes, never NULL (even for n = 0). Ends
 * the job with APP_RESOURCE if memory is exhausted, since other ranks would
 * wait for this one.
 */
void *app_alloc(size_t n, size_t size);

/* Prints a line on stderr, on rank 0 only. Returns `code`, an exit code. */
int app_error(int code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints on stdout, on rank 0 only, without adding a newline.
 * Returns APP_OK. */
int app_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns 1 on rank 0 if it should draw a progress line: its stderr is a
 * terminal, or mrun's is (MRT_TTY) and mrun passes on what ranks write. */
int app_progress_wanted(void);

#endif
