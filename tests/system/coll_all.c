/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coll_all.c compares every collective in its three forms with its definition
 * (trial.h), on several communicators; then many at once, started in one order
 * and completed in another on each rank; then the tables of coll_life.c and
 * coll_wrong.c.
 *
 *   coll_all [--seed S] [--rounds N] [--max BYTES | --exact BYTES]
 *            [--forms N] [--only NAME,..] | --list
 *
 * NAME is a collective (--list prints them), "mixed", "life", "wrong", or
 * "huge", which runs only on request. --forms 1 leaves collectives to their
 * blocking form, 2 to that and the nonblocking one.
 */
#include "tests/system/coll_all.h"
#include "tests/system/storm.h"

int me, np, api_failures;

static struct {
	uint64_t seed;
	int rounds, forms;
	const char *only;
} given = {1, 20, FORMS, NULL};

enum { COMMS = 4 };
static struct mrt_comm *comms[COMMS];

static const char *const form_names[FORMS] = {"blocking", "nonblocking",
					      "persistent"};

/* ---- One at a time ------------------------------------------------------ */

static void run_persistent(struct trial *t, const struct trial_kind *kind)
{
	struct mrt_status status;

	trial_call(t, kind, PERSISTENT);
	for (int k = 0; k < 3; k++) {
		trial_fill(t);
		OK(mrt_start(&t->request));
		OK(mrt_wait(&t->request, &status));
		CHECK(status.source == MRT_ANY_SOURCE && status.bytes == 0);
		trial_check(t, kind, "persistent");
	}
	OK(mrt_request_free(&t->request));
	CHECK(t->request == MRT_REQUEST_NULL);
}

static void run_one(const struct trial_kind *kind, enum form form,
		    uint64_t seed, struct mrt_comm *comm)
{
	struct trial t;

	trial_make(&t, kind, seed, comm);
	if (form == PERSISTENT) {
		run_persistent(&t, kind);
	} else {
		trial_call(&t, kind, form);
		if (form == NONBLOCKING)
			OK(mrt_wait(&t.request, MRT_STATUS_IGNORE));
		trial_check(&t, kind, form_names[form]);
	}
	trial_free(&t);
}

static void run_kind(const struct trial_kind *kind)
{
	for (int form = 0; form < given.forms; form++) {
		for (int k = 0; k < given.rounds; k++) {
			uint64_t seed =
			    trial_hash(given.seed, (uint64_t)form, (uint64_t)k);

			if (storm_reseed)
				storm_reseed(seed);
			run_one(kind, form, seed, comms[k % COMMS]);
		}
	}
}

/* ---- Many at once ------------------------------------------------------- */

enum { MANY = 14 };

static struct trial trials[MANY];
static const struct trial_kind *kinds[MANY];
static struct mrt_request *requests[MANY];

static const struct trial_kind *draw_kind(uint64_t h)
{
	int n = 0;

	for (const struct trial_kind *k = trial_moves; k->name; k++)
		n++;
	for (const struct trial_kind *k = trial_reductions; k->name; k++)
		n++;
	n = (int)(h % (unsigned)n);
	for (const struct trial_kind *k = trial_moves; k->name; k++)
		if (!n--)
			return k;
	return &trial_reductions[n];
}

/* Draws an order of the trials that differs from rank to rank. */
static void draw_order(int order[MANY], uint64_t seed)
{
	for (int k = 0; k < MANY; k++) {
		int other = (int)(trial_hash(seed, (uint64_t)me, (uint64_t)k) %
				  (unsigned)(k + 1));

		order[k] = k;
		order[k] = order[other];
		order[other] = k;
	}
}

static void finished(int k)
{
	trial_check(&trials[k], kinds[k], "among others");
}

/* Completes all active requests, in one of four ways. */
static void complete_all(uint64_t seed)
{
	int order[MANY], indices[MANY], index, n;

	switch (trial_hash(seed, (uint64_t)me, 50) % 4) {
	case 0:
		draw_order(order, seed);
		for (int k = 0; k < MANY; k++)
			OK(mrt_wait(&requests[order[k]], NULL));
		break;
	case 1:
		OK(mrt_waitall(MANY, requests, MRT_STATUSES_IGNORE));
		break;
	case 2:
		while (!mrt_waitany(MANY, requests, &index, NULL) &&
		       index != MRT_UNDEFINED)
			finished(index);
		CHECK(index == MRT_UNDEFINED);
		break;
	default:
		while (!mrt_testsome(MANY, requests, &n, indices, NULL) &&
		       n != MRT_UNDEFINED)
			for (int k = 0; k < n; k++)
				finished(indices[k]);
		CHECK(n == MRT_UNDEFINED);
	}
}

