/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak_coll.c has the collectives: those of trial.h in one group; elements of
 * random types in one group or two; reductions towards the other group.
 */
#include "tests/soak/soak.h"
#include "tests/soak/soak_typed.h"

enum { MANY = 10, BATCH = 3 };

static void finish(struct soak *s, struct mrt_request **request)
{
	MUST_OK(s, mrt_wait(request, MRT_STATUS_IGNORE));
}

/* Waits in one of three ways, in an order of this rank's. */
static void finish_all(struct soak *s, struct mrt_request **requests, int n)
{
	uint64_t h = trial_hash(s->op, 40, (uint64_t)mrt_rank(s->world));
	int index;

	if (h % 3 == 0) {
		MUST_OK(s,
			mrt_waitall((size_t)n, requests, MRT_STATUSES_IGNORE));
	} else if (h % 3 == 1) {
		do
			MUST_OK(s, mrt_waitany((size_t)n, requests, &index,
					       MRT_STATUS_IGNORE));
		while (index != MRT_UNDEFINED);
	} else {
		for (int k = 0; k < n; k++)
			finish(s, &requests[((int)(h >> 8 & 63) + k) % n]);
	}
}

/* ---- Trials ----------------------------------------------------------------
 */

static const struct trial_kind *trial_kind(uint64_t h)
{
	int n = 0, moves = 0;

	while (trial_moves[moves].name)
		moves++;
	while (trial_reductions[n].name)
		n++;
	n = (int)(h % (unsigned)(moves + n));
	return n < moves ? &trial_moves[n] : &trial_reductions[n - moves];
}

static void check_trial(struct soak *s, const struct trial *t,
			const struct trial_kind *kind)
{
	s->doing = kind->name;
	MUST(s, trial_right(t));
	soak_count(kind->name, t->compared);
}

static void drop_trial(struct soak *s, struct trial *t)
{
	if (t->request != MRT_REQUEST_NULL)
		MUST_OK(s, mrt_request_free(&t->request));
	trial_free(t);
}

/* Uses a persistent request thrice. */
void run_trial(struct soak *s, const struct slot *slot)
{
	const struct trial_kind *kind = trial_kind(draw(s, 1, 1 << 20));
	enum form form = (enum form)draw(s, 2, FORMS);
	struct trial t;

	s->doing = kind->name;
	trial_max = draw_bytes(s, 3, soak_options.max);
	trial_make(&t, kind, s->op, slot->comm);
	trial_call(&t, kind, form);
	for (int k = 0; k < 3 && form == PERSISTENT; k++) {
		trial_fill(&t);
		MUST_OK(s, mrt_start(&t.request));
		finish(s, &t.request);
		check_trial(s, &t, kind);
	}
	if (form == NONBLOCKING)
		finish(s, &t.request);
	if (form != PERSISTENT)
		check_trial(s, &t, kind);
	drop_trial(s, &t);
}

/* Runs several at once, of which some are persistent. */
void run_trials(struct soak *s, const struct slot *slot)
{
	const struct trial_kind *kinds[MANY];
	struct mrt_request *requests[MANY];
	struct trial trials[MANY];
	int n = 2 + (int)draw(s, 1, MANY - 1);

	s->doing = "collectives at once";
	trial_max = draw_bytes(s, 3, soak_options.max / 8);
	for (int k = 0; k < n; k++) {
		uint64_t h = trial_hash(s->op, 60, (uint64_t)k);
		enum form form = h % 8 == 0  ? BLOCKING
				 : h % 8 < 3 ? PERSISTENT
					     : NONBLOCKING;

		kinds[k] = trial_kind(h >> 8);
		trial_make(&trials[k], kinds[k], h, slot->comm);
		trial_call(&trials[k], kinds[k], form);
		if (form == PERSISTENT)
			MUST_OK(s, mrt_start(&trials[k].request));
		requests[k] = trials[k].request;
	}
	finish_all(s, requests, n);
	for (int k = 0; k < n; k++) {
		trials[k].request = requests[k];
		check_trial(s, &trials[k], kinds[k]);
		drop_trial(s, &trials[k]);
	}
}

