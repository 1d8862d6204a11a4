/* SPDX-License-Identifier: Apache-2.0 */
/* sm_heap.h: memory that peers of the node can map: fabric.h's heap_alloc,
 * heap_free and heap_map. */
#ifndef FABRIC_SM_HEAP_H
#define FABRIC_SM_HEAP_H

#include "runtime/fabric/sm/sm_segment.h"

int sm_heap_alloc(struct fab *fab, size_t len, bool zeroed, void **ptr);
int sm_heap_free(struct fab *fab, void *ptr);
int sm_heap_map(struct fab_ep *ep, uint64_t remote, size_t len, void **local);
void sm_heap_fini(struct sm *sm);
#endif
