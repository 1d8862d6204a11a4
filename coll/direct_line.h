/* SPDX-License-Identifier: Apache-2.0 */
/* direct_line.h: what lies in a direct region; for direct*.c alone. */
#ifndef COLL_DIRECT_LINE_H
#define COLL_DIRECT_LINE_H

#include <stdatomic.h>
#include <stdint.h>

#include "coll/direct.h"

/* One cache line with one writer: flag and data travel together. */
struct line {
	_Atomic uint64_t epoch; /* written last */
	uint32_t call;		/* what the writer believes this epoch is */
	uint32_t unused;
	char data[DIRECT_LINE];
};
_Static_assert(sizeof(struct line) == 64, "one cache line");
_Static_assert(offsetof(struct line, data) % 16 == 0, "any type fits");
#endif
