/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_messages.c has messages between all ranks of a communicator at once, in
 * every form, with a random type at each end; pairs that communicate by
 * blocking calls; and memory of mrt_alloc that the neighbour reads.
 */
#include "tests/soak/soak.h"
#include "tests/soak/soak_place.h"
#include "tests/system/trial.h"

enum { PER_PAIR = 2, SIDE = 4096, MAP_MAX = 1 << 16 };

/* One end of a message. */
struct message {
	bool sends;
	int peer, tag;
	size_t bytes, count;
	uint64_t key, own; /* contents; draws of this rank alone */
	struct shape shape;
	struct place place;
	struct mrt_request *request;
	bool persistent;
};

struct batch {
	struct soak *s;
	struct mrt_comm *comm;
	int rank, size, peers, side,
	    other; /* side, other: first numbers of the groups */
	size_t max;
	struct message *messages;
	int n;
};

static struct batch batch_of(struct soak *s, const struct slot *slot)
{
	struct batch b = {.s = s, .comm = slot->comm};
	bool inter = slot->side != ONE_GROUP;

	b.rank = mrt_rank(b.comm);
	b.size = mrt_size(b.comm);
	b.peers = inter ? mrt_comm_remote_size(b.comm) : b.size;
	b.side = inter ? slot->side * SIDE : 0;
	b.other = inter ? (1 - slot->side) * SIDE : 0;
	return b;
}

/* ---- Ends ------------------------------------------------------------------
 */

/* Returns 0 if message k between two ranks (numbered over both groups) does
 * not exist, otherwise its bytes plus one. */
static size_t length(const struct batch *b, int from, int to, int k)
{
	uint64_t h =
	    trial_hash(b->s->op, 400 + (uint64_t)(from * 4 + k), (uint64_t)to);
	size_t bytes = (h >> 8) % (b->max + 1);

	if (h % 3 == 0)
		return 0;
	return 1 + (h % 3 == 1 ? bytes % 200 : bytes) / 6 * 6;
}

static void fill_message(struct message *m)
{
	place_clear(&m->place);
	if (m->sends)
		place_put(&m->place, &m->shape, 0, m->count, m->key);
}

static void open_message(struct batch *b, struct message *m, int from, int to)
{
	ptrdiff_t low, high;

	m->key = trial_hash(b->s->op, 500 + (uint64_t)from,
			    (uint64_t)(to * 64 + m->tag));
	m->own = trial_hash(m->key, m->sends, 9);
	m->count = 1 + m->own % 3;
	m->request = MRT_REQUEST_NULL;
	shape_make(&m->shape, m->bytes / m->count, m->own);
	shape_span(&m->shape, m->count, &low, &high);
	place_make(&m->place, low, high, m->own >> 8);
	fill_message(m);
	if (!m->sends)
		place_expect(&m->place, &m->shape, 0, m->count, m->key);
}

/* Frees the memory of a message, whose type is already freed. */
static void close_message(struct batch *b, struct message *m)
{
	MUST(b->s, place_right(&m->place));
	shape_fini(&m->shape);
	place_fini(&m->place);
}

/* No two operations of a round share a tag, because a rank may be ahead. */
static int tag_base(const struct soak *s)
{
	return s->number << 14;
}

/* Opens the messages with every peer. The tag tells the messages of a pair
 * apart. */
static void open_all(struct batch *b)
{
	int self = b->side + b->rank;

	b->messages =
	    calloc((size_t)(2 * PER_PAIR * b->peers), sizeof(*b->messages));
	MUST(b->s, b->messages != NULL);
	for (int i = 0; i < 2 * PER_PAIR * b->peers; i++) {
		struct message m = {.peer = i / (2 * PER_PAIR),
				    .tag = i / 2 % PER_PAIR,
				    .sends = i % 2};
		int from = m.sends ? self : b->other + m.peer;
		int to = m.sends ? b->other + m.peer : self;
		size_t plus_one = length(b, from, to, m.tag);

		if (!plus_one)
			continue;
		m.bytes = plus_one - 1;
		/* a tag of its own, for receives from any source */
		m.tag += tag_base(b->s) + 4 * (from % SIDE);
		b->messages[b->n] = m;
		open_message(b, &b->messages[b->n++], from, to);
	}
}

/* ---- Calls -----------------------------------------------------------------
 */

static void start_send(struct batch *b, struct message *m)
{
	struct soak *s = b->s;
	const void *buf = place_buffer(&m->place);

#define SEND(call)                                                             \
	MUST_OK(s, mrt_##call(buf, m->count, m->shape.type, m->peer, m->tag,   \
			      b->comm, &m->request))
	s->doing = "send";
	switch (m->own >> 12 & 7) {
	case 0:
		SEND(issend);
		break;
	case 1:
		SEND(send_init);
		m->persistent = true;
		break;
	case 2:
		SEND(ssend_init);
		m->persistent = true;
		break;
	case 3:
		SEND(ibsend);
		break;
	default:
		SEND(isend);
	}
	if (m->persistent)
		MUST_OK(s, mrt_start(&m->request));
	shape_free_type(&m->shape);
}

