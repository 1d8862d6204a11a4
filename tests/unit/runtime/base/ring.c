/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ring.c: tests runtime/base/ring.h: as a queue against a model in one
 * thread, at the wrap of its 32-bit positions, and with two threads (also
 * built with TSan, make check-threads).
 */
#include "runtime/base/ring.h"

#include <pthread.h>
#include <sched.h>

#include "tests/tap.h"

enum { DATA = 8192, LARGE = 4 * RING_HOT, STEPS = 40000, MESSAGES = 100000 };

struct two_ends {
	void *mem;
	struct ring push, pop;
};

static void ends_init(struct two_ends *e, size_t data_size)
{
	e->mem = aligned_alloc(RING_LINE, ring_bytes(data_size));
	memset(e->mem, 0, ring_bytes(data_size));
	ring_attach(&e->push, e->mem, data_size);
	ring_attach(&e->pop, e->mem, data_size);
}

/* Puts both ends of an empty ring shortly before their positions wrap. */
static void ends_advance(struct two_ends *e, uint32_t pos, uint32_t data_pos)
{
	struct ring *ends[] = {&e->push, &e->pop};

	for (int i = 0; i < 2; i++) {
		ends[i]->pos = ends[i]->seen_pos = pos;
		ends[i]->data_pos = ends[i]->seen_data = data_pos;
		ends[i]->next = &ends[i]->shared->lines[pos & ends[i]->last];
	}
	atomic_store(&e->push.shared->head, (uint64_t)pos << 32 | data_pos);
}

/* Makes the k-th message: its length and bytes. */
static uint32_t length(uint32_t k)
{
	uint32_t h = (k + 1) * 2654435761u;

	if (h >> 30 == 0)
		return (h >> 8) % (uint32_t)(ring_max(DATA) + 1);
	return (h >> 8) % 100;
}

static void fill(unsigned char *buf, uint32_t k, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		buf[i] = (unsigned char)(k * 7 + i);
}

static bool push(struct two_ends *e, uint32_t k)
{
	unsigned char buf[DATA];
	uint32_t len = length(k), cut = len / 3;
	struct iovec iov[2] = {{buf, cut}, {buf + cut, len - cut}};

	fill(buf, k, len);
	return ring_push(&e->push, k * 3ull, k % 2 ? 0x80000000u : 0, iov, 2,
			 len);
}

/* Returns 1 if the k-th message came and is right, 0 if none came, -1 if it is
 * wrong. */
static int pop(struct two_ends *e, uint32_t k)
{
	const struct ring_line *line = ring_peek(&e->pop);
	unsigned char want[DATA];
	const void *data;
	uint32_t len;

	if (!line)
		return 0;
	len = line->len & RING_LEN_MASK;
	data = ring_payload(&e->pop, line, len);
	fill(want, k, length(k));
	if (len != length(k) || !data || memcmp(data, want, len) ||
	    line->hdr != k * 3ull ||
	    (line->len & ~(uint32_t)RING_LEN_MASK) != (k % 2 ? 0x80000000u : 0))
		return -1;
	ring_pop(&e->pop);
	return 1;
}

static void test_queue(const char *name, size_t size, uint32_t pos,
		       uint32_t data_pos)
{
	struct two_ends e;
	uint32_t pushed = 0, popped = 0;
	int wrong = 0, full = 0;

	ends_init(&e, size);
	ends_advance(&e, pos, data_pos);
	srand(3);
	for (int step = 0; step < STEPS && !wrong; step++) {
		int got;

		/* phases of filling and of draining */
		if ((step / 300 + rand()) % 4) {
			if (push(&e, pushed))
				pushed++;
			else
				full++;
			if (pushed - popped > RING_LINES)
				wrong++;
			continue;
		}
		got = pop(&e, popped);
		wrong += got < 0 || (got == 0) != (pushed == popped);
		popped += got > 0;
	}
	is_int(wrong, 0, "%s: a queue of messages, in order", name);
	ok(full > 100 && popped > 1000, "%s: was full at times", name);
	free(e.mem);
}

/* Checks that an empty ring takes the longest message at every position. */
static void test_longest(void)
{
	struct two_ends e;
	static unsigned char buf[DATA];
	int refused = 0;

	ends_init(&e, DATA);
	for (uint32_t at = 0; at < DATA; at += 64) {
		struct iovec iov = {buf, ring_max(DATA)};
		const struct ring_line *line;

		ends_advance(&e, e.push.pos, at);
		/* what the consumer may take without publishing */
		if (!ring_push(&e.push, 0, 0, &iov, 1,
			       (uint32_t)ring_max(DATA))) {
			refused++;
			continue;
		}
		line = ring_peek(&e.pop);
		if (line && ring_payload(&e.pop, line, line->len))
			ring_pop(&e.pop);
		else
			refused++;
	}
	is_int(refused, 0, "the longest message fits at every position");
	free(e.mem);
}

