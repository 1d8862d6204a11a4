/* SPDX-License-Identifier: Apache-2.0 */
/* boot_describe.c: reads the description of the job. Launchers differ in the
 * keys they have and in the keys' types (mrun, Slurm 22.05, Open MPI 4.1,
 * PRRTE), so values are read tolerantly and only keys that all of them have are
 * required. All keys are asked for at once, as PMIx's thread answers: one by
 * one they would take two context switches each. */
#include "runtime/boot/boot_describe.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/log.h"

/* A key and where its value goes, which stays as it is without a value. */
struct fact {
	const char *key;
	uint32_t rank;
	int *number; /* or NULL: a text */
	char *text;
	size_t size;
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	int missing; /* answers that have not come */
} asked = {.lock = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER};

static void boot_describe_take(const struct fact *fact, const pmix_value_t *v)
{
	pmix_status_t rc = PMIX_SUCCESS;
	int number = 0;

	if (!fact->number) {
		if (v->type == PMIX_STRING && v->data.string)
			snprintf(fact->text, fact->size, "%s", v->data.string);
		return;
	}
	PMIX_VALUE_GET_NUMBER(rc, v, number, int);
	if (rc == PMIX_SUCCESS)
		*fact->number = number;
}

/* Takes an answer, on PMIx's thread. */
static void boot_describe_answered(pmix_status_t status, pmix_value_t *value,
				   void *arg)
{
	pthread_mutex_lock(&asked.lock);
	if (arg && status == PMIX_SUCCESS && value)
		boot_describe_take(arg, value);
	if (--asked.missing == 0)
		pthread_cond_signal(&asked.cond);
	pthread_mutex_unlock(&asked.lock);
}

/* Asks for n facts and waits. The answers come from this process: without
 * PMIX_OPTIONAL the server would be asked for what it does not have. */
static void boot_describe_ask(const pmix_proc_t *self, struct fact *facts,
			      int n)
{
	pmix_proc_t who = *self;
	pmix_info_t optional;

	PMIX_INFO_LOAD(&optional, PMIX_OPTIONAL, NULL, PMIX_BOOL);
	asked.missing = n;
	for (int i = 0; i < n; i++) {
		who.rank = facts[i].rank;
		if (PMIx_Get_nb(&who, facts[i].key, &optional, 1,
				boot_describe_answered,
				&facts[i]) != PMIX_SUCCESS)
			boot_describe_answered(PMIX_ERR_NOT_FOUND, NULL, NULL);
	}
	pthread_mutex_lock(&asked.lock);
	while (asked.missing)
		pthread_cond_wait(&asked.cond, &asked.lock);
	pthread_mutex_unlock(&asked.lock);
	PMIX_INFO_DESTRUCT(&optional);
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Parses "0,1,2" or "0-3,8" into job->node_ranks. */
static int parse_peers(const char *list, struct boot_job *job)
{
	job->node_ranks = malloc((size_t)job->size * sizeof(int));
	if (!job->node_ranks)
		return log_error(MRT_ERR_NO_MEM, "list of local ranks");
	for (job->node_size = 0; *list;) {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (end != list && *end == '-')
			last = strtol(end + 1, &end, 10);
		if (end == list || (*end && *end != ',') || first < 0)
			break;
		for (long r = first; r <= last; r++) {
			if (r >= job->size || job->node_size >= job->size)
				return log_error(MRT_ERR_PROTOCOL,
						 "launcher names local rank "
						 "%ld of %d",
						 r, job->size);
			job->node_ranks[job->node_size++] = (int)r;
		}
		list = *end ? end + 1 : end;
	}
	qsort(job->node_ranks, (size_t)job->node_size, sizeof(int), by_value);
	return 0;
}

static int find_self(struct boot_job *job)
{
	for (int i = 0; i < job->node_size; i++) {
		if (job->node_ranks[i] == job->rank) {
			job->node_rank = i;
			return 0;
		}
	}
	return log_error(MRT_ERR_PROTOCOL,
			 "launcher does not list rank %d on its own node",
			 job->rank);
}

int boot_describe(const pmix_proc_t *self, struct boot_job *job)
{
	char peers[65536] = "";
	const uint32_t all = PMIX_RANK_WILDCARD;
	struct fact facts[] = {
	    {PMIX_JOB_SIZE, all, .number = &job->size},
	    {PMIX_NUM_NODES, all, .number = &job->nnodes},
	    {PMIX_HOSTNAME, self->rank, NULL, job->host, sizeof(job->host)},
	    {PMIX_NODE_LIST, all, NULL, job->nodes, sizeof(job->nodes)},
	    {PMIX_NSDIR, all, NULL, job->dir, sizeof(job->dir)},
	    {PMIX_LOCAL_PEERS, all, NULL, peers, sizeof(peers)},
	};
	int rc;

	job->rank = (int)self->rank;
	job->nnodes = 1;
	gethostname(job->host, sizeof(job->host) - 1);
	snprintf(job->id, sizeof(job->id), "%s", self->nspace);
	boot_describe_ask(self, facts, sizeof(facts) / sizeof(facts[0]));
	if (job->size <= 0 || job->rank >= job->size)
		return log_error(MRT_ERR_PROTOCOL,
				 "the launcher's PMIx server does not tell "
				 "the job's size");
	log_identify(job->rank, job->size, job->host);
	if (!*job->nodes)
		snprintf(job->nodes, sizeof(job->nodes), "%s", job->host);
	if (!*peers)
		return log_error(MRT_ERR_PROTOCOL,
				 "the launcher's PMIx server does not tell "
				 "the ranks of this node");
	rc = parse_peers(peers, job);
	return rc ? rc : find_self(job);
}
