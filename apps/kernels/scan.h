/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.h: numbers out of a text in memory that ends with a NUL byte. A cursor
 * stays within its line; strtod is used for the rare hard case only, which
 * makes reading a matrix several times faster than with scanf.
 */
#ifndef KERNELS_SCAN_H
#define KERNELS_SCAN_H

#include <stdint.h>

/* Past blanks, tabs and carriage returns. */
const char *scan_blanks(const char *p);

/* 1 if nothing but blanks follows on the line. */
int scan_at_line_end(const char *p);

/* After the line's newline, or at the end of the text. */
const char *scan_next_line(const char *p);

/*
 * A number at *p (leading blanks are skipped), which moves behind it; 0, or
 * -1 if there is none, it does not end at a blank, or it does not fit.
 */
int scan_int(const char **p, int64_t *value);
int scan_double(const char **p, double *value);

#endif
