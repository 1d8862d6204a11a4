/* SPDX-License-Identifier: Apache-2.0 */
/* external.h: the data representation "external32" of MPI (4.1, chapter
 * 14.5.2). */
#ifndef P2P_EXTERNAL_H
#define P2P_EXTERNAL_H

#include "p2p/type/datatype.h"

/* Bytes of one element in external32. */
size_t external_size(const struct mrt_type *type);
/* Convert count elements to external32 and back. Return 0 or MRT_ERR_*. */
int external_pack(const struct mrt_type *type, const void *buf, size_t count,
		  void *out);
int external_unpack(const struct mrt_type *type, void *buf, size_t count,
		    const void *in);
#endif
