/* SPDX-License-Identifier: Apache-2.0 */
/*
 * huge_job.c is one rank of a job whose other ranks are made up: a way to a
 * launcher (boot_way.h), put in place of PMI's by the linker's --wrap, tells it
 * that it is alone on the first node, and that each further node has PER_NODE
 * ranks with cards like its own. It measures what the rank's start, its first
 * collectives, communicators and windows take of memory and time.
 *
 *   huge_job NODES...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coll/plan/model.h"
#include "coll/run/coll.h"
#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/boot/boot_seal.h"
#include "runtime/boot/boot_way.h"
#include "runtime/fabric/modex_blob.h"

enum { PER_NODE = 128, KEYS = 8 };

/* `published` keeps what this rank has put, by key, for those who get it. */
static struct {
	char key[32];
	char *bytes;
	size_t len;
} published[KEYS];
static int nodes;

static const char *huge_offer(void)
{
	return nodes ? "huge" : NULL;
}

static int huge_join(void)
{
	return 0;
}

static int huge_describe(struct boot_job *job)
{
	job->size = 1 + (nodes - 1) * PER_NODE;
	job->nnodes = nodes;
	job->node_size = 1;
	job->node_ranks = calloc(1, sizeof(int));
	strcpy(job->id, "huge");
	strcpy(job->host, "n0");
	strcpy(job->nodes, "n0 and others");
	return job->node_ranks ? 0 : MRT_ERR_NO_MEM;
}

static int find_key(const char *key)
{
	int k = 0;

	while (*published[k].key && strcmp(published[k].key, key) != 0)
		k++;
	return k;
}

static int huge_put(const char *key, const void *sealed, size_t len)
{
	int k = find_key(key);

	snprintf(published[k].key, sizeof(published[k].key), "%s", key);
	published[k].len = len - sizeof(struct seal);
	published[k].bytes = malloc(published[k].len);
	memcpy(published[k].bytes, (const char *)sealed + sizeof(struct seal),
	       published[k].len);
	return 0;
}

static int huge_fence(struct boot_fence *f)
{
	(void)f;
	return 0;
}

/* Makes up the blob of the node whose lowest rank this is, if there is room for
 * it, and returns its length. The own one has one card and a text. */
static size_t make_blob(int rank, const char *own, size_t len, char *blob,
			size_t room)
{
	struct head head;
	struct entry entry;
	const char *card = own + sizeof(head) + sizeof(entry), *text;
	size_t padded;

	memcpy(&head, own, sizeof(head));
	memcpy(&entry, own + sizeof(head), sizeof(entry));
	padded = blob_padded(entry.len);
	text = card + padded;
	if (len + (PER_NODE - 1) * (sizeof(entry) + padded) > room)
		return len + (PER_NODE - 1) * (sizeof(entry) + padded);
	head.node = rank;
	head.n = PER_NODE;
	memcpy(blob, &head, sizeof(head));
	blob += sizeof(head);
	for (int k = 0; k < PER_NODE; k++, blob += sizeof(entry)) {
		entry.rank = rank + k;
		memcpy(blob, &entry, sizeof(entry));
	}
	for (int k = 0; k < PER_NODE; k++, blob += padded)
		memcpy(blob, card, padded);
	memcpy(blob, text, len - (size_t)(text - own));
	return len + (PER_NODE - 1) * (sizeof(entry) + padded);
}

static enum boot_fetched huge_get(int rank, const char *key, void *blob,
				  size_t *len, const char **why)
{
	size_t room = *len;
	int k = find_key(key);

	(void)why;
	if (!*published[k].key)
		return FETCH_NOTHING;
	if (strncmp(key, "mrt.modex", 9) != 0) {
		*len = published[k].len;
		memcpy(blob, published[k].bytes, *len);
		return FETCH_DONE;
	}
	*len =
	    make_blob(rank, published[k].bytes, published[k].len, blob, room);
	return *len > room ? FETCH_UNFIT : FETCH_DONE;
}

static void huge_abort(int code, const char *text)
{
	printf("# %s\n", text);
	fflush(stdout);
	_exit(code);
}

static void huge_leave(void)
{
}

const struct boot_way boot_pmi = {
    .offer = huge_offer,
    .variable = "HUGE",
    .join = huge_join,
    .describe = huge_describe,
    .put = huge_put,
    .fence = huge_fence,
    .get = huge_get,
    .abort = huge_abort,
    .leave = huge_leave,
};

/* Returns what is resident of the memory that is no file's: the process's own,
 * segments, and queues of a device. */
static long resident_kib(void)
{
	FILE *f = fopen("/proc/self/smaps", "r");
	char line[512], path[256];
	unsigned long from, to;
	long kib = 0, rss;
	bool counts = false;

	while (f && fgets(line, sizeof(line), f)) {
		*path = 0;
		if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %255s", &from, &to,
			   path) >= 2)
			counts = !*path || *path == '[' ||
				 strstr(path, "/dev/") || strstr(path, "memfd");
		else if (counts && sscanf(line, "Rss: %ld", &rss) == 1)
			kib += rss;
	}
	if (f)
		fclose(f);
	return kib;
}

/* ---- what the other ranks contribute to the collectives of a call ---- */

/* The rank's place in its node is its colour; -1: the ranks are not being
 * split. */
static int next_split = -1;

static uint64_t colour_of(int rank)
{
	return (uint64_t)(rank ? (rank - 1) % PER_NODE : 0);
}

int __wrap_coll_allreduce_words(struct mrt_comm *comm, uint64_t *words,
				size_t n, struct mrt_op *op);
