/* SPDX-License-Identifier: Apache-2.0 */
/* mr_cache.c: tests runtime/fabric/verbs/mr_cache.c without a device and
 * without memory: registering, watching and mapping are simulated, and each
 * answer of random runs is checked page by page. */
#include "runtime/fabric/verbs/mr_cache.h"

#include <sys/wait.h>
#include <unistd.h>

#include "mrt.h"
#include "tests/tap.h"

enum { PAGES = 64, REGS = 4096, USES = 12, STEPS = 30000, SEEDS = 20 };

static size_t page;
static const uintptr_t base = 1ul << 40;

/* The address space. A page's generation tells what is mapped there. */
static struct {
	unsigned gen[PAGES];
	bool watched[PAGES], strange[PAGES], absent[PAGES], constant[PAGES];
	uintptr_t changed[PAGES][2];
	size_t changes;
	bool lost;
} space;

/* All registrations, including past ones. */
static struct reg {
	size_t from, to;
	unsigned gen[PAGES];
	bool live, writes;
	struct mr_entry *entry;
} regs[REGS];
static size_t reg_count, pinned, may_pin;
static int wrong;
static bool writes; /* what is got is written */

static size_t index_of(uintptr_t addr)
{
	return (addr - base) / page;
}

static int register_range(void *ctx, void *addr, size_t len, bool to_write,
			  void **handle)
{
	size_t from = index_of((uintptr_t)addr), to = from + len / page;
	struct reg *reg = &regs[reg_count % REGS];

	wrong += ctx != &space || (uintptr_t)addr % page || len % page;
	for (size_t p = from; p < to; p++)
		if (space.absent[p] || (to_write && space.constant[p]))
			return MRT_ERR_ARG;
	if (pinned + to - from > may_pin)
		return MRT_ERR_NO_MEM;
	while (reg->live) /* there are more slots than can be live */
		reg = &regs[++reg_count % REGS];
	reg_count++;
	pinned += to - from;
	*reg = (struct reg){
	    .from = from, .to = to, .live = true, .writes = to_write};
	memcpy(reg->gen, space.gen, sizeof(reg->gen));
	*handle = reg;
	return 0;
}

static void deregister(void *ctx, void *handle)
{
	struct reg *reg = handle;

	wrong += ctx != &space || !reg->live || reg->entry->refs;
	reg->live = false;
	pinned -= reg->to - reg->from;
}

static const struct mr_ops ops = {register_range, deregister};

static bool watch_add(uintptr_t start, uintptr_t end)
{
	for (size_t p = index_of(start); p < index_of(end); p++)
		if (space.strange[p] || space.absent[p])
			return false;
	for (size_t p = index_of(start); p < index_of(end); p++)
		space.watched[p] = true;
	return true;
}

static void watch_remove(uintptr_t start, uintptr_t end)
{
	for (size_t p = index_of(start); p < index_of(end); p++)
		space.watched[p] = false;
}

static bool watch_pending(void)
{
	return space.lost || space.changes;
}

static bool watch_drain(void (*changed)(void *arg, uintptr_t start,
					uintptr_t end),
			void *arg)
{
	if (space.lost)
		return false;
	if (space.changes == PAGES)
		changed(arg, 0, UINTPTR_MAX);
	for (size_t i = 0; i < space.changes; i++)
		changed(arg, space.changed[i][0], space.changed[i][1]);
	space.changes = 0;
	return true;
}

static const struct mr_watch watch = {watch_add, watch_remove, watch_pending,
				      watch_drain};

/* Changes a page like munmap and then mmap, or like MADV_DONTNEED if it stays
 * watched. */
static void change(size_t from, size_t to, bool unmap)
{
	bool tell = false;

	for (size_t p = from; p < to; p++) {
		tell |= space.watched[p];
		space.watched[p] &= !unmap;
		space.gen[p]++;
	}
	if (!tell || space.changes == PAGES)
		return;
	space.changed[space.changes][0] = base + from * page;
	space.changed[space.changes++][1] = base + to * page;
}

static void start(struct mr_cache *cache, size_t bytes, size_t entries)
{
	const struct mr_config config = {&ops, &space, &watch, bytes, entries};

	memset(&space, 0, sizeof(space));
	memset(regs, 0, sizeof(regs));
	reg_count = pinned = 0;
	wrong = 0;
	may_pin = SIZE_MAX / 2;
	if (mr_cache_init(cache, &config))
		abort();
}

static struct mr_entry *get(struct mr_cache *cache, size_t from, size_t to)
{
	struct mr_entry *entry = NULL;

	/* not whole pages */
	if (mr_cache_get(cache, (char *)base + from * page + 1,
			 (to - from) * page - 2, writes, &entry))
		return NULL;
	((struct reg *)entry->handle)->entry = entry;
	return entry;
}

static void touch(struct mr_cache *cache, size_t from, size_t to)
{
	struct mr_entry *entry = get(cache, from, to);

	if (entry)
		mr_cache_put(cache, entry);
}

