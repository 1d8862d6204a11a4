/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault_storm.c: messages and collectives of which many fail, over the provider
 * of tests/fake.
 *
 *   fault_storm [--seed S] [--seeds K] [--die N [--peer P] [--final]]
 *               [--break WHAT] [--fatal]
 *
 * Under MRT_ERRORS_RETURN sends, reads, writes and registrations fail at
 * random. For each of K seeds from S on, these must hold: a call that returns
 * success has moved the right bytes; a send that succeeds is received; an error
 * has a code and names the rank; nobody writes to the memory of a request that
 * is over; and at the end no request, message or registration is left. With
 * --die a peer dies at the Nth operation of every rank, with --final in
 * mrt_finalize; --break lets "answers" fail, "acts" (one-sided operations), or
 * messages that make "communicators": then the job must end. --seed S alone
 * repeats what seed S did.
 */
#include "tests/fake/fault_storm.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "p2p/match.h"
#include "p2p/protocol.h"
#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "tests/fake/fake.h"
#include "tests/system/storm.h"

enum { MESSAGES = 24, STUCK_S = 30 };

struct fault_storm fs = {.phase = "start"};

static struct {
	unsigned seeds, die;
	int peer;
	bool final, fatal;
	const char *broken;
} option = {.seeds = 1, .peer = -1, .broken = ""};

/* ---- what goes wrong ---- */

void fs_wrong(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "fault_storm: seed %llu, rank %d, %s: ",
		(unsigned long long)fs.seed, fs.rank, fs.phase);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	mrt_abort(MRT_COMM_WORLD, 1);
}

static void stuck(int signal)
{
	char text[160];
	int n = snprintf(text, sizeof(text),
			 "fault_storm: HANG seed %llu, rank %d, in %s (%u "
			 "posted, %ld registered, blocked: %d)\n",
			 (unsigned long long)fs.seed, fs.rank, fs.phase,
			 match_load.posted, fake_counts.registered,
			 !list_empty(&p2p_blocked));

	if (write(STDERR_FILENO, text, (size_t)n) < 0) {
		/* there is nowhere left to report it */
	}
	if (getenv("FAULT_STORM_STAY")) /* for a debugger */
		pause();
	_exit(1);
}

int fs_result(const char *call, int rc)
{
	const char *detail = mrt_error_detail();

	if (!rc) {
		fs.good++;
		return 0;
	}
	fs.bad++;
	if (rc > 0 || rc <= MRT_ERR_LAST)
		fs_wrong("%s returned %d", call, rc);
	if (!strstr(detail, "rank ") && !strstr(detail, "request "))
		fs_wrong("%s failed with %s and says: '%s'", call,
			 error_name(rc), detail);
	if (!fault_code)
		return rc;
	if (!fs.deadly)
		fs_wrong("a fault nobody made, in %s: %s", call, detail);
	/* a receive that would wait from now on fails as well */
	if (!mrt_recv(NULL, 0, MRT_BYTE, fs.rank, MESSAGES, MRT_COMM_WORLD,
		      NULL))
		fs_wrong("a receive after a fault");
	fprintf(stderr, "fault_storm: rank %d ends, as %s says: %s\n", fs.rank,
		call, detail);
	fflush(NULL);
	_exit(error_exit_code(rc));
}

/* ---- memory ---- */

void *fs_alloc(size_t len, int fill)
{
	char *p = malloc(len + 2 * FS_GUARD);

	if (!p)
		fs_wrong("no memory");
	memset(p, 0xc5, len + 2 * FS_GUARD);
	memset(p + FS_GUARD, fill, len);
	return p + FS_GUARD;
}

void fs_check(const void *buf, size_t len)
{
	const unsigned char *before = (const unsigned char *)buf - FS_GUARD;
	const unsigned char *behind = (const unsigned char *)buf + len;

	for (int k = 0; k < FS_GUARD; k++)
		if (before[k] != 0xc5 || behind[k] != 0xc5)
			fs_wrong("bytes beside a buffer of %zu were written",
				 len);
}

void fs_free(void *buf, size_t len)
{
	fs_check(buf, len);
	free((char *)buf - FS_GUARD);
}

/* ---- messages ---- */

struct message {
	int src, dst, how;
	size_t len;
	char *buf;
	struct mrt_request *request;
	int sent, received; /* results */
};

static size_t some_length(uint64_t *random)
{
	switch (storm_below(random, 4)) {
	case 0:
		return storm_below(random, 64);
	case 1:
		return storm_below(random, 5000);
	case 2:
		return storm_below(random, 40000);
	default:
		return storm_below(random, 200000);
	}
}

static void draw(struct message *m, int n, uint64_t *random)
{
	for (int i = 0; i < n; i++) {
		m[i] = (struct message){
		    .src = (int)storm_below(random, (unsigned)fs.size),
		    .dst = (int)storm_below(random, (unsigned)fs.size),
		    .how = (int)storm_below(random, 3),
		    .len = some_length(random),
		    .request = MRT_REQUEST_NULL};
	}
}

