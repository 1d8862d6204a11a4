/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pmi.c: tests runtime/boot/boot_pmi.c against a server of PMI-1. Each case is
 * a process of its own, rank 1 of 4 unless it says otherwise, which this one
 * serves until it has gone.
 */
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/boot/boot.h"
#include "tests/tap.h"

enum { KEYS = 4000, LINE = 4096 };

/* The server: how it answers, which a case chooses, and what it has counted. */
static struct {
	const char *mapping, *size, *rank;
	const char *nodes;   /* where there is no mapping: a letter a rank */
	int most;	     /* characters of a value that it takes */
	const char *without; /* it forgets keys that contain this text */
	/* it does not answer a line that begins so, or closes the connection */
	const char *silent, *hangs_up;
	char *keys[KEYS], *values[KEYS]; /* [n] that were put */
	int n, twice, starts, fences, ends, exit_code;
	bool too_long;
} server;

static const char *find_value(const char *key)
{
	for (int i = 0; i < server.n; i++)
		if (!strcmp(server.keys[i], key))
			return server.values[i];
	return NULL;
}

static void put_value(const char *key, const char *value)
{
	server.too_long |= (int)strlen(value) >= server.most;
	server.too_long |= strlen(key) >= 64;
	server.twice += find_value(key) != NULL;
	if (server.n == KEYS || (server.without && strstr(key, server.without)))
		return;
	server.keys[server.n] = strdup(key);
	server.values[server.n++] = strdup(value);
}

/* Returns what a rank tells of its node: what the rank of the case has told, if
 * it is on the same one. */
static const char *find_node(int rank)
{
	int self = atoi(server.rank ?: "1"), is = server.nodes[rank];
	static char value[32];

	if (is == '-')
		return NULL;
	snprintf(value, sizeof(value), "mrt-node-%d", self);
	if (is == server.nodes[self])
		return find_value(value);
	snprintf(value, sizeof(value), "%016x", is);
	return value;
}

static void answer_get(FILE *to, const char *key)
{
	const char *value = find_value(key);
	int rank;

	if (!strcmp(key, "PMI_process_mapping"))
		value = server.mapping;
	if (server.nodes && sscanf(key, "mrt-node-%d", &rank) == 1)
		value = find_node(rank);
	if (value)
		fprintf(to, "cmd=get_result rc=0 msg=success value=%s\n",
			value);
	else
		fprintf(to, "cmd=get_result rc=-1 msg=none value=unknown\n");
}

static bool begins(const char *line, const char *with)
{
	return with && !strncmp(line, with, strlen(with));
}

/* Returns false when the server hangs up. */
static bool answer(FILE *to, const char *line)
{
	static char key[LINE], value[LINE];

	server.too_long |= strlen(line) >= 1024; /* Slurm takes no such line */
	if (begins(line, server.hangs_up))
		return false;
	if (begins(line, server.silent))
		return true;
	if (begins(line, "cmd=init ")) {
		server.starts++;
		fputs("cmd=response_to_init rc=0 pmi_version=1 "
		      "pmi_subversion=1\n",
		      to);
	} else if (begins(line, "cmd=get_maxes")) {
		fprintf(to,
			"cmd=maxes kvsname_max=256 keylen_max=64 "
			"vallen_max=%d\n",
			server.most);
	} else if (begins(line, "cmd=get_my_kvsname")) {
		fputs("cmd=my_kvsname kvsname=kvs_7\n", to);
	} else if (begins(line, "cmd=barrier_in")) {
		server.fences++;
		fputs("cmd=barrier_out\n", to);
	} else if (begins(line, "cmd=finalize")) {
		server.ends++;
		fputs("cmd=finalize_ack\n", to);
	} else if (sscanf(line, "cmd=put kvsname=kvs_7 key=%s value=%s", key,
			  value) == 2) {
		put_value(key, value);
		fputs("cmd=put_result rc=0 msg=success\n", to);
	} else if (sscanf(line, "cmd=get kvsname=kvs_7 key=%s", key) == 1) {
		answer_get(to, key);
	} else if (sscanf(line, "cmd=abort exitcode=%d", &server.exit_code) !=
		   1) {
		printf("# not understood: %s", line);
		return false;
	}
	fflush(to);
	return true;
}

static void serve(int fd)
{
	FILE *from = fdopen(fd, "r"), *to = fdopen(dup(fd), "w");
	char line[LINE];

	while (fgets(line, sizeof(line), from))
		if (!answer(to, line))
			break;
	fclose(from);
	fclose(to);
}

