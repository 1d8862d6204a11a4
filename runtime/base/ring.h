/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.h: single-producer single-consumer message ring in shared memory.
 *
 * A message is one 64-byte line: sequence number, length, header and up to 48
 * bytes of payload, so a small message costs one cache-line transfer. A longer
 * payload lies in a data ring behind the lines, contiguous and in the same
 * order; the line holds its position, and the consumer checks that it is
 * inside. Lines never hold payload beyond their own, so a stale line cannot be
 * taken for a new one: its sequence number is its position since the start,
 * plus one.
 *
 * Most of the cost is a line of the data ring that the consumer has read and
 * the producer writes again: half as much while both have it in their
 * first-level caches. So the producer goes back to the start of the data ring
 * as soon as it has filled RING_HOT bytes and the start is free; the rest of
 * the ring is for bursts.
 *
 * Ordering: the producer writes a line and stores its seq (release); the
 * consumer loads seq (acquire), takes the payload, and some time later stores
 * `head` (release), which the producer loads (acquire) before it overwrites.
 */
#ifndef BASE_RING_H
#define BASE_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>

#include "runtime/base/copy.h"

enum {
	RING_LINE = 64,
	RING_INLINE = 48,
	RING_LINES = 64,     /* of a ring of full size */
	RING_HOT = 8192,     /* bytes of the data ring that are reused first */
	RING_PUBLISH = 1024, /* data bytes consumed before head is published */
	/* payload from this length on is copied as a string, or, where the CPU
	 * has no fast ones, backwards from the other */
	RING_STRING = 1024,
	RING_BACKWARD = 512,
	RING_PREFETCH =
	    1024 /* up to this length the next message's lines are prefetched */
};

struct ring_line {
	_Atomic uint32_t seq;
	uint32_t len; /* payload bytes, and flags of the layer above */
	uint64_t hdr; /* of the layer above */
	union {
		char data[RING_INLINE];
		uint32_t end; /* longer payload: its end in the data ring */
	};
} __attribute__((aligned(RING_LINE)));
_Static_assert(sizeof(struct ring_line) == RING_LINE, "one cache line");

enum { RING_LEN_MASK = 0x00ffffff }; /* of ring_line.len; rest: flags */

/* The lines are followed by the data ring, unless it lies apart. Zeroed memory
 * is an empty ring. */
struct ring_shared {
	/* consumed so far: lines << 32 | data bytes, each modulo 2^32 */
	_Atomic uint64_t head;
	char pad[RING_LINE - sizeof(uint64_t)];
	struct ring_line lines[];
	/* char data[]; */
};
_Static_assert(sizeof(struct ring_shared) == RING_LINE,
	       "lines start on a line");

/* One end of a ring, private to its process. */
struct ring {
	struct ring_line *next; /* line at `pos` */
	uint32_t pos;		/* lines pushed or taken so far */
	uint32_t data_pos;	/* data bytes pushed or taken so far */
	uint32_t data_size;	/* bytes of the data ring, a power of two */
	uint32_t seen_pos;	/* head: last read or published */
	uint32_t seen_data;
	uint32_t publish_after; /* consumer: data bytes until it publishes */
	struct ring_shared *shared;
	char *data;
	uint32_t last;		/* lines - 1; lines: a power of two */
	uint32_t most;		/* producer: lines that it may fill */
	uint32_t publish_lines; /* consumer: lines until it publishes */
};

/* Bytes of a ring's shared memory without its data; lines is a power of two. */
static inline size_t ring_lines_bytes(uint32_t lines)
{
	return sizeof(struct ring_shared) + lines * (size_t)RING_LINE;
}

/* Bytes of a ring of full size; data_size is a power of two. */
static inline size_t ring_bytes(size_t data_size)
{
	return ring_lines_bytes(RING_LINES) + data_size;
}

/* Longest message in bytes. The consumer publishes at the latest every eighth
 * of the data ring, so 7/8 become free without emptying it; a message that does
 * not fit before the end skips less than its own length. (One that goes back to
 * the start earlier does so only if there is room.) */
static inline size_t ring_max(size_t data_size)
{
	return data_size / 8 * 3;
}

