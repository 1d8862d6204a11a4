/* SPDX-License-Identifier: Apache-2.0 */
/* check.c: exchanges the statements of ranks about their calls (check.h). */
#include "coll/call/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/call/coll_state.h"
#include "p2p/p2p.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/engine/proc.h"
#include "runtime/engine/wait.h"

enum {
	/* calls in progress on a communicator that have distinct tags */
	NUMBERS = 1 << 15,
	TEXT = 280,    /* bytes of the text of an error */
	VERDICT = 184, /* bytes of check_match's part of it */
	/* Requests per rank: a send and a receive in each of two exchanges.
	 * The second exchange has its own because the last request of the first
	 * is still in use when the second begins. */
	MAILS_PER_RANK = 4
};

/* The message of the first exchange. */
struct letter {
	struct statement says;
	struct traffic to; /* what the sender will send to the receiver */
};

/* The message of the second exchange. */
struct finding {
	int32_t from; /* the rank whose traffic is not as expected, or -1 */
	int32_t unused;
	struct traffic sent, expected;
};

struct mail {
	struct mrt_request req; /* must be first: mail_done casts its address */
	struct check *v;
};

struct check {
	struct list link;      /* in the communicator's checks, or in `idle` */
	struct mrt_comm *comm; /* holds a reference while in progress */
	void (*done)(struct check *v, void *owner);
	void *owner;
	uint32_t number;
	int left; /* messages that are not complete */
	int error;
	bool second, judged, over;
	char text[TEXT];
	struct finding own;
	/* The arrays are indexed by rank and lie in memory[bytes]; `in` and
	 * `findings` also have the own rank's element. */
	int n;
	size_t bytes;
	char *memory;
	struct letter *out, *in;
	struct finding *findings;
	struct traffic *from;
	struct mail *mail; /* MAILS_PER_RANK for each rank */
	const struct statement **all;
};

/* Checks that are over are kept for reuse, so that a repeated call allocates
 * nothing. They are freed only in a later call, since the completion of their
 * last message may still be on the call stack. */
static struct {
	struct list list;
	int n;
} idle = {LIST_INIT(idle.list), 0};
enum { IDLE_MOST = 64 };

/* ---- Objects ------------------------------------------------------------- */

static void check_release(struct check *v)
{
	free(v->memory);
	free(v);
}

void check_destroy(struct check *v)
{
	if (!v)
		return;
	list_append(&idle.list, &v->link);
	idle.n++;
}

static struct check *pop_idle(void)
{
	idle.n--;
	return list_entry(list_pop(&idle.list), struct check, link);
}

void check_fini(void)
{
	while (idle.n)
		check_release(pop_idle());
}

/* Takes an idle check for n ranks. Returns NULL if there is none. */
static struct check *check_find(int n)
{
	list_for_each_safe (it, &idle.list) {
		struct check *v = list_entry(it, struct check, link);

		if (v->n != n)
			continue;
		list_remove(&v->link);
		idle.n--;
		return v;
	}
	return NULL;
}

static struct check *check_make(int ranks)
{
	struct check *v = calloc(1, sizeof(*v));
	size_t n = (size_t)ranks;
	char *at;

	if (!v)
		return NULL;
	v->n = ranks;
	v->bytes =
	    n * (2 * sizeof(*v->out) + sizeof(*v->findings) + sizeof(*v->from) +
		 MAILS_PER_RANK * sizeof(*v->mail) + sizeof(*v->all));
	v->memory = at = malloc(v->bytes);
	if (!at) {
		free(v);
		return NULL;
	}
	v->mail = (struct mail *)(void *)at;
	v->out = (struct letter *)(void *)(v->mail + MAILS_PER_RANK * n);
	v->in = v->out + n;
	v->findings = (struct finding *)(void *)(v->in + n);
	v->from = (struct traffic *)(void *)(v->findings + n);
	v->all = (const struct statement **)(void *)(v->from + n);
	return v;
}

struct check *check_create(struct mrt_comm *comm, const struct statement *s,
			   int *rc)
{
	struct check *v;

	*rc = 0;
	if (comm->size == 1)
		return NULL;
	while (idle.n > IDLE_MOST)
		check_release(pop_idle());
	v = check_find(comm->size);
	if (!v)
		v = check_make(comm->size);
	if (!v) { /* a fault: the others would wait for the statement */
		*rc = fault_raise_text(MRT_ERR_NO_MEM,
				       "MRT_CHECK with %d ranks", comm->size);
		return NULL;
	}
	memset(v->memory, 0, v->bytes);
	v->comm = comm;
	v->own.from = -1;
	v->error = 0;
	v->second = v->judged = v->over = false;
	for (int r = 0; r < comm->size; r++)
		v->out[r].says = *s;
	for (int i = 0; i < MAILS_PER_RANK * comm->size; i++) {
		v->mail[i].v = v;
		v->mail[i].req.complete = true;
	}
	return v;
}