/* Starts the persistent requests in an order of this rank's own, after all
 * others have been started. */
static void start_persistent(const bool *is_persistent, uint64_t seed)
{
	int order[MANY];

	draw_order(order, seed + 1);
	for (int k = 0; k < MANY; k++)
		if (is_persistent[order[k]])
			OK(mrt_start(&requests[order[k]]));
}

static void run_many(uint64_t seed)
{
	bool is_persistent[MANY];

	for (int k = 0; k < MANY; k++) {
		uint64_t h = trial_hash(seed, 60, (uint64_t)k);
		enum form form = h % 8 == 0  ? BLOCKING
				 : h % 8 < 3 ? PERSISTENT
					     : NONBLOCKING;

		kinds[k] = draw_kind(h >> 8);
		is_persistent[k] = form == PERSISTENT;
		trial_make(&trials[k], kinds[k], h, comms[h >> 4 & 3]);
		trial_call(&trials[k], kinds[k], form);
		requests[k] = trials[k].request;
	}
	start_persistent(is_persistent, seed);
	complete_all(seed);
	for (int k = 0; k < MANY; k++) {
		finished(k);
		CHECK((requests[k] != MRT_REQUEST_NULL) == is_persistent[k]);
		if (is_persistent[k])
			OK(mrt_request_free(&requests[k]));
		trial_free(&trials[k]);
	}
}

static void test_mixed(void)
{
	for (int k = 0; k < given.rounds; k++) {
		uint64_t seed = trial_hash(given.seed, 70, (uint64_t)k);

		if (storm_reseed)
			storm_reseed(seed);
		run_many(seed);
	}
}

/* ---- All ---------------------------------------------------------------- */

static bool wanted(const char *name)
{
	size_t n = strlen(name);
	const char *at = given.only;

	if (!at)
		return true;
	while (strncmp(at, name, n) || (at[n] && at[n] != ',')) {
		at = strchr(at, ',');
		if (!at++)
			return false;
	}
	return true;
}

/* Adds up the failures of all ranks; rank 0 prints the result. */
static int collect(const char *name)
{
	int sum = api_failures, one;

	api_failures = 0;
	if (me != 0) {
		mrt_send(&sum, 1, MRT_INT, 0, 77, W);
		return sum;
	}
	for (int r = 1; r < np; r++) {
		mrt_recv(&one, 1, MRT_INT, r, 77, W, MRT_STATUS_IGNORE);
		sum += one;
	}
	printf("%sok - %s\n", sum ? "not " : "", name);
	fflush(stdout);
	return sum;
}

static int run_kinds(const struct trial_kind *table)
{
	int failed = 0;

	for (const struct trial_kind *kind = table; kind->name; kind++) {
		if (!wanted(kind->name))
			continue;
		run_kind(kind);
		failed += collect(kind->name);
	}
	return failed;
}

static int run_cases(const char *name, const struct api_case *table)
{
	int failed = 0;

	for (const struct api_case *c = table; wanted(name) && c->name; c++) {
		c->run();
		failed += collect(c->name);
	}
	return failed;
}

static int run_all(void)
{
	static const struct api_case mixed[] = {{"many at once", test_mixed},
						{NULL, NULL}};

	return run_kinds(trial_moves) + run_kinds(trial_reductions) +
	       run_cases("mixed", mixed) + run_cases("wrong", coll_wrong) +
	       (given.only ? run_cases("huge", coll_huge) : 0) +
	       run_cases("life", coll_life);
}

static void read_options(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--seed"))
			given.seed = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--rounds"))
			given.rounds = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--max"))
			trial_max = strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--exact"))
			trial_exact = strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--forms"))
			given.forms = atoi(argv[i + 1]);
		else if (!strcmp(argv[i], "--only"))
			given.only = argv[i + 1];
	}
}

static int list_kinds(void)
{
	for (const struct trial_kind *k = trial_moves; k->name; k++)
		puts(k->name);
	for (const struct trial_kind *k = trial_reductions; k->name; k++)
		puts(k->name);
	return 0;
}

int main(int argc, char **argv)
{
	int failed;

	if (argc > 1 && !strcmp(argv[1], "--list"))
		return list_kinds();
	read_options(argc, argv);
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	comms[0] = W;
	comms[3] = MRT_COMM_SELF;
	OK(mrt_comm_split(W, 0, -me, &comms[1]));
	OK(mrt_comm_split(W, me % 2, 0, &comms[2]));
	trial_ops_create();
	failed = run_all();
	trial_ops_free();
	OK(mrt_comm_free(&comms[1]));
	OK(mrt_comm_free(&comms[2]));
	return mrt_finalize() || failed || api_failures;
}