/* Whether a registration is live and of what is mapped now in [from, to). */
static bool is_right(const struct mr_entry *entry, size_t from, size_t to)
{
	const struct reg *reg = entry->handle;

	if (!reg->live || (writes && !reg->writes) || reg->from > from ||
	    reg->to < to || entry->start != base + reg->from * page ||
	    entry->end != base + reg->to * page)
		return false;
	for (size_t p = from; p < to; p++)
		if (reg->gen[p] != space.gen[p])
			return false;
	return true;
}

static void finish(struct mr_cache *cache, const char *name)
{
	mr_cache_fini(cache);
	is_int(pinned, 0, "%s: all deregistered", name);
	is_int(wrong, 0, "%s: each once", name);
}

static void test_reuse(void)
{
	struct mr_cache cache;
	struct mr_entry *a, *b;

	start(&cache, 1ul << 30, 16);
	a = get(&cache, 4, 8);
	b = get(&cache, 5, 7);
	ok(a && a == b, "a range within a range");
	is_int(cache.stats.hits, 1, "one hit");
	is_int(cache.stats.misses, 1, "one miss");
	is_int(cache.stats.bytes, 4 * page, "bytes registered");
	mr_cache_put(&cache, a);
	mr_cache_put(&cache, b);
	touch(&cache, 6, 10);
	is_int(pinned, 6, "overlapping ranges become one");
	touch(&cache, 9, 30);
	is_int(pinned, 26, "a wide one takes a narrow one in");
	touch(&cache, 29, 31);
	is_int(pinned, 28, "a narrow one does not take a wide one in");
	space.changed[0][0] = 0; /* as after an overflow */
	space.changed[0][1] = UINTPTR_MAX;
	space.changes = 1;
	mr_cache_refresh(&cache);
	is_int(pinned, 0, "everything changed");
	is_int(cache.stats.invalidations, 2, "two were let go");
	finish(&cache, "reuse");
}

static void test_busy(void)
{
	struct mr_cache cache;
	struct mr_entry *a, *b;

	start(&cache, 1ul << 30, 16);
	a = get(&cache, 4, 8);
	change(7, 9, true);
	b = get(&cache, 4, 8);
	ok(a && b && a != b, "a changed range is not found");
	ok(((struct reg *)a->handle)->live, "it lives as long as it is used");
	mr_cache_put(&cache, a);
	is_int(pinned, 4, "no longer");
	a = get(&cache, 2, 9);
	is_int(pinned, 11, "what another took in lives on too");
	mr_cache_put(&cache, b);
	is_int(pinned, 7, "until its end");
	mr_cache_put(&cache, a);
	finish(&cache, "busy");
}

static void test_limits(void)
{
	struct mr_cache cache;
	struct mr_entry *a;

	start(&cache, 8 * page, 3);
	touch(&cache, 0, 2);
	touch(&cache, 10, 12);
	touch(&cache, 0, 2);
	touch(&cache, 20, 26);
	is_int(cache.stats.evictions, 1, "one had to go");
	touch(&cache, 0, 2);
	is_int(cache.stats.hits, 2, "not the one used last");
	ok(space.watched[0] && !space.watched[10], "nor is it watched on");
	touch(&cache, 30, 60);
	is_int(pinned, 8, "more than the limit is not kept");
	touch(&cache, 17, 22);
	is_int(pinned, 7, "nor is a range widened to more");
	touch(&cache, 1, 3);
	may_pin = 8;
	a = get(&cache, 40, 48);
	ok(a && pinned == 8, "no memory: unused ones go");
	ok(!get(&cache, 50, 51), "and at last it fails");
	mr_cache_put(&cache, a);
	finish(&cache, "limits");
}

static void test_unwatchable(void)
{
	struct mr_cache cache;
	struct mr_entry *a;

	start(&cache, 1ul << 30, 16);
	space.strange[5] = true;
	touch(&cache, 4, 8);
	is_int(pinned, 0, "not watchable: not kept");
	space.absent[12] = true;
	touch(&cache, 10, 12);
	touch(&cache, 14, 16);
	ok(!get(&cache, 11, 14), "not mapped: refused");
	touch(&cache, 9, 11);
	a = get(&cache, 10, 11);
	space.lost = true;
	mr_cache_refresh(&cache);
	is_int(pinned, 3, "the watch is lost: nothing is kept");
	mr_cache_put(&cache, a);
	touch(&cache, 20, 21);
	is_int(pinned, 0, "from then on");
	finish(&cache, "unwatchable");
	start(&cache, 0, 16);
	touch(&cache, 1, 2);
	is_int(pinned, 0, "MRT_REG_CACHE=0");
	finish(&cache, "none");
}

static void test_constants(void)
{
	struct mr_cache cache;
	struct mr_entry *a, *b;

	start(&cache, 1ul << 30, 16);
	space.constant[5] = true;
	a = get(&cache, 4, 8);
	ok(a && !a->writes, "a page that cannot be written is read");
	b = get(&cache, 5, 7);
	ok(a == b, "again from the same registration");
	writes = true;
	ok(!get(&cache, 5, 6), "it is not written");
	mr_cache_put(&cache, a);
	mr_cache_put(&cache, b);
	a = get(&cache, 6, 7);
	ok(a && a->writes, "but those beside it are");
	mr_cache_put(&cache, a);
	writes = false;
	touch(&cache, 4, 8);
	space.constant[5] = false;
	writes = true;
	a = get(&cache, 5, 7);
	ok(a && a->writes, "a page that can be written since is");
	mr_cache_put(&cache, a);
	writes = false;
	finish(&cache, "constants");
}

