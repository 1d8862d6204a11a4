/* SPDX-License-Identifier: Apache-2.0 */
/*
 * onesided.c tests read, write, writev, fetch_add and compare_swap of the
 * fabric contract, directly on the open fabric, between neighbours in a ring of
 * ranks, on ordinary memory and on memory of mrt_alloc. Rank 0 prints a line
 * per case. With --bad-key it reads with a key that was never issued.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/fabric/fabric.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

enum { WORDS = 1 << 18, ADDS = 200 };

static int failed, me, n;
static const char *memory; /* the kind of memory of the cases */

/* Records a result that must hold on every rank. */
static void ok(bool here, const char *what)
{
	int mine = here, all;

	mrt_allreduce(&mine, &all, 1, MRT_INT, MRT_MIN, MRT_COMM_WORLD);
	if (me == 0)
		printf("%sok - %s: %s\n", all ? "" : "not ", memory, what);
	failed += !all;
}

struct pending {
	struct fab_op op; /* must be first */
	bool over;
	int status;
};

static void done(struct fab_op *op, int status)
{
	struct pending *p = (struct pending *)op;

	p->over = true;
	p->status = status;
}

/* Waits for one operation and returns its status. */
static int finish(struct pending *p, int rc)
{
	WAIT(w, wait_text, "an operation");

	while (!rc && !p->over)
		rc = wait_poll(&w);
	return rc ? rc : p->status;
}

struct remote {
	uint64_t addr;
	struct fab_key key;
};

static void fill(uint64_t *words, int rank)
{
	for (int i = 0; i < WORDS; i++)
		words[i] = (uint64_t)rank << 32 | (uint64_t)i;
}

static bool filled(const uint64_t *words, int rank, int from, int to)
{
	for (int i = from; i < to; i++)
		if (words[i] != ((uint64_t)rank << 32 | (uint64_t)i))
			return false;
	return true;
}

static void copies(struct fab_ep *ep, const struct remote *r, uint64_t *buf)
{
	static const size_t sizes[] = {8, 4096, 65536, WORDS * 8};
	int right = (me + 1) % n;
	bool good = true;

	for (unsigned k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		struct pending p = {.op.done = done};

		memset(buf, 0, WORDS * 8);
		good &= !finish(&p, ep->ops->read(ep, buf, r->addr, r->key,
						  sizes[k], &p.op));
		good &= filled(buf, right, 0, (int)(sizes[k] / 8));
	}
	ok(good, "read: 8 bytes to 2 MiB of the right neighbour");
}

static void writes(struct fab_ep *ep, const struct remote *r, uint64_t *mine,
		   uint64_t *buf)
{
	struct pending p = {.op.done = done};
	int left = (me + n - 1) % n;
	int rc;

	fill(buf, 1000 + me);
	rc = finish(&p, ep->ops->write(ep, buf + 1, r->addr + 8, r->key,
				       (WORDS - 2) * 8, &p.op));
	mrt_barrier(MRT_COMM_WORLD);
	ok(!rc && filled(mine, 1000 + left, 1, WORDS - 1) &&
	       filled(mine, me, 0, 1) && filled(mine, me, WORDS - 1, WORDS),
	   "write: all but the first and last word, and no other");
}

/* Writes the words of buf in pieces of 1, 2, 3 .. words, from the last to the
 * first. */
static void gathers(struct fab_ep *ep, const struct remote *r, uint64_t *mine,
		    uint64_t *buf)
{
	enum { PIECES = 600, ALL = PIECES * (PIECES + 1) / 2 };
	struct iovec iov[PIECES];
	struct pending p = {.op.done = done};
	int left = (me + n - 1) % n, at = ALL, rc;
	bool good = true;

	if (!ep->ops->writev) {
		ok(true, "this fabric does not gather");
		return;
	}
	fill(buf, 2000 + me);
	for (int i = 0; i < PIECES; i++) {
		at -= i + 1;
		iov[i] = (struct iovec){buf + at, (size_t)(i + 1) * 8};
	}
	rc = finish(
	    &p, ep->ops->writev(ep, iov, PIECES, r->addr + 8, r->key, &p.op));
	mrt_barrier(MRT_COMM_WORLD);
	for (int i = 0, k = 1; i < PIECES; i++) {
		at = (int)((uint64_t *)iov[i].iov_base - buf);
		for (int j = 0; j <= i; j++, k++)
			good &= mine[k] == ((uint64_t)(2000 + left) << 32 |
					    (uint64_t)(at + j));
	}
	ok(!rc && good && filled(mine, me, 0, 1) &&
	       filled(mine, 1000 + left, ALL + 1, WORDS - 1),
	   "writev: 600 pieces, and no other word");
}

