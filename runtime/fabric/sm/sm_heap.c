/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_heap.c: memory that peers of the node can map (mrt_alloc). The heap
 * consists of arenas, each a file twice as large as the one before, so there
 * are never many. Inside an arena, free blocks are in lists by size, so that
 * taking one walks few, and a block that is freed, which a search tree finds,
 * is merged with the free ones beside it. Blocks that have never been handed
 * out, and long ones that were freed, are parts of files without memory, which
 * read as zeros. A peer maps a whole arena at its first access, through
 * /proc/PID/fd.
 */
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/limits.h"
#include "runtime/base/log.h"
#include "runtime/base/page.h"
#include "runtime/fabric/sm/sm_heap.h"

enum {
	ARENA_MIN = 1 << 20,
	ALIGN = 64,
	BINS = 40, /* of free blocks: bin k has those of 2^k to 2^(k+1) ALIGN */
	TRIES = 8, /* blocks of a bin that are looked at first */
	/* bytes: longer blocks give their pages back when they are freed; a
	 * page that is touched again takes ten times as long as one that is
	 * cleared */
	DROP_MIN = 64 << 20
};

struct heap_block {
	struct list link; /* in address order */
	struct list free; /* in a bin, unless it is used */
	struct arena *arena;
	size_t off, len;
	bool used;
	bool fresh; /* it holds zeros */
};

struct arena {
	struct list link;
	char *base;
	size_t len;
	int fd;
	bool reserved; /* the file has memory that it must keep */
	uint64_t inode;
	struct list blocks;
	struct list bins[BINS];
};

/* ---- own heap ---- */

/* Creates an unnamed file in /dev/shm, for systems that forbid memfd_create. It
 * is preallocated, so that no write ends in SIGBUS. */
static int nameless_file(size_t len)
{
	int fd =
	    open("/dev/shm", O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
	int err;

	if (fd < 0)
		return -1;
	err =
	    limit_allows_file(len) ? posix_fallocate(fd, 0, (off_t)len) : EFBIG;
	if (!err)
		return fd;
	close(fd);
	errno = err;
	return -1;
}

static int arena_file(size_t len, bool *reserved)
{
	int fd = sm_memfd(len);

	*reserved = fd < 0 && (errno == EPERM || errno == ENOSYS);
	return *reserved ? nameless_file(len) : fd;
}

static char *address_of(const struct heap_block *b)
{
	return b->arena->base + b->off;
}

static int by_address(const void *x, const void *y)
{
	const char *a = address_of(x), *b = address_of(y);

	return (a > b) - (a < b);
}

static int bin_of(size_t len)
{
	return 63 - __builtin_clzll(len / ALIGN);
}

static void bin_put(struct heap_block *b)
{
	struct list *bin = &b->arena->bins[bin_of(b->len)];

	list_append(bin->next, &b->free); /* first */
}

static struct arena *arena_map(size_t len)
{
	struct arena *a = calloc(1, sizeof(*a));
	struct heap_block *all = calloc(1, sizeof(*all));
	struct stat st;
	int err;

	if (!a || !all)
		goto free_structs;
	a->len = len;
	a->fd = arena_file(len, &a->reserved);
	if (a->fd < 0)
		goto free_structs;
	a->base = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, a->fd, 0);
	if (a->base == MAP_FAILED || fstat(a->fd, &st))
		goto close_fd;
	a->inode = st.st_ino;
	all->arena = a;
	all->len = len;
	all->fresh = true;
	list_init(&a->blocks);
	list_append(&a->blocks, &all->link);
	for (int k = 0; k < BINS; k++)
		list_init(&a->bins[k]);
	bin_put(all);
	return a;
close_fd:
	err = errno;
	close(a->fd);
	errno = err;
free_structs:
	free(a);
	free(all);
	return NULL;
}

static struct arena *arena_add(struct sm *sm, size_t need)
{
	size_t len = (size_t)ARENA_MIN << sm->heap.narenas;
	struct sm_arena *card;
	struct arena *a;

