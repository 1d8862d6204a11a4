/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats.c: counters at the end of the job. Every rank sends its rows to rank 0,
 * which takes them in rank order, so that it holds those of one rank at a time,
 * and prints lines on stderr (MRT_STATS) and rows of CSV (MRT_STATS_FILE). The
 * rows come from the modules that count (fab_ops.stats, p2p_stats and so on);
 * those of group "port" are a device's, which the ranks of a node may share.
 */
#include "lib/stats.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coll/run/coll.h"
#include "lib/drain.h"
#include "p2p/counts.h"
#include "p2p/p2p.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/base/counters.h"
#include "runtime/engine/outer.h"
#include "runtime/engine/proc.h"

/* MRT_STATS; the most that any rank wants counts */
enum { WANT_NOTHING, WANT_JOB, WANT_RANKS, WANT_PEERS };

enum { TAG_COUNTERS, TAG_PEERS };

/* Counts of all that was sent to one peer, on their way to rank 0. */
struct peer_row {
	uint64_t peer;
	char fabric[8];
	struct fab_sent sent;
};

/* This rank's counters. */
struct own {
	struct counters counters;
	struct peer_row *peers; /* [n], space for all ranks; NULL: not wanted */
	size_t n;
};

/* A counter over all ranks. */
struct sum {
	struct counter row; /* its value is the sum */
	uint64_t min, max;
	int ranks; /* ranks that have it */
};

struct report {
	FILE *csv; /* NULL: none */
	int n;
	struct sum sum[COUNTERS_MAX];
};

/* ---- this rank's ---- */

void stats_collect(struct counters *t)
{
	t->n = 0;
	boot_stats(t);
	p2p_stats(t);
	coll_stats(t);
	outer_stats(t);
	for (struct fab *fab = proc.fab; fab; fab = fab->next)
		if (fab->ops->stats)
			fab->ops->stats(fab, t);
}

static bool is_used(const struct fab_sent *sent)
{
	for (int way = 0; way < WAYS; way++)
		if (sent->messages[way])
			return true;
	return false;
}

static int collect_peers(struct own *own)
{
	own->n = 0;
	own->peers = calloc((size_t)proc.job.size, sizeof(*own->peers));
	if (!own->peers)
		return log_error(MRT_ERR_NO_MEM, "counters of %d peers",
				 proc.job.size);
	for (int r = 0; r < proc.job.size; r++) {
		struct peer_row *row = &own->peers[own->n];

		row->sent = proc.eps[r]->sent;
		if (!is_used(&row->sent))
			continue;
		row->peer = (uint64_t)r;
		snprintf(row->fabric, sizeof(row->fabric), "%s",
			 proc.eps[r]->ops->name);
		own->n++;
	}
	return 0;
}

/* ---- printing ---- */

/* Prints a line with one write, so that lines of several ranks do not mix. */
static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
	char line[2048];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line) - 1, format, args);
	va_end(args);
	if (n > (int)sizeof(line) - 2)
		n = (int)sizeof(line) - 2;
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, (size_t)n) < 0) {
		/* there is nowhere left to report it */
	}
}

/* Prints a line for each group, without counters that are 0. */
static void print_rank(int rank, const struct counters *t)
{
	char line[2000] = "";
	size_t len = 0;

	for (uint64_t k = 0; k < t->n; k++) {
		const struct counter *row = &t->row[k];
		bool last =
		    k + 1 == t->n || strcmp(row->group, row[1].group) != 0;

		if (row->value && len < sizeof(line))
			len += (size_t)snprintf(line + len, sizeof(line) - len,
						"%s %s %llu", len ? "," : "",
						row->name,
						(unsigned long long)row->value);
		if (last && len)
			say("rank %d %s:%s", rank, row->group, line);
		if (last)
			len = 0;
	}
}

