/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c: the ring of events in mapped memory. */
#include "runtime/base/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

enum {
	CLOCK_EVERY = 4096, /* events between readings of all clocks */
	SLOTS = 512	    /* of the hash table of names, a power of 2 */
};

bool trace_on;

static struct trace_head *head;
static struct trace_event *events;
static struct trace_event *entered; /* the last TRACE_ENTER */
static size_t mapped;		    /* bytes */
static bool counter;		    /* the CPU's counter may be used */
/* A hash table of the names in the trace, by the address of their text. */
static struct {
	const void *key;
	uint16_t index;
} slots[SLOTS];

/* Whether the CPU has a counter of constant rate. Reading it takes a third of
 * the time of clock_gettime. */
static bool has_counter(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && d & 1 << 8;
#else
	return false;
#endif
}

static inline uint64_t trace_ticks(void)
{
#if defined(__x86_64__)
	if (counter)
		return __builtin_ia32_rdtsc();
#endif
	return clock_ns();
}

static void read_clocks(struct trace_clock *c)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	c->real_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	c->monotonic_ns = clock_ns();
	c->ticks = trace_ticks();
}

/* ---- the file ------------------------------------------------------------ */

static uint64_t events_in(size_t bytes)
{
	uint64_t room = 1;

	while ((room * 2) * sizeof(*events) <= bytes)
		room *= 2;
	return room;
}

/* Creates and maps the file. An older file of the name is unlinked, as the rank
 * that wrote it may still have it mapped. Returns 0 or an errno. */
static int map_file(const char *path)
{
	int rc, fd;

	if (mkdir(env.trace, 0777) && errno != EEXIST)
		return errno;
	if (unlink(path) && errno != ENOENT)
		return errno;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return errno;
	/* reserved, or a full disk would end the rank by SIGBUS */
	rc = posix_fallocate(fd, 0, (off_t)mapped);
	if (!rc) {
		head = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_POPULATE, fd, 0);
		rc = head == MAP_FAILED ? errno : 0;
	}
	close(fd);
	if (rc)
		unlink(path);
	return rc;
}

void trace_open(int rank, int size, const char *job, const char *host)
{
	const uint64_t room = events_in(env.trace_size);
	char path[4096];
	int rc;

	if (!*env.trace)
		return;
	snprintf(path, sizeof(path), "%s/" TRACE_FILE, env.trace, rank);
	mapped = TRACE_HEAD_BYTES + room * sizeof(*events);
	rc = map_file(path);
	if (rc) {
		log_warn("no trace: MRT_TRACE=%s: %s", env.trace, strerror(rc));
		return;
	}
	counter = has_counter();
	events = (void *)((char *)head + TRACE_HEAD_BYTES);
	head->head_bytes = TRACE_HEAD_BYTES;
	head->event_bytes = sizeof(*events);
	head->room = room;
	head->rank = rank;
	head->size = size;
	snprintf(head->job, sizeof(head->job), "%s", job);
	snprintf(head->host, sizeof(head->host), "%s", host);
	read_clocks(&head->first);
	head->last = head->first;
	memset(slots, 0, sizeof(slots));
	memcpy(head->magic, TRACE_MAGIC, sizeof(head->magic));
	trace_on = true;
}

void trace_close(bool well)
{
	if (!trace_on)
		return;
	trace_on = false;
	read_clocks(&head->last);
	head->closed = well;
	munmap(head, mapped);
}

/* ---- events -------------------------------------------------------------- */

/* Returns a small number of the calling thread. */
static uint8_t trace_thread(void)
{
	static _Atomic uint8_t threads;
	static _Thread_local uint8_t own;

	if (__builtin_expect(!own, 0))
		own = (uint8_t)(atomic_fetch_add_explicit(
				    &threads, 1, memory_order_relaxed) +
				1);
	return (uint8_t)(own - 1);
}

/* Returns the next event of the ring, with its time and all else empty. It
 * counts once it is published. */