/* All ranks add to one word of rank 0. */
static void atomics(const struct remote *zero, uint64_t *mine)
{
	struct fab_ep *ep = proc_ep(0);
	uint64_t before = 0, last = 0, pair[2];
	bool rising = true;
	int rc = 0;

	mine[0] = 0;
	mrt_barrier(MRT_COMM_WORLD);
	for (int i = 0; i < ADDS && !rc; i++) {
		struct pending p = {.op.done = done};

		rc = finish(&p, ep->ops->fetch_add(ep, zero->addr, zero->key, 3,
						   &before, &p.op));
		rising &= i == 0 || before > last;
		last = before;
	}
	mrt_barrier(MRT_COMM_WORLD);
	ok(!rc && rising && (me || mine[0] == 3ull * ADDS * (uint64_t)n),
	   "fetch_add: every addition counts once");

	for (int i = 0; i < ADDS && !rc; i++) {
		do {
			struct pending p = {.op.done = done};

			pair[0] = last;
			pair[1] = last + 5;
			rc = finish(&p, ep->ops->compare_swap(ep, zero->addr,
							      zero->key, pair,
							      &before, &p.op));
			rising = before == last;
			last = rising ? last + 5 : before;
		} while (!rc && !rising);
	}
	mrt_barrier(MRT_COMM_WORLD);
	ok(!rc && (me || mine[0] == 8ull * ADDS * (uint64_t)n),
	   "compare_swap: as a counter");
}

static void run(uint64_t *mine, uint64_t *buf, const char *what)
{
	struct fab_mem *mem;
	struct remote own = {(uintptr_t)mine, {{0, 0}}}, right, zero;

	memory = what;
	fill(mine, me);
	ok(!proc.fab->ops->mem_register(proc.fab, mine, WORDS * 8, FAB_KEPT,
					&mem, &own.key),
	   "register");
	mrt_sendrecv(&own, sizeof(own), MRT_BYTE, (me + n - 1) % n, 1, &right,
		     sizeof(right), MRT_BYTE, (me + 1) % n, 1, MRT_COMM_WORLD,
		     MRT_STATUS_IGNORE);
	zero = own;
	mrt_bcast(&zero, sizeof(zero), MRT_BYTE, 0, MRT_COMM_WORLD);
	copies(proc_ep((me + 1) % n), &right, buf);
	mrt_barrier(MRT_COMM_WORLD);
	writes(proc_ep((me + 1) % n), &right, mine, buf);
	gathers(proc_ep((me + 1) % n), &right, mine, buf);
	atomics(&zero, mine);
	mrt_barrier(MRT_COMM_WORLD);
	proc.fab->ops->mem_deregister(proc.fab, mem);
}

static int read_with_bad_key(uint64_t *buf)
{
	struct fab_ep *ep = proc_ep(1);
	struct fab_key key = {{0x5a5a5a, 0x5a5a5a}};
	struct pending p = {.op.done = done};

	mrt_barrier(MRT_COMM_WORLD);
	if (me == 0)
		finish(&p, ep->ops->read(ep, buf, 4096, key, 8, &p.op));
	/* the fault ends the job here, if not before */
	return mrt_barrier(MRT_COMM_WORLD);
}

int main(int argc, char **argv)
{
	uint64_t *mine = malloc(WORDS * 8), *buf = malloc(WORDS * 8);
	void *shared;

	if (mrt_init(&argc, &argv) || !mine || !buf)
		return 1;
	me = mrt_rank(MRT_COMM_WORLD);
	n = mrt_size(MRT_COMM_WORLD);
	if (argc > 1 && strcmp(argv[1], "--bad-key") == 0)
		return read_with_bad_key(buf);
	run(mine, buf, "ordinary memory");
	mrt_alloc(WORDS * 8, &shared);
	run(shared, buf, "memory of mrt_alloc");
	mrt_free(shared);
	free(mine);
	free(buf);
	return mrt_finalize() || failed;
}
