/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verbs_bench.c measures one figure of libmrt over RDMA, to compare with
 * perftest's, on two ranks. Of single operations it prints the median, as
 * perftest's t_typical, because a software device now and then takes
 * milliseconds.
 *
 *   verbs_bench latency|barrier|bandwidth|atomic|sends
 *   verbs_bench put|get|fetch_and_op|lock_put
 *   verbs_bench memory [FIRST]
 *   verbs_bench little
 *
 * latency, barrier, atomic: us. bandwidth: MiB/s of 64 KiB messages, each read
 * by the receiver, 16 at a time. sends: calls of ibv_post_send, and
 * completions, per message of a burst. put and so on: us of an operation on 8
 * bytes of rank 1's window and its flush, or with its lock and unlock, while
 * rank 1 waits in a barrier. memory, on any number of ranks: KiB of
 * the process that a connected peer takes, without receive buffers, and KiB of
 * posted receive buffers with FIRST (0) peers and with all. little, on any
 * number of ranks: a barrier and a gather of one word, and nothing is printed.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt_lib.h"
#include "runtime/base/clock.h"
#include "runtime/fabric/fabric.h"
#include "runtime/fabric/verbs/verbs.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

enum { ROUNDS = 1500, WARMUP = 100, WINDOW = 16, LONG = 65536, BURST = 512 };

static int me;
static double samples[ROUNDS];

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(int n)
{
	qsort(samples, (size_t)n, sizeof(*samples), by_value);
	return samples[n / 2];
}

/* Returns the median us of one operation of rank 0, times `share`. */
static double time_each(void (*operation)(void), double share)
{
	for (int i = -WARMUP; i < ROUNDS; i++) {
		uint64_t start = clock_ns();

		operation();
		if (i >= 0)
			samples[i] =
			    (double)(clock_ns() - start) * 1e-3 * share;
	}
	return median(ROUNDS);
}

static void ping_pong(void)
{
	char buf[8] = "";

	if (me == 0)
		mrt_send(buf, 8, MRT_BYTE, 1, 0, MRT_COMM_WORLD);
	mrt_recv(buf, 8, MRT_BYTE, 1 - me, 0, MRT_COMM_WORLD, NULL);
	if (me == 1)
		mrt_send(buf, 8, MRT_BYTE, 0, 0, MRT_COMM_WORLD);
}

static void barrier(void)
{
	mrt_barrier(MRT_COMM_WORLD);
}

/* ---- bandwidth ---- */

static char *buffer;

static void window(void)
{
	struct mrt_request *r[WINDOW];
	char reply;

	for (int i = 0; i < WINDOW; i++) {
		if (me == 0)
			mrt_isend(buffer + i * LONG, LONG, MRT_BYTE, 1, 0,
				  MRT_COMM_WORLD, &r[i]);
		else
			mrt_irecv(buffer + i * LONG, LONG, MRT_BYTE, 0, 0,
				  MRT_COMM_WORLD, &r[i]);
	}
	mrt_waitall(WINDOW, r, NULL);
	if (me == 1)
		mrt_send(&reply, 1, MRT_BYTE, 0, 1, MRT_COMM_WORLD);
	else
		mrt_recv(&reply, 1, MRT_BYTE, 1, 1, MRT_COMM_WORLD, NULL);
}

static double bandwidth(void)
{
	enum { TIMES = 20 };
	uint64_t start;

	buffer = calloc(WINDOW, LONG);
	window();
	start = clock_ns();
	for (int i = 0; i < TIMES; i++)
		window();
	return (double)TIMES * WINDOW * LONG / 1048576.0 /
	       ((double)(clock_ns() - start) * 1e-9);
}

/* ---- atomics ---- */

static struct {
	struct fab_op op; /* must be first */
	bool over;
} pending;

static struct {
	uint64_t addr;
	struct fab_key key;
} word;

static void done(struct fab_op *op, int status)
{
	pending.over = true;
}

static void fetch_add(void)
{
	struct fab_ep *ep = proc_ep(1);
	WAIT(w, wait_text, "an operation");
	uint64_t before;

	pending.op.done = done;
	pending.over = false;
	ep->ops->fetch_add(ep, word.addr, word.key, 1, &before, &pending.op);
	while (!pending.over)
		wait_poll(&w);
}

static double atomic(void)
{
	struct fab_mem *mem;
	double us = 0;
	void *p;

	mrt_alloc(8, &p);
	word.addr = (uintptr_t)p;
	proc.fab->ops->mem_register(proc.fab, p, 8, FAB_KEPT, &mem, &word.key);
	mrt_bcast(&word, sizeof(word), MRT_BYTE, 1, MRT_COMM_WORLD);
	if (me == 0)
		us = time_each(fetch_add, 1);
	mrt_barrier(MRT_COMM_WORLD);
	proc.fab->ops->mem_deregister(proc.fab, mem);
	mrt_free(p);
	return us;
}

/* ---- windows ---- */

static struct mrt_win *win;
static int64_t local[2];
static const struct mrt_target target = {1, 0, 1, MRT_INT64};

static void put(void)
{
	mrt_put(local, 1, MRT_INT64, &target, win, NULL);
	mrt_win_flush(1, win);
}

static void get(void)
{
	mrt_get(local, 1, MRT_INT64, &target, win, NULL);
	mrt_win_flush(1, win);
}

