/* SPDX-License-Identifier: Apache-2.0 */
/*
 * storm.c checks a random message storm against a model of matching (storm.h).
 *
 *   storm [--messages N] [--seed S] [--seeds K] [--max BYTES]
 *
 * All ranks together send N messages for each of K seeds from S on. Sends are
 * blocking, nonblocking or synchronous; receives are posted before or after,
 * for one source and tag or for any, or found by a probe. After each round the
 * receives are checked in the order of posting: each must hold the message that
 * MPI's ordering rule asks for. Any difference ends the job.
 */
#include "tests/system/storm.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct receive {
	int comm, source, tag; /* as asked for; may be wildcards */
	char *buf;
	size_t room;
	struct mrt_request *request;
	struct mrt_status status;
};

static struct storm storm = {.max_size = 4194304};
static unsigned round_now;

static void __attribute__((noreturn, format(printf, 1, 2)))
fail(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "storm: rank %d seed %llu round %u: ", storm.rank,
		(unsigned long long)storm.seed, round_now);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	mrt_abort(MRT_COMM_WORLD, 1);
}

static void *allocate(size_t len)
{
	void *p = malloc(len ? len : 1);

	if (!p)
		fail("out of memory");
	return p;
}

/* ---- receiving -------------------------------------------------------- */

/* Returns the length of the longest message of the round to this rank that a
 * receive could get. */
static size_t room_for(const struct storm_plan *plan, const struct receive *r)
{
	size_t room = 0;

	for (int i = 0; i < plan->n; i++) {
		const struct storm_msg *m = &plan->msgs[i];

		if (m->dst_world != storm.rank || m->comm != r->comm)
			continue;
		if ((r->source == MRT_ANY_SOURCE || r->source == m->src) &&
		    (r->tag == MRT_ANY_TAG || r->tag == m->tag) &&
		    m->size > room)
			room = m->size;
	}
	return room;
}

/*
 * Returns the receives of this rank, one per message: exact ones before those
 * for any (see STORM_MIXED), otherwise shuffled.
 */
static struct receive *plan_receives(const struct storm_plan *plan, int *count,
				     uint64_t *rnd)
{
	struct receive *all = allocate((size_t)plan->n * sizeof(*all)), swap;
	int n = 0, exact = 0;

	for (int i = 0; i < plan->n; i++) {
		const struct storm_msg *m = &plan->msgs[i];
		struct receive r = {
		    .comm = m->comm, .source = m->src, .tag = m->tag};
		int mode = plan->mode[m->comm];
		bool any = mode == STORM_ANY ||
			   (mode == STORM_MIXED && storm_below(rnd, 2));

		if (m->dst_world != storm.rank)
			continue;
		if (any || mode == STORM_ANY_SOURCE)
			r.source = MRT_ANY_SOURCE;
		if (any || mode == STORM_ANY_TAG)
			r.tag = MRT_ANY_TAG;
		all[n] = r;
		if (!any) {
			swap = all[exact];
			all[exact++] = all[n];
			all[n] = swap;
		}
		n++;
	}
	for (int i = n - 1; i > 0; i--) {
		int low = i < exact ? 0 : exact;
		int j = low + (int)storm_below(rnd, (unsigned)(i - low + 1));

		swap = all[i];
		all[i] = all[j];
		all[j] = swap;
	}
	for (int i = 0; i < n; i++) {
		all[i].room = room_for(plan, &all[i]);
		all[i].buf = allocate(all[i].room);
	}
	*count = n;
	return all;
}

static void post(struct receive *r)
{
	mrt_irecv(r->buf, r->room, MRT_BYTE, r->source, r->tag,
		  storm.comms[r->comm].handle, &r->request);
}

