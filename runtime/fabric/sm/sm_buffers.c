/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_buffers.c: what lies in the file behind the segment, mapped when a rank
 * first needs it.
 *
 *   segment | bulk | bounce buffers | second rings (sm_grow.c) | spare bulk
 *
 * The segment and the bulk have memory from the start, since ranks rely on each
 * other's buffers of collectives without asking. The rest gets memory where it
 * is used: preallocated, so that a full /dev/shm does not become a SIGBUS.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "runtime/base/page.h"
#include "runtime/fabric/sm/sm_segment.h"

enum { BOUNCE_PART_MIN = 16384 };

size_t sm_bulk_size(const struct sm *sm)
{
	size_t size = (size_t)sm->slots * SM_BULK_SLOT;

	if (sm->slots == 1)
		return 0; /* nobody shares it */
	return size > SM_BULK ? size : SM_BULK;
}

size_t sm_spare_size(const struct sm *sm)
{
	return SM_SPARE * sm_bulk_size(sm);
}

size_t sm_reserved_size(const struct sm *sm)
{
	return page_align(sm->seg_size + sm_bulk_size(sm));
}

size_t sm_second_offset(const struct sm *sm)
{
	return page_align(sm_reserved_size(sm) + (size_t)sm->slots * SM_BOUNCE);
}

static size_t spare_offset(const struct sm *sm)
{
	return sm_second_offset(sm) + sm_second_rings_bytes(sm);
}

size_t sm_file_size(const struct sm *sm)
{
	return spare_offset(sm) + sm_spare_size(sm);
}

/* Maps a part of the file behind the segment unless mapped before; NULL with
 * errno. */
static char *map_part(struct sm *sm, char **part, size_t at, size_t len)
{
	void *p;

	if (!*part) {
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, sm->fd,
			 (off_t)at);
		*part = p == MAP_FAILED ? NULL : p;
	}
	return *part;
}

void *sm_bulk(struct fab_node *node)
{
	struct sm *sm = sm_of_node(node);
	char *p = map_part(sm, &sm->buffers.bulk, sm->seg_size, node->bulk_len);

	if (!p)
		sm_no_memory(sm, "map", node->bulk_len);
	return p;
}

void *sm_spare(struct fab_node *node, size_t at, size_t len, bool reserve)
{
	struct sm *sm = sm_of_node(node);
	char *p;

	if (reserve &&
	    posix_fallocate(sm->fd, (off_t)(spare_offset(sm) + at), (off_t)len))
		return NULL;
	p = map_part(sm, &sm->buffers.spare, spare_offset(sm), node->spare_len);
	return p ? p + at : NULL;
}

/* ---- Bounce buffers ------------------------------------------------------ */

static char *buffers_bounce(struct sm *sm, int slot, size_t at)
{
	char *p = map_part(sm, &sm->buffers.bounce, sm_reserved_size(sm),
			   (size_t)sm->slots * SM_BOUNCE);

	return p ? p + (size_t)slot * SM_BOUNCE + at : NULL;
}

bool sm_may_bounce(struct sm *sm)
{
	size_t at = sm_reserved_size(sm) + (size_t)sm->slot * SM_BOUNCE;

	if (!sm->buffers.ready)
		sm->buffers.ready =
		    !posix_fallocate(sm->fd, (off_t)at, SM_BOUNCE) &&
		    buffers_bounce(sm, 0, 0);
	return sm->buffers.ready;
}

char *sm_bounce_at(struct sm *sm, int slot, const struct sm_piece *p)
{
	return buffers_bounce(sm, slot,
			      p->buffer * (size_t)SM_BOUNCE_LEN + p->offset);
}

struct sm_claim *sm_bounce_claim(struct sm *sm, int slot, uint32_t buffer)
{
	char *p = buffers_bounce(sm, slot, SM_BOUNCE_CLAIMS);

	return p ? (struct sm_claim *)(void *)p + buffer : NULL;
}

/* Returns where in its buffer a part lies: short ones elsewhere in each round
 * through the buffers, so that all of their memory is used in turn, but halves
 * in the same place (serve_bounce of sm_relay.c). */
static uint32_t part_offset(const struct sm *sm, uint32_t bytes)
{
	uint32_t room = BOUNCE_PART_MIN;

	if (bytes == SM_BOUNCE_LEN / 2)
		return 0;
	while (room < bytes)
		room *= 2;
	return sm->buffers.round % (SM_BOUNCE_LEN / room) * room;
}

char *sm_bounce_next(struct sm *sm, struct sm_piece *p)
{
	p->buffer = sm->buffers.next;
	if (sm->buffers.used & 1u << p->buffer || !sm_may_bounce(sm))
		return NULL;
	p->offset = part_offset(sm, p->bytes);
	return sm_bounce_at(sm, sm->slot, p);
}

void sm_bounce_use(struct sm *sm, const struct sm_piece *p)
{
	sm->buffers.used |= 1u << p->buffer;
	sm->buffers.next = (p->buffer + 1) % SM_BOUNCES;
	sm->buffers.round += !sm->buffers.next;
	sm->buffers.bounced += p->bytes;
}

void sm_buffers_close(struct sm *sm)
{
	if (sm->buffers.bulk)
		munmap(sm->buffers.bulk, sm_bulk_size(sm));
	if (sm->buffers.bounce)
		munmap(sm->buffers.bounce, (size_t)sm->slots * SM_BOUNCE);
	if (sm->buffers.spare)
		munmap(sm->buffers.spare, sm_spare_size(sm));
}
