/* SPDX-License-Identifier: Apache-2.0 */
/*
 * boot_pmi.c: PMI-1 as launchers speak it on the socket PMI_FD or at PMI_PORT:
 * Hydra (mpiexec of MPICH, Intel MPI and MVAPICH), Slurm's srun --mpi=pmi2,
 * which answers it as well as PMI-2. A value is text of limited
 * length, so bytes travel as hexadecimal digits in pieces KEY-RANK-PIECE; a key
 * is put once, so its name has the number of the start, too.
 *
 * PMI does not tell of dead ranks: these launchers kill the others.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/hash.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot_seal.h"
#include "runtime/boot/boot_way.h"
#include "runtime/boot/boot_wire.h"

/* A piece of a blob has at most so many bytes, and its value twice as many
 * digits: Slurm reads no line of 1,024 bytes or more, whatever length it tells
 * for values. */
enum { PIECE_MOST = 320 };

static struct {
	int rank, size;
	int starts;   /* joins of this process */
	bool told;    /* tell_node was called */
	size_t piece; /* bytes in a piece */
	pid_t pid;    /* of the process that says finalize at exit; 0: none */
	char kvs[256];
} pmi;

/* Names the job by the socket: a job that a rank starts has another one. */
static const char *pmi_offer(void)
{
	const char *fd = getenv("PMI_FD"), *port = getenv("PMI_PORT");
	static char text[32];
	struct stat st = {0};

	if (!fd)
		return port;
	fstat(atoi(fd), &st);
	snprintf(text, sizeof(text), "pmi-%lu", (unsigned long)st.st_ino);
	return text;
}

static int read_number(const char *name)
{
	const char *text = getenv(name);

	return text ? atoi(text) : -1;
}

/* Learns rank and size: by PMI_PORT from the launcher, which sends three lines
 * after the first answer, else from the environment. */
static int learn_place(struct boot_fence *f)
{
	int rc;

	pmi.rank = read_number("PMI_RANK");
	pmi.size = read_number("PMI_SIZE");
	if (getenv("PMI_FD"))
		return 0;
	rc = wire_ask(f, "initack", "cmd=initack pmiid=%d",
		      read_number("PMI_ID"));
	for (int k = 0; k < 3 && !rc; k++) {
		rc = wire_next(f, "set");
		pmi.size = wire_number("size", pmi.size);
		pmi.rank = wire_number("rank", pmi.rank);
	}
	return rc;
}

static int learn_names(struct boot_fence *f)
{
	int most, rc = wire_ask(f, "response_to_init",
				"cmd=init pmi_version=1 pmi_subversion=1");

	if (!rc && wire_number("rc", 0))
		rc = log_error(MRT_ERR_SERVICE,
			       "the launcher does not speak PMI 1.1");
	if (!rc)
		rc = wire_ask(f, "maxes", "cmd=get_maxes");
	most = wire_number("vallen_max", 0) / 2 - 1;
	pmi.piece = (size_t)(most < PIECE_MOST ? most : PIECE_MOST);
	if (!rc)
		rc = wire_ask(f, "my_kvsname", "cmd=get_my_kvsname");
	if (!rc && (most < 1 || pmi.rank < 0 || pmi.rank >= pmi.size ||
		    !wire_field("kvsname", pmi.kvs, sizeof(pmi.kvs))))
		rc = log_error(MRT_ERR_PROTOCOL,
			       "the launcher does not describe the job by PMI "
			       "(rank %d of %d, values of %d bytes)",
			       pmi.rank, pmi.size, most);
	return rc;
}

static int pmi_join(void)
{
	struct boot_fence f = {.what = "joining the job"};
	int rc;

	if (pmi.starts++) /* the launcher takes each rank once */
		return 0;
	rc = wire_open() ?: learn_place(&f);
	return rc ? rc : learn_names(&f);
}

/* Finds the node of each rank in a mapping such as "(vector,(0,2,8),(2,1,4))":
 * eight ranks on each of the two nodes from 0 on, then four on node 2, and so
 * on from the beginning while there are ranks. */
static bool parse_mapping(const char *text, int *node, int size)
{
	static const char head[] = "(vector,";
	const char *at = text;
	int r = 0;

	while (r < size) {
		int first, nodes, each, end = 0;

		if (at == text || !strcmp(at, ")"))
			at = strncmp(text, head, sizeof(head) - 1)
				 ? ""
				 : text + sizeof(head) - 1;
		at += *at == ',';
		if (sscanf(at, "(%d,%d,%d)%n", &first, &nodes, &each, &end) !=
			3 ||
		    !end || first < 0 || nodes < 1 || each < 1)
			return false;
		at += end;
		for (int k = 0; k < nodes; k++)
			for (int i = 0; i < each && r < size; i++)
				node[r++] = first + k;
	}
	return true;
}