/* Attaches either end to a ring whose data lies apart. */
static inline void ring_attach_parts(struct ring *r, void *mem, uint32_t lines,
				     void *data, size_t data_size)
{
	memset(r, 0, sizeof(*r));
	r->shared = mem;
	r->next = r->shared->lines;
	r->data = data;
	r->data_size = (uint32_t)data_size;
	r->publish_after =
	    r->data_size / 8 < RING_PUBLISH ? r->data_size / 8 : RING_PUBLISH;
	r->last = lines - 1;
	r->most = lines;
	r->publish_lines = lines / 4;
}

/* Attaches either end to a ring of full size. */
static inline void ring_attach(struct ring *r, void *mem, size_t data_size)
{
	ring_attach_parts(r, mem, RING_LINES,
			  (char *)mem + ring_lines_bytes(RING_LINES),
			  data_size);
}

/* Data bytes that a payload occupies, without those it skips. */
static inline uint32_t ring_len64(uint32_t len)
{
	return (len + 63) & ~63u;
}

/* Offset of the payload of len bytes that ends at `end`. */
static inline uint32_t ring_offset(const struct ring *r, uint32_t end,
				   uint32_t len)
{
	return (end - ring_len64(len)) & (r->data_size - 1) & ~63u;
}

/* Producer: reads how far the consumer is. */
static inline void ring_refresh(struct ring *r)
{
	/* acquire: pairs with the release in ring_publish; the consumer no
	 * longer reads what lies before head */
	uint64_t head =
	    atomic_load_explicit(&r->shared->head, memory_order_acquire);

	r->seen_pos = (uint32_t)(head >> 32);
	/* never back to before what ring_rewind has skipped */
	if ((int32_t)((uint32_t)head - r->seen_data) > 0)
		r->seen_data = (uint32_t)head;
}

/* Producer: sets the end of a payload pushed now, behind the last one or at the
 * start. Past the hot part it goes back if that leaves `room` bytes. False: it
 * does not fit, as far as is known. */
static inline bool ring_fits(const struct ring *r, uint32_t len, uint32_t room,
			     uint32_t *end)
{
	uint32_t offset = r->data_pos & (r->data_size - 1);
	uint32_t here = r->data_pos + ring_len64(len);
	uint32_t start = here + r->data_size - offset;
	bool free = start + room - r->seen_data <= r->data_size;

	*end = offset + ring_len64(len) > r->data_size ||
		       (offset >= RING_HOT && free)
		   ? start
		   : here;
	return *end - r->seen_data <= r->data_size;
}

/* Producer: goes back to the start of an empty ring, all of which is free
 * then. */
static inline void ring_rewind(struct ring *r)
{
	uint32_t offset = r->data_pos & (r->data_size - 1);

	if (r->seen_pos != r->pos || offset < RING_HOT)
		return;
	r->data_pos += r->data_size - offset;
	r->seen_data = r->data_pos;
}

/* Producer: like ring_fits, but reads the consumer's position if it has to, or
 * to learn whether the start is free. Going back loses the bytes it skips until
 * the consumer follows, so there must be room for the hot part once more. */
static inline bool ring_reserve(struct ring *r, uint32_t len, uint32_t *end)
{
	if (ring_fits(r, len, RING_HOT, end) &&
	    ring_offset(r, *end, len) < RING_HOT)
		return true;
	ring_refresh(r);
	ring_rewind(r);
	return ring_fits(r, len, RING_HOT, end);
}

/* Copies long pieces from the end, unless as a string: ahead of ascending
 * stores the processor fetches lines for reading, and each must then be
 * requested again for writing. */
static inline void ring_copy(char *to, const char *from, size_t len)
{
	size_t tail = len < RING_BACKWARD ? len : len % RING_LINE;

	if (len >= RING_STRING && copy_has_strings) {
		copy_string(to, from, len);
		return;
	}
	len -= tail;
	memcpy(to + len, from + len, tail);
	for (; len; len -= RING_LINE)
		memcpy(to + len - RING_LINE, from + len - RING_LINE, RING_LINE);
}

static inline void ring_gather(char *to, const struct iovec *iov, int n)
{
	for (int i = 0; i < n; i++) {
		if (iov[i].iov_len)
			ring_copy(to, iov[i].iov_base, iov[i].iov_len);
		to += iov[i].iov_len;
	}
}

static inline void ring_prefetch_line(const char *line)
{
#ifdef __x86_64__
	/* without -mprfchw the builtin would fetch it for reading */
	__asm__ volatile("prefetchw %0" : : "m"(*line));
#else
	__builtin_prefetch(line, 1);
#endif
}

