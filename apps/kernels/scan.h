/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h: parses numbers in a NUL-terminated text in memory. A cursor stays
 * within its line. Only rare hard cases use strtod, which makes reading a
 * matrix several times faster than with scanf.
 */
#ifndef KERNELS_SCAN_H
#define KERNELS_SCAN_H

#include <stdint.h>

/* Returns 1 if only blanks follow on the line. */
int scan_at_line_end(const char *p);

/* Returns the position after the line's newline, or the end of the text. */
const char *scan_next_line(const char *p);

/*
 * Parse a number at *p, after any blanks, and advance *p beyond it. Return 0;
 * or -1 if there is no number, it is not followed by a blank, or it does not
 * fit.
 */
int scan_int(const char **p, int64_t *value);
int scan_double(const char **p, double *value);

#endif
