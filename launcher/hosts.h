/* SPDX-License-Identifier: Apache-2.0 */
/* hosts.h: the nodes of --host and --hostfile, in the syntax of MPICH ("a,b:2",
 * a line "b:2") or of Open MPI ("b slots=2"). */
#ifndef LAUNCHER_HOSTS_H
#define LAUNCHER_HOSTS_H

#include <stdbool.h>

struct host {
	char *name;
	int slots; /* ranks that it takes; 0: not given */
};

struct hosts {
	struct host *v; /* [n], each name once */
	int n;
	void *by_name; /* a tree of search.h over v */
};

/* Add hosts to the list. Return 0, EXIT_USAGE or EXIT_RESOURCE, after a
 * message. */
int hosts_add_list(struct hosts *hosts, const char *text);
int hosts_add_file(struct hosts *hosts, const char *path);

/* Return whether a host is this node, and whether all are. */
bool hosts_name_here(const char *name);
bool hosts_are_here(const struct hosts *hosts);
/* Returns the number of ranks that fit; a host without a number takes one. */
int hosts_slots(const struct hosts *hosts);
/* Returns "a:2,b:2", or "a,b" without slots (heap); NULL when out of memory. */
char *hosts_text(const struct hosts *hosts, bool with_slots);
#endif
