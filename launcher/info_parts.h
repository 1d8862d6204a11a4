/* SPDX-License-Identifier: Apache-2.0 */
/* info_parts.h: the parts of what mrt-info prints, one function each. */
#ifndef LAUNCHER_INFO_PARTS_H
#define LAUNCHER_INFO_PARTS_H

/* Fabrics built in and the devices found for them. */
void info_fabrics(void);
/* RDMA devices: part of the above. */
void info_devices(void);
/* Packages, cores, caches, NUMA nodes, what this process may use of them. */
void info_topology(void);
/* Limits of the system that a job may run into. */
void info_limits(void);
#endif
