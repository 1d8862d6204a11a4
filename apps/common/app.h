/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app.h: what every program of apps/ needs: the numbers on a command line,
 * memory or the end of the job, and the exit codes (sysexits.h).
 */
#ifndef APP_APP_H
#define APP_APP_H

#include <stddef.h>

enum app_exit {
	APP_OK = 0,
	APP_FAILED = 1,	    /* ran, but the result is not what was asked for */
	APP_USAGE = 64,	    /* bad command line */
	APP_DATAERR = 65,   /* the input is malformed */
	APP_NOINPUT = 66,   /* the input cannot be read */
	APP_RESOURCE = 71,  /* out of memory */
	APP_CANTCREAT = 73, /* the output cannot be written */
	APP_CONFIG = 78	    /* a variable has a bad value */
};

/* A whole number in min..max into *value; 0, or -1 for anything else. */
int app_parse_long(const char *text, long min, long max, long *value);

/* Bytes with an optional suffix K, M or G (powers of 1024); 0 or -1. */
int app_parse_size(const char *text, size_t *value);

/* A finite number in min..max; 0 or -1. */
int app_parse_double(const char *text, double min, double max, double *value);

/*
 * n zeroed elements of `size` bytes, never NULL (also for n = 0); ends the
 * job with APP_RESOURCE when there is no memory, since the other ranks would
 * wait for this one.
 */
void *app_alloc(size_t n, size_t size);

/* `what` (a printf format), on rank 0 alone, to stderr. */
void app_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same to stdout and without a line end; returns APP_OK. */
int app_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* 1 on rank 0 if it should draw a progress line: stderr is a terminal, or
 * mrun's is (MRT_TTY), which passes on what ranks write. */
int app_progress_wanted(void);

#endif
