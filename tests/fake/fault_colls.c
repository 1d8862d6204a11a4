/* SPDX-License-Identifier: Apache-2.0 */
/* fault_colls.c has the collectives of the storm of failures
 * (fault_storm.c). */
#include "tests/fake/fault_storm.h"

#include "tests/system/storm.h"

/* A struct call is one call: n words for each rank, or in all. */
struct call {
	int kind, root;
	size_t n;
	uint64_t *in, *out; /* room for n words of each rank */
	struct mrt_comm *comm;
	struct mrt_request *request;
};

/* Returns the kth word that rank r has for rank `to`, or for all. */
static uint64_t word(int r, int to, size_t k)
{
	return fs.seed * 31 + (uint64_t)r * 1000003 + (uint64_t)to * 7919 + k;
}

static uint64_t sum(int ranks, int to, size_t k)
{
	uint64_t all = 0;

	for (int r = 0; r < ranks; r++)
		all += word(r, to, k);
	return all;
}

static void check(const struct call *c, size_t at, uint64_t want)
{
	if (c->out[at] != want)
		fs_wrong("collective %d of %zu words, root %d: word %zu is "
			 "%llx, not %llx",
			 c->kind, c->n, c->root, at,
			 (unsigned long long)c->out[at],
			 (unsigned long long)want);
}

/* ---- each of them ---- */

static int do_bcast(struct call *c)
{
	return mrt_bcast(c->out, c->n, MRT_UINT64, c->root, c->comm);
}

static int do_ibcast(struct call *c)
{
	return mrt_ibcast(c->out, c->n, MRT_UINT64, c->root, c->comm,
			  &c->request);
}

static void check_bcast(const struct call *c)
{
	for (size_t k = 0; k < c->n; k++)
		check(c, k, word(c->root, 0, k));
}

static int do_reduce(struct call *c)
{
	return mrt_reduce(c->in, c->out, c->n, MRT_UINT64, MRT_SUM, c->root,
			  c->comm);
}

static void check_reduce(const struct call *c)
{
	for (size_t k = 0; k < c->n && fs.rank == c->root; k++)
		check(c, k, sum(fs.size, 0, k));
}

static int do_allreduce(struct call *c)
{
	return mrt_allreduce(c->in, c->out, c->n, MRT_UINT64, MRT_SUM, c->comm);
}

static int do_iallreduce(struct call *c)
{
	return mrt_iallreduce(c->in, c->out, c->n, MRT_UINT64, MRT_SUM, c->comm,
			      &c->request);
}

static void check_allreduce(const struct call *c)
{
	for (size_t k = 0; k < c->n; k++)
		check(c, k, sum(fs.size, 0, k));
}

static int do_scan(struct call *c)
{
	return mrt_scan(c->in, c->out, c->n, MRT_UINT64, MRT_SUM, c->comm);
}

static void check_scan(const struct call *c)
{
	for (size_t k = 0; k < c->n; k++)
		check(c, k, sum(fs.rank + 1, 0, k));
}

static int do_gather(struct call *c)
{
	return mrt_gather(c->in, c->n, MRT_UINT64, c->out, c->n, MRT_UINT64,
			  c->root, c->comm);
}

static void check_gather(const struct call *c)
{
	for (int r = 0; r < fs.size && fs.rank == c->root; r++)
		for (size_t k = 0; k < c->n; k++)
			check(c, (size_t)r * c->n + k, word(r, 0, k));
}

static int do_scatter(struct call *c)
{
	return mrt_scatter(c->in, c->n, MRT_UINT64, c->out, c->n, MRT_UINT64,
			   c->root, c->comm);
}

static void check_scatter(const struct call *c)
{
	for (size_t k = 0; k < c->n; k++)
		check(c, k, word(c->root, fs.rank, k));
}

static int do_allgather(struct call *c)
{
	return mrt_allgather(c->in, c->n, MRT_UINT64, c->out, c->n, MRT_UINT64,
			     c->comm);
}

static void check_allgather(const struct call *c)
{
	for (int r = 0; r < fs.size; r++)
		for (size_t k = 0; k < c->n; k++)
			check(c, (size_t)r * c->n + k, word(r, 0, k));
}

static int do_alltoall(struct call *c)
{
	return mrt_alltoall(c->in, c->n, MRT_UINT64, c->out, c->n, MRT_UINT64,
			    c->comm);
}

static int do_ialltoall(struct call *c)
{
	return mrt_ialltoall(c->in, c->n, MRT_UINT64, c->out, c->n, MRT_UINT64,
			     c->comm, &c->request);
}