	if (sm->heap.narenas == SM_ARENAS)
		return NULL;
	need = page_align(need);
	a = arena_map(len > need ? len : need);
	if (!a)
		return NULL;
	list_append(&sm->heap.arenas, &a->link);
	card = &sm->card->arenas[sm->heap.narenas++];
	card->len = a->len;
	card->fd = a->fd;
	card->inode = a->inode;
	/* release: pairs with the acquire in sm_heap_map, so that len, fd and
	 * inode are there before base */
	atomic_store_explicit(&card->base, (uintptr_t)a->base,
			      memory_order_release);
	return a;
}

/* Cuts a free block to its first len bytes, with a new free block behind it for
 * the rest. NULL: no memory. */
static struct heap_block *block_split(struct heap_block *b, size_t len)
{
	struct heap_block *rest;

	if (b->len == len)
		return b;
	rest = calloc(1, sizeof(*rest));
	if (!rest)
		return NULL;
	list_remove(&b->free);
	rest->arena = b->arena;
	rest->off = b->off + len;
	rest->len = b->len - len;
	rest->fresh = b->fresh;
	b->len = len;
	list_append(b->link.next, &rest->link); /* directly behind b */
	bin_put(rest);
	bin_put(b);
	return b;
}

/* Clears what has been written to. The rest are holes of the file, and clearing
 * these would give them pages. */
static void block_clear(const struct arena *a, const struct heap_block *b)
{
	off_t at = (off_t)b->off, end = at + (off_t)b->len, hole;

	for (; at < end; at = hole) {
		off_t data = lseek(a->fd, at, SEEK_DATA);

		if ((data < 0 && errno == ENXIO) || data >= end)
			return;
		hole = data < 0 ? end : lseek(a->fd, data, SEEK_HOLE);
		if (data > at)
			at = data;
		if (hole < 0 || hole > end)
			hole = end;
		memset(a->base + at, 0, (size_t)(hole - at));
	}
}

/* Returns a free block with room, after at most `tries` of each bin; or NULL.
 */
static struct heap_block *block_find(const struct arena *a, size_t len,
				     size_t align, int tries)
{
	for (int k = bin_of(len); k < BINS; k++) {
		int left = tries;

		list_for_each (it, &a->bins[k]) {
			struct heap_block *b =
			    list_entry(it, struct heap_block, free);

			if (b->len >= len + (-b->off & (align - 1)))
				return b;
			if (!--left)
				break;
		}
	}
	return NULL;
}

/* Returns a block that is used from now on, or NULL if there is no room. */
static struct heap_block *heap_take(struct sm *sm, size_t len, size_t align,
				    int tries)
{
	struct heap_block *b = NULL;

	list_for_each (it, &sm->heap.arenas)
		if (!b)
			b = block_find(list_entry(it, struct arena, link), len,
				       align, tries);
	if (b && -b->off & (align - 1)) {
		b = block_split(b, -b->off & (align - 1));
		if (b)
			b = list_entry(b->link.next, struct heap_block, link);
	}
	if (!b || !block_split(b, len) ||
	    !tsearch(b, &sm->heap.used, by_address))
		return NULL;
	list_remove(&b->free);
	b->used = true;
	return b;
}

/* Whether the machine has less memory: zeroing so much would get the job killed
 * instead of an error. */
static bool is_beyond_memory(size_t len)
{
	return len / page_size() > (size_t)sysconf(_SC_PHYS_PAGES);
}

int sm_heap_alloc(struct fab *fab, size_t len, bool zeroed, void **ptr)
{
	struct sm *sm = (struct sm *)fab;
	size_t align = len >= page_size() ? page_size() : ALIGN;
	struct heap_block *b;

	if (is_beyond_memory(len))
		return log_error(MRT_ERR_NO_MEM,
				 "mrt_alloc of %zu bytes: the machine has less",
				 len);
	len = len ? (len + ALIGN - 1) & ~(size_t)(ALIGN - 1) : ALIGN;
	b = heap_take(sm, len, align, TRIES) ?: heap_take(sm, len, align, 0);
	if (!b && arena_add(sm, len))
		b = heap_take(sm, len, align, 0);
	if (!b && sm->heap.narenas == SM_ARENAS)
		return log_error(MRT_ERR_RESOURCE,
				 "mrt_alloc of %zu bytes: its %d arenas are "
				 "used up",
				 len, SM_ARENAS);
	if (!b)
		return log_error(error_from_errno(errno),
				 "mrt_alloc of %zu bytes: %s; %s", len,
				 strerror(errno), limit_advice(errno));
	if (zeroed && !b->fresh)
		block_clear(b->arena, b);
	b->fresh = false;
	*ptr = address_of(b);
	return 0;
}

