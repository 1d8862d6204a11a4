/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mixed.c: collectives in an order drawn from a seed, over several
 * communicators and with lengths on both sides of every threshold, so that
 * messages, lines and buffers in shared memory follow each other in all ways;
 * communicators that are created and freed in between; wrong arguments. Rank 0
 * prints TAP. Run under mrun by collectives.t.
 *
 *   mixed ROUNDS [many]    many: also as many communicators as there can be
 */
#include <mrt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40000, KINDS = 4, MANY = 1 << 15 };

static int me, n, failed;
static unsigned seed = 12345; /* the same on all ranks */
static long in[MOST + 1], out[MOST + 1];

static unsigned draw(void)
{
	seed = seed * 1664525u + 1013904223u;
	return seed >> 8;
}

/* Reports a result that must hold on every rank. */
static void ok(int here, const char *what)
{
	int all = here;

	mrt_allreduce(MRT_IN_PLACE, &all, 1, MRT_INT, MRT_MIN, MRT_COMM_WORLD);
	if (me == 0)
		printf("%sok - %s\n", all ? "" : "not ", what);
	failed += !all;
}

static long input(long salt, int rank, size_t i)
{
	return salt + rank * 7 + (long)i;
}

static int is_bcast(size_t count, long salt, int root)
{
	for (size_t i = 0; i < count; i++)
		if (in[i] != input(salt, root, i))
			return 0;
	return in[count] == -1;
}

static int is_sum(size_t count, long salt, int size)
{
	for (size_t i = 0; i < count; i++)
		if (out[i] !=
		    size * input(salt, 0, i) + 7l * size * (size - 1) / 2)
			return 0;
	return out[count] == -1;
}

static int sum(struct mrt_comm *comm, size_t count, int root, long salt)
{
	int has = root < 0 || mrt_rank(comm) == root;
	const void *send = in;

	if (has && draw() % 2) {
		memcpy(out, in, count * sizeof(*in));
		send = MRT_IN_PLACE;
	} else if (!has) {
		draw();
	}
	if (root < 0)
		mrt_allreduce(send, out, count, MRT_LONG, MRT_SUM, comm);
	else
		mrt_reduce(send, out, count, MRT_LONG, MRT_SUM, root, comm);
	return !has || is_sum(count, salt, mrt_size(comm));
}

/* Draws and calls a collective. Returns whether its result is right here. */
static int one(struct mrt_comm *comm, size_t count)
{
	int rank = mrt_rank(comm), size = mrt_size(comm);
	int root = (int)(draw() % (unsigned)size);
	long salt = draw() % 1000;
	unsigned kind = draw() % KINDS;

	for (size_t i = 0; i < count; i++) {
		in[i] = kind == 1 && rank != root ? 0 : input(salt, rank, i);
		out[i] = -2;
	}
	in[count] = out[count] = -1;
	switch (kind) {
	case 0:
		return mrt_barrier(comm) == 0;
	case 1:
		mrt_bcast(in, count, MRT_LONG, root, comm);
		return is_bcast(count, salt, root);
	default:
		return sum(comm, count, kind == 2 ? root : -1, salt);
	}
}

static void test_mix(int rounds)
{
	static const size_t counts[] = {0,    1,    1,	  2,	 5,   6,
					7,    100,  255,  256,	 257, 1000,
					2048, 2049, 5000, 16384, MOST};
	struct mrt_comm *comms[5] = {MRT_COMM_WORLD, NULL, NULL, NULL,
				     MRT_COMM_SELF};
	struct mrt_comm *half;
	int good = 1;

	mrt_comm_dup(MRT_COMM_WORLD, &comms[1]);
	mrt_comm_split(MRT_COMM_WORLD, 0, -me, &comms[2]);
	mrt_comm_split_node(MRT_COMM_WORLD, 0, &comms[3]);
	mrt_comm_split(MRT_COMM_WORLD, me % 2, me, &half);
	ok(mrt_rank(comms[2]) == n - 1 - me, "split orders by key");
	ok(mrt_size(comms[3]) == mrt_node_size(), "split by node");
	ok(mrt_size(half) == (n + 1 - me % 2) / 2, "split by colour");
	for (int i = 0; i < rounds; i++) {
		struct mrt_comm *comm = comms[draw() % 5];
		size_t count = counts[draw() % 17];
		unsigned next = draw();

		good &= one(comm, count);
		if (i % 7 == 0)
			good &= one(half, count);
		/* ranks of different sizes have drawn differently */
		seed = next;
	}
	ok(good, "every result of a mix of collectives");
	for (int k = 1; k < 4; k++)
		mrt_comm_free(&comms[k]);
	mrt_comm_free(&half);
	ok(half == MRT_COMM_NULL, "freed");
}