struct traffic *check_to(struct check *v, int rank)
{
	return &v->out[rank].to;
}

struct traffic *check_from(struct check *v, int rank)
{
	return &v->from[rank];
}

/* ---- Comparison ---------------------------------------------------------- */

static bool same_traffic(const struct traffic *a, const struct traffic *b)
{
	return a->messages == b->messages && a->bytes == b->bytes &&
	       (!a->signature || !b->signature || a->signature == b->signature);
}

/* Finds the first rank whose traffic is not what this rank expects. */
static void find_wrong(struct check *v)
{
	for (int r = 0; r < v->comm->size && v->own.from < 0; r++) {
		if (r == v->comm->rank ||
		    same_traffic(&v->in[r].to, &v->from[r]))
			continue;
		v->own.from = r;
		v->own.sent = v->in[r].to;
		v->own.expected = v->from[r];
	}
}

static void say_traffic(char *text, size_t len, const struct traffic *f)
{
	if (f->messages > 1)
		snprintf(text, len, "%llu bytes in %llu messages",
			 (unsigned long long)f->bytes,
			 (unsigned long long)f->messages);
	else if (f->messages)
		snprintf(text, len, "%llu bytes", (unsigned long long)f->bytes);
	else
		snprintf(text, len, "nothing");
}

static void report_traffic(struct check *v, const struct finding *f, int to,
			   int others)
{
	char sent[64], expected[64], more[40] = "";

	say_traffic(sent, sizeof(sent), &f->sent);
	say_traffic(expected, sizeof(expected), &f->expected);
	if (others)
		snprintf(more, sizeof(more), "; %d more differ", others);
	if (f->sent.bytes == f->expected.bytes &&
	    f->sent.messages == f->expected.messages)
		snprintf(v->text, sizeof(v->text),
			 "rank %d sends %s to rank %d, of other types or "
			 "lengths than that expects%s",
			 f->from, sent, to, more);
	else
		snprintf(v->text, sizeof(v->text),
			 "rank %d sends %s to rank %d, which expects %s%s",
			 f->from, sent, to, expected, more);
	v->error = MRT_ERR_COLLECTIVE;
}

static void judge_findings(struct check *v)
{
	int first = -1, n = 0;

	v->findings[v->comm->rank] = v->own;
	for (int r = v->comm->size; r-- > 0;) {
		if (v->findings[r].from < 0)
			continue;
		first = r;
		n++;
	}
	if (n)
		report_traffic(v, &v->findings[first], first, n - 1);
}

static void judge_statements(struct check *v)
{
	struct mrt_comm *comm = v->comm;
	int low = comm->outer ? comm_low(comm->outer) : 0;
	char text[VERDICT];

	v->in[comm->rank] = v->out[comm->rank];
	for (int r = 0; r < comm->size; r++)
		v->all[r] = &v->in[r].says;
	if (!check_match(v->all, comm->size, low, text, sizeof(text))) {
		snprintf(v->text, sizeof(v->text),
			 "collective %u of "
			 "communicator %u%s, of %d ranks: %s",
			 v->number, context_id(comm->context),
			 comm == &comm_world ? " (world)" : "", comm->size,
			 text);
		v->error = MRT_ERR_COLLECTIVE;
	}
}

/* ---- Messages ------------------------------------------------------------ */

/* Ends the checks at the head of the communicator's list that have a result, so
 * that all ranks go on in the order of calls. */
static void check_deliver(struct mrt_comm *comm)
{
	comm_hold(comm);
	while (comm->coll && !list_empty(&comm->coll->checks)) {
		struct check *v =
		    list_entry(comm->coll->checks.next, struct check, link);

		if (!v->judged)
			break;
		list_remove(&v->link);
		v->over = true;
		comm_release(comm);
		/* done may drop the last reference but this function's */
		if (v->done)
			v->done(v, v->owner);
	}
	comm_release(comm);
}

static void check_advance(struct check *v);

static void mail_done(struct mrt_request *req)
{
	struct check *v = ((struct mail *)req)->v;

	if (req->status.error && !v->error) {
		v->error = req->status.error;
		snprintf(v->text, sizeof(v->text), "MRT_CHECK: no answer");
	}
	v->left--;
	check_advance(v);
}

/* Sends each other rank `bytes` bytes of `out` and receives as many into `in`,
 * which is indexed by rank. The messages in `out` are `step` bytes apart; with
 * step 0 all ranks get one message. */
