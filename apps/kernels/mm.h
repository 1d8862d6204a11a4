/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mm.h: reads a Matrix Market file (coordinate; real, integer or pattern;
 * general or symmetric) into compressed rows. Format: R. Boisvert, R. Pozo, K.
 * Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
 */
#ifndef KERNELS_MM_H
#define KERNELS_MM_H

#include "apps/kernels/csr.h"

/* Reads the file into *a. Returns 0, or an exit code (app.h) after a line
 * `FILE:LINE: what` on stderr. Local: called on one rank. */
int mm_read(const char *path, struct csr *a);

#endif