static void test_lifetimes(int rounds)
{
	int good = 1;

	for (int i = 0; i < rounds; i++) {
		struct mrt_comm *x, *y;

		mrt_comm_dup(MRT_COMM_WORLD, &x);
		mrt_comm_split(x, me % 3 == 2 ? MRT_UNDEFINED : me % 3, 0, &y);
		good &= (y == MRT_COMM_NULL) == (me % 3 == 2);
		good &= one(x, 3);
		mrt_comm_free(&x);
		seed = (unsigned)i;
		if (y != MRT_COMM_NULL) {
			good &= one(y, 4);
			mrt_comm_free(&y);
		}
		seed = (unsigned)i * 17;
	}
	ok(good, "communicators made and freed");
}

static void test_arguments(void)
{
	struct mrt_comm *comm;
	long x = 1, y = 2;

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	ok(mrt_barrier(MRT_COMM_NULL) == MRT_ERR_COMM, "no communicator");
	ok(mrt_bcast(&x, 1, MRT_LONG, n, MRT_COMM_WORLD) == MRT_ERR_ROOT,
	   "no such root");
	ok(mrt_bcast(NULL, 1, MRT_LONG, 0, MRT_COMM_WORLD) == MRT_ERR_BUFFER,
	   "no buffer");
	ok(mrt_bcast(&x, (size_t)-1, MRT_LONG, 0, MRT_COMM_WORLD) ==
	       MRT_ERR_COUNT,
	   "negative count");
	ok(mrt_allreduce(&x, &y, 1, MRT_TYPE_NULL, MRT_SUM, MRT_COMM_WORLD) ==
	       MRT_ERR_TYPE,
	   "no type");
	ok(mrt_allreduce(&x, &y, 1, MRT_DOUBLE, MRT_BAND, MRT_COMM_WORLD) ==
	       MRT_ERR_OP,
	   "operation not for this type");
	ok(mrt_allreduce(&x, &x, 1, MRT_LONG, MRT_SUM, MRT_COMM_WORLD) ==
	       MRT_ERR_BUFFER,
	   "buffers overlap");
	ok(mrt_reduce(MRT_IN_PLACE, &y, 1, MRT_LONG, MRT_SUM, (me + 1) % n,
		      MRT_COMM_WORLD) == (n > 1 ? MRT_ERR_BUFFER : 0),
	   "in place is for the root");
	ok(mrt_comm_split(MRT_COMM_WORLD, -5, 0, &comm) == MRT_ERR_ARG,
	   "negative colour");
	comm = MRT_COMM_WORLD;
	ok(mrt_comm_free(&comm) == MRT_ERR_COMM, "world stays");
	ok(y == 2 || n == 1, "no output on error");
	mrt_set_error_mode(MRT_ERRORS_FATAL);
}

static void test_many(void)
{
	static struct mrt_comm *comms[MANY];
	int k = 0, rc;

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	while (!(rc = mrt_comm_dup(MRT_COMM_WORLD, &comms[k])))
		k++;
	ok(rc == MRT_ERR_RESOURCE && k == MANY - 2,
	   "2^15 communicators with world and self, and no more");
	mrt_comm_free(&comms[k / 2]);
	rc = mrt_comm_dup(MRT_COMM_WORLD, &comms[k / 2]);
	ok(!rc && one(comms[k / 2], 10), "one freed, one made");
	while (k-- > 0)
		rc |= mrt_comm_free(&comms[k]);
	ok(!rc, "all freed");
	mrt_set_error_mode(MRT_ERRORS_FATAL);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1000;

	mrt_init(&argc, &argv);
	me = mrt_rank(MRT_COMM_WORLD);
	n = mrt_size(MRT_COMM_WORLD);
	test_mix(rounds);
	test_lifetimes(rounds / 10);
	test_arguments();
	if (argc > 2)
		test_many();
	mrt_finalize();
	return failed > 0;
}