static inline struct trace_event *trace_next(enum trace_kind kind)
{
	uint64_t n = atomic_load_explicit(&head->written, memory_order_relaxed);
	struct trace_event *e = &events[n & (head->room - 1)];

	if (__builtin_expect(n % CLOCK_EVERY == CLOCK_EVERY - 1, 0))
		read_clocks(&head->last);
	*e = (struct trace_event){.ticks = trace_ticks(),
				  .comm = TRACE_NO_COMM,
				  .kind = (uint8_t)kind,
				  .thread = trace_thread()};
	return e;
}

static inline void trace_publish(void)
{
	/* release: mrt-trace, which may read the file of a live rank, acquires
	 * it */
	atomic_store_explicit(
	    &head->written,
	    atomic_load_explicit(&head->written, memory_order_relaxed) + 1,
	    memory_order_release);
}

/* Adds a name to the file. Names past the last share its place. */
static uint16_t add_name(const char *prefix, const char *text)
{
	uint32_t k = head->names;

	if (k == TRACE_NAMES)
		return TRACE_NAMES - 1;
	snprintf(head->name[k], TRACE_NAME_LENGTH, "%s%s", prefix, text);
	head->names = k + 1;
	return (uint16_t)k;
}

static inline uint16_t name_index(const void *key, const char *prefix,
				  const char *text)
{
	uint64_t h = (uintptr_t)key * 0x9e3779b97f4a7c15u >> 55;

	while (slots[h % SLOTS].key != key) {
		if (!slots[h % SLOTS].key) {
			if (head->names == TRACE_NAMES)
				return TRACE_NAMES - 1;
			slots[h % SLOTS].index = add_name(prefix, text);
			slots[h % SLOTS].key = key;
		} else {
			h++;
		}
	}
	return slots[h % SLOTS].index;
}

uint16_t trace_name(const void *key, const char *name)
{
	return trace_on ? name_index(key, "", name) : 0;
}

void trace_put(const struct trace_event *event)
{
	struct trace_event *e;

	if (!trace_on)
		return;
	e = trace_next((enum trace_kind)event->kind);
	*e = (struct trace_event){.ticks = e->ticks,
				  .bytes = event->bytes,
				  .peer = event->peer,
				  .number = event->number,
				  .size = event->size,
				  .kind = event->kind,
				  .thread = e->thread,
				  .collective = event->collective,
				  .flags = event->flags};
	trace_publish();
}

void trace_write(enum trace_kind kind, int peer, uint64_t bytes,
		 uint32_t number)
{
	struct trace_event *e;

	if (!trace_on)
		return;
	e = trace_next(kind);
	e->peer = peer;
	e->bytes = bytes;
	e->number = number;
	trace_publish();
}

void trace_enter(const char *prefix, const char *call)
{
	if (!trace_on)
		return;
	entered = trace_next(TRACE_ENTER);
	entered->peer = -1;
	entered->name = name_index(call, prefix, call);
	trace_publish();
}

void trace_leave(void)
{
	trace_write(TRACE_LEAVE, -1, 0, 0);
}

void trace_is_message(int peer, uint64_t bytes, uint32_t comm, int tag)
{
	entered->peer = peer;
	entered->bytes = bytes;
	entered->comm = (uint16_t)comm;
	entered->number = (uint32_t)tag;
}

void trace_is_collective(int first, uint64_t bytes, uint32_t comm,
			 uint32_t number)
{
	trace_is_message(first, bytes, comm, (int)number);
	entered->collective = 1;
}

void trace_text(const char *text, int needs)
{
	size_t n, left = strlen(text);

	if (!trace_on)
		return;
	read_clocks(&head->last);
	do {
		struct trace_event *e = trace_next(TRACE_TEXT);

		n = left < TRACE_TEXT_LENGTH ? left : TRACE_TEXT_LENGTH;
		memcpy(e->text, text, n);
		e->needs = needs;
		text += n;
		left -= n;
		trace_publish();
	} while (n == TRACE_TEXT_LENGTH);
}