/* ---- Elements of random types ----------------------------------------------
 */

static const struct typed_kind *typed_kind(uint64_t h, bool inter)
{
	int n = 0;

	while (typed_kinds[n].name && !(inter && typed_kinds[n].how & NEAR))
		n++;
	return &typed_kinds[h % (unsigned)n];
}

/* Prints what the message of a failure cannot say. */
static void tell_typed(const struct typed *t)
{
	static const char *const forms[] = {"blocking", "nonblocking",
					    "persistent"};
	const struct end *ends[2] = {&t->out, &t->in};

	if (place_right(&t->in.place) && place_right(&t->out.place))
		return;
	fprintf(stderr, "soak: %s %s, rank %d, %d peers%s, root %d, unit %zu\n",
		forms[t->form], t->kind->name, t->rank, t->peers,
		t->inter ? ", two groups" : "", t->root, t->unit);
	for (int e = 0; e < 2; e++)
		for (int i = 0; i < ends[e]->n; i++) {
			const struct shape *shape =
			    &ends[e]->shapes[t->kind->how & TYPES ? i : 0];

			fprintf(stderr,
				"  %s %d: %zu elements at %td, of %zu "
				"bytes in %zu runs, extent %td\n",
				e ? "in" : "out", i, ends[e]->counts[i],
				ends[e]->displs[i], shape->size, shape->n,
				shape->extent);
		}
}

static void check_typed(struct soak *s, struct typed *t)
{
	s->doing = t->kind->name;
	tell_typed(t);
	MUST(s, place_right(&t->in.place));
	MUST(s, place_right(&t->out.place));
	soak_count(t->inter ? "inter typed" : "typed", t->in.bytes);
}

static void free_types(struct typed *t)
{
	struct end *ends[2] = {&t->out, &t->in};

	for (int e = 0; e < 2; e++) {
		int shapes = t->kind->how & TYPES ? ends[e]->n : 1;

		for (int i = 0; i < shapes; i++)
			shape_free_type(&ends[e]->shapes[i]);
	}
}

static void call_typed(struct soak *s, struct typed *t)
{
	t->request = MRT_REQUEST_NULL;
	s->doing = t->kind->name;
	MUST_OK(s, t->kind->call(t, t->form));
	free_types(t); /* operations under way keep their types */
	if (t->form == PERSISTENT)
		MUST_OK(s, mrt_start(&t->request));
}

static void again_typed(struct soak *s, struct typed *t)
{
	check_typed(s, t);
	typed_fill(t);
	MUST_OK(s, mrt_start(&t->request));
	finish(s, &t->request);
	check_typed(s, t);
	MUST_OK(s, mrt_request_free(&t->request));
}

/* Now and then the communicator is freed while operations are under way. */
void run_typed(struct soak *s, const struct slot *slot)
{
	struct typed batch[BATCH];
	struct mrt_request *requests[BATCH];
	struct slot own = *slot;
	int n = 1 + (int)draw(s, 1, BATCH);
	bool passing = draw(s, 2, 6) == 0;

	if (passing)
		MUST_OK(s, mrt_comm_dup(slot->comm, &own.comm));
	for (int k = 0; k < n; k++) {
		uint64_t h = trial_hash(s->op, 61, (uint64_t)k);

		typed_make(&batch[k], &own,
			   typed_kind(h >> 8, slot->side != ONE_GROUP), h,
			   draw_bytes(s, 10 + (uint64_t)k, soak_options.max));
		batch[k].form = (enum form)(h % FORMS);
		call_typed(s, &batch[k]);
		requests[k] = batch[k].request;
	}
	if (passing)
		MUST_OK(s, mrt_comm_free(&own.comm));
	finish_all(s, requests, n);
	for (int k = 0; k < n; k++) {
		batch[k].request = requests[k];
		if (batch[k].form == PERSISTENT)
			again_typed(s, &batch[k]);
		else
			check_typed(s, &batch[k]);
		typed_fini(&batch[k]);
	}
}

