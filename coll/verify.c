/* SPDX-License-Identifier: Apache-2.0 */
/* verify.c: the exchange of what ranks call (verify.h). */
#include "coll/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coll/coll_state.h"
#include "p2p/p2p.h"
#include "runtime/base/env.h"
#include "runtime/proc.h"
#include "runtime/wait.h"

enum {
	/* no other message has it */
	CONTEXT = 1 << 19,
	/* so many calls of a communicator under way have tags of their own */
	NUMBERS = 1 << 15,
	TEXT = 280, JUDGED = 184
};

/* The first message to each. */
struct letter {
	struct statement says;
	struct flow to; /* the one that gets it */
};

/* The second one. */
struct finding {
	int32_t from; /* whose flow to this rank is wrong; -1: nobody's */
	int32_t unused;
	struct flow sent, expected;
};

struct mail {
	struct mrt_request req; /* first: done gets its address */
	struct verify *v;
};

struct verify {
	struct list link; /* of the communicator's, in the order of calls; or */
	struct mrt_comm *comm; /* held from start to end */
	void (*done)(struct verify *v, void *owner);
	void *owner;
	uint32_t number;
	int left; /* messages */
	int error;
	bool second, judged, over;
	char text[TEXT];
	struct letter *out, *in;	/* [size] by rank; in: the own one too */
	struct finding own, *findings;	/* [size] */
	struct flow *from;		/* [size] */
	struct mail *mail;		/* [2 size] */
};

/* Those that are over: their last message may be on the stack. */
static struct list buried = LIST_INIT(buried);

/* ---- Objects -------------------------------------------------------------- */

static void dig_up(void)
{
	struct list *it;

	while ((it = list_pop(&buried))) {
		struct verify *v = list_entry(it, struct verify, link);

		free(v->out);
		free(v->in);
		free(v->findings);
		free(v->from);
		free(v->mail);
		free(v);
	}
}

void verify_destroy(struct verify *v)
{
	if (v)
		list_append(&buried, &v->link);
}

void verify_fini(void)
{
	dig_up();
}

static struct verify *make(size_t n)
{
	struct verify *v = calloc(1, sizeof(*v));

	if (!v)
		return NULL;
	v->out = calloc(n, sizeof(*v->out));
	v->in = calloc(n, sizeof(*v->in));
	v->findings = calloc(n, sizeof(*v->findings));
	v->from = calloc(n, sizeof(*v->from));
	v->mail = calloc(2 * n, sizeof(*v->mail));
	if (v->out && v->in && v->findings && v->from && v->mail)
		return v;
	verify_destroy(v);
	return NULL;
}

struct verify *verify_create(struct mrt_comm *comm, const struct statement *s,
			     int *rc)
{
	struct verify *v;

	*rc = 0;
	if (comm->size == 1)
		return NULL;
	dig_up();
	v = make((size_t)comm->size);
	if (!v) {
		*rc = proc_fail(MRT_ERR_NO_MEM, "MRT_CHECK with %d ranks",
				comm->size);
		return NULL;
	}
	v->comm = comm;
	v->own.from = -1;
	for (int r = 0; r < comm->size; r++)
		v->out[r].says = *s;
	for (int i = 0; i < 2 * comm->size; i++)
		v->mail[i].v = v;
	return v;
}

struct flow *verify_to(struct verify *v, int rank)
{
	return &v->out[rank].to;
}

struct flow *verify_from(struct verify *v, int rank)
{
	return &v->from[rank];
}

/* ---- Judging -------------------------------------------------------------- */

static bool same_flow(const struct flow *a, const struct flow *b)
{
	return a->messages == b->messages && a->bytes == b->bytes &&
	       (!a->signature || !b->signature || a->signature == b->signature);
}

/* The first that comes otherwise than this rank expects. */
static void find(struct verify *v)
{
	for (int r = 0; r < v->comm->size && v->own.from < 0; r++) {
		if (r == v->comm->rank || same_flow(&v->in[r].to, &v->from[r]))
			continue;
		v->own.from = r;
		v->own.sent = v->in[r].to;
		v->own.expected = v->from[r];
	}
}

static void say_flow(char *text, size_t len, const struct flow *f)
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

static void report_flow(struct verify *v, const struct finding *f, int to,
			int others)
{
	char sent[64], expected[64], more[48] = "";

	say_flow(sent, sizeof(sent), &f->sent);
	say_flow(expected, sizeof(expected), &f->expected);
	if (others)
		snprintf(more, sizeof(more), "; %d more ranks complain",
			 others);
	if (f->sent.bytes == f->expected.bytes &&
	    f->sent.messages == f->expected.messages)
		snprintf(v->text, sizeof(v->text),
			 "rank %d sends %s to rank %d, of other types or "
			 "lengths than that expects%s", f->from, sent, to,
			 more);
	else
		snprintf(v->text, sizeof(v->text),
			 "rank %d sends %s to rank %d, which expects %s%s",
			 f->from, sent, to, expected, more);
	v->error = MRT_ERR_COLLECTIVE;
}

static void judge_findings(struct verify *v)
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
		report_flow(v, &v->findings[first], first, n - 1);
}

