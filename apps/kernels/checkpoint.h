/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint.h: a field in a file, from which a later run goes on, on any
 * number of ranks. The file holds a head and then all cells, row by row from
 * the north, as this machine holds them in memory. All functions are
 * collective, return the same exit code on every rank, and say on stderr what
 * went wrong.
 */
#ifndef KERNELS_CHECKPOINT_H
#define KERNELS_CHECKPOINT_H

#include "apps/kernels/heat.h"

/*
 * Writes the field after `step` steps to `path`.new, and renames that to `path`
 * when it is on the disk: whenever the job or the machine ends, `path` is the
 * last whole checkpoint. Returns APP_OK or APP_CANTCREAT.
 */
int checkpoint_save(const char *path, const struct heat *h, long step);

/*
 * Reads the field, and how many steps it has made, of the same cells and the
 * same time step. Without such a file neither changes. Returns APP_OK,
 * APP_NOINPUT, or APP_DATAERR if the file is of something else or not whole.
 */
int checkpoint_load(const char *path, struct heat *h, long *step);

#endif
