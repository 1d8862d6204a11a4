/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topo.h: where this rank may run, and how crowded its node is. No hwloc load
 * here: this is on the start-up path.
 */
#ifndef TOPO_TOPO_H
#define TOPO_TOPO_H

#include <stdbool.h>
#include <stdint.h>

enum { TOPO_MASK_WORDS = 16 }; /* 1024 CPUs */

/* CPUs that the calling process may run on, bit k of word k / 64. Machines
 * with more than 1024 CPUs: all bits set. */
void topo_affinity(uint64_t mask[TOPO_MASK_WORDS]);

/* The limit on CPU time of the caller's control group, in hundredths of a CPU;
 * 0: none. */
int topo_quota(void);

/* CPUs that processes with this union of masks and this quota (as above,
 * rounded up) can keep busy at once. At least 1. */
int topo_usable_cpus(const uint64_t mask[TOPO_MASK_WORDS], int quota);

/* The last-level cache that all CPUs of the calling process share, by its
 * lowest CPU; -1 if they do not share one, or nothing is known. */
int topo_cache(void);

/*
 * Whether the calling process runs near a device whose local CPUs are in this
 * file of sysfs. A device without one (a virtual one) is near to all.
 */
bool topo_is_local(const char *local_cpus);
#endif