/* Probes first: the receive must then get the message that the probe found. */
static void receive_probed(struct receive *r, bool poll)
{
	struct mrt_comm *comm = storm.comms[r->comm].handle;
	struct mrt_status found;
	int flag = 0;

	if (poll)
		while (!flag)
			mrt_iprobe(r->source, r->tag, comm, &flag, &found);
	else
		mrt_probe(r->source, r->tag, comm, &found);
	mrt_recv(r->buf, r->room, MRT_BYTE, found.source, found.tag, comm,
		 &r->status);
	if (r->status.source != found.source || r->status.tag != found.tag ||
	    r->status.bytes != found.bytes)
		fail("probe found %zu bytes of %d tag %d, receive %zu of %d "
		     "tag %d",
		     found.bytes, found.source, found.tag, r->status.bytes,
		     r->status.source, r->status.tag);
}

static void receive_late(struct receive *r, uint64_t *rnd)
{
	switch (storm_below(rnd, 4)) {
	case 0:
		mrt_recv(r->buf, r->room, MRT_BYTE, r->source, r->tag,
			 storm.comms[r->comm].handle, &r->status);
		break;
	case 1:
		receive_probed(r, storm_below(rnd, 2));
		break;
	default:
		post(r);
	}
}

static void finish_receives(struct receive *all, int n, uint64_t *rnd)
{
	for (int i = 0; i < n; i++) {
		int flag = 0;

		if (!all[i].request)
			continue;
		if (storm_below(rnd, 4))
			mrt_wait(&all[i].request, &all[i].status);
		else
			while (!flag)
				mrt_test(&all[i].request, &flag,
					 &all[i].status);
	}
}

/* ---- checking --------------------------------------------------------- */

/* Returns the message that MPI's rule gives to a receive that got this source
 * and tag: the first one not yet received that the receive could match. */
static struct storm_msg *rightful(struct storm_plan *plan,
				  const struct receive *r)
{
	for (int i = 0; i < plan->n; i++) {
		struct storm_msg *m = &plan->msgs[i];

		if (m->received || m->dst_world != storm.rank ||
		    m->comm != r->comm || m->src != r->status.source)
			continue;
		if (r->tag == MRT_ANY_TAG || r->tag == m->tag)
			return m;
	}
	return NULL;
}

static void check_receive(struct storm_plan *plan, const struct receive *r)
{
	struct storm_msg *m;

	if (r->status.cancelled)
		fail("receive cancelled");
	if (r->source != MRT_ANY_SOURCE && r->source != r->status.source)
		fail("asked for source %d, got %d", r->source,
		     r->status.source);
	if (r->tag != MRT_ANY_TAG && r->tag != r->status.tag)
		fail("asked for tag %d, got %d", r->tag, r->status.tag);
	m = rightful(plan, r);
	if (!m)
		fail("comm %d: unexpected message from %d", r->comm,
		     r->status.source);
	if (m->tag != r->status.tag || m->size != r->status.bytes)
		fail("comm %d source %d: message %u (tag %d, %zu bytes) was "
		     "overtaken by one of tag %d, %zu bytes",
		     r->comm, m->src, m->seq, m->tag, m->size, r->status.tag,
		     r->status.bytes);
	if (!storm_filled(r->buf, m->size, m->fill))
		fail("comm %d source %d: message %u (tag %d, %zu bytes) holds "
		     "wrong bytes",
		     r->comm, m->src, m->seq, m->tag, m->size);
	m->received = true;
}

/* ---- sending ---------------------------------------------------------- */

static void send_now(const struct storm_msg *m)
{
	char *buf = allocate(m->size);

	storm_fill(buf, m->size, m->fill);
	(m->call == STORM_SSEND ? mrt_ssend : mrt_send)(
	    buf, m->size, MRT_BYTE, m->dst, m->tag,
	    storm.comms[m->comm].handle);
	/* finds a send that still reads the buffer after its return */
	memset(buf, 0xdb, m->size);
	free(buf);
}

static struct mrt_request *send_later(const struct storm_msg *m, char **buf)
{
	struct mrt_request *request;

	*buf = allocate(m->size);
	storm_fill(*buf, m->size, m->fill);
	(m->call == STORM_SSEND ? mrt_issend : mrt_isend)(
	    *buf, m->size, MRT_BYTE, m->dst, m->tag,
	    storm.comms[m->comm].handle, &request);
	return request;
}