static void take_nodes(const int *node, struct boot_job *job)
{
	int last = 0;

	for (int r = 0; r < job->size; r++) {
		if (node[r] > last)
			last = node[r];
		if (node[r] != node[job->rank])
			continue;
		if (r == job->rank)
			job->node_rank = job->node_size;
		job->node_ranks[job->node_size++] = r;
	}
	job->nnodes = job->size == job->node_size ? 1 : last + 1;
}

static int pmi_fence(struct boot_fence *f)
{
	return wire_ask(f, "barrier_out", "cmd=barrier_in");
}

/* Identifies the node by its name and by what its kernel has drawn at its
 * start: nodes may have one name, containers on one node have several. */
static uint64_t node_identity(const char *host)
{
	char text[256];
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	size_t len = (size_t)snprintf(text, 128, "%s ", host);

	if (file) {
		len += fread(text + len, 1, sizeof(text) - 1 - len, file);
		fclose(file);
	}
	text[len] = '\0';
	return hash_text(text);
}

/* Tells the other ranks this one's node and waits for what they tell, for a
 * launcher that says nothing of nodes. A start that failed may be repeated by
 * one rank alone, so it is done once. */
static int tell_node(const char *host)
{
	struct boot_fence f = {.what = "exchange of the nodes' names"};
	int rc;

	if (pmi.told)
		return 0;
	pmi.told = true;
	rc = wire_ask(&f, "put_result",
		      "cmd=put kvsname=%s key=mrt-node-%d value=%016" PRIx64,
		      pmi.kvs, pmi.rank, node_identity(host));
	return rc ? rc : pmi_fence(&f);
}

/* Finds the node of each rank by what the ranks have told. */
static int hear_nodes(int *node, int size)
{
	struct boot_fence f = {.what = "nodes of the job"};
	uint64_t *is = calloc((size_t)size, sizeof(*is));
	int rc = is ? 0 : log_error(MRT_ERR_NO_MEM, "list of nodes");
	int nodes = 0;

	for (int r = 0, first; r < size && !rc; r++) {
		char text[32] = "";

		rc = wire_ask(&f, "get_result",
			      "cmd=get kvsname=%s key=mrt-node-%d", pmi.kvs, r);
		if (!rc && (!wire_field("value", text, sizeof(text)) ||
			    sscanf(text, "%16" SCNx64, &is[r]) != 1))
			rc = log_error(MRT_ERR_PROTOCOL,
				       "neither the launcher nor rank %d tells "
				       "the node of the rank",
				       r);
		for (first = 0; is[first] != is[r];)
			first++;
		node[r] = first < r ? node[first] : nodes++;
	}
	free(is);
	return rc;
}

static int learn_nodes(struct boot_job *job)
{
	struct boot_fence f = {.what = "nodes of the job"};
	int *node = malloc((size_t)job->size * sizeof(*node));
	char text[2048] = "";
	int rc;

	job->node_ranks = malloc((size_t)job->size * sizeof(int));
	if (!node || !job->node_ranks) {
		free(node);
		return log_error(MRT_ERR_NO_MEM, "list of local ranks");
	}
	rc = wire_ask(&f, "get_result",
		      "cmd=get kvsname=%s key=PMI_process_mapping", pmi.kvs);
	if (!rc && (!wire_field("value", text, sizeof(text)) ||
		    !parse_mapping(text, node, job->size))) {
		rc = tell_node(job->host);
		if (!rc)
			rc = hear_nodes(node, job->size);
	}
	if (!rc)
		take_nodes(node, job);
	free(node);
	return rc;
}

static int pmi_describe(struct boot_job *job)
{
	int rc;

	job->rank = pmi.rank;
	job->size = pmi.size;
	job->node_size = 0;
	gethostname(job->host, sizeof(job->host) - 1);
	snprintf(job->id, sizeof(job->id), "%s", pmi.kvs);
	log_identify(job->rank, job->size, job->host);
	if (!job->rank)
		log_info("joined by PMI-1: only a launcher with PMIx tells "
			 "ranks which one has died");
	rc = learn_nodes(job);
	snprintf(job->nodes, sizeof(job->nodes), "%s%s", job->host,
		 job->nnodes > 1 ? " and others" : "");
	return rc;
}

struct piece {
	char key[128];
	char digits[2 * PIECE_MOST + 1];
};

static void piece_name(struct piece *p, const char *key, int rank, size_t at)
{
	snprintf(p->key, sizeof(p->key), "%.32s-%d-%zu-%d", key, rank,
		 at / pmi.piece, pmi.starts);
}

