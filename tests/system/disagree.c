/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disagree.c: one rank calls another collective than the others, or the same
 * one with other arguments. With MRT_CHECK=1 each such call fails on all ranks,
 * is named, has moved nothing, and what follows is right again: this is tried
 * for a table of what can be wrong with each call, and for random ones
 * (--random HOW_MANY --seed SEED). Without MRT_CHECK one case runs (--one CASE
 * COUNT FORM RANK): no access leaves its buffer, whatever happens.
 */
#include "tests/system/disagree.h"
#include "tests/system/storm.h"

int me, np, api_failures;
static int odd; /* the rank that differs */

static struct wish usual(int what, int form, size_t count)
{
	return (struct wish){what, form, count, MRT_INT, MRT_SUM, 0, 0, 0, W};
}

/* ---- What can be wrong ----------------------------------------------------
 */

/* Spoils a wish; returns false if that is impossible for this call. */
typedef bool spoil_fn(struct wish *w);

static bool another_call(struct wish *w)
{
	w->what = (w->what + 1) % ncalls;
	if (!(calls[w->what].has & HAS_FORMS))
		w->form = 0;
	return true;
}

static bool a_barrier(struct wish *w)
{
	bool is = w->what == 0;

	w->what = 0;
	return !is;
}

static bool another_form(struct wish *w)
{
	w->form = !w->form;
	return calls[w->what].has & HAS_FORMS;
}

static bool longer(struct wish *w)
{
	w->count++;
	return calls[w->what].has & HAS_COUNT;
}

static bool shorter(struct wish *w)
{
	w->count--;
	return w->count && calls[w->what].has & HAS_COUNT;
}

static bool another_type(struct wish *w)
{
	w->type = MRT_FLOAT;
	return calls[w->what].has & HAS_COUNT;
}

static bool another_op(struct wish *w)
{
	w->op = MRT_MAX;
	return calls[w->what].has & HAS_OP;
}

static bool another_root(struct wish *w)
{
	w->root = odd ? odd : 1;
	return calls[w->what].has & HAS_ROOT;
}

static bool in_place(struct wish *w)
{
	w->in_place = 1;
	return calls[w->what].has & HAS_IN_PLACE;
}

static bool another_list(struct wish *w)
{
	w->other = 1;
	return calls[w->what].has & HAS_LIST;
}

static const struct {
	const char *name;
	spoil_fn *spoil;
} spoils[] = {
    {"another call", another_call},
    {"a barrier", a_barrier},
    {"another form", another_form},
    {"one element more", longer},
    {"one element less", shorter},
    {"another type", another_type},
    {"another operation", another_op},
    {"another root", another_root},
    {"in place", in_place},
    {"another list", another_list},
};
enum { SPOILS = sizeof(spoils) / sizeof(*spoils) };

/* ---- With MRT_CHECK -------------------------------------------------------
 */

/* Returns whether the text names the rank and says what it calls. */
static bool is_named(const struct wish *w)
{
	const char *text = mrt_error_detail();
	char who[32], what[64];

	snprintf(who, sizeof(who), "rank %d ", odd);
	snprintf(what, sizeof(what), "mrt_%s", calls[w->what].name);
	if (strstr(text, "sends"))
		return strstr(text, "rank ");
	/* the names of the other forms contain i or _init */
	return strstr(text, who) && (w->form || strstr(text, what));
}

static bool right_again(void)
{
	int one = 1, sum = 0;

	return !mrt_allreduce(&one, &sum, 1, MRT_INT, MRT_SUM, W) && sum == np;
}

/* All ranks but one call `usually`, and that one calls `w`. */
static void disagree(const struct wish *usually, const struct wish *w,
		     const char *how)
{
	const struct wish *mine = me == odd ? w : usually;
	int rc;

	rooms_fill(mine->count);
	rc = calls[mine->what].call(mine);
	if (rc != MRT_ERR_COLLECTIVE || !is_named(w) || !rooms_are_same()) {
		fprintf(stderr,
			"rank %d: mrt_%s of %zu, form %d, rank %d: %s: "
			"%d, %s%s\n",
			me, calls[usually->what].name, usually->count,
			usually->form, odd, how, rc, mrt_error_detail(),
			rooms_are_same() ? "" : ", buffers changed");
		api_failures++;
	}
	CHECK(right_again());
}

static void try_all(int what, int form, size_t count)
{
	struct wish usually = usual(what, form, count), w;

	for (int k = 0; k < SPOILS; k++) {
		w = usually;
		if (spoils[k].spoil(&w))
			disagree(&usually, &w, spoils[k].name);
	}
}

static int report(const char *name, int before)
{
	int bad = api_failures > before, any = 0;

	mrt_allreduce(&bad, &any, 1, MRT_INT, MRT_MAX, W);
	if (me == 0)
		printf("%sok - %s\n", any ? "not " : "", name);
	return any;
}

static int table(void)
{
	int failed = 0;

	for (int what = 0; what < ncalls; what++) {
		int before = api_failures;
		bool forms = calls[what].has & HAS_FORMS;

		for (int form = 0; form < (forms ? 3 : 1); form++)
			for (odd = 0; odd < np; odd += np - 1) {
				try_all(what, form, 2);
				try_all(what, form, 3000);
			}
		failed += report(calls[what].name, before);
	}
	return failed;
}

