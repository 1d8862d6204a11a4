/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_grow.c: where the rings are, and how they grow. n ranks have n^2 rings,
 * most of which carry little or nothing. So on a node with more than
 * SM_SCAN_MAX ranks they begin small: a few lines, those of twelve rings in a
 * page, and 4 KiB of data, which have no memory before a message needs it. The
 * sender continues in a large ring, for good, when it has a message that is too
 * long or finds no room.
 *
 * On a node with fewer ranks all rings have their usual size from the start.
 * Where ranks share CPUs a ring is drained once per turn of its receiver, so
 * that its size is the bandwidth: there a sender that finds no room continues
 * in a ring of SM_WIDEN times that size.
 *
 * Each pair has a place for its second ring in the file, so there is nothing to
 * allocate; its two ranks map it. The last message of the first ring is
 * SM_GROWN, for which one line is kept; the next one is the first of the second
 * ring. So messages stay in order, and nobody else takes part: when either end
 * dies, the other has a ring of which it needs no more than before.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/limits.h"
#include "runtime/base/page.h"
#include "runtime/fabric/sm/sm_ring.h"

enum { SMALL_DATA = 4096 }; /* bytes of a small ring */

static bool begins_small(const struct sm *sm)
{
	return sm->slots > SM_SCAN_MAX;
}

static size_t count_pairs(const struct sm *sm)
{
	return (size_t)sm->slots * (size_t)sm->slots;
}

static size_t pair_index(const struct sm *sm, int from, int to)
{
	return (size_t)to * (size_t)sm->slots + (size_t)from;
}

/* Bytes of the lines of all small rings. */
static size_t lines_bytes(const struct sm *sm)
{
	return page_align(count_pairs(sm) * ring_lines_bytes(SM_SMALL_LINES));
}

/* Lines and data of a second ring. */
static uint32_t second_lines(const struct sm *sm)
{
	return begins_small(sm) ? RING_LINES : RING_LINES * SM_WIDEN_LINES;
}

static size_t second_data(const struct sm *sm)
{
	return begins_small(sm) ? sm->rings.data_size
				: sm->rings.data_size * SM_WIDEN;
}

static size_t second_bytes(const struct sm *sm)
{
	return page_align(ring_lines_bytes(second_lines(sm)) + second_data(sm));
}

static bool is_second(const struct sm *sm, const struct ring *r)
{
	return r->data_size == second_data(sm);
}

size_t sm_rings_bytes(const struct sm *sm)
{
	return begins_small(sm)
		   ? lines_bytes(sm) + count_pairs(sm) * SMALL_DATA
		   : count_pairs(sm) * ring_bytes(sm->rings.data_size);
}

size_t sm_second_rings_bytes(const struct sm *sm)
{
	return count_pairs(sm) * second_bytes(sm);
}

void sm_ring_attach(const struct sm *sm, struct ring *r, int from, int to)
{
	size_t k = pair_index(sm, from, to);

	if (begins_small(sm))
		ring_attach_parts(
		    r, sm->rings.first + k * ring_lines_bytes(SM_SMALL_LINES),
		    SM_SMALL_LINES,
		    sm->rings.first + lines_bytes(sm) + k * SMALL_DATA,
		    SMALL_DATA);
	else
		ring_attach(
		    r, sm->rings.first + k * ring_bytes(sm->rings.data_size),
		    sm->rings.data_size);
	/* one line is kept for SM_GROWN */
	if (sm_may_grow(sm, r))
		r->most--;
}

/* Maps the second ring at that place of the file; NULL with errno. */
static void *grow_map(const struct sm *sm, off_t at, size_t len, bool reserve)
{
	/* a full /dev/shm must not become a SIGBUS */
	int err = reserve ? posix_fallocate(sm->fd, at, (off_t)len) : 0;
	void *p;

	if (err) {
		errno = err;
		return NULL;
	}
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, sm->fd, at);
	return p == MAP_FAILED ? NULL : p;
}

/* Attaches the sender's or the receiver's end to the second ring. False: there
 * is no memory for it, with errno. */
static bool grow_enlarge(struct sm *sm, struct sm_ep *ep, struct ring *r)
{
	bool sends = r == &ep->tx;
	size_t k = sends ? pair_index(sm, sm->slot, ep->slot)
			 : pair_index(sm, ep->slot, sm->slot);
	size_t len = second_bytes(sm);
	char *second = grow_map(sm, (off_t)(sm->rings.second_at + k * len), len,
				sends && sm->in_shm);

	if (!second)
		return false;
	/* what lies there is ordered by the lines in it; new memory is an empty
	 * ring */
	ring_attach_parts(r, second, second_lines(sm),
			  second + ring_lines_bytes(second_lines(sm)),
			  second_data(sm));
	sm->rings.enlarged++;
	return true;
}

static void no_memory(const struct sm *sm, const struct sm_ep *ep,
		      const char *direction)
{
	fault_raise_text(error_from_errno(errno),
			 "cannot map %zu KiB of shared memory for messages %s "
			 "rank %d: %s; %s",
			 second_bytes(sm) >> 10, direction, ep->base.peer,
			 strerror(errno),
			 sm->in_shm ? "unset MRT_SM_BACKING, or enlarge "
				      "/dev/shm"
				    : limit_advice(errno));
}

bool sm_may_grow(const struct sm *sm, const struct ring *r)
{
	return !is_second(sm, r) && !sm->rings.grown_out &&
	       (begins_small(sm) || sm->base.crowded);
}

bool sm_grow(struct sm *sm, struct sm_ep *ep)
{
	struct ring first = ep->tx;

	if (!grow_enlarge(sm, ep, &ep->tx)) {
		/* a small ring cannot take all messages */
		if (begins_small(sm))
			no_memory(sm, ep, "to");
		sm->rings.grown_out = true;
		return false;
	}
	first.most++;
	return ring_push(&first, 0, SM_GROWN, NULL, 0, 0);
}

bool sm_follow(struct sm *sm, struct sm_ep *ep)
{
	if (is_second(sm, ep->rx))
		return false;
	if (!grow_enlarge(sm, ep, ep->rx)) {
		no_memory(sm, ep, "from");
		ring_pop(ep->rx);
	}
	return true;
}

size_t sm_rings_mapped(const struct sm *sm)
{
	return sm_rings_bytes(sm) + sm->rings.enlarged * second_bytes(sm);
}

/* Bytes that this end may have touched of its rings. */
static size_t bytes_used(const struct sm *sm, const struct ring *r)
{
	size_t lines = ring_lines_bytes(SM_SMALL_LINES);
	size_t second = ring_lines_bytes(second_lines(sm)) + second_data(sm);

	if (!begins_small(sm))
		return ring_bytes(sm->rings.data_size) +
		       (is_second(sm, r) ? second : 0);
	if (is_second(sm, r))
		return lines + second;
	return r->pos ? lines + (r->data_pos ? SMALL_DATA : 0) : 0;
}

size_t sm_rings_used(const struct sm *sm)
{
	size_t sum = 0;

	for (int s = 0; s < sm->slots; s++)
		sum += bytes_used(sm, &sm->eps[s].tx) +
		       bytes_used(sm, &sm->rings.rx[s]);
	return sum;
}

void sm_grow_fini(struct sm *sm)
{
	for (int s = 0; sm->eps && sm->rings.rx && s < sm->slots; s++) {
		struct ring *ends[] = {&sm->eps[s].tx, &sm->rings.rx[s]};

		for (int i = 0; i < 2; i++)
			if (ends[i]->shared && is_second(sm, ends[i]))
				munmap(ends[i]->shared, second_bytes(sm));
	}
}
