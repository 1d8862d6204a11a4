/* SPDX-License-Identifier: Apache-2.0 */
/* soak_count.c has counters by kind, their sum over the ranks, table and
 * JSON. */
#include "tests/soak/soak_count.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tests/soak/soak.h"

/* All kinds are listed, so that all ranks have the same rows. */
/* clang-format off */
static const char *const kinds[] = {
    "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv",
    "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw",
    "neighbor_allgather", "neighbor_alltoall", "reduce", "allreduce",
    "reduce_scatter_block", "reduce_scatter", "scan", "exscan", "typed",
    "inter typed", "inter reduce", "message", "blocking message", "map", "dup",
    "idup", "split", "split node", "split cache", "create", "create group",
    "intercomm", "inter dup", "inter idup", "inter split", "inter create",
    "inter merge"};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

static struct {
	uint64_t n, bytes;
} counts[KINDS];
/* clang-format on */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void soak_count(const char *kind, size_t bytes)
{
	int k = 0;

	while (k < KINDS && strcmp(kinds[k], kind))
		k++;
	if (k == KINDS) {
		fprintf(stderr, "soak: no kind \"%s\"\n", kind);
		abort();
	}
	pthread_mutex_lock(&lock);
	counts[k].n++;
	counts[k].bytes += bytes;
	pthread_mutex_unlock(&lock);
}

uint64_t count_operations(void)
{
	uint64_t n = 0;

	for (int k = 0; k < KINDS; k++)
		n += counts[k].n;
	return n;
}

uint64_t count_bytes(void)
{
	uint64_t bytes = 0;

	for (int k = 0; k < KINDS; k++)
		bytes += counts[k].bytes;
	return bytes;
}

static void print_table(const struct soak_end *end)
{
	printf("%-22s %12s %12s\n", "operation (all ranks)", "calls", "MiB");
	for (int k = 0; k < KINDS; k++)
		if (counts[k].n)
			printf("%-22s %12llu %12.1f\n", kinds[k],
			       (unsigned long long)counts[k].n,
			       (double)counts[k].bytes / 1048576);
	printf("%-22s %12llu %12.1f\n", "all",
	       (unsigned long long)count_operations(),
	       (double)count_bytes() / 1048576);
	printf("\n%-22s %9s %9s %9s %9s %9s\n", "held by a rank, at most",
	       "first", "last", "max", "growth", "allowed");
	for (int row = 0; row < WATCH_ROWS; row++) {
		const struct watch_result *r = &end->watched[row];

		if (r->last >= 0)
			printf("%-22s %9ld %9ld %9ld %9ld %9ld%s\n",
			       watch_name((enum watch_row)row), r->first,
			       r->last, r->max, r->growth, r->allowed,
			       r->growth > r->allowed ? "  GROWS" : "");
	}
}

static void write_json(FILE *f, const struct soak_end *end)
{
	fprintf(f,
		"{\"seed\": %llu, \"ranks\": %d, \"nodes\": %d, "
		"\"rounds\": %d, \"seconds\": %.1f, \"good\": %s,\n",
		(unsigned long long)soak_options.seed, mrt_size(MRT_COMM_WORLD),
		mrt_size(MRT_COMM_WORLD) / mrt_node_size(), end->rounds,
		end->seconds, end->good ? "true" : "false");
	fprintf(f, " \"operations\": {");
	for (int k = 0; k < KINDS; k++)
		fprintf(f, "%s\n  \"%s\": {\"calls\": %llu, \"bytes\": %llu}",
			k ? "," : "", kinds[k], (unsigned long long)counts[k].n,
			(unsigned long long)counts[k].bytes);
	fprintf(f, "},\n \"held\": {");
	for (int row = 0; row < WATCH_ROWS; row++) {
		const struct watch_result *r = &end->watched[row];

		fprintf(f,
			"%s\n  \"%s\": {\"first\": %ld, \"last\": %ld, "
			"\"max\": %ld, \"growth\": %ld, \"allowed\": %ld}",
			row ? "," : "", watch_name((enum watch_row)row),
			r->first, r->last, r->max, r->growth, r->allowed);
	}
	fprintf(f, "}}\n");
}

void count_report(const struct soak_end *end, const char *json)
{
	int rank = mrt_rank(MRT_COMM_WORLD);
	FILE *f;

	mrt_reduce(rank ? counts : MRT_IN_PLACE, rank ? NULL : counts,
		   2 * KINDS, MRT_UINT64, MRT_SUM, 0, MRT_COMM_WORLD);
	if (rank)
		return;
	print_table(end);
	if (!json)
		return;
	f = fopen(json, "we");
	if (!f) {
		perror(json);
		return;
	}
	write_json(f, end);
	fclose(f);
}
