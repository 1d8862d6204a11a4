/* SPDX-License-Identifier: Apache-2.0 */
/* places.h finds where in a network the nodes of a simulated job are. */
#ifndef TOOLS_SCALE_PLACES_H
#define TOOLS_SCALE_PLACES_H

#include <stdint.h>

/* scale_place sets (*places)[nodes], which it reallocates and the caller frees,
 * to what "scattered:OF" draws by the seed, or a file names. It returns an exit
 * code, after a message if it is not 0. */
int scale_place(const char *text, int nodes, uint64_t seed, long **places);
#endif