/* Checks that payload is inside the ring, or refused, whatever a hostile
 * producer writes. */
static void test_bounds(void)
{
	static const uint32_t ends[] = {
	    0, 1, 63, 64, DATA / 2 + 7, DATA - 1, DATA, DATA + 64, UINT32_MAX};
	struct two_ends e;
	int outside = 0;

	ends_init(&e, DATA);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		for (uint32_t len = 0; len <= RING_LEN_MASK; len += 1 + len) {
			const char *data;

			e.pop.next->end = ends[i];
			data = ring_payload(&e.pop, e.pop.next, len);
			outside += data && data != e.pop.next->data &&
				   (data < e.pop.data ||
				    data + len > e.pop.data + DATA);
		}
	is_int(outside, 0, "no payload is outside the ring");
	e.pop.next->end = DATA;
	ok(!ring_payload(&e.pop, e.pop.next, DATA),
	   "an impossible length has no payload");
	free(e.mem);
}

/* Sends messages of a quarter of RING_HOT, each taken before the next but one
 * is sent; returns how far into the data ring they reach. */
static void test_hot(void)
{
	static unsigned char buf[RING_HOT];
	struct iovec iov = {buf, RING_HOT / 4};
	const char *highest = NULL, *data;
	const struct ring_line *line;
	struct two_ends e;
	int lost = 0;

	ends_init(&e, LARGE);
	ring_push(&e.push, 0, 0, &iov, 1, RING_HOT / 4);
	for (int k = 0; k < 1000; k++) {
		lost += !ring_push(&e.push, 0, 0, &iov, 1, RING_HOT / 4);
		line = ring_peek(&e.pop);
		data = line ? ring_payload(&e.pop, line, line->len) : NULL;
		if (data > highest)
			highest = data;
		ring_pop(&e.pop);
	}
	is_int(lost, 0, "a ring emptied in time has room");
	ok(highest < e.pop.data + 2 * RING_HOT,
	   "and uses its first part alone");
	free(e.mem);
}

/* Fills rings that have been emptied after one message more each. */
static void test_rewind(void)
{
	enum { LEN = LARGE / RING_LINES };
	static unsigned char buf[LEN];
	struct iovec iov = {buf, LEN};
	int least = RING_LINES;

	for (int before = 0; before < 3 * RING_HOT / LEN; before++) {
		struct two_ends e;
		int room = 0;

		ends_init(&e, LARGE);
		for (int k = 0; k < before; k++) {
			ring_push(&e.push, 0, 0, &iov, 1, LEN);
			ring_payload(&e.pop, ring_peek(&e.pop), LEN);
			ring_pop(&e.pop);
		}
		ring_publish(&e.pop);
		while (ring_push(&e.push, 0, 0, &iov, 1, LEN))
			room++;
		least = room < least ? room : least;
		free(e.mem);
	}
	is_int(least, RING_LINES, "an empty ring has room for all its lines");
}

static void *producer(void *arg)
{
	struct two_ends *e = arg;

	for (uint32_t k = 0; k < MESSAGES;) {
		if (push(e, k))
			k++;
		else
			sched_yield();
	}
	return NULL;
}

static void test_threads(uint32_t lines, size_t size)
{
	struct two_ends e;
	pthread_t thread;
	int wrong = 0;

	ends_init(&e, size);
	if (lines != RING_LINES) {
		char *data = (char *)e.mem + ring_lines_bytes(lines);

		ring_attach_parts(&e.push, e.mem, lines, data, size);
		ring_attach_parts(&e.pop, e.mem, lines, data, size);
	}
	pthread_create(&thread, NULL, producer, &e);
	for (uint32_t k = 0; k < MESSAGES && !wrong;) {
		int got = pop(&e, k);

		wrong += got < 0;
		k += got > 0;
		if (!got)
			sched_yield();
	}
	if (!ok(!wrong, "%d messages between two threads, %u lines, %zu bytes",
		MESSAGES, lines, size))
		exit(1); /* the producer would wait for ever */
	pthread_join(thread, NULL);
	free(e.mem);
}

int main(void)
{
	test_queue("from zero", DATA, 0, 0);
	test_queue("positions wrap", DATA, UINT32_MAX - 100, 0);
	test_queue("data positions wrap", DATA, 0, UINT32_MAX - DATA + 1);
	test_queue("a large ring", LARGE, 0, UINT32_MAX - LARGE + 1);
	test_longest();
	test_bounds();
	test_hot();
	test_rewind();
	test_threads(RING_LINES, DATA);
	test_threads(RING_LINES, LARGE);
	test_threads(4, DATA);
	return tap_done();
}