static int pmi_put(const char *key, const void *sealed, size_t len)
{
	struct boot_fence f = {.what = "publishing"};
	const unsigned char *bytes = sealed;
	struct piece p;

	for (size_t at = 0; at < len;) {
		size_t n = 0;
		int rc;

		piece_name(&p, key, pmi.rank, at);
		for (; n < pmi.piece && at < len; n++)
			sprintf(p.digits + 2 * n, "%02x", bytes[at++]);
		rc = wire_ask(&f, "put_result",
			      "cmd=put kvsname=%s key=%s value=%s", pmi.kvs,
			      p.key, p.digits);
		if (!rc && wire_number("rc", 0))
			rc = log_error(MRT_ERR_SERVICE,
				       "the launcher does not publish %s",
				       p.key);
		if (rc)
			return rc;
	}
	return 0;
}

/* Fetches a piece and returns its bytes, 0 if there is none. */
static size_t piece_get(struct piece *p, unsigned char *bytes, size_t room)
{
	struct boot_fence f = {.what = "fetching"};
	size_t n = 0;

	if (wire_ask(&f, "get_result", "cmd=get kvsname=%s key=%s", pmi.kvs,
		     p->key) ||
	    wire_number("rc", 0) ||
	    !wire_field("value", p->digits, sizeof(p->digits)))
		return 0;
	while (n < room && sscanf(p->digits + 2 * n, "%2hhx", &bytes[n]) == 1)
		n++;
	return n;
}

/* Fetches pieces up to the length that the seal at their head tells, which *len
 * gets if there is no room for it. */
static enum boot_fetched pieces_get(int rank, const char *key,
				    unsigned char *bytes, size_t room,
				    size_t *len)
{
	size_t want = sizeof(struct seal), n;
	struct seal seal;
	struct piece p;

	for (*len = 0; *len < want; *len += n) {
		piece_name(&p, key, rank, *len);
		n = piece_get(&p, bytes + *len, room - *len);
		if (!n)
			return FETCH_NOTHING;
		if (*len < sizeof(seal) && *len + n >= sizeof(seal)) {
			memcpy(&seal, bytes, sizeof(seal));
			want += seal.length;
		}
		if (want > room) {
			*len = want;
			return FETCH_UNFIT;
		}
	}
	return FETCH_DONE;
}

static enum boot_fetched pmi_get(int rank, const char *key, void *blob,
				 size_t *len, const char **why)
{
	struct seal should = seal_of(pmi.kvs, (uint32_t)rank, key);
	size_t got, room = sizeof(should) + *len;
	unsigned char *bytes = malloc(room);
	enum boot_fetched result;

	if (!bytes)
		return FETCH_NOTHING;
	result = pieces_get(rank, key, bytes, room, &got);
	if (result == FETCH_DONE) {
		*why = seal_broken(&should, bytes, got);
		result = *why ? FETCH_BROKEN : FETCH_DONE;
	}
	if (result == FETCH_DONE)
		memcpy(blob, bytes + sizeof(should), got - sizeof(should));
	if (result == FETCH_DONE || result == FETCH_UNFIT)
		*len = got - sizeof(should);
	free(bytes);
	return result;
}

/* Whether the launcher has yet to read what was written to its pipe. */
static bool is_unread(int fd)
{
	struct stat st;
	int bytes = 0;

	return !fstat(fd, &st) && S_ISFIFO(st.st_mode) &&
	       !ioctl(fd, FIONREAD, &bytes) && bytes;
}

/* Aborts when the launcher has read all output, at most two seconds later: when
 * Hydra hears of an abort it drops what it has not read. */
static void pmi_abort(int code, const char *text)
{
	const struct timespec pause = {0, 1000000};

	for (int ms = 0; ms < 2000 && (is_unread(1) || is_unread(2)); ms++)
		nanosleep(&pause, NULL);
	wire_tell("cmd=abort exitcode=%d", code);
}

/* Says that the rank has ended, when the process exits and not when it leaves
 * the job: a process may join again, and a launcher takes nothing after that.
 */
static void tell_end(void)
{
	struct boot_fence f = {.what = "the end of this rank"};

	if (getpid() == pmi.pid && wire_is_open())
		wire_ask(&f, "finalize_ack", "cmd=finalize");
}

static void pmi_leave(void)
{
	if (!pmi.pid)
		atexit(tell_end);
	pmi.pid = getpid();
}

const struct boot_way boot_pmi = {.offer = pmi_offer,
				  .variable = "PMI_FD and PMI_PORT",
				  .join = pmi_join,
				  .describe = pmi_describe,
				  .put = pmi_put,
				  .fence = pmi_fence,
				  .get = pmi_get,
				  .abort = pmi_abort,
				  .leave = pmi_leave};
