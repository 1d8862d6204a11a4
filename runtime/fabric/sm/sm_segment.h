/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_segment.h: the file that the ranks of a node share.
 *
 *   sm_segment.c  the segment, which all map: layout, exchange, attaching
 *   sm_pass.c     its descriptor, for ranks that cannot open it
 *   sm_buffers.c  what lies behind it, mapped by those who need it
 *   sm_modex.c    cards of the fabric between nodes, on their way to modex.c
 */
#ifndef FABRIC_SM_SEGMENT_H
#define FABRIC_SM_SEGMENT_H

#include "runtime/fabric/sm/sm_ring.h"

/* Slot 0 creates and publishes the segment; after the fence all ranks attach.
 * MRT_ERR_* (logged). Close unmaps it. */
int sm_segment_open(struct sm *sm);
int sm_segment_attach(struct sm *sm);
void sm_segment_close(struct sm *sm);
/* Creates a memfd of `size` bytes that nobody can truncate; -1 with errno. */
int sm_memfd(size_t size);
/* Opens a socket by which others can ask for a descriptor; -1 with errno. */
int sm_pass_listen(const char *path);
/* Gives the descriptor to those who have asked. Does not block. */
void sm_pass_answer(int listener, int fd);
/* Asks for the descriptor and waits until the other end answers, MRT_TIMEOUT at
 * most. Returns it, or -1 with errno. */
int sm_pass_ask(const char *path);
/* Logs that the segment's file cannot be made or mapped (`what`: "create",
 * "map") for lack of memory, `size` bytes, and advises to lower MRT_SM_RING
 * where large rings take most of it. Returns the error for errno. */
int sm_no_memory(const struct sm *sm, const char *what, size_t size);
/* Returns `shared` of fabric.h. */
void *sm_coll_area(struct sm *sm, size_t *len);

int sm_put_far(struct fab_node *node, const struct fab *far);
ssize_t sm_card_of(struct fab_node *node, int rank, void *card);

/* Returns whether this rank's bounce buffers have memory (not logged). */
bool sm_may_bounce(struct sm *sm);
/* Returns where the next p->bytes can be put in an own bounce buffer, and tells
 * it in *p. NULL: all are in use, or have no memory (not logged). */
char *sm_bounce_next(struct sm *sm, struct sm_piece *p);
/* The piece of sm_bounce_next is in use until its bit in buffers.used is
 * cleared. */
void sm_bounce_use(struct sm *sm, const struct sm_piece *p);
/* Returns a piece in a bounce buffer of this slot. NULL (not logged): it cannot
 * be mapped. */
char *sm_bounce_at(struct sm *sm, int slot, const struct sm_piece *p);
struct sm_claim *sm_bounce_claim(struct sm *sm, int slot, uint32_t buffer);
void *sm_bulk(struct fab_node *node);
void *sm_spare(struct fab_node *node, size_t at, size_t len, bool reserve);
size_t sm_bulk_size(const struct sm *sm);
size_t sm_spare_size(const struct sm *sm);
/* Bytes of the segment's file that have memory from the start, and in all; and
 * the offset of the second rings in it. */
size_t sm_reserved_size(const struct sm *sm);
size_t sm_file_size(const struct sm *sm);
size_t sm_second_offset(const struct sm *sm);
void sm_buffers_close(struct sm *sm);
#endif