/* Runs the case in a rank and returns its exit code. */
static int run_rank(int (*body)(const void *arg), const void *arg)
{
	char text[256];
	int fds[2], status = -1;
	pid_t pid;

	socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(fds[0]);
		snprintf(text, sizeof(text), "%d", fds[1]);
		setenv("PMI_FD", text, 1);
		setenv("PMI_RANK", server.rank ?: "1", 1);
		setenv("PMI_SIZE", server.size ?: "4", 1);
		exit(env_load(text, sizeof(text)) ? 99 : body(arg));
	}
	close(fds[1]);
	for (int i = 0; i < server.n; i++) {
		free(server.keys[i]);
		free(server.values[i]);
	}
	server.n = server.twice = server.starts = server.fences = server.ends =
	    0;
	server.exit_code = -1;
	server.too_long = false;
	serve(fds[0]);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

/* ---- cases, in the rank; 0: good ---- */

static struct boot_job job;

static const struct place {
	const char *mapping, *size, *rank;
	int nnodes, node_size, node_rank, first;
	const char *nodes;
} places[] = {
    {"(vector,(0,1,4))", "4", "1", 1, 4, 1, 0, NULL},
    {"(vector,(0,1,1))", "8", "7", 1, 8, 7, 0, NULL},
    {"(vector,(0,2,2))", "4", "2", 2, 2, 0, 2, NULL},
    {"(vector,(0,3,1))", "7", "3", 3, 3, 1, 0, NULL},
    {"(vector,(0,2,3),(2,1,1))", "7", "6", 3, 1, 0, 6, NULL},
    {"(vector,(0,1,2),(1,1,1))", "3", "2", 2, 1, 0, 2, NULL},
    {"(vector,(0,1,1))", "1", "0", 1, 1, 0, 0, NULL},
    /* no mapping, or none that is understood */
    {NULL, "4", "1", 1, 4, 1, 0, "aaaa"},
    {NULL, "8", "7", 8, 1, 0, 7, "abcdefgh"},
    {NULL, "7", "5", 3, 3, 2, 1, "abcabbc"},
    {"", "4", "3", 2, 2, 1, 1, "abab"},
    {"(vector,(0,0,1))", "4", "0", 2, 2, 0, 0, "abba"},
    {NULL, "1", "0", 1, 1, 0, 0, "a"},
};

static int describe(const void *arg)
{
	const struct place *p = arg;

	return boot_init(&job) || job.nnodes != p->nnodes ||
	       job.node_size != p->node_size || job.node_rank != p->node_rank ||
	       job.node_ranks[0] != p->first || job.rank != atoi(p->rank) ||
	       job.size != atoi(p->size) || strcmp(job.id, "kvs_7");
}

static int start(const void *arg)
{
	return -boot_init(&job);
}

/* A start that fails later is repeated: the others do not take part. */
static int repeat(const void *arg)
{
	return boot_init(&job) || boot_finalize(&job, false) ||
	       boot_init(&job) || job.node_size != 3;
}

static char blob[60000], got[60000];

static int move_blob(const char *key, size_t len)
{
	size_t room = sizeof(got);

	for (size_t i = 0; i < len; i++)
		blob[i] = (char)(i * 7 + len);
	return boot_put(key, blob, len) || boot_fence() ||
	       boot_get(1, key, got, &room) || room != len ||
	       memcmp(got, blob, len);
}

static int move(const void *arg)
{
	return boot_init(&job) || move_blob("a", *(const size_t *)arg);
}

static int too_long(const void *arg)
{
	size_t room = 999;

	if (boot_init(&job) || boot_put("a", blob, 1000) || boot_fence())
		return 99;
	return -boot_get(1, "a", got, &room);
}

static int absent(const void *arg)
{
	size_t room = sizeof(got);

	if (boot_init(&job) || boot_put("a", blob, 2000) || boot_fence())
		return 99;
	return -boot_get(*(const int *)arg, "a", got, &room);
}

static int fence(const void *arg)
{
	return boot_init(&job) ? 99 : -boot_fence();
}

static int aborts(const void *arg)
{
	if (!boot_init(&job))
		boot_abort(42, "test");
	return 99;
}

static int leave(const void *arg)
{
	int again = *(const int *)arg;
	pid_t child;

	do
		if (boot_init(&job) || move_blob("a", 2000) ||
		    boot_finalize(&job, true))
			return 99;
	while (again--);
	child = fork();
	if (!child)
		exit(0);
	waitpid(child, NULL, 0);
	return 0;
}