static void fetch_and_op(void)
{
	mrt_get_accumulate(&local[0], 1, MRT_INT64, &local[1], 1, MRT_INT64,
			   &target, MRT_SUM, win, NULL);
	mrt_win_flush(1, win);
}

static void lock_put(void)
{
	mrt_win_lock(1, 1, 0, win);
	mrt_put(local, 1, MRT_INT64, &target, win, NULL);
	mrt_win_unlock(1, win);
}

static const struct {
	const char *name;
	void (*run)(void);
} operations[] = {{"put", put},
		  {"get", get},
		  {"fetch_and_op", fetch_and_op},
		  {"lock_put", lock_put}};
enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

static double window_operation(int k)
{
	bool locks = operations[k].run == lock_put;
	double us = 0;
	void *base;

	mrt_win_allocate(8, 1, MRT_COMM_WORLD, &base, &win);
	if (me == 0 && !locks)
		mrt_win_lock_all(0, win);
	if (me == 0)
		us = time_each(operations[k].run, 1);
	if (me == 0 && !locks)
		mrt_win_unlock_all(win);
	mrt_barrier(MRT_COMM_WORLD);
	mrt_win_free(&win);
	return us;
}

/* ---- what a message and a peer cost ---- */

static void burst(void)
{
	struct mrt_request *r[BURST];
	char buf[8] = "";

	for (int i = 0; i < BURST; i++) {
		if (me == 0)
			mrt_isend(buf, 8, MRT_BYTE, 1, 0, MRT_COMM_WORLD,
				  &r[i]);
		else
			mrt_irecv(buf, 8, MRT_BYTE, 0, 0, MRT_COMM_WORLD,
				  &r[i]);
	}
	mrt_waitall(BURST, r, NULL);
}

static void sends(void)
{
	const struct vb *vb = (const struct vb *)proc.fab;
	struct vb_counts before;

	mrt_barrier(MRT_COMM_WORLD);
	before = vb->counts;
	burst();
	if (me == 0)
		printf("%.3f %.4f\n",
		       (double)(vb->counts.posts - before.posts) / BURST,
		       (double)(vb->counts.completions - before.completions) /
			   BURST);
	mrt_barrier(MRT_COMM_WORLD);
}

/* Returns the bytes of the device's rings that this process has mapped. */
static double mapped_rings(void)
{
	unsigned long start, end, sum = 0;
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "/dev/infiniband/uverbs") &&
		    sscanf(line, "%lx-%lx", &start, &end) == 2)
			sum += end - start;
	if (maps)
		fclose(maps);
	return (double)sum;
}

static double buffers(const struct vb *vb)
{
	return (double)vb->conn.posted * (double)vb->conn.rx.len;
}

static void connect_peers(int first, int last)
{
	for (int r = first; r <= last; r++)
		mrt_send(NULL, 0, MRT_BYTE, r, 0, MRT_COMM_WORLD);
}

/* Rank 0 connects the others, one after the other, and measures what all but
 * the first take. Run this with MRT_MESH_MAX=0 and MRT_IB_DATAGRAMS=0. */
static void memory(int first)
{
	const struct vb *vb = (const struct vb *)proc.fab;
	int last = mrt_size(MRT_COMM_WORLD) - 1;
	double posted, peer;

	if (me > 0) {
		mrt_recv(NULL, 0, MRT_BYTE, 0, 0, MRT_COMM_WORLD, NULL);
		return;
	}
	connect_peers(1, first);
	posted = buffers(vb);
	peer = -mapped_rings() - (double)mallinfo2().uordblks;
	connect_peers(first + 1, last);
	peer += mapped_rings() + (double)mallinfo2().uordblks;
	printf("%.1f %.1f %.1f\n",
	       (peer / (last - first) + sizeof(struct vb_ep)) / 1024,
	       posted / 1024, buffers(vb) / 1024);
}

static void little(void)
{
	int size = mrt_size(MRT_COMM_WORLD);
	int *all = calloc((size_t)size, sizeof(int));

	barrier();
	mrt_gather(&me, 1, MRT_INT, all, 1, MRT_INT, 0, MRT_COMM_WORLD);
	for (int r = 0; r < size && me == 0; r++)
		if (!all || all[r] != r)
			mrt_abort(MRT_COMM_WORLD, 1);
	free(all);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	double figure = -1;

	mrt_init(&argc, &argv);
	me = mrt_rank(MRT_COMM_WORLD);
	if (strcmp(proc.fab->ops->name, "verbs") != 0) {
		fprintf(stderr, "verbs_bench: MRT_FABRIC=verbs mrun\n");
		mrt_abort(MRT_COMM_WORLD, 64);
	}
	if (!strcmp(what, "latency"))
		figure = time_each(ping_pong, 0.5);
	else if (!strcmp(what, "barrier"))
		figure = time_each(barrier, 1);
	else if (!strcmp(what, "bandwidth"))
		figure = bandwidth();
	else if (!strcmp(what, "atomic"))
		figure = atomic();
	else if (!strcmp(what, "sends"))
		sends();
	else if (!strcmp(what, "little"))
		little();
	else if (!strcmp(what, "memory"))
		memory(argc > 2 ? atoi(argv[2]) : 0);
	for (int k = 0; k < OPERATIONS; k++)
		if (!strcmp(what, operations[k].name))
			figure = window_operation(k);
	if (me == 0 && figure >= 0)
		printf("%.2f\n", figure);
	return mrt_finalize() ? 1 : 0;
}