/* Producer: prefetches the lines that another message of len would fill if the
 * consumer is done with them, while there may be an answer to wait for. */
static inline void ring_prefetch(const struct ring *r, uint32_t len)
{
	uint32_t end;

	if (len <= RING_PREFETCH && ring_fits(r, len, 0, &end))
		for (uint32_t at = 0; at < len; at += RING_LINE)
			ring_prefetch_line(r->data + ring_offset(r, end, len) +
					   at);
}

/* Producer: pushes one message of len (<= ring_max) bytes gathered from iov[n];
 * flags are bits above RING_LEN_MASK. False: there is no room. */
static inline __attribute__((always_inline)) bool
ring_push(struct ring *r, uint64_t hdr, uint32_t flags, const struct iovec *iov,
	  int n, uint32_t len)
{
	struct ring_line *line = r->next;

	if (__builtin_expect(r->pos - r->seen_pos >= r->most, 0)) {
		ring_refresh(r);
		if (r->pos - r->seen_pos >= r->most)
			return false;
	}
	if (len <= RING_INLINE) {
		ring_gather(line->data, iov, n);
	} else {
		uint32_t end;

		if (!ring_reserve(r, len, &end))
			return false;
		ring_gather(r->data + ring_offset(r, end, len), iov, n);
		line->end = r->data_pos = end;
	}
	line->hdr = hdr;
	line->len = len | flags;
	/* release: pairs with the acquire in ring_peek */
	atomic_store_explicit(&line->seq, ++r->pos, memory_order_release);
	r->next = &r->shared->lines[r->pos & r->last];
	/* now rather than when the next message is urgent */
	if (len > RING_INLINE) {
		if ((r->data_pos & (r->data_size - 1)) >= RING_HOT)
			ring_refresh(r);
		ring_prefetch(r, len);
	}
	return true;
}

/* Producer: like ring_push for one 8-byte word without flags, in a few
 * instructions. Latency is measured with this message. */
static inline bool ring_push_word(struct ring *r, uint64_t hdr,
				  const void *word)
{
	struct ring_line *line = r->next;
	uint32_t pos = r->pos;

	if (__builtin_expect(pos - r->seen_pos >= r->most, 0))
		return false;
	memcpy(line->data, word, 8);
	line->hdr = hdr;
	line->len = 8;
	r->pos = ++pos;
	r->next = &r->shared->lines[pos & r->last];
	/* release: pairs with the acquire in ring_peek */
	atomic_store_explicit(&line->seq, pos, memory_order_release);
	return true;
}

/* Consumer: returns the next message's line, or NULL. */
static inline const struct ring_line *ring_peek(const struct ring *r)
{
	const struct ring_line *line = r->next;

	/* acquire: pairs with the release of seq in ring_push and
	 * ring_push_word */
	return atomic_load_explicit(&line->seq, memory_order_acquire) ==
		       r->pos + 1
		   ? line
		   : NULL;
}

/* Consumer: returns the payload of the line just peeked; to be called once.
 * NULL: its position, or its length, which the caller has read once, is
 * impossible. */
static inline const void *
ring_payload(struct ring *r, const struct ring_line *line, uint32_t len)
{
	uint32_t end, offset;

	if (len <= RING_INLINE)
		return line->data;
	end = *(volatile const uint32_t *)&line->end;
	offset = ring_offset(r, end, len);
	if (len > ring_max(r->data_size) || offset + len > r->data_size)
		return NULL;
	r->data_pos = end;
	return r->data + offset;
}

/* Consumer: tells the producer what has been consumed. */
static inline void ring_publish(struct ring *r)
{
	r->seen_pos = r->pos;
	r->seen_data = r->data_pos;
	/* release: pairs with the acquire in ring_refresh */
	atomic_store_explicit(&r->shared->head,
			      (uint64_t)r->pos << 32 | r->data_pos,
			      memory_order_release);
}

/* Consumer: ends the use of the message just peeked. */
static inline void ring_pop(struct ring *r)
{
	r->pos++;
	r->next = &r->shared->lines[r->pos & r->last];
	if (r->pos - r->seen_pos >= r->publish_lines ||
	    r->data_pos - r->seen_data >= r->publish_after)
		ring_publish(r);
}
#endif