/* Closes all descriptors, as daemons do, and opens others. */
static int closes(const void *arg)
{
	int fds[2];

	if (boot_init(&job) || boot_finalize(&job, true))
		return 99;
	close_range(3, ~0u, 0);
	return socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
}

static int is_child(const void *arg)
{
	setenv("LIBMRT_JOINED", "pmi-0", 1); /* of another job */
	if (boot_init(&job))
		return 99;
	if (!fork())
		execl("/proc/self/exe", "pmi", "child", NULL);
	wait((int *)&got);
	return WEXITSTATUS(*(int *)&got);
}

/* ---- in the server ---- */

static void test_blobs(void)
{
	static const size_t lens[] = {0,   1,	 20,   479,   480,
				      481, 1000, 4000, 50000, 60000};
	static const int most[] = {1024, 64, 4096};

	for (int m = 0; m < 3; m++) {
		int bad = 0;

		server.most = most[m];
		for (int k = 0; k < 10 - (m == 1); k++)
			bad += run_rank(move, &lens[k]) || server.too_long ||
			       server.twice;
		is_int(bad, 0, "blobs of any length by values below %d",
		       most[m]);
	}
	server.most = 1024;
	is_int(run_rank(too_long, NULL), -MRT_ERR_PROTOCOL,
	       "a blob longer than its room");
	is_int(run_rank(absent, &(int){2}), -MRT_ERR_PROTOCOL,
	       "a rank that has published nothing");
	server.without = "a-1-2-";
	is_int(run_rank(absent, &(int){1}), -MRT_ERR_PROTOCOL,
	       "a piece that is missing");
	server.without = NULL;
}

static void test_places(void)
{
	static const char *const bad[] = {"",
					  "unknown",
					  "(vector,",
					  "(vector,)",
					  "(vector,(0,1)",
					  "(vector,(0,0,1))",
					  "(vector,(-1,2,2))",
					  "(vector,(0,1,1"};

	for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
		server.mapping = places[k].mapping;
		server.size = places[k].size;
		server.rank = places[k].rank;
		server.nodes = places[k].nodes;
		is_int(run_rank(describe, &places[k]), 0, "rank %s of %s in %s",
		       server.rank, server.size,
		       server.nodes ?: server.mapping);
	}
	server.size = server.rank = NULL;
	server.nodes = "aa-a";
	for (int k = 0; k < 8; k++) {
		server.mapping = bad[k];
		is_int(run_rank(start, NULL), -MRT_ERR_PROTOCOL,
		       "no mapping, and a rank without node: '%s'", bad[k]);
	}
	server.mapping = NULL;
	server.nodes = "aaba";
	is_int(run_rank(repeat, NULL), 0, "a start that is repeated");
	is_int(server.fences * 10 + server.twice, 10, "exchanges nodes once");
	server.nodes = NULL;
	server.mapping = places[0].mapping;
}

static void test_ends(void)
{
	server.hangs_up = "cmd=barrier_in";
	is_int(run_rank(fence, NULL), -MRT_ERR_SERVICE,
	       "the launcher is gone in a fence");
	server.hangs_up = "cmd=get_maxes";
	is_int(run_rank(start, NULL), -MRT_ERR_SERVICE, "and at the start");
	server.hangs_up = NULL;
	server.silent = "cmd=barrier_in";
	setenv("MRT_TIMEOUT", "1", 1);
	is_int(run_rank(fence, NULL), -MRT_ERR_SERVICE,
	       "ranks that do not come");
	unsetenv("MRT_TIMEOUT");
	server.silent = NULL;
	is_int(run_rank(aborts, NULL), 42, "boot_abort ends the rank");
	is_int(server.exit_code, 42, "and tells the launcher its code");
	is_int(server.ends, 0, "but no orderly end");
	is_int(run_rank(leave, &(int){0}), 0, "the end of a rank");
	is_int(server.ends, 1, "is told once, and not by its child");
	is_int(run_rank(leave, &(int){2}), 0, "three starts of one process");
	is_int(server.starts * 10 + server.ends, 11, "are one to the launcher");
	is_int(server.twice, 0, "and put no key twice");
	is_int(run_rank(closes, NULL), 0,
	       "another socket in the place of the launcher's");
	is_int(run_rank(is_child, NULL), -MRT_ERR_STATE,
	       "a program that a rank starts is no rank");
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return start(NULL);
	unsetenv("PMIX_NAMESPACE");
	unsetenv("PMI_PORT");
	server.most = 1024;
	test_places();
	test_blobs();
	test_ends();
	return tap_done();
}
