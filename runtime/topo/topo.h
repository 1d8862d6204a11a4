/* SPDX-License-Identifier: Apache-2.0 */
/* topo.h: where this rank may run and how crowded its node is. It loads no
 * hwloc topology, since it is on the start-up path. */
#ifndef TOPO_TOPO_H
#define TOPO_TOPO_H

#include <stdbool.h>
#include <stdint.h>

enum { TOPO_MASK_WORDS = 16 }; /* 1024 CPUs */

/* Gets the CPUs that the calling process may run on: bit k % 64 of word k / 64.
 * On machines with more than 1024 CPUs all bits are set. */
void topo_affinity(uint64_t mask[TOPO_MASK_WORDS]);

/* Returns the CPU-time limit of the caller's control group in hundredths of a
 * CPU, or 0. */
int topo_quota(void);

/* Returns how many CPUs processes with this union of masks and this quota (as
 * above; rounded up) can keep busy at once, at least 1. */
int topo_usable_cpus(const uint64_t mask[TOPO_MASK_WORDS], int quota);

/* Returns the last-level cache that all CPUs of the calling process share, as
 * its lowest CPU; -1 if they do not share one or it is unknown. */
int topo_cache(void);

/* Whether the calling process may run on one of the CPUs listed in this sysfs
 * file, the local CPUs of a device. A device without the file (a virtual one)
 * is local to all. */
bool topo_is_local(const char *local_cpus);
#endif
