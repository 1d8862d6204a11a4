/* SPDX-License-Identifier: Apache-2.0 */
/*
 * goal_time.c: computes the time of a GOAL schedule under LogGP. A host has a
 * CPU and a NIC, each of which does one thing after the other:
 *
 *	send n	takes o_s + n O_s of the CPU, and the send is complete (all
 *		sends are eager); then it occupies the NIC, once that is free,
 *		for g + (n - 1) G
 *	message	reaches the receiver's NIC L after the sender's NIC has begun
 *		with it, and occupies that NIC, once it is free, for
 *		g + (n - 1) G; it has arrived (n - 1) G after that NIC has begun
 *	recv n	takes o_r + n O_r of the CPU, once its requirements are met and
 *		a message of this sender and tag has arrived
 *	calc t	takes t ns of the CPU
 *
 * The hosts of a node share its NIC; a message between them arrives
 * L + (n - 1) G after it was sent.
 *
 * The model leaves the order of simultaneous work open. These rules are those
 * of the library's executor and so of tools/sim:
 *
 *	- A CPU runs the operations that have become ready, in the order in
 *	  which they did; only when there are none, it runs the receives whose
 *	  messages have arrived, in the order in which receive and message were
 *	  both there. An operation that finishes releases those that require it
 *	  in the order of the text.
 *	- A NIC serves messages in the order in which they reach it.
 *	- Events at one time happen in this order: CPUs that finish an
 *	  operation, by host; then messages that reach a NIC; then messages that
 *	  have arrived; messages by receiver, number of the send, and sender.
 *
 * LogGOPSim itself has one o and one O, counts O from size - 1, and holds the
 * CPU back while the NIC is busy, so its times differ where those matter.
 */
#include <stdlib.h>

#include "tests/unit/tools/sim/goal_text.h"

enum { NOTHING = -1 };

/* The message of a send. */
struct message {
	int from, to;
	const struct goal_op *op;
	struct message *next; /* in the receiver's list of early messages */
};

/* A queue of operations, each of which enters it at most once. */
struct line {
	int *ops, head, tail;
};

struct host {
	const struct goal_host *program;
	struct message *messages; /* [nops] */
	int *waits;		  /* [nops] */
	struct line ready, come;
	bool *posted;		      /* [nops] receives without a message */
	struct message *early;	      /* without a receive, oldest first */
	int64_t cpu, nic_out, nic_in; /* when free; NIC: at a node's first */
	int running, left;
};

struct event {
	int64_t time;
	int host; /* whose CPU finishes, if there is no message */
	struct message *message;
	bool all; /* the whole message has arrived, not only its head */
};

struct run {
	const struct loggp *p;
	struct host *hosts;
	struct event *events; /* a heap */
	int nevents;
};

/* ---- Events ------------------------------------------------------------- */

/* Returns the number of the event's send, whose label is "s" and this number.
 */
static int number(const struct event *e)
{
	return atoi(e->message->op->label + 1);
}

static bool before(const struct event *a, const struct event *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (!a->message || !b->message)
		return !a->message && (b->message || a->host < b->host);
	if (a->all != b->all)
		return b->all;
	if (a->host != b->host)
		return a->host < b->host;
	if (number(a) != number(b))
		return number(a) < number(b);
	return a->message->from < b->message->from;
}

static void swap(struct event *a, struct event *b)
{
	struct event kept = *a;

	*a = *b;
	*b = kept;
}

static void push(struct run *run, struct event event)
{
	struct event *e = run->events;
	int k = run->nevents++;

	e[k] = event;
	for (; k && before(&e[k], &e[(k - 1) / 2]); k = (k - 1) / 2)
		swap(&e[k], &e[(k - 1) / 2]);
}

static struct event pop(struct run *run)
{
	struct event *e = run->events, first = e[0];

	e[0] = e[--run->nevents];
	for (int k = 0, least = 0;; k = least) {
		for (int c = 2 * k + 1; c <= 2 * k + 2; c++)
			if (c < run->nevents && before(&e[c], &e[least]))
				least = c;
		if (least == k)
			return first;
		swap(&e[k], &e[least]);
	}
}

/* ---- Messages ----------------------------------------------------------- */

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t body(const struct run *run, const struct message *m)
{
	return (m->op->size - 1) * run->p->G;
}

static struct host *with_nic(const struct run *run, int host)
{
	return &run->hosts[host - host % run->p->ppn];
}

/* Occupies a NIC with a message that reaches it at `time`. Returns when the NIC
 * begins with it. */
static int64_t serve(const struct run *run, int64_t *nic, int64_t time,
		     const struct message *m)
{
	int64_t begin = later(*nic, time);

	*nic = begin + run->p->g + body(run, m);
	return begin;
}

static void send(struct run *run, struct message *m, int64_t time)
{
	struct host *from = with_nic(run, m->from);
	bool near = from == with_nic(run, m->to);

	time = near ? time + body(run, m) : serve(run, &from->nic_out, time, m);
	push(run, (struct event){time + run->p->L, m->to, m, near});
}

static void enter(struct run *run, struct message *m, int64_t time)
{
	time = serve(run, &with_nic(run, m->to)->nic_in, time, m);
	push(run, (struct event){time + body(run, m), m->to, m, true});
}