static void start_recv(struct batch *b, struct message *m)
{
	struct soak *s = b->s;
	void *buf = place_buffer(&m->place);
	struct mrt_message *found;
	struct mrt_status status;
	int from = m->own >> 16 & 1 ? MRT_ANY_SOURCE : m->peer;

	s->doing = "receive";
	switch (m->own >> 12 & 3) {
	case 0:
		MUST_OK(s, mrt_recv_init(buf, m->count, m->shape.type, from,
					 m->tag, b->comm, &m->request));
		MUST_OK(s, mrt_start(&m->request));
		m->persistent = true;
		break;
	case 1:
		if (m->own >> 17 & 1) {
			s->doing = "matched probe";
			MUST_OK(s, mrt_mprobe(from, m->tag, b->comm, &found,
					      &status));
			MUST(s, status.bytes == m->bytes);
			MUST_OK(s, mrt_imrecv(buf, m->count, m->shape.type,
					      &found, &m->request));
			break;
		}
		/* fall through */
	default:
		MUST_OK(s, mrt_irecv(buf, m->count, m->shape.type, from, m->tag,
				     b->comm, &m->request));
	}
	shape_free_type(&m->shape);
}

/* Returns whether the call waits for a message, so that it must follow all
 * sends. */
static bool probes(const struct message *m)
{
	return !m->sends && (m->own >> 12 & 3) == 1;
}

/* Starts in an order of this rank's own: some receives, all sends, the other
 * receives. */
static void start_all(struct batch *b)
{
	for (int phase = 0; phase < 3; phase++)
		for (int i = 0; i < b->n; i++) {
			struct message *m = &b->messages[i];
			int when = m->sends			   ? 1
				   : probes(m) || m->own >> 20 & 1 ? 2
								   : 0;

			if (when == phase)
				(m->sends ? start_send : start_recv)(b, m);
		}
}

static void check_status(struct batch *b, const struct message *m,
			 const struct mrt_status *status)
{
	if (m->sends)
		return;
	b->s->doing = "status";
	MUST(b->s, status->source == m->peer && status->tag == m->tag);
	MUST(b->s, status->bytes == m->bytes);
}

static void finish_batch(struct batch *b)
{
	size_t n = (size_t)b->n;
	struct mrt_request **r = calloc(n + 1, sizeof(*r));
	struct mrt_status *status = calloc(n + 1, sizeof(*status));
	uint64_t way = trial_hash(b->s->op, 41, (uint64_t)b->rank) % 3;
	int flag = 0, index;

	MUST(b->s, r && status);
	for (size_t i = 0; i < n; i++)
		r[i] = b->messages[i].request;
	if (way == 0)
		MUST_OK(b->s, mrt_waitall(n, r, status));
	while (way == 1 && !flag)
		MUST_OK(b->s, mrt_testall(n, r, &flag, status));
	for (size_t i = 0; way == 2 && i < n; i++) {
		struct mrt_status one;

		MUST_OK(b->s, mrt_waitany(n, r, &index, &one));
		MUST(b->s, index >= 0);
		status[index] = one;
	}
	for (size_t i = 0; i < n; i++) {
		check_status(b, &b->messages[i], &status[i]);
		b->messages[i].request = r[i];
	}
	free(r);
	free(status);
}

/* Cancels a receive that nothing matches. */
static void cancel_one(struct batch *b)
{
	struct mrt_request *request;
	struct mrt_status status;
	int nothing;

	b->s->doing = "cancel";
	MUST_OK(b->s,
		mrt_irecv(&nothing, 1, MRT_INT, 0, 1 << 30, b->comm, &request));
	MUST_OK(b->s, mrt_cancel(&request));
	MUST_OK(b->s, mrt_wait(&request, &status));
	MUST(b->s, status.cancelled == 1);
}

void run_messages(struct soak *s, const struct slot *slot)
{
	struct batch b = batch_of(s, slot);

	b.max = draw_bytes(s, 1, soak_options.max);
	open_all(&b);
	start_all(&b);
	if (draw(s, 2, 4) == 0)
		cancel_one(&b);
	s->doing = "completion of messages";
	finish_batch(&b);
	for (int i = 0; i < b.n; i++) {
		struct message *m = &b.messages[i];

		s->doing = m->sends ? "sent message" : "received message";
		if (m->persistent)
			MUST_OK(s, mrt_request_free(&m->request));
		if (!m->sends)
			soak_count("message", m->bytes);
		close_message(&b, m);
	}
	free(b.messages);
}

/* ---- Blocking --------------------------------------------------------------
 */

