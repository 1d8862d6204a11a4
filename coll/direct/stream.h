/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h: copies that leave the cache alone. */
#ifndef COLL_STREAM_H
#define COLL_STREAM_H

#include <stddef.h>

/*
 * As memcpy, but what is written goes to memory, past the caches, where the
 * CPU can do so: for what no cache would keep until it is read, or what another
 * core's cache holds, which need not be asked then. Whatever this thread stores
 * later is seen later.
 */
void stream_copy(void *dst, const void *src, size_t bytes);
#endif