/* ---- Reductions of the other group -----------------------------------------
 */

static uint64_t value(const struct soak *s, int side, int rank, size_t i)
{
	return trial_hash(s->op, (uint64_t)(side * 4096 + rank), i);
}

/* Checks sums of n elements from `first` on of the other group's vectors. */
static bool sums_right(const struct soak *s, const struct slot *slot,
		       const uint64_t *in, size_t first, size_t n)
{
	int others = mrt_comm_remote_size(slot->comm);

	for (size_t i = 0; i < n; i++) {
		uint64_t sum = 0;

		for (int r = 0; r < others; r++)
			sum += value(s, 1 - slot->side, r, first + i);
		if (sum != in[i])
			return false;
	}
	return true;
}

/* Says what is called, and whether all or a root receive it. */
struct inter_reduce {
	enum form form;
	int which; /* allreduce, reduce, reduce_scatter_block */
	size_t count;
	int root;
	const uint64_t *out;
	uint64_t *in;
	struct mrt_request *request;
};

#define REDUCE(name, ...)                                                      \
	TRIAL_CALL(t, t->form, name, t->out, t->in, t->count, MRT_UINT64,      \
		   MRT_SUM, __VA_ARGS__)

static int call_reduce(struct inter_reduce *t, struct mrt_comm *comm)
{
	switch (t->which) {
	case 0:
		return REDUCE(allreduce, comm);
	case 1:
		return REDUCE(reduce, t->root, comm);
	default:
		return REDUCE(reduce_scatter_block, comm);
	}
}

/* Draws the root: rank 0 or the last one of side 0 or 1. */
static bool draw_root(struct soak *s, const struct slot *slot,
		      struct inter_reduce *t)
{
	int side = (int)draw(s, 5, 2);
	int n = side == slot->side ? mrt_size(slot->comm)
				   : mrt_comm_remote_size(slot->comm);
	int root = (int)draw(s, 6, (uint64_t)n);

	t->root = root;
	if (side != slot->side)
		return false;
	t->root = root == mrt_rank(slot->comm) ? MRT_ROOT : MRT_PROC_NULL;
	return t->root == MRT_ROOT;
}

void run_inter_reduce(struct soak *s, const struct slot *slot)
{
	size_t own = (size_t)mrt_size(slot->comm), total, first = 0;
	size_t others = (size_t)mrt_comm_remote_size(slot->comm);
	struct inter_reduce t = {.request = MRT_REQUEST_NULL};
	int rank = mrt_rank(slot->comm);
	uint64_t *memory;
	bool receives = true;

	s->doing = "inter reduce";
	t.form = (enum form)draw(s, 1, FORMS);
	t.which = (int)draw(s, 2, 3);
	t.count = draw_bytes(s, 3, soak_options.max) / 8;
	total = t.count;
	if (t.which == 1)
		receives = draw_root(s, slot, &t);
	if (t.which == 2) { /* both sides have equally many elements */
		total = (t.count / (own * others)) * own * others;
		t.count = total / own;
		first = t.count * (size_t)rank;
	}
	memory = calloc(2 * total + 2, sizeof(*memory));
	MUST(s, memory != NULL);
	t.in = memory + total + 1;
	t.out = memory;
	for (size_t i = 0; i < total; i++)
		memory[i] = value(s, slot->side, rank, i);
	MUST_OK(s, call_reduce(&t, slot->comm));
	if (t.form == PERSISTENT)
		MUST_OK(s, mrt_start(&t.request));
	if (t.form != BLOCKING)
		finish(s, &t.request);
	MUST(s, !receives || sums_right(s, slot, t.in, first, t.count));
	MUST(s, t.in[receives ? t.count : 0] == 0);
	if (t.form == PERSISTENT)
		MUST_OK(s, mrt_request_free(&t.request));
	soak_count("inter reduce", receives ? t.count * 8 : 0);
	free(memory);
}
