/* SPDX-License-Identifier: Apache-2.0 */
/* limits.h: limits of the system: which one was met, and what to do. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

/* Is there what PMIx needs to start? 0, or MRT_ERR_RESOURCE or MRT_ERR_NO_MEM
 * (said). */
int limits_check(void);
/* Is so much address space left? */
bool limit_leaves_space(size_t bytes);
/* Can a thread be started? 0, or an errno. PMIx does not say why not. */
int limit_on_threads(void);
/* May it make a file of so many bytes? If not, errno is EFBIG. Asked before:
 * to try is to be killed by SIGXFSZ. */
bool limit_allows_file(size_t bytes);
/* What to do about an errno, "raise the limit of open files (ulimit -n)". */
const char *limit_advice(int err);
#endif