static void test_fork(void)
{
	struct mr_cache cache;
	int status = 0;
	pid_t pid;

	start(&cache, 1ul << 30, 16);
	touch(&cache, 4, 8);
	pid = fork();
	if (!pid) {
		space.lost = true;
		mr_cache_refresh(&cache);
		touch(&cache, 4, 8);
		mr_cache_fini(&cache);
		_exit(regs[0].live && reg_count == 2 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	is_int(status, 0, "a child leaves its parent's alone");
	finish(&cache, "fork");
}

/* Searches all registrations for one that must be found. */
static bool expect_hit(size_t from, size_t to)
{
	for (size_t i = 0; i < REGS; i++)
		if (regs[i].live && regs[i].entry->cached &&
		    (regs[i].writes || !writes) && regs[i].from <= from &&
		    regs[i].to >= to)
			return true;
	return false;
}

/* Checks what must hold between calls once all changes are reported. */
static int violations(const struct mr_cache *cache)
{
	size_t cached = 0, bytes = 0;
	int bad = cache->stats.bytes != pinned * page;

	for (size_t i = 0; i < REGS; i++) {
		if (!regs[i].live)
			continue;
		bad += !regs[i].entry->cached && !regs[i].entry->refs;
		if (!regs[i].entry->cached)
			continue;
		cached++;
		bytes += (regs[i].to - regs[i].from) * page;
		for (size_t p = regs[i].from; p < regs[i].to; p++)
			bad +=
			    !space.watched[p] || regs[i].gen[p] != space.gen[p];
	}
	bad += cached != cache->count || cached > cache->config.entries;
	bad += bytes > cache->config.bytes;
	return bad;
}

/* Unmaps a page for a longer time, or maps it. */
static void toggle(size_t at)
{
	space.absent[at] = !space.absent[at];
	if (space.absent[at])
		change(at, at + 1, true);
}

struct use {
	struct mr_entry *entry;
	struct reg *reg;
};

static void one_get(struct mr_cache *cache, struct use *use)
{
	size_t from = (size_t)rand() % PAGES;
	size_t most = rand() % 4 ? 6 : PAGES;
	size_t to = from + 1 + (size_t)rand() % most;
	uint64_t hits;
	bool hit;

	if (to > PAGES)
		to = PAGES;
	mr_cache_refresh(cache);
	wrong += violations(cache);
	hits = cache->stats.hits;
	writes = rand() % 2;
	hit = expect_hit(from, to);
	use->entry = get(cache, from, to);
	if (!use->entry)
		return;
	use->reg = use->entry->handle;
	wrong += !is_right(use->entry, from, to);
	wrong += hit != (cache->stats.hits == hits + 1);
}

static void one_put(struct mr_cache *cache, struct use *use)
{
	wrong += !use->reg->live || use->reg->entry != use->entry;
	mr_cache_put(cache, use->entry);
	use->entry = NULL;
}

static uint64_t test_random(unsigned seed)
{
	struct use uses[USES] = {{0}};
	struct mr_cache cache;
	uint64_t hits;

	srand(seed);
	start(&cache, (20 + seed * 11 % 200) * page, 2 + seed * 7 % 20);
	may_pin = (size_t)(60 + rand() % 300);
	for (int i = 0; i < 3; i++)
		space.strange[rand() % PAGES] = true;
	for (int i = 0; i < 3; i++)
		space.constant[rand() % PAGES] = true;
	for (int step = 0; step < STEPS && !wrong; step++) {
		struct use *use = &uses[rand() % USES];
		size_t at = (size_t)rand() % (PAGES - 4);

		if (rand() % 8 == 0)
			change(at, at + 1 + (size_t)step % 4, rand() % 2);
		else if (rand() % 32 == 0)
			toggle(at);
		else if (use->entry)
			one_put(&cache, use);
		else
			one_get(&cache, use);
	}
	for (int i = 0; i < USES; i++)
		if (uses[i].entry)
			one_put(&cache, &uses[i]);
	hits = cache.stats.hits;
	mr_cache_fini(&cache);
	ok(!wrong && !pinned, "seed %u: %d random steps, %llu hits", seed,
	   STEPS, (unsigned long long)hits);
	return hits;
}

int main(int argc, char **argv)
{
	uint64_t hits = 0;

	page = (size_t)sysconf(_SC_PAGESIZE);
	if (argc > 1) {
		test_random((unsigned)atoi(argv[1]));
		return tap_done();
	}
	test_reuse();
	test_busy();
	test_limits();
	test_unwatchable();
	test_constants();
	test_fork();
	for (unsigned seed = 1; seed <= SEEDS; seed++)
		hits += test_random(seed);
	ok(hits > STEPS / 2, "%llu hits in all", (unsigned long long)hits);
	return tap_done();
}