static void start_receive(struct message *m, int tag)
{
	m->buf = fs_alloc(m->len, 0);
	fs_result("mrt_irecv", mrt_irecv(m->buf, m->len, MRT_BYTE, m->src, tag,
					 MRT_COMM_WORLD, &m->request));
}

static void start_send(struct message *m, int tag)
{
	char *data = fs_alloc(m->len, 0);
	size_t half = m->len / 2;
	struct iovec iov[2] = {{data, half}, {data + half, m->len - half}};
	int rc;

	storm_fill(data, m->len, fs.seed + (uint64_t)tag);
	if (m->how == 0)
		rc = mrt_isend(data, m->len, MRT_BYTE, m->dst, tag,
			       MRT_COMM_WORLD, &m->request);
	else if (m->how == 1)
		rc = mrt_issend(data, m->len, MRT_BYTE, m->dst, tag,
				MRT_COMM_WORLD, &m->request);
	else
		rc = mrt_isendv(iov, 2, m->dst, tag, MRT_COMM_WORLD,
				&m->request);
	m->sent = fs_result("a send begins", rc);
	m->buf = data;
}

/* Starts the receives to this rank, which stay under way, and completes the
 * sends. A rank sends nothing to itself, because a message has a single
 * struct. */
static void exchange(struct message *m, int n)
{
	for (int i = 0; i < n; i++)
		if (m[i].dst == fs.rank && m[i].src != fs.rank)
			start_receive(&m[i], i);
	for (int i = 0; i < n; i++)
		if (m[i].src == fs.rank && m[i].dst != fs.rank)
			start_send(&m[i], i);
	for (int i = 0; i < n; i++) {
		if (m[i].src != fs.rank || m[i].dst == fs.rank)
			continue;
		if (!m[i].sent)
			m[i].sent = fs_result("mrt_wait of a send",
					      mrt_wait(&m[i].request, NULL));
		fs_free(m[i].buf, m[i].len);
	}
}

/* Checks that the receiver agrees with what the sender knows. */
static void settle(struct message *m, int tag)
{
	struct mrt_status status;
	int done = 1;

	if (m->sent)
		mrt_test(&m->request, &done, &status);
	if (!done)
		mrt_cancel(&m->request);
	if (m->request != MRT_REQUEST_NULL)
		m->received = fs_result("mrt_wait of a receive",
					mrt_wait(&m->request, &status));
	else if (m->sent)
		return; /* the test has returned its result */
	if (m->sent && !m->received && !status.cancelled)
		fs_wrong("message %d was not sent, and is received", tag);
	if (!m->sent && m->received)
		fs_wrong("message %d was sent, and fails to be received", tag);
	if (!m->sent && !storm_filled(m->buf, m->len, fs.seed + (uint64_t)tag))
		fs_wrong("message %d of %zu bytes from rank %d differs", tag,
			 m->len, m->src);
}

/* Runs when nothing fails any more: exchanges which messages were sent, checks
 * all receives, and checks that nobody writes to their memory afterwards. */
static void compare(struct message *m, int n)
{
	uint64_t failed[MESSAGES] = {0}, any[MESSAGES];

	for (int i = 0; i < n; i++)
		failed[i] = m[i].sent != 0;
	if (fs_result("mrt_allreduce",
		      mrt_allreduce(failed, any, (size_t)n, MRT_UINT64, MRT_BOR,
				    MRT_COMM_WORLD)))
		fs_wrong("%s, when all went well", mrt_error_detail());
	for (int i = 0; i < n; i++) {
		if (m[i].dst != fs.rank || m[i].src == fs.rank)
			continue;
		m[i].sent = any[i] != 0;
		settle(&m[i], i);
		memset(m[i].buf, 0xee, m[i].len);
	}
	if (fs_result("mrt_barrier", mrt_barrier(MRT_COMM_WORLD)))
		fs_wrong("%s, when all went well", mrt_error_detail());
	for (int i = 0; i < n; i++) {
		if (m[i].dst != fs.rank || m[i].src == fs.rank)
			continue;
		for (size_t k = 0; k < m[i].len; k++)
			if ((unsigned char)m[i].buf[k] != 0xee)
				fs_wrong("message %d: a byte came late", i);
		fs_free(m[i].buf, m[i].len);
	}
}

/* ---- what is left ---- */

static size_t in_use(const struct pool *p)
{
	size_t n = 0;

	for (void *slab = p->slabs; slab; slab = *(void **)slab)
		n += p->per_slab;
	for (void *block = p->free; block; block = *(void **)block)
		n--;
	return n;
}

