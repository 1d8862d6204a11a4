/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mr_cache_live.c: tests mr_cache.c over the real watch, on real memory. Each
 * page carries a number that is never used twice. Registering notes the
 * numbers, as a device notes the pages, and what the cache returns must have
 * noted those that are there now.
 */
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/memwatch.h"
#include "runtime/fabric/verbs/mr_cache.h"
#include "tests/tap.h"

enum { PAGES = 64, STEPS = 20000, CHURN = 1500, THREADS = 3, HITS = 2000000 };

static size_t page;
static struct mr_cache cache;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t number;
static atomic_int stale, failed;
static int live;

struct reg {
	uintptr_t start;
	uint64_t numbers[2 * PAGES]; /* of its pages */
};

/* Fails like a device if another thread has unmapped the memory. */
static int register_range(void *ctx, void *addr, size_t len, bool writes,
			  void **handle)
{
	struct reg *reg = malloc(sizeof(*reg));
	size_t pages = len / page;
	struct iovec to = {reg->numbers, pages * 8}, from[2 * PAGES];

	(void)ctx;
	(void)writes;
	if (pages > 2 * PAGES)
		abort();
	for (size_t i = 0; i < pages; i++)
		from[i] = (struct iovec){(char *)addr + i * page, 8};
	if (process_vm_readv(getpid(), &to, 1, from, pages, 0) !=
	    (ssize_t)(pages * 8)) {
		free(reg);
		return MRT_ERR_ARG;
	}
	reg->start = (uintptr_t)addr;
	*handle = reg;
	live++;
	return 0;
}

static void deregister(void *ctx, void *handle)
{
	(void)ctx;
	free(handle);
	live--;
}

static const struct mr_ops ops = {register_range, deregister};

static void start(bool threads, size_t entries)
{
	const struct mr_config config = {&ops, NULL, &mr_watch_memory,
					 (size_t)1 << 30, entries};
	const char *why = memwatch_open(threads);

	if (why)
		tap_skip_all(why);
	if (mr_cache_init(&cache, &config))
		abort();
	stale = failed = 0;
}

static void finish(const char *name)
{
	printf("# %s: %llu hits, %llu misses, %llu evictions, "
	       "%llu invalidations\n",
	       name, (unsigned long long)cache.stats.hits,
	       (unsigned long long)cache.stats.misses,
	       (unsigned long long)cache.stats.evictions,
	       (unsigned long long)cache.stats.invalidations);
	mr_cache_fini(&cache);
	memwatch_close();
	is_int(live, 0, "%s: all deregistered", name);
}

static uint64_t *word(char *at, size_t i)
{
	return (uint64_t *)(void *)(at + i * page);
}

static void sign(char *at, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		*word(at, i) = ++number;
}

/* Uses pages [from, to) once. */
static void use(char *at, size_t from, size_t to)
{
	struct mr_entry *entry;
	const struct reg *reg;

	pthread_mutex_lock(&lock);
	if (mr_cache_get(&cache, at + from * page, (to - from) * page, true,
			 &entry)) {
		failed++;
	} else {
		reg = entry->handle;
		for (size_t i = from; i < to; i++)
			stale +=
			    reg->numbers[((uintptr_t)word(at, i) - reg->start) /
					 page] != *word(at, i);
		mr_cache_put(&cache, entry);
	}
	pthread_mutex_unlock(&lock);
}

static char *map_at(char *at, size_t pages)
{
	char *got =
	    mmap(at, pages * page, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);

	if (got == MAP_FAILED)
		abort();
	return got;
}

static void unmap(char *at, size_t pages)
{
	munmap(at, pages * page);
	map_at(at, pages);
}

static void map_over(char *at, size_t pages)
{
	map_at(at, pages);
}

static void drop(char *at, size_t pages)
{
	madvise(at, pages * page, MADV_DONTNEED);
}

/* Unmaps pages; what comes back are other pages. */
static void move(char *at, size_t pages)
{
	char *to = mremap(at, pages * page, pages * page,
			  MREMAP_MAYMOVE | MREMAP_FIXED, map_at(NULL, pages));

	map_at(at, pages);
	munmap(to, pages * page);
}

/* Maps other pages over them. */
static void move_onto(char *at, size_t pages)
{
	char *from = map_at(NULL, pages);

	sign(from, 0, pages);
	use(from, 0, pages);
	mremap(from, pages * page, pages * page, MREMAP_MAYMOVE | MREMAP_FIXED,
	       at);
}

