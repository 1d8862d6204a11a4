/* SPDX-License-Identifier: Apache-2.0 */
/* picture.h: --report-bindings: which rank sits where, drawn in text. */
#ifndef LAUNCHER_PICTURE_H
#define LAUNCHER_PICTURE_H

#include "launcher/map.h"

/* Prints it on stderr. Before ranks are started. */
void picture_print(const struct map *map, const struct job *job);
#endif
