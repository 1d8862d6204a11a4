/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hosts.h: the nodes that --host and --hostfile name, in the syntaxes of
 * MPICH ("a,b:2", a line "b:2") and Open MPI ("b slots=2").
 */
#ifndef LAUNCHER_HOSTS_H
#define LAUNCHER_HOSTS_H

#include <stdbool.h>

struct host {
	char *name;
	int slots; /* ranks that it takes; 0: not said */
};

struct hosts {
	struct host *v; /* [n], each name once */
	int n;
};

/* Add to the list. EXIT_USAGE or EXIT_RESOURCE (said). */
int hosts_add_list(struct hosts *hosts, const char *text);
int hosts_add_file(struct hosts *hosts, const char *path);

/* All of them are this node. */
bool hosts_are_here(const struct hosts *hosts);
/* Ranks that fit; a host without a number takes one. */
int hosts_slots(const struct hosts *hosts);
/* "a:2,b:2", or "a,b" without slots; NULL: out of memory. */
char *hosts_text(const struct hosts *hosts, bool with_slots);
#endif
