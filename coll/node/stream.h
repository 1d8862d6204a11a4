/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h: copies that bypass the caches. */
#ifndef COLL_STREAM_H
#define COLL_STREAM_H

#include <stddef.h>

/*
 * Like memcpy, but writes past the caches to memory, where the CPU can do so:
 * for data that no cache would keep until it is read, or that another core's
 * cache holds, which then need not be asked. Other ranks see this thread's
 * later stores after the copy.
 */
void stream_copy(void *dst, const void *src, size_t bytes);
#endif