static void check_alltoall(const struct call *c)
{
	for (int r = 0; r < fs.size; r++)
		for (size_t k = 0; k < c->n; k++)
			check(c, (size_t)r * c->n + k, word(r, fs.rank, k));
}

static int do_scattered(struct call *c)
{
	return mrt_reduce_scatter_block(c->in, c->out, c->n, MRT_UINT64,
					MRT_SUM, c->comm);
}

static void check_scattered(const struct call *c)
{
	for (size_t k = 0; k < c->n; k++)
		check(c, k, sum(fs.size, fs.rank, k));
}

static int do_barrier(struct call *c)
{
	return mrt_barrier(c->comm);
}

static void check_barrier(const struct call *c)
{
}

static const struct {
	const char *name;
	int (*call)(struct call *c);
	void (*check)(const struct call *c);
} kinds[] = {
    {"mrt_barrier", do_barrier, check_barrier},
    {"mrt_bcast", do_bcast, check_bcast},
    {"mrt_ibcast", do_ibcast, check_bcast},
    {"mrt_reduce", do_reduce, check_reduce},
    {"mrt_allreduce", do_allreduce, check_allreduce},
    {"mrt_iallreduce", do_iallreduce, check_allreduce},
    {"mrt_scan", do_scan, check_scan},
    {"mrt_gather", do_gather, check_gather},
    {"mrt_scatter", do_scatter, check_scatter},
    {"mrt_allgather", do_allgather, check_allgather},
    {"mrt_alltoall", do_alltoall, check_alltoall},
    {"mrt_ialltoall", do_ialltoall, check_alltoall},
    {"mrt_reduce_scatter_block", do_scattered, check_scattered},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]), MOST = 3 };

/* ---- together ---- */

static size_t bytes_of(const struct call *c)
{
	return c->n * (size_t)fs.size * sizeof(uint64_t);
}

static void open_call(struct call *c, uint64_t *random)
{
	*c = (struct call){.kind = (int)storm_below(random, KINDS),
			   .root = (int)storm_below(random, (unsigned)fs.size),
			   .n = storm_below(random, 2)
				    ? storm_below(random, 40)
				    : storm_below(random, 30000),
			   .comm = MRT_COMM_WORLD,
			   .request = MRT_REQUEST_NULL};
	c->in = fs_alloc(bytes_of(c), 0);
	c->out = fs_alloc(bytes_of(c), 0x11);
	for (int to = 0; to < fs.size; to++)
		for (size_t k = 0; k < c->n; k++)
			c->in[(size_t)to * c->n + k] = word(fs.rank, to, k);
	for (size_t k = 0; k < c->n && fs.rank == c->root; k++)
		if (kinds[c->kind].check == check_bcast)
			c->out[k] = word(fs.rank, 0, k);
}

static void close_call(struct call *c)
{
	fs_free(c->in, bytes_of(c));
	fs_free(c->out, bytes_of(c));
}

/* Several nonblocking collectives are under way together. */
void fs_collectives(uint64_t *random)
{
	struct call calls[MOST];
	int rc[MOST], n = 1 + (int)storm_below(random, MOST);

	for (int i = 0; i < n; i++) {
		open_call(&calls[i], random);
		fs.phase = kinds[calls[i].kind].name;
		rc[i] =
		    fs_result(fs.phase, kinds[calls[i].kind].call(&calls[i]));
	}
	for (int i = 0; i < n; i++) {
		if (calls[i].request != MRT_REQUEST_NULL)
			rc[i] = fs_result(kinds[calls[i].kind].name,
					  mrt_wait(&calls[i].request, NULL));
		if (!rc[i])
			kinds[calls[i].kind].check(&calls[i]);
		close_call(&calls[i]);
	}
}

void fs_communicators(uint64_t *random)
{
	struct mrt_comm *made[2] = {MRT_COMM_NULL, MRT_COMM_NULL};
	int color = (int)storm_below(random, 2) * fs.rank % 2, rank = fs.rank;
	int got = -1;

	if (storm_below(random, 4))
		return;
	fs_result("mrt_comm_dup", mrt_comm_dup(MRT_COMM_WORLD, &made[0]));
	fs_result("mrt_comm_split",
		  mrt_comm_split(made[0], color, 0, &made[1]));
	fs_result("mrt_allreduce",
		  mrt_allreduce(&rank, &got, 1, MRT_INT, MRT_MAX, made[1]));
	if (got < fs.rank || got >= fs.size)
		fs_wrong("the highest rank is %d", got);
	for (int k = 0; k < 2; k++)
		fs_result("mrt_comm_free", mrt_comm_free(&made[k]));
}
