/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h tells which limit was reached and how to raise it. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

/* The ranks of a node that can share memory, for the launcher and the fabric.
 */
enum { NODE_RANKS_MAX = 4096 };

/* Checks that files, memory and threads suffice for PMIx to start. Returns 0,
 * or MRT_ERR_RESOURCE or MRT_ERR_NO_MEM (logged). */
int limits_check(void);
/* Whether that much address space is left. */
bool limit_leaves_space(size_t bytes);
/* Returns 0 if a thread can be started, else the errno, which PMIx does not
 * report. */
int limit_on_threads(void);
/* Whether a file of so many bytes is allowed; if not, errno is EFBIG. Ask
 * first: exceeding the limit would kill the process by SIGXFSZ. */
bool limit_allows_file(size_t bytes);
/* Returns what to do about an errno: "raise the limit of open files (ulimit
 * -n)". */
const char *limit_advice(int err);
#endif
