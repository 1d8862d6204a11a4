/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.h: single-producer single-consumer message ring in shared memory.
 *
 * A message is one 64-byte line: sequence number, length, header and up to 48
 * bytes of payload, so a small message costs one cache-line transfer. Longer
 * payload lies in a data ring next to the lines, contiguous and in the same
 * order; both ends compute its place, so no offset travels that could lie.
 * Lines never hold payload beyond their own, so a stale line can never be
 * taken for a new one: the sequence number is the line's position counted
 * since the start, plus one.
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

enum { RING_LINE = 64, RING_INLINE = 48, RING_LINES = 64 };

struct ring_line {
	_Atomic uint32_t seq;
	uint32_t len;  /* payload bytes, and flags of the layer above */
	uint64_t hdr;  /* the layer above's */
	char data[RING_INLINE];
} __attribute__((aligned(RING_LINE)));
_Static_assert(sizeof(struct ring_line) == RING_LINE, "one cache line");

enum { RING_LEN_MASK = 0x00ffffff }; /* of ring_line.len; the rest is flags */

/* Followed by RING_LINES lines and the data ring. Zeroed memory is empty. */
struct ring_shared {
	/* consumed so far: lines << 32 | data bytes, each wrapping at 2^32 */
	_Atomic uint64_t head;
	char pad[RING_LINE - sizeof(uint64_t)];
	struct ring_line lines[RING_LINES];
	/* char data[]; */
};
_Static_assert(sizeof(struct ring_shared) == RING_LINE * (1 + RING_LINES),
	       "lines start on a line");

/* One end; private to the process that has it. */
struct ring {
	struct ring_line *next; /* line at `pos` */
	uint32_t pos;		/* lines pushed or taken so far */
	uint32_t data_pos;	/* data bytes pushed or taken so far */
	uint32_t data_size;	/* of the data ring, a power of two */
	uint32_t seen_pos;	/* producer: head seen; consumer: published */
	uint32_t seen_data;
	struct ring_shared *shared;
	char *data;
};

/* Bytes that a ring takes; data_size is a power of two. */
static inline size_t ring_bytes(size_t data_size)
{
	return sizeof(struct ring_shared) + data_size;
}

/*
 * Longest message. The consumer publishes at the latest every eighth of the
 * data ring, so 7/8 come free without its emptying; a message that does not
 * fit before the end skips less than its own length.
 */
static inline size_t ring_max(size_t data_size)
{
	return data_size / 8 * 3;
}

static inline void ring_attach(struct ring *r, void *mem, size_t data_size)
{
	memset(r, 0, sizeof(*r));
	r->shared = mem;
	r->next = r->shared->lines;
	r->data = (char *)mem + sizeof(struct ring_shared);
	r->data_size = (uint32_t)data_size;
}

/* Data bytes, skip included, that a payload of len takes from position pos. */
static inline uint32_t ring_need(const struct ring *r, uint32_t len)
{
	uint32_t offset = r->data_pos & (r->data_size - 1);
	uint32_t len64 = (len + 63) & ~63u;

	return offset + len64 <= r->data_size ? len64
					      : r->data_size - offset + len64;
}

static inline char *ring_place(const struct ring *r, uint32_t need,
			       uint32_t len)
{
	uint32_t end = (r->data_pos + need) & (r->data_size - 1);
	uint32_t len64 = (len + 63) & ~63u;

	return r->data + ((end - len64) & (r->data_size - 1));
}

static inline bool ring_fits(const struct ring *r, uint32_t need)
{
	return r->pos - r->seen_pos < RING_LINES &&
	       (!need || r->data_size - (r->data_pos - r->seen_data) >= need);
}

/* Looks how far the consumer is. */
static __attribute__((noinline, unused)) bool ring_refresh(struct ring *r,
							   uint32_t need)
{
	/* pairs with the release in ring_publish: the consumer is through
	 * with what lies before head */
	uint64_t head = atomic_load_explicit(&r->shared->head,
					     memory_order_acquire);

	r->seen_pos = (uint32_t)(head >> 32);
	r->seen_data = (uint32_t)head;
	return ring_fits(r, need);
}

static inline void ring_gather(char *to, const struct iovec *iov, int n)
{
	for (int i = 0; i < n; i++) {
		if (iov[i].iov_len)
			memcpy(to, iov[i].iov_base, iov[i].iov_len);
		to += iov[i].iov_len;
	}
}

/*
 * Producer: pushes one message of len (<= ring_max) bytes gathered from
 * iov[n]; flags go above RING_LEN_MASK. False when there is no room.
 */
static inline bool ring_push(struct ring *r, uint64_t hdr, uint32_t flags,
			     const struct iovec *iov, int n, uint32_t len)
{
	struct ring_line *line = r->next;
	uint32_t need = len <= RING_INLINE ? 0 : ring_need(r, len);

	if (__builtin_expect(!ring_fits(r, need), 0) && !ring_refresh(r, need))
		return false;
	if (need) {
		ring_gather(ring_place(r, need, len), iov, n);
		r->data_pos += need;
	} else {
		ring_gather(line->data, iov, n);
	}
	line->hdr = hdr;
	line->len = len | flags;
	/* pairs with the acquire in ring_peek */
	atomic_store_explicit(&line->seq, ++r->pos, memory_order_release);
	r->next = &r->shared->lines[r->pos % RING_LINES];
	return true;
}

/* Producer: ring_push of one 8-byte word without flags, in a few
 * instructions: the message that latency is measured with. */
static inline bool ring_push_word(struct ring *r, uint64_t hdr,
				  const void *word)
{
	struct ring_line *line = r->next;
	uint32_t pos = r->pos;

	if (__builtin_expect(pos - r->seen_pos >= RING_LINES, 0))
		return false;
	memcpy(line->data, word, 8);
	line->hdr = hdr;
	line->len = 8;
	r->pos = ++pos;
	r->next = &r->shared->lines[pos % RING_LINES];
	/* pairs with the acquire in ring_peek */
	atomic_store_explicit(&line->seq, pos, memory_order_release);
	return true;
}

/* Consumer: the next message's line, or NULL. */
static inline const struct ring_line *ring_peek(const struct ring *r)
{
	const struct ring_line *line = r->next;

	/* pairs with the release in ring_push */
	return atomic_load_explicit(&line->seq, memory_order_acquire) ==
		       r->pos + 1
		   ? line
		   : NULL;
}

/* Consumer: payload of the line just peeked; NULL if its length, read once by
 * the caller, is impossible. */
static inline const void *ring_payload(const struct ring *r,
				       const struct ring_line *line,
				       uint32_t len)
{
	if (len <= RING_INLINE)
		return line->data;
	return len <= ring_max(r->data_size)
		   ? ring_place(r, ring_need(r, len), len)
		   : NULL;
}

/* Consumer: tells the producer what has been taken. */
static inline void ring_publish(struct ring *r)
{
	r->seen_pos = r->pos;
	r->seen_data = r->data_pos;
	/* pairs with the acquire in ring_refresh */
	atomic_store_explicit(&r->shared->head,
			      (uint64_t)r->pos << 32 | r->data_pos,
			      memory_order_release);
}

/* Consumer: is through with the message of length len. */
static inline void ring_pop(struct ring *r, uint32_t len)
{
	if (len > RING_INLINE)
		r->data_pos += ring_need(r, len);
	r->pos++;
	r->next = &r->shared->lines[r->pos % RING_LINES];
	if (r->pos - r->seen_pos >= RING_LINES / 4 ||
	    r->data_pos - r->seen_data >= r->data_size / 8)
		ring_publish(r);
}
#endif
