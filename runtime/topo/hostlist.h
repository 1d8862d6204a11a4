/* SPDX-License-Identifier: Apache-2.0 */
/* hostlist.h: lists of names as Slurm writes them: "gpu1,node[01-16,20]". */
#ifndef TOPO_HOSTLIST_H
#define TOPO_HOSTLIST_H

#include <stdbool.h>

/* Tells whether a list, which ends at its end or at a space, has this name. */
bool hostlist_has(const char *list, const char *name);
#endif
