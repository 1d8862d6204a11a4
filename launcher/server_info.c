/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server_info.c: describes the job as PMIx infos. Keys of the whole job are
 * single infos; those of a rank are in one PMIX_PROC_DATA array that begins
 * with the rank.
 */

#include "launcher/server_info.h"

#include <pmix_server.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPRESSED_MAX = 48 };

static int server_info_add(struct info_vec *vec, const char *key,
			   const void *value, pmix_data_type_t type)
{
	if (vec->n == vec->room) {
		size_t room = vec->room ? 2 * vec->room : 32;
		void *items = realloc(vec->items, room * sizeof(*vec->items));

		if (!items)
			return -1;
		vec->items = items;
		vec->room = room;
	}
	return PMIx_Info_load(&vec->items[vec->n++], key, value, type) ? -1 : 0;
}

static int add_text(struct info_vec *vec, const char *key, const char *text)
{
	return server_info_add(vec, key, text, PMIX_STRING);
}

static int add_u32(struct info_vec *vec, const char *key, uint32_t value)
{
	return server_info_add(vec, key, &value, PMIX_UINT32);
}

static int add_u16(struct info_vec *vec, const char *key, uint16_t value)
{
	return server_info_add(vec, key, &value, PMIX_UINT16);
}

static int add_rank(struct info_vec *vec, const char *key, int rank)
{
	pmix_rank_t value = (pmix_rank_t)rank;

	return server_info_add(vec, key, &value, PMIX_PROC_RANK);
}

/* Returns "0,1,2,...": the ranks of this node, which are all ranks (heap). */
static char *rank_list(int n)
{
	char *list = malloc((size_t)n * 7 + 1), *at = list;

	for (int r = 0; list && r < n; r++)
		at += sprintf(at, "%s%d", r ? "," : "", r);
	return list;
}

/* PMIx 4.2 compresses names into a buffer of 50 bytes without checking their
 * length, so a longer name is passed uncompressed. */
static char *node_map(const char *host)
{
	char *map = NULL;

	if (strlen(host) < COMPRESSED_MAX)
		return PMIx_generate_regex(host, &map) ? NULL : map;
	return asprintf(&map, "raw:%s", host) < 0 ? NULL : map;
}

/* Adds the maps of nodes and ranks in the compressed form that PMIx wants. */
static int add_maps(struct info_vec *vec, const struct job *job,
		    const char *peers)
{
	char *nodes = node_map(job->host), *procs = NULL, *flat = NULL;
	int rc = -1;

	if (nodes && PMIx_generate_ppn(peers, &procs) == PMIX_SUCCESS &&
	    asprintf(&flat, "(vector,(0,1,%d))", job->nranks) > 0)
		rc = server_info_add(vec, PMIX_NODE_MAP, nodes, PMIX_REGEX) |
		     server_info_add(vec, PMIX_PROC_MAP, procs, PMIX_REGEX) |
		     add_text(vec, PMIX_ANL_MAP, flat);
	free(nodes);
	free(procs);
	free(flat);
	return rc;
}

static int add_job(struct info_vec *vec, const struct map *map,
		   const struct job *job)
{
	uint32_t n = (uint32_t)job->nranks;
	char *peers = rank_list(job->nranks);
	int rc;

	if (!peers)
		return -1;
	rc = add_maps(vec, job, peers) | add_u32(vec, PMIX_JOB_SIZE, n) |
	     add_u32(vec, PMIX_UNIV_SIZE, n) | add_u32(vec, PMIX_MAX_PROCS, n) |
	     add_u32(vec, PMIX_LOCAL_SIZE, n) |
	     add_u32(vec, PMIX_NODE_SIZE, n) | add_u32(vec, PMIX_NUM_NODES, 1) |
	     add_u32(vec, PMIX_JOB_NUM_APPS, (uint32_t)job->opt->napps) |
	     add_u32(vec, PMIX_NODEID, 0) | add_rank(vec, PMIX_LOCALLDR, 0) |
	     add_text(vec, PMIX_LOCAL_PEERS, peers) |
	     add_text(vec, PMIX_NODE_LIST, job->host) |
	     add_text(vec, PMIX_HOSTNAME, job->host) |
	     add_text(vec, PMIX_JOBID, job->name) |
	     add_text(vec, PMIX_TMPDIR, job->dir) |
	     add_text(vec, PMIX_NSDIR, job->dir);
	if (job->opt->napps == 1)
		rc |= add_u32(vec, PMIX_APP_SIZE, n);
	free(peers);
	return rc;
}

/* Adds CPUSET as hwloc's list ("0-1,4") and LOCALITY_STRING as PMIx generates
 * it. */
static int add_place(struct info_vec *vec, const struct rank *rank)
{
	pmix_cpuset_t cpus = {.source = (char *)"hwloc", .bitmap = rank->cpus};
	char *list = NULL, *locality = NULL;
	int rc = 0;

	if (hwloc_bitmap_list_asprintf(&list, rank->cpus) >= 0)
		rc |= add_text(vec, PMIX_CPUSET, list);
	if (PMIx_server_generate_locality_string(&cpus, &locality) ==
		PMIX_SUCCESS &&
	    locality)
		rc |= add_text(vec, PMIX_LOCALITY_STRING, locality);
	free(list);
	free(locality);
	return rc;
}

static int add_proc(struct info_vec *vec, const struct job *job,
		    const struct rank *rank)
{
	struct info_vec proc = {NULL, 0, 0};
	pmix_data_array_t array = {.type = PMIX_INFO};
	int rc;

	rc = add_rank(&proc, PMIX_RANK, rank->rank) |
	     add_u16(&proc, PMIX_LOCAL_RANK, (uint16_t)rank->rank) |
	     add_u16(&proc, PMIX_NODE_RANK, (uint16_t)rank->rank) |
	     add_u32(&proc, PMIX_APPNUM, (uint32_t)rank->app_num) |
	     add_rank(&proc, PMIX_APP_RANK, rank->app_rank) |
	     add_u32(&proc, PMIX_NODEID, 0) | add_place(&proc, rank);
	array.array = proc.items;
	array.size = proc.n;
	rc |= server_info_add(vec, PMIX_PROC_DATA, &array, PMIX_DATA_ARRAY);
	for (size_t i = 0; i < proc.n; i++)
		PMIX_INFO_DESTRUCT(&proc.items[i]);
	free(proc.items);
	return rc;
}

int server_info_fill(struct info_vec *vec, const struct map *map,
		     const struct job *job)
{
	int rc = add_job(vec, map, job);

	for (int r = 0; !rc && r < job->nranks; r++)
		rc = add_proc(vec, job, &job->ranks[r]);
	return rc;
}
