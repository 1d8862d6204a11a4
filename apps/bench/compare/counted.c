/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counted.c: counted FILE: runs what callgrind counts instructions of, on rank
 * 0: 8-byte messages, and polling for a message that does not come. FILE is
 * created; both ranks map it to tell each other outside of MPI how far they
 * are, so that a message has arrived before it is received and no call waits:
 * the counts are the same each time.
 *
 *	valgrind --tool=callgrind --toggle-collect='counted_*'
 *		--dump-before='end_of_*'
 *
 * writes a file for each kind of call, with ROUNDS calls after a warm-up.
 */
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROUNDS = 1000, WARM_UP = 200, TAG = 1, TAG_NEVER = 2 };
#define W MPI_COMM_WORLD
#define COUNTED __attribute__((noinline)) void

static double out = 1, in;
static MPI_Request never;
/* mine[0] and theirs[0] count steps; on separate cache lines */
static _Atomic int *mine, *theirs;
static int me;

static inline void op_send(void)
{
	MPI_Send(&out, 8, MPI_BYTE, 1 - me, TAG, W);
}

static inline void op_recv(void)
{
	MPI_Recv(&in, 8, MPI_BYTE, 1 - me, TAG, W, MPI_STATUS_IGNORE);
}

static inline void op_isend_wait(void)
{
	MPI_Request r;

	MPI_Isend(&out, 8, MPI_BYTE, 1 - me, TAG, W, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static inline void op_irecv_wait(void)
{
	MPI_Request r;

	MPI_Irecv(&in, 8, MPI_BYTE, 1 - me, TAG, W, &r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static inline void op_progress(void)
{
	int flag;

	MPI_Test(&never, &flag, MPI_STATUS_IGNORE);
}

static inline void op_probe(void)
{
	int flag;

	MPI_Iprobe(1 - me, TAG_NEVER, W, &flag, MPI_STATUS_IGNORE);
}

/* Functions that callgrind selects by name: neither inlined nor static. */
COUNTED counted_send(void);
COUNTED counted_recv(void);
COUNTED counted_isend_wait(void);
COUNTED counted_irecv_wait(void);
COUNTED counted_progress(void);
COUNTED counted_probe(void);
COUNTED end_of_send(void);
COUNTED end_of_recv(void);
COUNTED end_of_isend_wait(void);
COUNTED end_of_irecv_wait(void);
COUNTED end_of_progress(void);
COUNTED end_of_probe(void);

/* The asm keeps calls of empty functions from being optimised away. */
#define KIND(name)                                                             \
	COUNTED counted_##name(void)                                           \
	{                                                                      \
		op_##name();                                                   \
	}                                                                      \
	COUNTED end_of_##name(void)                                            \
	{                                                                      \
		__asm__ volatile("");                                          \
	}
KIND(send)
KIND(recv)
KIND(isend_wait)
KIND(irecv_wait)
KIND(progress)
KIND(probe)

/* Release and acquire: the other rank has left its call of MPI. */
static void counted_done(void)
{
	atomic_fetch_add_explicit(mine, 1, memory_order_release);
}

static void wait_for_peer(int steps)
{
	while (atomic_load_explicit(theirs, memory_order_acquire) < steps)
		sched_yield();
}

/* The sender goes first: rank 0 counts a send, or the receive of a message that
 * has arrived. */
static void counted_step(int sends, void (*call)(void), void (*other)(void))
{
	int before = atomic_load_explicit(mine, memory_order_relaxed);

	if ((me == 0) != sends)
		wait_for_peer(before + 1);
	if (me == 0)
		call();
	else
		other();
	counted_done();
	wait_for_peer(before + 1);
}

struct kind {
	int sends;
	void (*warm)(void), (*counted)(void), (*end)(void);
	void (*other)(void); /* called on rank 1 */
};

static void counted_nothing(void)
{
}

static void counted_run(const struct kind *k)
{
	for (int i = 0; i < WARM_UP; i++)
		counted_step(k->sends, k->warm, k->other);
	for (int i = 0; i < ROUNDS; i++)
		counted_step(k->sends, k->counted, k->other);
	if (me == 0)
		k->end();
}

static int map_flags(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	char *p;

	if (fd < 0 || ftruncate(fd, 4096))
		return -1;
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return -1;
	mine = (_Atomic int *)(void *)(p + 128 * me);
	theirs = (_Atomic int *)(void *)(p + 128 * (1 - me));
	return 0;
}

#define WAYS(name) op_##name, counted_##name, end_of_##name

int main(int argc, char **argv)
{
	static const struct kind kinds[] = {
	    {1, WAYS(send), op_recv},
	    {0, WAYS(recv), op_send},
	    {1, WAYS(isend_wait), op_recv},
	    {0, WAYS(irecv_wait), op_send},
	    {1, WAYS(progress), counted_nothing},
	    {1, WAYS(probe), counted_nothing}};
	double last;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(W, &me);
	if (argc != 2 || map_flags(argv[1]))
		MPI_Abort(W, 64);
	MPI_Barrier(W);
	for (int k = 0; k < 6; k++) {
		if (k == 4 && me == 0)
			MPI_Irecv(&last, 8, MPI_BYTE, 1, TAG_NEVER, W, &never);
		counted_run(&kinds[k]);
	}
	if (me == 0)
		MPI_Wait(&never, MPI_STATUS_IGNORE);
	else
		MPI_Send(&out, 8, MPI_BYTE, 0, TAG_NEVER, W);
	MPI_Finalize();
	return 0;
}