static void print_peer(int rank, const struct peer_row *row)
{
	const struct fab_sent *sent = &row->sent;

	say("rank %d to %llu by %.8s: eager %llu (%llu bytes), synchronous "
	    "%llu (%llu bytes), rendezvous %llu (%llu bytes), gathered %llu "
	    "(%llu bytes)",
	    rank, (unsigned long long)row->peer, row->fabric,
	    (unsigned long long)sent->messages[WAY_EAGER],
	    (unsigned long long)sent->bytes[WAY_EAGER],
	    (unsigned long long)sent->messages[WAY_SYNC],
	    (unsigned long long)sent->bytes[WAY_SYNC],
	    (unsigned long long)sent->messages[WAY_RENDEZVOUS],
	    (unsigned long long)sent->bytes[WAY_RENDEZVOUS],
	    (unsigned long long)sent->messages[WAY_PUSH],
	    (unsigned long long)sent->bytes[WAY_PUSH]);
}

static void print_sum(const struct sum *sum)
{
	const struct counter *row = &sum->row;
	uint64_t min = sum->ranks < proc.job.size ? 0 : sum->min;

	if (!strcmp(row->group, "port"))
		say("%-5s %-30s %12llu %12s %12llu %14s", row->group, row->name,
		    (unsigned long long)min, "-", (unsigned long long)sum->max,
		    "-");
	else
		say("%-5s %-30s %12llu %12.1f %12llu %14llu", row->group,
		    row->name, (unsigned long long)min,
		    (double)row->value / proc.job.size,
		    (unsigned long long)sum->max,
		    (unsigned long long)row->value);
}

static void print_job(const struct report *report)
{
	bool port = false;

	say("libmrt: counters of %d rank%s, without those that are 0",
	    proc.job.size, proc.job.size == 1 ? "" : "s");
	say("%-36s %12s %12s %12s %14s", "", "min", "avg", "max", "sum");
	for (int k = 0; k < report->n; k++) {
		if (!report->sum[k].max)
			continue;
		print_sum(&report->sum[k]);
		port |= !strcmp(report->sum[k].row.group, "port");
	}
	if (port)
		say("(port: of the whole device, whoever uses it)");
}

/* ---- CSV: rank,peer,group,counter,value; peer is empty for all ---- */

static FILE *csv_open(void)
{
	FILE *f;

	if (!*env.stats_file)
		return NULL;
	f = fopen(env.stats_file, "we");
	if (!f)
		log_warn("MRT_STATS_FILE=%s: %s", env.stats_file,
			 strerror(errno));
	else
		fputs("rank,peer,group,counter,value\n", f);
	return f;
}

static void csv_close(FILE *f)
{
	bool bad = f && ferror(f);

	if (f && (fclose(f) || bad))
		log_warn("MRT_STATS_FILE=%s: cannot be written",
			 env.stats_file);
}

static void csv_rank(FILE *f, int rank, const struct counters *t)
{
	for (uint64_t k = 0; k < t->n; k++)
		fprintf(f, "%d,,%s,%s,%llu\n", rank, t->row[k].group,
			t->row[k].name, (unsigned long long)t->row[k].value);
}

static void csv_peer(FILE *f, int rank, const struct peer_row *row)
{
	for (int way = 0; way < WAYS; way++) {
		fprintf(f, "%d,%llu,%.8s,%s messages,%llu\n", rank,
			(unsigned long long)row->peer, row->fabric,
			p2p_way_names[way],
			(unsigned long long)row->sent.messages[way]);
		fprintf(f, "%d,%llu,%.8s,%s bytes,%llu\n", rank,
			(unsigned long long)row->peer, row->fabric,
			p2p_way_names[way],
			(unsigned long long)row->sent.bytes[way]);
	}
}

/* ---- collecting on rank 0 ---- */

