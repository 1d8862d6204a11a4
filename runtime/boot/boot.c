/* SPDX-License-Identifier: Apache-2.0 */
/* boot.c: what all ways to a launcher have in common: the choice of one, jobs
 * of one rank, seals, and the limits of waiting. */
#include "runtime/boot/boot.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/counters.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/hang.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot_alone.h"
#include "runtime/boot/boot_seal.h"
#include "runtime/boot/boot_way.h"

/* The ways to a launcher. A process takes the first one that its environment
 * offers. */
static const struct boot_way *const ways[] = {&boot_pmix, &boot_pmi};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

static const struct boot_way *way; /* NULL: not connected */
static char own_job[sizeof(((struct boot_job *)0)->id)];
static char own_dir[sizeof(((struct boot_job *)0)->dir)];
static uint32_t own_rank;
static uint64_t requests; /* made by boot_get */
/* Variable in the environment of a rank and of programs that it starts: its
 * job. Those programs inherit the launcher's variables, but are not the
 * rank. */
static const char joined[] = "LIBMRT_JOINED";

static const struct boot_way *way_offered(void)
{
	for (int k = 0; k < WAYS; k++)
		if (ways[k]->offer())
			return ways[k];
	return NULL;
}

bool boot_is_launched(void)
{
	return way_offered() != NULL;
}

static int be_singleton(struct boot_job *job)
{
	if (job->node_ranks)
		return 0;
	job->size = job->nnodes = job->node_size = 1;
	job->node_ranks = calloc(1, sizeof(int));
	if (!job->node_ranks)
		return log_error(MRT_ERR_NO_MEM, "list of local ranks");
	gethostname(job->host, sizeof(job->host) - 1);
	snprintf(job->nodes, sizeof(job->nodes), "%s", job->host);
	snprintf(job->id, sizeof(job->id), "singleton-%d", (int)getpid());
	log_identify(0, 1, job->host);
	if (!getenv(joined)) /* a rank's child may mean to be alone */
		boot_alone_warn();
	return 0;
}

/* Fails in a program that a rank has started. */
static int check_is_rank(const struct boot_way *offered)
{
	const char *job = getenv(joined);

	if (!job || strcmp(job, offered->offer()))
		return 0;
	return log_error(MRT_ERR_STATE,
			 "this program was started by a rank of a job, whose "
			 "place it cannot take; unset %s to run it alone",
			 offered->variable);
}

/* Whether a rank of this node has come since the last call, which all show by
 * the time of the job's directory. False where there is none. */
static bool others_come(struct boot_fence *f)
{
	uint64_t seen = f->came;
	struct stat st;

	if (*own_dir && !stat(own_dir, &st))
		f->came = (uint64_t)st.st_mtim.tv_sec * 1000000000 +
			  (uint64_t)st.st_mtim.tv_nsec;
	return f->came != seen;
}

/* A client that joins a second time is not told of the job by Open MPI 4.1, so
 * what it has been told holds. */
static int job_describe(struct boot_job *job)
{
	int rc = job->node_ranks ? 0 : way->describe(job);

	snprintf(own_job, sizeof(own_job), "%s", job->id);
	snprintf(own_dir, sizeof(own_dir), "%s", job->dir);
	own_rank = (uint32_t)job->rank;
	if (*own_dir) /* shows others_come that this rank has come */
		utimensat(AT_FDCWD, own_dir, NULL, 0);
	return rc;
}

int boot_init(struct boot_job *job)
{
	const struct boot_way *offered = way_offered();
	int rc;

	if (!offered)
		return be_singleton(job);
	if (way) /* after a failed start */
		return job_describe(job);
	rc = check_is_rank(offered) ?: offered->join();
	if (rc)
		return rc;
	way = offered;
	setenv(joined, way->offer(), 1);
	return job_describe(job);
}

int boot_put(const char *key, const void *blob, size_t len)
{
	struct seal seal = seal_of(own_job, own_rank, key);
	char *sealed;
	int rc;

	if (!way)
		return 0;
	seal.length = (uint32_t)len;
	sealed = malloc(sizeof(seal) + len);
	if (!sealed)
		return log_error(MRT_ERR_NO_MEM, "to publish %s", key);
	memcpy(sealed, &seal, sizeof(seal));
	memcpy(sealed + sizeof(seal), blob, len);
	rc = way->put(key, sealed, sizeof(seal) + len);
	free(sealed);
	return rc;
}

