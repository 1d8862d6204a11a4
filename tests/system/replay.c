/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.c is a job in which a rank publishes what it should not: what a rank
 * of another job or of this one has published, or something damaged. The
 * linker's --wrap brings the library's calls of PMIx_Put here.
 *
 *   replay keep DIR      writes what each rank publishes to DIR/KEY.RANK
 *   replay stay DIR GO   as keep, and lives until the file GO is there
 *   replay play DIR KEY FROM RANK [cut|more|bits]
 *                        RANK publishes DIR/KEY.FROM as its own KEY, a byte
 *                        shorter, a byte longer or with a bit in 16 turned
 *   replay swap DIR KEY FROM RANK [rank|key]
 *                        RANK publishes what FROM publishes in this very job,
 *                        under the seal of the next rank or of another key
 *
 * What it publishes also as a file for its node is there the same.
 * Then all ranks meet and exchange their places, as a job without a fault does.
 */
#include <pmix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <mrt_lib.h>
#include "runtime/boot/boot_seal.h"

#define W MRT_COMM_WORLD
enum { LONGEST = 1 << 16, RANKS_MAX = 16, COUNT = 20000 };

static char **args;
static char bytes[LONGEST] __attribute__((aligned(8)));

pmix_status_t __real_PMIx_Put(pmix_scope_t scope, const char *key,
			      pmix_value_t *value);
pmix_status_t __wrap_PMIx_Put(pmix_scope_t scope, const char *key,
			      pmix_value_t *value);

static void wait_for(const char *path)
{
	const struct timespec pause = {0, 10000000};
	struct stat st;

	while (stat(path, &st) || !st.st_size)
		nanosleep(&pause, NULL);
}

static FILE *open_kept(const char *key, const char *rank, const char *mode)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s.%s", args[2], key, rank);
	if (!strcmp(args[1], "swap") && *mode == 'r')
		wait_for(path);
	f = fopen(path, mode);
	if (!f) {
		perror(path);
		exit(99);
	}
	return f;
}

static void keep(const char *key, const pmix_value_t *value)
{
	FILE *f = open_kept(key, getenv("PMIX_RANK"), "w");

	fwrite(value->data.bo.bytes, 1, value->data.bo.size, f);
	fclose(f);
}

static size_t load(void)
{
	FILE *f = open_kept(args[3], args[4], "r");
	const char *how = args[6] ? args[6] : "";
	size_t n = fread(bytes, 1, sizeof(bytes) - 1, f);

	fclose(f);
	if (!strcmp(how, "cut") && n)
		n--;
	if (!strcmp(how, "more"))
		n++;
	for (size_t k = 0; k < n && !strcmp(how, "bits"); k += 2)
		bytes[k] ^= 1;
	if (!strcmp(how, "rank"))
		((struct seal *)bytes)->rank++;
	if (!strcmp(how, "key"))
		((struct seal *)bytes)->key++;
	return n;
}

/* Replaces the file of this rank in the job's directory, if there is one. */
static void replace_file(const char *key, size_t n)
{
	pmix_value_t *dir = NULL;
	pmix_proc_t job;
	char path[512];
	FILE *f;

	PMIX_PROC_LOAD(&job, getenv("PMIX_NAMESPACE"), PMIX_RANK_WILDCARD);
	if (PMIx_Get(&job, PMIX_NSDIR, NULL, 0, &dir) != PMIX_SUCCESS)
		return;
	snprintf(path, sizeof(path), "%s/%s.%s", dir->data.string, key,
		 args[5]);
	PMIX_VALUE_RELEASE(dir);
	if (access(path, F_OK))
		return;
	f = fopen(path, "w");
	if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
		exit(97);
}

pmix_status_t __wrap_PMIx_Put(pmix_scope_t scope, const char *key,
			      pmix_value_t *value)
{
	bool plays = !strcmp(args[1], "play") || !strcmp(args[1], "swap");

	/* one write of few bytes: a reader sees all of it or nothing */
	if (strcmp(args[1], "play"))
		keep(key, value);
	if (plays && !strcmp(key, args[3]) &&
	    !strcmp(getenv("PMIX_RANK"), args[5])) {
		value->data.bo.size = load();
		value->data.bo.bytes = bytes;
		replace_file(key, value->data.bo.size);
	}
	return __real_PMIx_Put(scope, key, value);
}

static void work(void)
{
	static int from[COUNT], to[COUNT];
	struct mrt_place places[RANKS_MAX];

	mrt_comm_places(W, places);
	for (int k = 0; k < COUNT; k++)
		from[k] = 1;
	mrt_allreduce(from, to, COUNT, MRT_INT, MRT_SUM, W);
	for (int k = 0; k < COUNT; k++)
		if (to[k] != mrt_size(W))
			exit(98);
}

int main(int argc, char **argv)
{
	if (argc < 3 || !getenv("PMIX_RANK"))
		return 64;
	if ((!strcmp(argv[1], "play") || !strcmp(argv[1], "swap")) && argc < 6)
		return 64;
	args = argv;
	mrt_init(NULL, NULL);
	work();
	if (!strcmp(argv[1], "stay")) {
		printf("here\n");
		fflush(stdout);
		wait_for(argv[3]);
	}
	work();
	mrt_finalize();
	return 0;
}
