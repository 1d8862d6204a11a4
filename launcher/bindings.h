/* SPDX-License-Identifier: Apache-2.0 */
/* bindings.h: --report-bindings: shows which rank is bound where. */
#ifndef LAUNCHER_BINDINGS_H
#define LAUNCHER_BINDINGS_H

#include "launcher/map.h"

/* Prints the bindings on stderr, before any rank is started. */
void bindings_print(const struct map *map, const struct job *job);
#endif
