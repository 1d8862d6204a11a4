/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure_pairs.c: measures messages between rank 0 and one other rank on each
 * level (cache, node, leaf, other) of the job; mrt-scale fit makes LogGP
 * parameters of them.
 *
 *   pingpong       half a round trip
 *   send_overhead  time in the send call, while the other rank waits
 *   recv_overhead  time in the receive call for a message that has arrived
 *                  long before
 *   gap            time between messages of a train: from round trips with 16
 *                  messages and with one (parametrised round trips:
 *                  Hoefler, Lichei, Rehm, "Low-overhead LogGP parameter
 *                  assessment", IPDPS 2007)
 *
 * The overheads are measured as PLogP does (Kielmann, Bal, Verstoep, "Fast
 * measurement of LogP parameters", 2000). Rank 0 alone measures local_reduce
 * (sums of doubles), local_copy and turn (measure_turn.c).
 */
#include "tools/scale/measure.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define W MRT_COMM_WORLD
enum { LEVELS = 4, TAG_DATA = 1, TAG_REPLY = 2, TRAIN = 16, TRIALS = 20 };

static const char *const levels[LEVELS] = {"cache", "node", "leaf", "other"};

struct pair {
	int peer; /* of rank 0 */
	size_t bytes;
	long calls;
	double delay; /* seconds after which a message has surely arrived */
	double (*pattern)(struct measure *m, const struct pair *p);
};

static void send_to(struct measure *m, size_t bytes, int peer, int tag)
{
	mrt_send(m->tune.send, bytes, MRT_BYTE, peer, tag, W);
}

static void recv_from(struct measure *m, size_t bytes, int peer, int tag)
{
	mrt_recv(m->tune.recv, bytes, MRT_BYTE, peer, tag, W,
		 MRT_STATUS_IGNORE);
}

/* Computes, without making progress on the network. */
static void measure_pairs_busy(double seconds)
{
	double until = mrt_wtime() + seconds;

	while (mrt_wtime() < until)
		;
}

/* ---- Patterns: seconds per call on rank 0; ranks 0 and peer call them ---- */

static double measure_pairs_pingpong(struct measure *m, const struct pair *p)
{
	double start = mrt_wtime();

	for (long i = 0; i < p->calls; i++)
		if (m->tune.me == 0) {
			send_to(m, p->bytes, p->peer, TAG_DATA);
			recv_from(m, p->bytes, p->peer, TAG_DATA);
		} else {
			recv_from(m, p->bytes, 0, TAG_DATA);
			send_to(m, p->bytes, 0, TAG_DATA);
		}
	return (mrt_wtime() - start) / 2 / (double)p->calls;
}

static double send_overhead(struct measure *m, const struct pair *p)
{
	double sum = 0;

	for (long i = 0; i < p->calls; i++) {
		struct mrt_request *request;
		double start;

		if (m->tune.me) {
			recv_from(m, p->bytes, 0, TAG_DATA);
			send_to(m, 1, 0, TAG_REPLY);
			continue;
		}
		measure_pairs_busy(p->delay);
		start = mrt_wtime();
		mrt_isend(m->tune.send, p->bytes, MRT_BYTE, p->peer, TAG_DATA,
			  W, &request);
		sum += mrt_wtime() - start;
		mrt_wait(&request, MRT_STATUS_IGNORE);
		recv_from(m, 1, p->peer, TAG_REPLY);
	}
	return sum / (double)p->calls;
}

static double recv_overhead(struct measure *m, const struct pair *p)
{
	double sum = 0;

	for (long i = 0; i < p->calls; i++) {
		double start;

		if (m->tune.me) {
			recv_from(m, 1, 0, TAG_REPLY);
			send_to(m, p->bytes, 0, TAG_DATA);
			continue;
		}
		send_to(m, 1, p->peer, TAG_REPLY);
		measure_pairs_busy(p->delay);
		start = mrt_wtime();
		recv_from(m, p->bytes, p->peer, TAG_DATA);
		sum += mrt_wtime() - start;
	}
	return sum / (double)p->calls;
}

/* Returns the seconds of n messages there and one back. */
static double measure_pairs_train(struct measure *m, const struct pair *p,
				  int n)
{
	double start = mrt_wtime();

	if (m->tune.me == 0) {
		for (int i = 0; i < n; i++)
			send_to(m, p->bytes, p->peer, TAG_DATA);
		recv_from(m, 1, p->peer, TAG_REPLY);
	} else {
		for (int i = 0; i < n; i++)
			recv_from(m, p->bytes, 0, TAG_DATA);
		send_to(m, 1, 0, TAG_REPLY);
	}
	return mrt_wtime() - start;
}

static double measure_pairs_gap(struct measure *m, const struct pair *p)
{
	double sum = 0;

	for (long i = 0; i < p->calls; i++)
		sum += measure_pairs_train(m, p, TRAIN) -
		       measure_pairs_train(m, p, 1);
	return fmax(0, sum / (double)p->calls / (TRAIN - 1));
}

static double local_reduce(struct measure *m, const struct pair *p)
{
	double start = mrt_wtime();

	for (long i = 0; i < p->calls; i++)
		mrt_reduce_local(m->tune.send, m->tune.recv, p->bytes / 8,
				 MRT_DOUBLE, MRT_SUM);
	return (mrt_wtime() - start) / (double)p->calls;
}

static double local_copy(struct measure *m, const struct pair *p)
{
	double start = mrt_wtime();

	for (long i = 0; i < p->calls; i++) {
		memcpy(m->tune.recv, m->tune.send, p->bytes);
		/* keeps the compiler from merging copies */
		__asm__ volatile("" : : "r"(m->tune.recv) : "memory");
	}
	return (mrt_wtime() - start) / (double)p->calls;
}

static double measure_pairs_turn(struct measure *m, const struct pair *p)
{
	(void)m;
	return measure_turn(p->calls);
}

struct pattern {
	const char *name;
	double (*run)(struct measure *m, const struct pair *p);
};
static const struct pattern local[] = {
    {"local_reduce", local_reduce}, {"local_copy", local_copy}, {NULL, NULL}};
static const struct pattern share[] = {{"turn", measure_pairs_turn}};
static const struct pattern patterns[] = {{"pingpong", measure_pairs_pingpong},
					  {"send_overhead", send_overhead},
					  {"recv_overhead", recv_overhead},
					  {"gap", measure_pairs_gap},
					  {NULL, NULL}};

/* ---- Points ---- */

/* Returns the cost of reading the clock twice, which the overheads contain. */
static double clock_cost(void)
{
	double least = INFINITY;

	for (int i = 0; i < 1000; i++) {
		double start = mrt_wtime();

		least = fmin(least, mrt_wtime() - start);
	}
	return least;
}

static void measure_pairs_sample(struct measure *m, const struct point *point,
				 void *arg, double *us, int k)
{
	const struct pair *p = arg;
	double off = strstr(point->test, "overhead") ? clock_cost() : 0;

	for (int i = 0; i < k; i++) {
		us[i] = 0;
		if (m->tune.me == 0 || m->tune.me == p->peer)
			us[i] = p->pattern(m, p);
		/* the other ranks take no part in this pattern */
		us[i] = m->tune.me ? 0 : fmax(0, us[i] - off) * 1e6;
	}
}

/* Chooses the number of calls per sample, after some warm-up calls. */
static void measure_pairs_choose(struct measure *m, struct pair *p)
{
	double each = 0;

	double (*trial)(struct measure *, const struct pair *) =
	    p->peer ? measure_pairs_pingpong : p->pattern;

	p->calls = TRIALS;
	if (m->tune.me == 0 || m->tune.me == p->peer) {
		trial(m, p);
		each = fmax(1e-9, trial(m, p));
	}
	p->delay = 4 * each;
	p->calls = (long)fmax(1, m->o->sample / ((p->peer ? 6 : 1) * each));
	mrt_bcast(&p->calls, 1, MRT_LONG, 0, W);
}

/* Measures a pattern; peer 0 means rank 0 alone. */
static int measure_pair(struct measure *m, const struct pattern *pattern,
			const char *level, int peer, size_t bytes)
{
	struct pair pair = {
	    .peer = peer, .bytes = bytes, .pattern = pattern->run};
	struct point p = {
	    .ranks = peer ? 2 : 1, .bytes = bytes, .chosen = "none"};

	snprintf(p.test, STUDY_NAME, "%s", pattern->name);
	snprintf(p.way, STUDY_NAME, "%s", level);
	if (!measure_lacks(m, &p))
		return 0;
	measure_pairs_choose(m, &pair);
	p.calls = pair.calls;
	return measure_point(m, &p, measure_pairs_sample, &pair);
}

/* Sets peers[level] to the first rank at that level from rank 0, or 0 if there
 * is none. A node whose switch is unknown is at level other. */
static void find_peers(const struct measure *m, int peers[LEVELS])
{
	const struct mrt_place *at = m->places;

	memset(peers, 0, LEVELS * sizeof(peers[0]));
	for (int r = m->tune.ranks - 1; r > 0; r--) {
		int level = 3;

		if (at[r].node == at[0].node)
			level = at[r].cache != at[0].cache;
		else if (at[r].leaf >= 0 && at[r].leaf == at[0].leaf)
			level = 2;
		peers[level] = r;
	}
}

/* Returns whether other ranks may be waiting on rank 0's CPU. */
static bool measure_pairs_crowded(const struct measure *m)
{
	long ranks = 0;

	for (int r = 0; r < m->tune.ranks; r++)
		ranks += m->places[r].node == m->places[0].node;
	return ranks > sysconf(_SC_NPROCESSORS_ONLN);
}

int measure_pairs(struct measure *m)
{
	int peers[LEVELS], code = 0;

	find_peers(m, peers);
	for (int l = 0; l < LEVELS; l++)
		for (int k = 0; peers[l] && k < m->o->sizes.n; k++)
			for (const struct pattern *p = patterns;
			     p->name && !code; p++)
				code = measure_pair(m, p, levels[l], peers[l],
						    m->o->sizes.bytes[k]);
	for (int k = 0; k < m->o->sizes.n; k++)
		for (const struct pattern *p = local; p->name && !code; p++)
			if (m->o->sizes.bytes[k] >= sizeof(double))
				code = measure_pair(m, p, "memory", 0,
						    m->o->sizes.bytes[k]);
	if (!code && !measure_pairs_crowded(m))
		code = measure_pair(m, share, "cpu", 0, 0);
	return code;
}