/* Draws wishes that differ from the usual one in one thing, or in two. */
static int random_ones(int how_many, uint64_t seed)
{
	int failed = 0, done = 0;

	while (done < how_many) {
		uint64_t r = storm_random(&seed);
		struct wish usually =
		    usual((int)(r % (unsigned)ncalls), (int)(r >> 8 & 1),
			  1 + (r >> 16) % (r & 1 << 15 ? 5 : 9000));
		struct wish w = usually;

		odd = (int)((r >> 40) % (unsigned)np);
		if (!(calls[usually.what].has & HAS_FORMS))
			usually.form = w.form = 0;
		if (!spoils[r >> 48 & 7].spoil(&w))
			continue;
		disagree(&usually, &w, "random");
		done++;
	}
	failed = report("random disagreements", 0);
	return failed;
}

/* ---- Two groups -----------------------------------------------------------
 */

static struct mrt_comm
    *between;	     /* between the lower half and the other ranks */
static int low, own; /* which half; rank in it */
static int here[8], there[64];

static int one_root(void)
{
	return !low ? 0 : own ? MRT_PROC_NULL : MRT_ROOT;
}

static int two_roots(void)
{
	return mrt_bcast(here, 1, MRT_INT, own ? MRT_PROC_NULL : MRT_ROOT,
			 between);
}

static int no_root(void)
{
	return mrt_bcast(here, 1, MRT_INT, low ? MRT_PROC_NULL : 0, between);
}

static int too_long(void)
{
	return mrt_bcast(here, low ? 1 : 2, MRT_INT, one_root(), between);
}

static int too_many(void)
{
	return mrt_allgather(here, low ? 1 : 2, MRT_INT, there, 1, MRT_INT,
			     between);
}

static int too_few(void)
{
	return mrt_gather(here, 1, MRT_INT, there, 2, MRT_INT, one_root(),
			  between);
}

static int sum_and_max(void)
{
	return mrt_allreduce(here, there, 1, MRT_INT, low ? MRT_SUM : MRT_MAX,
			     between);
}

static int two_groups(void)
{
	static int (*const wrong[])(void) = {two_roots, no_root, too_long,
					     too_many,	too_few, sum_and_max};
	struct mrt_comm *half;
	int at = (np + 1) / 2, before = api_failures;

	low = me < at;
	own = low ? me : me - at;
	CHECK(!mrt_comm_split(W, low, me, &half));
	CHECK(!mrt_intercomm_create(half, 0, W, low ? at : 0, 1, &between));
	for (size_t k = 0; k < sizeof(wrong) / sizeof(*wrong); k++) {
		int rc = wrong[k]();

		if (rc != MRT_ERR_COLLECTIVE)
			fprintf(stderr, "two groups, %zu: %d\n", k, rc);
		CHECK(rc == MRT_ERR_COLLECTIVE);
		CHECK(!mrt_barrier(between));
	}
	CHECK(!mrt_comm_free(&between));
	CHECK(!mrt_comm_free(&half));
	return report("two groups", before);
}

/* ---- Without --------------------------------------------------------------
 */

static int one(char **argv)
{
	struct wish usually =
	    usual(atoi(argv[0]) / SPOILS, atoi(argv[2]), (size_t)atol(argv[1]));
	struct wish w = usually;
	const struct wish *mine;
	int rc, good;

	odd = atoi(argv[3]);
	if (!spoils[atoi(argv[0]) % SPOILS].spoil(&w))
		return mrt_finalize();
	mine = me == odd ? &w : &usually;
	rooms_fill(mine->count);
	rc = calls[mine->what].call(mine);
	good = mine->in_place || rooms_are_whole();
	fprintf(stderr, "rank %d: mrt_%s, %s: %d, %s\n", me,
		calls[usually.what].name, spoils[atoi(argv[0]) % SPOILS].name,
		rc, good ? "buffers are whole" : "BUFFERS ARE BROKEN");
	if (rc || !good)
		mrt_abort(W, good ? 64 : 70);
	mrt_set_error_mode(MRT_ERRORS_FATAL);
	return mrt_finalize();
}

static int fatal(void)
{
	int in = 0, out;

	if (me == np - 1)
		return mrt_bcast(&in, 1, MRT_INT, 0, W);
	return mrt_allreduce(&in, &out, 1, MRT_INT, MRT_SUM, W);
}

int main(int argc, char **argv)
{
	int rc = 0;

	if (argc > 1 && !strcmp(argv[1], "--cases")) {
		printf("%d\n", ncalls * SPOILS);
		return 0;
	}
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	if (argc > 1 && !strcmp(argv[1], "--fatal"))
		return fatal();
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	rooms_make(argc > 5 ? (size_t)atol(argv[3]) + 1 : 9002);
	if (argc > 5 && !strcmp(argv[1], "--one"))
		return one(argv + 2);
	if (np > 1)
		rc = argc > 4
			 ? random_ones(atoi(argv[2]), (uint64_t)atol(argv[4]))
			 : table() + two_groups();
	return mrt_finalize() || rc;
}
