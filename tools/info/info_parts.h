/* SPDX-License-Identifier: Apache-2.0 */
/* info_parts.h: one function for each part of what mrt-info prints. */
#ifndef TOOLS_INFO_INFO_PARTS_H
#define TOOLS_INFO_INFO_PARTS_H

#include <stdbool.h>

/* Prints the fabrics that are built in, and the devices found for them. */
void info_fabrics(void);
/* Prints the RDMA devices; called by info_fabrics. */
void info_devices(void);
/* Prints packages, cores, caches, NUMA nodes, and what this process may use of
 * them. */
void info_topology(void);
/* Prints which launchers for several nodes are installed. */
void info_launchers(void);
/* Prints limits of the system that a job may reach. */
void info_limits(void);

/* Collectives (info_coll.c): their algorithms, and where each is chosen for
 * these numbers of ranks. */
enum { INFO_RANKS = 16 };
struct info_coll {
	int ranks[INFO_RANKS], nranks;
	bool sm, net; /* inside a node; between nodes */
};
/* Parses the value of -n (a list) or -f (sm, verbs). Returns 0, or -1 if it is
 * not valid. */
int info_coll_option(struct info_coll *query, char option, const char *value);
/* Prints the collectives. Returns 0, or MRT_ERR_ENV (logged) if a variable or
 * the tuning file names an algorithm that does not exist. */
int info_coll(const struct info_coll *query);
#endif
