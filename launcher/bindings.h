/* SPDX-License-Identifier: Apache-2.0 */
/* bindings.h: --report-bindings: which rank sits where, drawn in text. */
#ifndef LAUNCHER_BINDINGS_H
#define LAUNCHER_BINDINGS_H

#include "launcher/map.h"

/* Prints it on stderr. Before ranks are started. */
void bindings_print(const struct map *map, const struct job *job);
#endif