static void through_malloc(char *unused, size_t pages)
{
	/* never from the heap, which hands out the same pages again */
	size_t len = (2 * PAGES + pages) * page;
	char *p = malloc(len);
	char *at = (char *)(((uintptr_t)p + page - 1) & ~(page - 1));
	size_t whole = (size_t)(p + len - at) / page;

	(void)unused;
	if (whole > PAGES)
		whole = PAGES;
	sign(at, 0, whole);
	use(at, 0, whole);
	free(p);
}

/* A child uses the cache, which must keep nothing there. */
static void child(char *at, size_t pages)
{
	pid_t pid;
	int status;

	if (rand() % 20)
		return;
	pid = fork();
	if (!pid) {
		alarm(20);
		use(at, 0, pages);
		munmap(at, pages * page);
		map_at(at, pages);
		sign(at, 0, pages);
		use(at, 0, pages);
		_exit(stale || cache.count || cache.stats.hits ? 1 : 0);
	}
	waitpid(pid, &status, 0);
	stale += status != 0;
}

static void (*const changes[])(char *, size_t) = {
    unmap, map_over, drop, move, move_onto, through_malloc, child};

static void test_random(bool threads, unsigned seed)
{
	char *at = map_at(NULL, PAGES);

	start(threads, 16);
	srand(seed);
	sign(at, 0, PAGES);
	for (int step = 0; step < STEPS; step++) {
		size_t from = (size_t)rand() % PAGES;
		size_t to = from + 1 + (size_t)rand() % (PAGES - from);
		int what = rand() % 32;
		uint64_t hits = cache.stats.hits;

		if (what < 7) {
			to = from + (to - from + 7) / 8;
			cache.stats.hits = 0;
			changes[what](at + from * page, to - from);
			cache.stats.hits += hits;
			/* harmless if it is the same memory */
			if (what < 5)
				sign(at, from, to);
		} else {
			use(at, from, to);
		}
	}
	is_int(stale, 0, "seed %u: %d random steps, none stale", seed, STEPS);
	is_int(failed, 0, "seed %u: none failed", seed);
	ok(cache.stats.hits > STEPS / 20, "seed %u: with hits", seed);
	munmap(at, PAGES * page);
	finish("random");
}

/* Passes addresses from thread to thread as fast as the kernel hands them
 * out. */
static void *churn(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg;

	for (int i = 0; i < CHURN; i++) {
		size_t pages = 1 + (size_t)rand_r(&seed) % 8;
		char *at = map_at(NULL, pages);

		sign(at, 0, pages);
		use(at, 0, pages);
		use(at, 0, (pages + 1) / 2);
		if (rand_r(&seed) % 4 == 0) {
			drop(at, pages);
			sign(at, 0, pages);
			use(at, 0, pages);
		}
		munmap(at, pages * page);
	}
	return NULL;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];

	start(true, 64);
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	is_int(stale, 0, "%d threads that exchange memory: none stale",
	       THREADS);
	is_int(failed, 0, "none failed");
	ok(cache.stats.hits > CHURN, "with hits");
	finish("threads");
}

/* Uses the stack of a thread that ends, and again. */
static void *on_stack(void *arg)
{
	char at[(PAGES / 2 + 1) * 4096] __attribute__((aligned(4096)));

	(void)arg;
	sign(at, 0, PAGES / 4);
	use(at, 0, PAGES / 4);
	return NULL;
}

static void test_stack(void)
{
	start(true, 64);
	for (int i = 0; i < 1000; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, on_stack, NULL);
		pthread_join(thread, NULL);
	}
	is_int(failed, 0, "on the stacks of threads");
	finish("stacks");
}

static void show_cost(bool threads)
{
	char *at = map_at(NULL, PAGES);
	uint64_t from;
	struct mr_entry *entry;

	start(threads, 1024);
	for (size_t i = 0; i < PAGES; i += 2)
		use(at, i, i + 1);
	from = clock_ns();
	for (int i = 0; i < HITS; i++) {
		if (mr_cache_get(&cache, at + (size_t)i * 22 % PAGES * page, 9,
				 true, &entry))
			abort();
		mr_cache_put(&cache, entry);
	}
	printf("# a hit%s: %.0f ns\n", threads ? " asking the kernel" : "",
	       (double)(clock_ns() - from) / HITS);
	finish("cost");
}

int main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;

	page = (size_t)sysconf(_SC_PAGESIZE);
	mallopt(M_MMAP_THRESHOLD, 2 * PAGES * (int)page);
	alarm(300); /* a munmap that nobody answers waits for ever */
	test_random(false, seed);
	test_random(true, seed + 1);
	test_threads();
	test_stack();
	show_cost(false);
	show_cost(true);
	return tap_done();
}