/* Waits until progress has completed what freed communicators left to it. */
static void look_for_leaks(long registered)
{
	struct mrt_status status;
	int flag = 0;

	fs.phase = "waiting for what is left to be over";
	while (match_load.posted || in_use(&request_pool) ||
	       !list_empty(&p2p_blocked) ||
	       fake_counts.registered != registered)
		mrt_iprobe(MRT_ANY_SOURCE, MRT_ANY_TAG, MRT_COMM_WORLD, &flag,
			   &status);
	mrt_iprobe(MRT_ANY_SOURCE, MRT_ANY_TAG, MRT_COMM_WORLD, &flag, &status);
	if (flag)
		fs_wrong("a message of rank %d is left", status.source);
}

/* ---- a round ---- */

static void break_things(void)
{
	if (!strcmp(option.broken, "answers"))
		fake_knobs.fail_answer = 100;
	else if (!strcmp(option.broken, "acts"))
		fake_knobs.refuse = 100;
	else if (!strcmp(option.broken, "communicators"))
		fake_knobs.fail_send = 300;
	fake_knobs.fail_code = MRT_ERR_RESOURCE;
	fake_knobs.die_peer =
	    option.peer >= 0 ? option.peer : (fs.rank + 1) % fs.size;
}

static void round_of(uint64_t seed)
{
	struct message m[MESSAGES];
	uint64_t random = seed;
	int n = 4 + (int)storm_below(&random, MESSAGES - 4);
	long registered = fake_counts.registered;

	alarm(STUCK_S);
	fs.seed = seed;
	draw(m, n, &random);
	fs.phase = "communicators";
	if (fs.deadly)
		break_things();
	else /* either all of them fail or none does */
		fake_seed(seed * 64 + (uint64_t)fs.rank);
	fs_communicators(&random);
	if (!strcmp(option.broken, "communicators"))
		fake_calm();
	if (!fs.deadly)
		fake_seed_faults(seed * 64 + (uint64_t)fs.rank);
	fs.phase = "messages";
	exchange(m, n);
	fs.phase = "collectives";
	fs_collectives(&random);
	if (!fs.deadly)
		fake_calm();
	fs.phase = "comparing";
	compare(m, n);
	look_for_leaks(registered);
	fs_result("mrt_barrier", mrt_barrier(MRT_COMM_WORLD));
}

static void options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "0";

		if (!strcmp(argv[i], "--fatal")) {
			option.fatal = true;
			continue;
		}
		if (!strcmp(argv[i], "--final")) {
			option.final = true;
			continue;
		}
		i++;
		if (!strcmp(argv[i - 1], "--seed"))
			fs.seed = strtoull(value, NULL, 0);
		else if (!strcmp(argv[i - 1], "--seeds"))
			option.seeds = (unsigned)atoi(value);
		else if (!strcmp(argv[i - 1], "--die"))
			option.die = (unsigned)atoi(value);
		else if (!strcmp(argv[i - 1], "--peer"))
			option.peer = atoi(value);
		else if (!strcmp(argv[i - 1], "--break"))
			option.broken = value;
	}
	fs.deadly = option.die || option.broken[0];
}

static void say(unsigned seeds)
{
	struct fake_counts *c = &fake_counts;
	uint64_t sums[8] = {fs.good,   fs.bad,		c->failed,   c->late,
			    c->unsent, c->unregistered, c->heapless, c->jammed},
		 all[8];

	mrt_reduce(sums, all, 8, MRT_UINT64, MRT_SUM, 0, MRT_COMM_WORLD);
	if (fs.rank)
		return;
	printf("# %llu calls ended well, %llu failed; operations failed: %llu, "
	       "late: %llu, unsent: %llu, unregistered: %llu, without heap: "
	       "%llu, jams: %llu\n",
	       (unsigned long long)all[0], (unsigned long long)all[1],
	       (unsigned long long)all[2], (unsigned long long)all[3],
	       (unsigned long long)all[4], (unsigned long long)all[5],
	       (unsigned long long)all[6], (unsigned long long)all[7]);
	printf("ok - %u seeds\n", seeds);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int rc;

	fake_calm();
	options(argc, argv);
	mrt_init(&argc, &argv);
	signal(SIGALRM, stuck);
	fs.rank = mrt_rank(MRT_COMM_WORLD);
	fs.size = mrt_size(MRT_COMM_WORLD);
	if (!option.fatal)
		mrt_set_error_mode(MRT_ERRORS_RETURN);
	fake_knobs.die_at = option.final ? 0 : option.die;
	for (uint64_t s = fs.seed, end = s + option.seeds; s < end; s++)
		round_of(s);
	if (!fs.deadly)
		say(option.seeds);
	fs.phase = "finalize";
	fake_knobs.die_at = option.final ? option.die : 0;
	rc = fs_result("mrt_finalize", mrt_finalize());
	alarm(0);
	return error_exit_code(rc);
}