/* Starts or completes this rank's sends; stores the requests in *requests. */
static int send_all(const struct storm_plan *plan,
		    struct mrt_request **requests, char **bufs)
{
	int n = 0;

	for (int i = 0; i < plan->n; i++) {
		const struct storm_msg *m = &plan->msgs[i];

		if (m->src_world != storm.rank)
			continue;
		if (plan->blocking) {
			send_now(m);
			continue;
		}
		requests[n] = send_later(m, &bufs[n]);
		n++;
	}
	return n;
}

static int play_round(unsigned round)
{
	struct storm_plan plan;
	struct mrt_request *requests[STORM_BURST];
	char *bufs[STORM_BURST];
	struct receive *receives;
	uint64_t rnd;
	int n, early, sends;

	round_now = round;
	storm_draw(&storm, round, &plan);
	rnd = storm.seed ^ ((uint64_t)round << 20) ^ (uint64_t)storm.rank;
	receives = plan_receives(&plan, &n, &rnd);
	early = plan.blocking ? n : (int)storm_below(&rnd, (unsigned)n + 1);
	for (int i = 0; i < early; i++)
		post(&receives[i]);
	sends = send_all(&plan, requests, bufs);
	for (int i = early; i < n; i++)
		receive_late(&receives[i], &rnd);
	finish_receives(receives, n, &rnd);
	mrt_waitall((size_t)sends, requests, MRT_STATUSES_IGNORE);

	for (int i = 0; i < n; i++) {
		check_receive(&plan, &receives[i]);
		free(receives[i].buf);
	}
	for (int i = 0; i < sends; i++)
		free(bufs[i]);
	free(receives);
	free(plan.msgs);
	/* wildcards of this round must not match messages of the next */
	mrt_barrier(MRT_COMM_WORLD);
	return plan.n;
}

/* ---- the program ------------------------------------------------------ */

static void make_comms(void)
{
	struct mrt_comm *c[STORM_COMMS] = {MRT_COMM_WORLD};

	mrt_comm_dup(MRT_COMM_WORLD, &c[1]);
	mrt_comm_split(MRT_COMM_WORLD, 0, -storm.rank, &c[2]);
	mrt_comm_split(MRT_COMM_WORLD, storm.rank % 2, 0, &c[3]);
	for (int i = 0; i < STORM_COMMS; i++) {
		storm.comms[i].handle = c[i];
		storm.comms[i].rank = mrt_rank(c[i]);
		storm.comms[i].size = mrt_size(c[i]);
	}
}

static long long option(int argc, char **argv, const char *name, long long def)
{
	for (int i = 1; i + 1 < argc; i++)
		if (!strcmp(argv[i], name))
			return atoll(argv[i + 1]);
	return def;
}

int main(int argc, char **argv)
{
	long long messages = option(argc, argv, "--messages", 1000000);
	long long seeds = option(argc, argv, "--seeds", 1), done = 0;
	uint64_t first = (uint64_t)option(argc, argv, "--seed", 1);
	double start;

	storm.max_size = (size_t)option(argc, argv, "--max", 4194304);
	mrt_init(&argc, &argv);
	storm.rank = mrt_rank(MRT_COMM_WORLD);
	storm.size = mrt_size(MRT_COMM_WORLD);
	make_comms();
	start = mrt_wtime();
	for (storm.seed = first; storm.seed < first + (uint64_t)seeds;
	     storm.seed++) {
		long long sent = 0;

		if (storm_reseed)
			storm_reseed(storm.seed);
		for (unsigned round = 0; sent < messages; round++)
			sent += play_round(round);
		done += sent;
	}
	for (int i = 1; i < STORM_COMMS; i++)
		mrt_comm_free(&storm.comms[i].handle);
	if (storm.rank == 0)
		printf("ok - storm of %lld messages, seeds %llu..%llu, "
		       "%.1f s\n",
		       done, (unsigned long long)first,
		       (unsigned long long)storm.seed - 1, mrt_wtime() - start);
	return mrt_finalize();
}