static void check_exchange(struct check *v, const void *out, size_t step,
			   void *in, size_t bytes)
{
	struct mrt_comm *comm = v->comm;
	uint32_t context = comm->context | CONTEXT_CHECK;
	int tag = (int)(v->number % NUMBERS) * 2 + v->second;

	/* one more than the messages, so that no completion inside the loop
	 * ends the exchange */
	v->left = 2 * (comm->size - 1) + 1;
	for (int r = 0; r < comm->size; r++) {
		struct mail *both =
		    &v->mail[MAILS_PER_RANK * r + 2 * v->second];
		struct mrt_request *get = &both[0].req, *put = &both[1].req;

		if (r == comm->rank)
			continue;
		request_prepare(get, REQ_RECV);
		get->done = mail_done;
		p2p_irecv(get, (char *)in + (size_t)r * bytes, bytes,
			  comm_world_rank(comm, r), tag, context);
		request_prepare(put, REQ_SEND);
		put->done = mail_done;
		p2p_isend(put, (const char *)out + (size_t)r * step, bytes,
			  comm_world_rank(comm, r), tag, context);
	}
	v->left--;
}

/* Goes on with the second exchange, or ends the check, if all messages are
 * complete. */
static void check_advance(struct check *v)
{
	if (v->left)
		return;
	if (!v->second) {
		if (!v->error)
			judge_statements(v);
		if (!v->error && v->out->says.flags & SAYS_TRAFFIC) {
			find_wrong(v);
			v->second = true;
			check_exchange(v, &v->own, 0, v->findings,
				       sizeof(*v->findings));
			check_advance(v);
			return;
		}
	} else if (!v->error) {
		judge_findings(v);
	}
	v->judged = true;
	check_deliver(v->comm);
}

void check_start(struct check *v, void (*done)(struct check *v, void *owner),
		 void *owner)
{
	v->done = done;
	v->owner = owner;
	v->number = v->comm->coll_seq++;
	comm_hold(v->comm);
	list_append(&v->comm->coll->checks, &v->link);
	check_exchange(v, v->out, sizeof(*v->out), v->in, sizeof(*v->in));
	check_advance(v);
}

/* ---- Results ------------------------------------------------------------- */

bool check_over(const struct check *v)
{
	return v->over;
}

int check_result(const struct check *v)
{
	return v->error ? proc_fail(v->error, "%s", v->text) : 0;
}

/* Takes a check's requests out of p2p's queues after a fault. Its memory is not
 * freed, since a peer may still read it. */
static void check_abandon(struct check *v)
{
	for (int i = 0; i < MAILS_PER_RANK * v->comm->size; i++) {
		struct mrt_request *req = &v->mail[i].req;

		req->done = NULL;
		if (!req->complete)
			p2p_abandon(req);
	}
	list_remove(&v->link);
	comm_release(v->comm);
}

/* Example: "mrt_bcast of communicator 3: rank 2, 5 to call a collective of it".
 */
void check_describe_wait(const struct check *v, char *text, size_t len)
{
	const struct mrt_comm *comm = v->comm;
	int n, missing = 0;

	n = snprintf(text, len, "%s of communicator %u: rank",
		     v->out->says.name, context_id(comm->context));
	for (int r = 0; r < comm->size; r++) {
		const struct mail *m =
		    &v->mail[MAILS_PER_RANK * r + 2 * v->second];

		if (m->req.complete || (size_t)n + 64 > len)
			continue;
		n += snprintf(text + n, len - (size_t)n, "%s %d",
			      missing++ ? "," : "", comm_world_rank(comm, r));
	}
	if ((size_t)n < len)
		snprintf(text + n, len - (size_t)n,
			 " to call a collective "
			 "of it");
}

static int describe_check(const struct wait *w, char *text, size_t len)
{
	check_describe_wait(w->what, text, len);
	return -1;
}

int check_wait(struct check *v)
{
	WAIT(w, describe_check, v);
	int rc = 0;

	if (!v)
		return 0;
	check_start(v, NULL, NULL);
	while (!v->over && !rc)
		rc = wait_poll(&w);
	if (!v->over) {
		check_abandon(v);
		return rc;
	}
	rc = check_result(v);
	check_destroy(v);
	return rc;
}

int check_call(struct mrt_comm *comm, const char *name, int root)
{
	struct statement s;
	struct check *v;
	int rc;

	if (!env.check)
		return 0;
	s = check_statement(name);
	if (root >= 0) {
		s.root = root;
		s.flags |= SAYS_ROOT;
	}
	v = check_create(comm->inter ? comm->inter->merged : comm, &s, &rc);
	return v ? check_wait(v) : rc;
}
