/* SPDX-License-Identifier: Apache-2.0 */
/* rankfile.h: --rankfile: a file that says on which CPUs each rank runs. */
#ifndef LAUNCHER_RANKFILE_H
#define LAUNCHER_RANKFILE_H

#include "launcher/map.h"

/* A row holds what the file says of a rank. */
struct rankfile_rank {
	int line;    /* 0: nothing */
	char *slots; /* "0:1-2" */
};

struct rankfile {
	const char *path;
	struct rankfile_rank *ranks; /* [n] */
	int n;			     /* the highest rank, and one */
};

/* Reads the file into *f, which is zero. Returns 0, EXIT_USAGE or EXIT_RESOURCE
 * after a message with the number of the line. */
int rankfile_read(struct rankfile *f, const char *path);
void rankfile_fini(struct rankfile *f);

/* Like map_ranks, by the file. Each of the job's ranks must be in it, and no
 * others. */
int rankfile_map(const struct rankfile *f, const struct map *map,
		 struct job *job);
#endif