static bool fits(const struct goal_op *recv, const struct message *m)
{
	return recv->kind == GOAL_RECV && recv->peer == m->from &&
	       recv->tag == m->op->tag && recv->size == m->op->size;
}

static void receive(struct host *h, struct message *m)
{
	struct message **end = &h->early;

	for (int k = 0; k < h->program->nops; k++)
		if (h->posted[k] && fits(&h->program->ops[k], m)) {
			h->posted[k] = false;
			h->come.ops[h->come.tail++] = k;
			return;
		}
	while (*end)
		end = &(*end)->next;
	*end = m;
}

static void post(struct host *h, int op)
{
	struct message **m = &h->early;

	while (*m && !fits(&h->program->ops[op], *m))
		m = &(*m)->next;
	if (*m) {
		*m = (*m)->next;
		h->come.ops[h->come.tail++] = op;
	} else {
		h->posted[op] = true;
	}
}

/* ---- CPUs --------------------------------------------------------------- */

static void reach(struct host *h, int op)
{
	if (h->program->ops[op].kind == GOAL_RECV)
		post(h, op);
	else
		h->ready.ops[h->ready.tail++] = op;
}

static int64_t work(const struct run *run, const struct goal_op *op)
{
	switch (op->kind) {
	case GOAL_SEND:
		return run->p->o_s + op->size * run->p->O_s;
	case GOAL_RECV:
		return run->p->o_r + op->size * run->p->O_r;
	default:
		return op->size * 1000;
	}
}

/* Ends the operation that the host's CPU is running. */
static void finish(struct run *run, struct host *h)
{
	const struct goal_op *op = &h->program->ops[h->running];
	struct message *m = &h->messages[h->running];

	if (op->kind == GOAL_SEND) {
		m->op = op;
		m->from = (int)(h - run->hosts);
		m->to = op->peer;
		send(run, m, h->cpu);
	}
	h->running = NOTHING;
	h->left--;
	for (int k = op->first; k >= 0; k = h->program->links[k].next)
		if (--h->waits[h->program->links[k].op] == 0)
			reach(h, h->program->links[k].op);
}

static void go_on(struct run *run, struct host *h, int64_t time)
{
	while (h->running == NOTHING) {
		struct line *from =
		    h->ready.head < h->ready.tail ? &h->ready : &h->come;
		int64_t takes;

		if (from->head == from->tail)
			return;
		h->running = from->ops[from->head++];
		takes = work(run, &h->program->ops[h->running]);
		h->cpu = time + takes;
		if (takes)
			push(run, (struct event){h->cpu, (int)(h - run->hosts),
						 NULL, true});
		else
			finish(run, h);
	}
}

/* ---- A run -------------------------------------------------------------- */

static void happen(struct run *run, const struct event *e)
{
	struct host *h = &run->hosts[e->host];

	if (!e->all) {
		enter(run, e->message, e->time);
		return;
	}
	if (e->message)
		receive(h, e->message);
	else
		finish(run, h);
	go_on(run, h, e->time);
}

static void *zeros(int n, size_t size)
{
	void *room = calloc((size_t)n + 1, size);

	if (!room)
		abort();
	return room;
}

static void set_up(struct run *run, const struct goal *goal)
{
	int total = goal->nhosts;

	run->hosts = zeros(goal->nhosts, sizeof(*run->hosts));
	for (int k = 0; k < goal->nhosts; k++) {
		struct host *h = &run->hosts[k];
		int n = h->left = goal->hosts[k].nops;

		h->program = &goal->hosts[k];
		h->messages = zeros(n, sizeof(*h->messages));
		h->waits = zeros(n, sizeof(*h->waits));
		h->ready.ops = zeros(n, sizeof(int));
		h->come.ops = zeros(n, sizeof(int));
		h->posted = zeros(n, sizeof(*h->posted));
		h->running = NOTHING;
		for (int i = 0; i < n; i++)
			h->waits[i] = h->program->ops[i].waits;
		total += n;
	}
	run->events = zeros(total, sizeof(*run->events));
}

/* Frees a run. Returns when the last host finished, or -1. */
static int64_t take_down(struct run *run, const struct goal *goal)
{
	int64_t end = 0;

	for (int k = 0; k < goal->nhosts; k++) {
		struct host *h = &run->hosts[k];

		end = h->left || end < 0 ? -1 : later(end, h->cpu);
		free(h->messages);
		free(h->waits);
		free(h->ready.ops);
		free(h->come.ops);
		free(h->posted);
	}
	free(run->hosts);
	free(run->events);
	return end;
}

int64_t goal_time(const struct goal *goal, const struct loggp *p)
{
	struct run run = {.p = p};

	set_up(&run, goal);
	for (int k = 0; k < goal->nhosts; k++) {
		struct host *h = &run.hosts[k];

		for (int i = 0; i < h->program->nops; i++)
			if (!h->program->ops[i].waits)
				reach(h, i);
		go_on(&run, h, 0);
	}
	while (run.nevents) {
		struct event e = pop(&run);

		happen(&run, &e);
	}
	return take_down(&run, goal);
}