static int send_one(struct batch *b, struct message *m)
{
	const void *buf = place_buffer(&m->place);

	switch (m->own >> 12 & 3) {
	case 0:
		return mrt_ssend(buf, m->count, m->shape.type, m->peer, m->tag,
				 b->comm);
	case 1:
		return mrt_bsend(buf, m->count, m->shape.type, m->peer, m->tag,
				 b->comm);
	default:
		return mrt_send(buf, m->count, m->shape.type, m->peer, m->tag,
				b->comm);
	}
}

static int recv_one(struct batch *b, struct message *m,
		    struct mrt_status *status)
{
	void *buf = place_buffer(&m->place);
	struct mrt_message *found;
	int from = m->own >> 16 & 1 ? MRT_ANY_SOURCE : m->peer;

	if ((m->own >> 12 & 3) == 0)
		MUST_OK(b->s, mrt_probe(from, m->tag, b->comm, status));
	if ((m->own >> 12 & 3) != 1)
		return mrt_recv(buf, m->count, m->shape.type, from, m->tag,
				b->comm, status);
	MUST_OK(b->s, mrt_mprobe(from, m->tag, b->comm, &found, status));
	return mrt_mrecv(buf, m->count, m->shape.type, &found, status);
}

/* Exchanges both ways, the lower rank first, or both at once. */
static void exchange(struct batch *b, struct message m[2], bool first)
{
	struct mrt_status status;
	struct soak *s = b->s;

	s->doing = "blocking messages";
	if (draw(s, 3, 3) == 0) {
		MUST_OK(s, mrt_sendrecv(place_buffer(&m[1].place), m[1].count,
					m[1].shape.type, m[1].peer, m[1].tag,
					place_buffer(&m[0].place), m[0].count,
					m[0].shape.type, m[0].peer, m[0].tag,
					b->comm, &status));
	} else {
		if (first)
			MUST_OK(s, send_one(b, &m[1]));
		MUST_OK(s, recv_one(b, &m[0], &status));
		if (!first)
			MUST_OK(s, send_one(b, &m[1]));
	}
	check_status(b, &m[0], &status);
}

/* A rank and its partner, whose rank differs in one bit or is equal in the
 * other group, exchange messages a few times. */
void run_pairs(struct soak *s, const struct slot *slot)
{
	struct batch b = batch_of(s, slot);
	bool inter = slot->side != ONE_GROUP;
	int partner = inter ? b.rank : b.rank ^ 1 << draw(s, 1, 3);
	int self = b.side + b.rank, other = b.other + partner;

	b.max = draw_bytes(s, 2, soak_options.max);
	for (int k = 0; k < 4 && partner < b.peers; k++) {
		struct message m[2] = {{.sends = false}, {.sends = true}};

		for (int way = 0; way < 2; way++) {
			size_t plus_one = way ? length(&b, self, other, k)
					      : length(&b, other, self, k);

			m[way].bytes = plus_one ? plus_one - 1 : 6;
			m[way].peer = partner;
			m[way].tag = tag_base(s) + k;
			open_message(&b, &m[way], way ? self : other,
				     way ? other : self);
		}
		exchange(&b, m, self < other);
		for (int way = 0; way < 2; way++) {
			s->doing = "blocking message";
			shape_free_type(&m[way].shape);
			close_message(&b, &m[way]);
		}
		soak_count("blocking message", m[0].bytes);
	}
}

/* ---- Memory that is mapped -------------------------------------------------
 */

/* Each rank writes its own memory and reads that of its right neighbour, where
 * that is mapped. */
void run_map(struct soak *s, const struct slot *slot)
{
	int n = mrt_size(slot->comm), rank = mrt_rank(slot->comm);
	int right = (rank + 1) % n, left = (rank + n - 1) % n, rc;
	size_t words = 1 + draw_bytes(s, 1, MAP_MAX) / 8;
	uint64_t *mine, address, remote;
	void *memory, *theirs;

	s->doing = "map";
	MUST_OK(s, mrt_alloc(words * 8, &memory));
	mine = memory;
	for (size_t i = 0; i < words; i++)
		mine[i] = trial_hash(s->op, (uint64_t)rank, i);
	address = (uint64_t)(uintptr_t)memory;
	MUST_OK(s, mrt_sendrecv(&address, 1, MRT_UINT64, left, 3, &remote, 1,
				MRT_UINT64, right, 3, slot->comm,
				MRT_STATUS_IGNORE));
	rc = mrt_map(remote, words * 8, right, slot->comm, &theirs);
	MUST(s, rc == MRT_SUCCESS || rc == MRT_ERR_NO_FABRIC);
	for (size_t i = 0; rc == MRT_SUCCESS && i < words; i++)
		MUST(s, ((uint64_t *)theirs)[i] ==
			    trial_hash(s->op, (uint64_t)right, i));
	MUST_OK(s, mrt_barrier(slot->comm));
	MUST_OK(s, mrt_free(memory));
	soak_count("map", rc ? 0 : words * 8);
}
