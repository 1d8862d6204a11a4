/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_p2p.c: an application and two peers, of which the fuzzer chooses every
 * step: sends, receives, probes, cancels and waits on one side; on the other
 * messages of any kind, order and content, with ids that were issued, reused or
 * never existed, and the ends of reads and writes. Impossible messages must be
 * refused with the peer's name, no byte outside of our buffers may be touched,
 * and at the end nothing may be left.
 * sources: peers.c world.c
 */
#include "mrt_lib.h"
#include "coll/comm/comm_create.h"
#include "p2p/match.h"
#include "p2p/p2p.h"
#include "p2p/protocol.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/progress.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/peers.h"
#include "tests/fuzz/world.h"

enum { SLOTS = 12, LONGEST = 4000, PIECES = 4 };

struct slot {
	struct mrt_request req;
	bool used;
	char *buf;
	size_t len;
};

static struct slot slots[SLOTS];
static struct mrt_type *holes; /* 3 of every 8 bytes, 6 times */
static struct input input, *in = &input;

static int some_rank(bool any)
{
	unsigned x = in_below(in, any ? 5 : 3);

	return x < 3 ? (int)x : MRT_ANY_SOURCE;
}

static int some_tag(bool any)
{
	unsigned x = in_below(in, any ? 6 : 4);

	return x < 4 ? (int)x : MRT_ANY_TAG;
}

static size_t some_length(void)
{
	unsigned x = in8(in);

	return x < 128 ? x : (size_t)(x - 128) * 31;
}

static void drop(struct slot *s)
{
	free(s->buf);
	s->buf = NULL;
	s->used = false;
}

/* Returns a free slot with a buffer of this length, or NULL. */
static struct slot *open_slot(size_t len, enum request_kind kind)
{
	struct slot *s = slots;

	while (s < slots + SLOTS && s->used)
		s++;
	if (s == slots + SLOTS)
		return NULL;
	s->used = true;
	s->len = len;
	s->buf = malloc(len + !len);
	if (!s->buf)
		abort();
	memset(s->buf, 'x', len);
	request_prepare(&s->req, kind);
	return s;
}

static void send(void)
{
	struct slot *s = open_slot(some_length(), REQ_SEND);
	unsigned how = in_below(in, 4);
	int peer = some_rank(false), tag = some_tag(false);
	struct iovec iov[PIECES];
	struct typed_buffer e;
	size_t each;

	if (!s)
		return;
	s->req.sync = how == 1;
	each = s->len / PIECES;
	e = (struct typed_buffer){s->buf, s->len / 48, type_get(holes)};
	for (int k = 0; k < PIECES; k++)
		iov[k] = (struct iovec){s->buf + (size_t)k * each, each};
	if (how == 2)
		p2p_isendv(&s->req, iov, PIECES, peer, tag, comm_world.context);
	else if (how == 3)
		p2p_isend_type(&s->req, &e, peer, tag, comm_world.context);
	else
		p2p_isend(&s->req, s->buf, s->len, peer, tag,
			  comm_world.context);
}

static void receive(void)
{
	struct slot *s = open_slot(some_length(), REQ_RECV);
	int how = (int)in_below(in, 3), source = some_rank(true);
	int tag = some_tag(true);
	struct unexpected *u = NULL;
	struct typed_buffer e;

	if (!s)
		return;
	e = (struct typed_buffer){s->buf, s->len / 48, type_get(holes)};
	if (how == 2)
		u = p2p_take(source, tag, comm_world.context);
	if (how == 1)
		p2p_irecv_type(&s->req, &e, source, tag, comm_world.context);
	else if (u)
		p2p_irecv_taken(&s->req, s->buf, s->len, u);
	else
		p2p_irecv(&s->req, s->buf, s->len, source, tag,
			  comm_world.context);
}

/* Forgets completed requests and frees their memory. */
static void retire(void)
{
	for (struct slot *s = slots; s < slots + SLOTS; s++) {
		if (!s->used || !s->req.complete)
			continue;
		MUST(s->req.status.error <= 0);
		if (s->req.kind == REQ_RECV && !s->req.status.error &&
		    !s->req.status.cancelled)
			MUST(s->req.status.bytes <= s->len &&
			     s->req.status.source >= 0);
		drop(s);
	}
}

/* Makes a blocking call on memory that is gone when it returns. */
static void block(void)
{
	unsigned what = in_below(in, 8);
	size_t len = some_length(), n = len / 8;
	int peer = some_rank(false), tag = some_tag(false);
	char *buf = malloc(len + 1), *more = malloc(3 * len + 1);
	struct mrt_comm *made = NULL, *w = MRT_COMM_WORLD;
	struct mrt_status status;

	if (!buf || !more)
		abort();
	memset(buf, 0, len + 1);
	if (what == 0)
		mrt_recv(buf, len, MRT_BYTE, peer, tag, w, &status);
	else if (what == 1)
		mrt_send(buf, len, MRT_BYTE, peer, tag, w);
	else if (what == 2)
		mrt_ssend(buf, len, MRT_BYTE, peer, tag, w);
	else if (what == 3)
		mrt_recv(buf, len, MRT_BYTE, MRT_ANY_SOURCE, MRT_ANY_TAG, w,
			 &status);
	else if (what == 4)
		mrt_bcast(buf, len, MRT_BYTE, peer, w);
	else if (what == 5)
		mrt_allreduce(buf, more, n, MRT_UINT64, MRT_SUM, w);
	else if (what == 6)
		mrt_allgather(buf, len, MRT_BYTE, more, len, MRT_BYTE, w);
	else if (!mrt_comm_split(w, (int)in_below(in, 2), 0, &made) &&
		 made != MRT_COMM_NULL)
		comm_discard(made);
	free(buf);
	free(more);
}

static void step(void)
{
	struct mrt_status status;
	struct slot *s;

	switch (in_below(in, 8)) {
	case 0:
		send();
		break;
	case 1:
	case 2:
		receive();
		break;
	case 3:
		s = &slots[in_below(in, SLOTS)];
		if (s->used && !s->req.complete)
			p2p_cancel(&s->req);
		break;
	case 4:
		p2p_peek(some_rank(true), some_tag(true), comm_world.context,
			 &status);
		break;
	case 5:
		block();
		break;
	default:
		progress_poll();
	}
	retire();
}

/* Ends an input: nothing moves any more, and requests are freed with all they
 * had. */
static void end(void)
{
	peers_end();
	world_heal();
	for (struct slot *s = slots; s < slots + SLOTS; s++) {
		if (!s->used)
			continue;
		if (!s->req.complete)
			p2p_abandon(&s->req);
		drop(s);
	}
	/* lets empty outboxes go */
	progress_poll();
	MUST(list_empty(&p2p_blocked));
	MUST(peers_mems == 0);
	MUST(match_load.posted == 0);
	p2p_fini();
	match_load.kept = 0;
	if (p2p_init())
		abort();
	world_heal();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	setenv("MRT_SPIN", "1000000000", 1);
	setenv("MRT_GATHER_MIN", "64", 1);
	peers_install();
	if (mrt_init(argc, argv) ||
	    mrt_type_vector(6, 3, 8, MRT_BYTE, &holes) ||
	    mrt_type_commit(holes))
		abort();
	env.log = -1;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input = (struct input){data, data + size};
	comm_world.coll_seq = 0;
	peers_begin(in);
	while (!in_over(in) && !fault_code)
		step();
	/* a refused message must name its sender */
	if (fault_code == MRT_ERR_PROTOCOL)
		MUST(strstr(world_fault, "rank "));
	end();
	return 0;
}