/* Joins b with the block behind it if both are free. */
static void block_merge(struct heap_block *b)
{
	struct heap_block *next =
	    list_entry(b->link.next, struct heap_block, link);

	if (&next->link == &b->arena->blocks || b->used || next->used)
		return;
	list_remove(&b->free);
	list_remove(&next->free);
	b->len += next->len;
	b->fresh &= next->fresh;
	list_remove(&next->link);
	free(next);
	bin_put(b);
}

/* Gives the pages of a long block that was freed back. */
static void drop_pages(const struct arena *a, struct heap_block *b)
{
	char *at = a->base + b->off;
	size_t whole = b->len & ~(page_size() - 1);

	if (b->len < DROP_MIN || a->reserved || madvise(at, whole, MADV_REMOVE))
		return;
	memset(at + whole, 0, b->len - whole);
	b->fresh = true;
}

int sm_heap_free(struct fab *fab, void *ptr)
{
	struct sm *sm = (struct sm *)fab;
	struct arena here = {.base = ptr};
	const struct heap_block key = {.arena = &here};
	struct heap_block **found = tfind(&key, &sm->heap.used, by_address);
	struct heap_block *b;

	if (!found)
		return MRT_ERR_BUFFER;
	b = *found;
	tdelete(b, &sm->heap.used, by_address);
	b->used = false;
	bin_put(b);
	drop_pages(b->arena, b);
	block_merge(b);
	if (b->link.prev != &b->arena->blocks)
		block_merge(list_entry(b->link.prev, struct heap_block, link));
	return 0;
}

/* ---- peers' heaps ---- */

/* Maps an arena of a peer. The caller has read its length once, as the peer
 * could change it after a check. */
static void *map_arena(struct sm_ep *ep, const struct sm_arena *card,
		       size_t len)
{
	char path[64];
	struct stat st;
	void *p = MAP_FAILED;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", ep->card->pid, card->fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	/* in another PID namespace the PID is that of another process */
	if (!fstat(fd, &st) && (uint64_t)st.st_size == len &&
	    st.st_ino == card->inode)
		p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return p == MAP_FAILED ? NULL : p;
}

int sm_heap_map(struct fab_ep *fep, uint64_t remote, size_t len, void **local)
{
	struct sm_ep *ep = (struct sm_ep *)fep;

	for (int k = 0; k < SM_ARENAS; k++) {
		const struct sm_arena *card = &ep->card->arenas[k];
		/* acquire: pairs with the release in arena_add */
		uint64_t base =
		    atomic_load_explicit(&card->base, memory_order_acquire);
		struct sm_map *map = &ep->maps[k];
		uint64_t size =
		    map->at ? map->len : *(volatile const uint64_t *)&card->len;

		if (!base)
			break;
		if (remote < base || len > size || remote - base > size - len)
			continue;
		if (!map->at) {
			map->len = size;
			map->at = map_arena(ep, card, size);
		}
		if (!map->at)
			break;
		*local = (char *)map->at + (remote - base);
		return 0;
	}
	return MRT_ERR_BUFFER;
}

static void block_keep(void *block)
{
	(void)block; /* its arena has it, too */
}

void sm_heap_fini(struct sm *sm)
{
	struct list *it;

	for (int s = 0; s < sm->slots; s++)
		for (int k = 0; k < SM_ARENAS; k++)
			if (sm->eps[s].maps[k].at)
				munmap(sm->eps[s].maps[k].at,
				       sm->eps[s].maps[k].len);
	tdestroy(sm->heap.used, block_keep);
	while ((it = list_pop(&sm->heap.arenas))) {
		struct arena *a = list_entry(it, struct arena, link);
		struct list *jt;

		while ((jt = list_pop(&a->blocks)))
			free(list_entry(jt, struct heap_block, link));
		munmap(a->base, a->len);
		close(a->fd);
		free(a);
	}
}