static struct sum *find_sum(struct report *report, const struct counter *row)
{
	for (int k = 0; k < report->n; k++) {
		struct sum *sum = &report->sum[k];

		if (!strcmp(sum->row.name, row->name) &&
		    !strcmp(sum->row.group, row->group))
			return sum;
	}
	if (report->n == COUNTERS_MAX)
		return NULL;
	report->sum[report->n] = (struct sum){.row = *row, .min = UINT64_MAX};
	report->sum[report->n].row.value = 0;
	return &report->sum[report->n++];
}

static void take_counters(struct report *report, int rank,
			  const struct counters *t)
{
	for (uint64_t k = 0; k < t->n; k++) {
		uint64_t value = t->row[k].value;
		struct sum *sum = find_sum(report, &t->row[k]);

		if (!sum)
			continue;
		sum->ranks++;
		sum->row.value += value;
		sum->min = value < sum->min ? value : sum->min;
		sum->max = value > sum->max ? value : sum->max;
	}
	if (env.stats >= WANT_RANKS)
		print_rank(rank, t);
	if (report->csv)
		csv_rank(report->csv, rank, t);
}

static int stats_receive(void *buf, size_t room, int rank, int tag,
			 size_t *bytes)
{
	struct mrt_request req;
	int rc;

	request_prepare(&req, REQ_RECV);
	p2p_irecv(&req, buf, room, rank, tag, CONTEXT_STATS);
	rc = p2p_wait(&req);
	*bytes = req.status.bytes;
	return rc;
}

static int gather_counters(struct report *report, const struct counters *own)
{
	struct counters t;
	size_t bytes;
	int rc = 0;

	take_counters(report, 0, own);
	for (int r = 1; r < proc.job.size && !rc; r++) {
		rc = stats_receive(&t, sizeof(t), r, TAG_COUNTERS, &bytes);
		if (!rc)
			take_counters(report, r, &t);
	}
	return rc;
}

static int gather_peers(const struct report *report, const struct own *own)
{
	size_t room = (size_t)proc.job.size * sizeof(*own->peers);
	size_t bytes = own->n * sizeof(*own->peers);
	int rc = 0;

	for (int r = 0; r < proc.job.size && !rc; r++) {
		if (r)
			rc = stats_receive(own->peers, room, r, TAG_PEERS,
					   &bytes);
		for (size_t k = 0; !rc && k < bytes / sizeof(*own->peers);
		     k++) {
			if (env.stats == WANT_PEERS)
				print_peer(r, &own->peers[k]);
			if (report->csv)
				csv_peer(report->csv, r, &own->peers[k]);
		}
	}
	return rc;
}

static int take_all(const struct own *own)
{
	struct report report = {.csv = csv_open(), .n = 0};
	int rc = gather_counters(&report, &own->counters);

	if (!rc && own->peers)
		rc = gather_peers(&report, own);
	if (!rc && env.stats)
		print_job(&report);
	csv_close(report.csv);
	return rc;
}

static int stats_give(const struct own *own)
{
	int rc = p2p_send(&own->counters, counters_bytes(&own->counters), 0,
			  TAG_COUNTERS, CONTEXT_STATS);

	if (!rc && own->peers)
		rc = p2p_send(own->peers, own->n * sizeof(*own->peers), 0,
			      TAG_PEERS, CONTEXT_STATS);
	return rc;
}

int stats_report(void)
{
	/* a file alone needs what the table needs */
	uint64_t want =
	    env.stats || !*env.stats_file ? (uint64_t)env.stats : WANT_JOB;
	struct own own;
	int rc = 0;

	/* before the messages of this function itself */
	stats_collect(&own.counters);
	own.peers = NULL;
	if (want == WANT_PEERS)
		rc = collect_peers(&own);
	if (!rc)
		rc = drain_barrier(&want);
	if (!rc && want == WANT_PEERS && !own.peers)
		rc = collect_peers(&own);
	if (!rc && want)
		rc = proc.job.rank ? stats_give(&own) : take_all(&own);
	free(own.peers);
	return rc || !want ? rc : drain_barrier(&want);
}