int __wrap_coll_allgather_words(struct mrt_comm *comm, uint64_t *words);
int __wrap_coll_run(struct mrt_comm *comm, struct coll_call *call);
int __wrap_coll_run_plan(struct mrt_comm *comm, struct coll_call *call);

/* The others have as many ids free as this rank, and split with it. */
int __wrap_coll_allreduce_words(struct mrt_comm *comm, uint64_t *words,
				size_t n, struct mrt_op *op)
{
	(void)comm;
	(void)op;
	for (size_t k = 0; next_split >= 0 && k < n; k++)
		words[k] = colour_of(next_split++) << 32;
	if (next_split == mrt_size(MRT_COMM_WORLD))
		next_split = -1;
	return 0;
}

int __wrap_coll_allgather_words(struct mrt_comm *comm, uint64_t *words)
{
	size_t n = (size_t)mrt_size(MRT_COMM_WORLD);

	return __wrap_coll_allreduce_words(comm, words, n, MRT_BOR);
}

/* The others give what this rank has given to an allgather in place. */
int __wrap_coll_run(struct mrt_comm *comm, struct coll_call *call)
{
	size_t bytes = call->shape.count;
	char *all = call->recv;

	if (call->collective != COLL_ALLGATHER)
		abort();
	for (int r = 1; r < mrt_size(MRT_COMM_WORLD); r++)
		memcpy(all + (size_t)r * bytes, all, bytes);
	(void)comm;
	return 0;
}

/* The others receive what this one broadcasts. */
int __wrap_coll_run_plan(struct mrt_comm *comm, struct coll_call *call)
{
	(void)comm;
	if (call->collective != COLL_BCAST)
		abort();
	return 0;
}

/* ---- measuring ---- */

/* The call completes without the other ranks, or starts what needs them. */
static int call_barrier(void)
{
	struct mrt_request *r;

	return mrt_ibarrier(MRT_COMM_WORLD, &r);
}

static int call_allreduce(void)
{
	static double in, out;
	struct mrt_request *r;

	return mrt_iallreduce(&in, &out, 1, MRT_DOUBLE, MRT_SUM, MRT_COMM_WORLD,
			      &r);
}

static int call_init(void)
{
	return mrt_init(NULL, NULL);
}

static int call_dup(void)
{
	struct mrt_comm *comm;

	return mrt_comm_dup(MRT_COMM_WORLD, &comm);
}

/* Becomes one of a rank of each node. */
static int call_split(void)
{
	struct mrt_comm *comm;
	int rc;

	next_split = 0;
	rc = mrt_comm_split(MRT_COMM_WORLD, 0, 0, &comm);
	return rc || mrt_rank(comm) || mrt_size(comm) != nodes;
}

static int call_window(void)
{
	struct mrt_win *win;
	void *base;

	return mrt_win_allocate(4096, 1, MRT_COMM_WORLD, &base, &win);
}

/* FEW KiB, and `bytes` for each rank of the job, are the most that may be
 * resident after a call. */
enum { FEW = 4 << 10 };
static const struct {
	const char *name;
	int (*call)(void);
	long bytes;
} calls[] = {{"start", call_init, 16},		{"barrier", call_barrier, 16},
	     {"allreduce", call_allreduce, 16}, {"dup", call_dup, 16},
	     {"split", call_split, 16},		{"window", call_window, 96}};
enum { CALLS = sizeof(calls) / sizeof(calls[0]) };

struct costs {
	long kib[CALLS]; /* more than before the first call */
	double ms[CALLS];
	double kept; /* connections, as the model of collectives knows */
};

static int cost_measure(struct costs *c)
{
	long begin = resident_kib();

	for (int k = 0; k < CALLS; k++) {
		uint64_t began = clock_ns();

		if (calls[k].call())
			return 1;
		c->ms[k] = (double)(clock_ns() - began) / 1e6;
		c->kib[k] = resident_kib() - begin;
	}
	c->kept = models[MEDIUM_NET].connected;
	return 0;
}

/* Measures in a process of its own, which ends without the other ranks. */
static bool cost_of(const char *number, struct costs *c)
{
	ssize_t len;
	int fds[2];

	if (pipe(fds))
		return false;
	if (!fork()) {
		nodes = atoi(number);
		if (!cost_measure(c))
			len = write(fds[1], c, sizeof(*c));
		_exit(0);
	}
	close(fds[1]);
	len = read(fds[0], c, sizeof(*c));
	close(fds[0]);
	wait(NULL);
	return len == (ssize_t)sizeof(*c);
}

/* Prints a row. Returns whether all is within its bound. */
static bool cost_print(long ranks, const struct costs *c)
{
	bool good = true;

	printf("# %7ld", ranks);
	for (int k = 0; k < CALLS; k++) {
		printf("  %9ld", c->kib[k]);
		good &= c->kib[k] <= FEW + ranks * calls[k].bytes / 1024;
	}
	printf("  KiB\n#        ");
	for (int k = 0; k < CALLS; k++)
		printf("  %9.1f", c->ms[k]);
	printf("  ms; keeps %.0f\n", c->kept);
	return good;
}

int main(int argc, char **argv)
{
	bool good = true;

	printf("# resident KiB more than before the start, and ms of each "
	       "call\n#   ranks");
	for (int k = 0; k < CALLS; k++)
		printf("  %9s", calls[k].name);
	printf("\n");
	for (int i = 1; i < argc; i++) {
		struct costs c;

		fflush(stdout);
		if (!cost_of(argv[i], &c))
			return 1;
		good &= cost_print(1 + (atol(argv[i]) - 1) * PER_NODE, &c);
	}
	return !good;
}
