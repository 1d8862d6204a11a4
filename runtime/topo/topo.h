/* SPDX-License-Identifier: Apache-2.0 */
/* topo.h: where this rank may run, and how crowded its node is. */
#ifndef TOPO_TOPO_H
#define TOPO_TOPO_H

#include <stdbool.h>

/*
 * CPUs that the calling process can keep busy at once: its affinity mask,
 * limited by the cgroup's CPU quota (cpu.max, or cpu.cfs_* in version 1),
 * rounded up; at least 1. No hwloc load: this is on the start-up path.
 */
int topo_usable_cpus(void);

/* CPUs online on the node, whatever this process may use. */
int topo_node_cpus(void);
#endif
