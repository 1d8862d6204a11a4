/* SPDX-License-Identifier: Apache-2.0 */
/* info_parts.h: the parts of what mrt-info prints, one function each. */
#ifndef LAUNCHER_INFO_PARTS_H
#define LAUNCHER_INFO_PARTS_H

#include <stdbool.h>

/* Fabrics built in and the devices found for them. */
void info_fabrics(void);
/* RDMA devices: part of the above. */
void info_devices(void);
/* Packages, cores, caches, NUMA nodes, what this process may use of them. */
void info_topology(void);
/* Limits of the system that a job may run into. */
void info_limits(void);

/* Collectives (tools/info/info_coll.c): their algorithms, and where each is
 * chosen for these numbers of ranks. */
enum { INFO_RANKS = 16 };
struct info_coll {
	int ranks[INFO_RANKS], nranks;
	bool sm, net; /* inside a node; between nodes */
};
/* A value of -n (a list) or -f (sm, verbs); -1: it is not valid. */
int info_coll_option(struct info_coll *query, char option, const char *value);
/* Prints them all; MRT_ERR_ENV (logged): a variable or the tuning file names
 * what is not there. */
int info_coll(const struct info_coll *query);
#endif
