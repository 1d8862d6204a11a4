/* SPDX-License-Identifier: Apache-2.0 */
/*
 * held.c: three ranks. Rank 0 holds all its send buffers in messages to rank 1
 * that ask for no completion, then reads from rank 2, to which nothing is under
 * way. With MRT_IB_POOL=64K there are 16 buffers. Prints the shortest of some
 * reads in ms.
 */
#include <stdio.h>

#include "mrt.h"
#include "runtime/fabric/fabric.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

enum { HELD = 16, BYTES = 400, ROUNDS = 4 };

struct remote {
	uint64_t addr;
	struct fab_key key;
};

static bool over;

static void done(struct fab_op *op, int status)
{
	over = !status;
}

static double read_ms(const struct remote *from)
{
	struct fab_op op = {done};
	struct fab_ep *ep = proc_ep(2);
	WAIT(w, wait_text, "an operation");
	double start = mrt_wtime();
	uint64_t word;

	over = false;
	ep->ops->read(ep, &word, from->addr, from->key, sizeof(word), &op);
	while (!over && !wait_poll(&w))
		;
	return (mrt_wtime() - start) * 1e3;
}

static double rounds(int me, const struct remote *from)
{
	char buf[BYTES] = "";
	double ms, best = 1e9;

	for (int k = 0; k < ROUNDS; k++) {
		for (int i = 0; i < HELD; i++) {
			if (me == 0)
				mrt_send(buf, BYTES, MRT_BYTE, 1, 0,
					 MRT_COMM_WORLD);
			else if (me == 1)
				mrt_recv(buf, BYTES, MRT_BYTE, 0, 0,
					 MRT_COMM_WORLD, NULL);
		}
		ms = me == 0 ? read_ms(from) : 0;
		best = ms < best ? ms : best;
		mrt_barrier(MRT_COMM_WORLD);
	}
	return best;
}

int main(int argc, char **argv)
{
	uint64_t word = 1;
	struct remote mem = {(uintptr_t)&word, {{0, 0}}};
	struct fab_mem *handle;
	double ms;
	int me;

	mrt_init(&argc, &argv);
	me = mrt_rank(MRT_COMM_WORLD);
	proc.fab->ops->mem_register(proc.fab, &word, sizeof(word), FAB_KEPT,
				    &handle, &mem.key);
	mrt_bcast(&mem, sizeof(mem), MRT_BYTE, 2, MRT_COMM_WORLD);
	ms = rounds(me, &mem);
	if (me == 0)
		printf("%.0f ms\n", ms);
	proc.fab->ops->mem_deregister(proc.fab, handle);
	return mrt_finalize();
}
