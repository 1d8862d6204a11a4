/* SPDX-License-Identifier: Apache-2.0 */
/* quota.h: the limit on CPU time of this process's control group. */
#ifndef BASE_QUOTA_H
#define BASE_QUOTA_H

/* Returns the limit in CPUs, e.g. 1.5; 0 without one. */
double quota_cpus(void);
#endif
