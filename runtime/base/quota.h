/* SPDX-License-Identifier: Apache-2.0 */
/* quota.h: the limit on CPU time that a control group puts on us. */
#ifndef BASE_QUOTA_H
#define BASE_QUOTA_H

/* CPUs' worth of time, e.g. 1.5; 0 if there is no limit. */
double quota_cpus(void);
#endif
