/* SPDX-License-Identifier: Apache-2.0 */
/* bindings.h: --report-bindings: shows which rank is bound where, and whether
 * that is enough for its threads. */
#ifndef LAUNCHER_BINDINGS_H
#define LAUNCHER_BINDINGS_H

#include "launcher/map.h"

/* Prints the bindings on stderr, before any rank is started. */
void bindings_print(const struct map *map, const struct job *job);
/* Says, once for all, if ranks have fewer CPUs than OMP_NUM_THREADS. */
void bindings_check_threads(const struct job *job);
#endif