static bool is_over(const struct boot_fence *f)
{
	return !f->meanwhile && f->waited_ms >= env.timeout_s * 1000;
}

int boot_fence_look(struct boot_fence *f, bool in_vain)
{
	int rc;

	if (in_vain) {
		f->waited_ms = others_come(f) ? 0 : f->waited_ms + 100;
		hang_note(f->meanwhile ? "mrt_finalize: other ranks"
				       : "mrt_init: other ranks",
			  -1, f->began, clock_ns());
	}
	if (f->meanwhile)
		f->meanwhile(f->arg);
	rc = fault_report();
	if (!rc && is_over(f))
		rc = log_error(MRT_ERR_SERVICE,
			       "%s: not all ranks came, and no other one "
			       "within %ld s; is one stuck before mrt_init? "
			       "(MRT_TIMEOUT sets the time)",
			       f->what, env.timeout_s);
	return rc;
}

static int fence_make(struct boot_fence *f)
{
	int rc;

	if (!way)
		return 0;
	f->began = clock_ns();
	others_come(f);
	rc = way->fence(f);
	hang_clear(f->began, false);
	return rc;
}

int boot_fence(void)
{
	struct boot_fence f = {.what = "exchange of endpoints"};

	return fence_make(&f);
}

int boot_fence_last(void (*meanwhile)(void *arg), void *arg)
{
	struct boot_fence f = {
	    .what = "the end of all ranks", .meanwhile = meanwhile, .arg = arg};

	return fence_make(&f);
}

int boot_get(int rank, const char *key, void *blob, size_t *len)
{
	enum boot_fetched result = FETCH_UNFIT;
	const char *why = "";

	requests++;
	if (way)
		result = way->get(rank, key, blob, len, &why);
	return boot_fetch_result(result, rank, key, why);
}

int boot_get_whole(int rank, const char *key, void **blob, size_t *len)
{
	static size_t enough = 1 << 12; /* sufficed last, or is a guess */
	enum boot_fetched result = FETCH_UNFIT;
	size_t room = 0, is = enough;
	const char *why = "";

	requests++;
	*blob = NULL;
	while (way && result == FETCH_UNFIT && is > room) {
		free(*blob);
		room = is;
		*blob = malloc(room);
		if (!*blob)
			return log_error(MRT_ERR_NO_MEM, "%zu bytes of rank %d",
					 room, rank);
		result = way->get(rank, key, *blob, &is, &why);
	}
	*len = is;
	if (result == FETCH_DONE) {
		enough = room;
		return 0;
	}
	free(*blob);
	*blob = NULL;
	return boot_fetch_result(result, rank, key, why);
}

int boot_fetch_result(enum boot_fetched result, int rank, const char *key,
		      const char *why)
{
	if (result == FETCH_DONE)
		return 0;
	if (result == FETCH_BROKEN)
		return log_error(MRT_ERR_PROTOCOL,
				 "what rank %d has published as %s is %s: "
				 "refused",
				 rank, key, why);
	/* a rank that does not answer may be gone */
	if (result == FETCH_NOTHING)
		fault_suspect(0);
	return fault_resolve(0)
		   ? fault_report()
		   : log_error(
			 MRT_ERR_PROTOCOL,
			 "rank %d has published no usable %s; does it run "
			 "the same libmrt?",
			 rank, key);
}

void boot_stats(struct counters *t)
{
	counters_add(t, "boot", "launcher requests", requests);
}

void boot_abort(int code, const char *text)
{
	if (way)
		way->abort(code, text);
	_exit(code);
}

void boot_forked(void)
{
	way = NULL;
}

int boot_finalize(struct boot_job *job, bool for_good)
{
	if (!for_good) {
		free(job->node_ranks);
		*job = (struct boot_job){0};
	}
	if (way && for_good && fault_code != MRT_ERR_SERVICE) {
		way->leave();
		unsetenv(joined);
	}
	if (for_good)
		way = NULL;
	return 0;
}