/* NULL: no memory to compare, which then counts as an agreement. */
static void judge_statements(struct verify *v)
{
	struct mrt_comm *comm = v->comm;
	size_t n = (size_t)comm->size;
	const struct statement **all = malloc(n * sizeof(*all));
	int low = comm->outer ? comm_low(comm->outer) : 0;
	char text[JUDGED];

	v->in[comm->rank] = v->out[comm->rank];
	for (size_t r = 0; r < n && all; r++)
		all[r] = &v->in[r].says;
	if (all && !verify_agree(all, comm->size, low, text, sizeof(text))) {
		snprintf(v->text, sizeof(v->text), "collective %u of "
			 "communicator %u%s, of %d ranks: %s", v->number,
			 comm->context / 2,
			 comm == &comm_world ? " (world)" : "", comm->size,
			 text);
		v->error = MRT_ERR_COLLECTIVE;
	}
	free(all);
}

/* ---- Messages ------------------------------------------------------------- */

/* What is over at the head, so that all ranks go on in the order of calls. */
static void deliver(struct mrt_comm *comm)
{
	comm_hold(comm);
	while (comm->coll && !list_empty(&comm->coll->verifies)) {
		struct verify *v = list_entry(comm->coll->verifies.next,
					      struct verify, link);

		if (!v->judged)
			break;
		list_remove(&v->link);
		v->over = true;
		comm_release(comm);
		/* may free the communicator */
		if (v->done)
			v->done(v, v->owner);
	}
	comm_release(comm);
}

static void advance(struct verify *v);

static void mail_done(struct mrt_request *req)
{
	struct verify *v = ((struct mail *)req)->v;

	if (req->status.error && !v->error) {
		v->error = req->status.error;
		snprintf(v->text, sizeof(v->text), "MRT_CHECK: no answer");
	}
	v->left--;
	advance(v);
}

/* out and in: items of so many bytes, by rank; those of out may be one. */
static void exchange(struct verify *v, const void *out, size_t step, void *in,
		     size_t bytes)
{
	struct mrt_comm *comm = v->comm;
	uint32_t context = comm->context | CONTEXT;
	int tag = (int)(v->number % NUMBERS) * 2 + v->second;

	v->left = 2 * (comm->size - 1) + 1; /* one more: this loop */
	for (int r = 0; r < comm->size; r++) {
		struct mrt_request *get = &v->mail[2 * r].req;
		struct mrt_request *put = &v->mail[2 * r + 1].req;

		get->complete = put->complete = true;
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

static void advance(struct verify *v)
{
	if (v->left)
		return;
	if (!v->second) {
		if (!v->error)
			judge_statements(v);
		if (!v->error && v->out->says.flags & SAYS_FLOWS) {
			find(v);
			v->second = true;
			exchange(v, &v->own, 0, v->findings,
				 sizeof(*v->findings));
			advance(v);
			return;
		}
	} else if (!v->error) {
		judge_findings(v);
	}
	v->judged = true;
	deliver(v->comm);
}

void verify_start(struct verify *v, void (*done)(struct verify *v, void *owner),
		  void *owner)
{
	v->done = done;
	v->owner = owner;
	v->number = v->comm->coll_seq++;
	comm_hold(v->comm);
	list_append(&v->comm->coll->verifies, &v->link);
	exchange(v, v->out, sizeof(*v->out), v->in, sizeof(*v->in));
	advance(v);
}

/* ---- Results -------------------------------------------------------------- */

bool verify_over(const struct verify *v)
{
	return v->over;
}

int verify_result(const struct verify *v)
{
	return v->error ? proc_fail(v->error, "%s", v->text) : 0;
}

/* After a fault: out of p2p's queues. Its memory stays, which a peer may still
 * read. */
static void abandon(struct verify *v)
{
	for (int i = 0; i < 2 * v->comm->size; i++) {
		struct mrt_request *req = &v->mail[i].req;

		req->done = NULL;
		if (!req->complete)
			p2p_abandon(req);
	}
	list_remove(&v->link);
	comm_release(v->comm);
}

/* "mrt_bcast of communicator 3: rank 2, 5 to call a collective of it". */
void verify_describe_wait(const struct verify *v, char *text, size_t len)
{
	const struct mrt_comm *comm = v->comm;
	int n, missing = 0;

	n = snprintf(text, len, "%s of communicator %u: rank",
		     v->out->says.name, comm->context / 2);
	for (int r = 0; r < comm->size; r++) {
		const struct mail *m = &v->mail[MAILS * r + 2 * v->second];

		if (m->req.complete || (size_t)n + 64 > len)
			continue;
		n += snprintf(text + n, len - (size_t)n, "%s %d",
			      missing++ ? "," : "", comm_world_rank(comm, r));
	}
	if ((size_t)n < len)
		snprintf(text + n, len - (size_t)n, " to call a collective "
			 "of it");
}

static void describe(const struct wait *w, char *text, size_t len)
{
	verify_describe_wait(w->what, text, len);
}

int verify_wait(struct verify *v)
{
	struct wait w = WAIT_FOR(describe, v);
	int rc = 0;

	if (!v)
		return 0;
	verify_start(v, NULL, NULL);
	while (!v->over && !rc)
		rc = wait_poll(&w);
	if (!v->over) {
		abandon(v);
		return rc;
	}
	rc = verify_result(v);
	verify_destroy(v);
	return rc;
}

int verify_call(struct mrt_comm *comm, const char *name, int root)
{
	struct statement s;
	struct verify *v;
	int rc;

	if (!env.check)
		return 0;
	s = verify_statement(name);
	if (root >= 0) {
		s.root = root;
		s.flags |= SAYS_ROOT;
	}
	v = verify_create(comm->inter ? comm->inter->merged : comm, &s, &rc);
	return v ? verify_wait(v) : rc;
}
