/* SPDX-License-Identifier: Apache-2.0 */
/*
 * misuse.c walks the table of misuse.h: it calls each function with each bad
 * argument while errors return. A row fails unless the code is the one
 * expected, mrt_error_detail names the parameter or the value, what the outputs
 * point to is unchanged, and a message can be sent afterwards.
 *
 *   misuse            all rows, on MRT_COMM_SELF and on MRT_COMM_WORLD
 *   misuse -v         all rows, and prints each
 *   misuse WORD...    with FUNCTION:PARAMETER:BAD, only those (fnmatch)
 *   misuse -f WORD    one row in the default mode of errors, at rank 1
 */
#include <fnmatch.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

#include "tests/system/misuse/misuse.h"

int me, np, api_failures;

static struct {
	const char *pattern;
	bool verbose, fatal;
	char row[256];
	const void *freed; /* the row's bad handle if it is a freed one */
	int rows, failed;
	sigjmp_buf crash;
} run = {.pattern = "*"};

/* ---- What a parameter is ------------------------------------------------- */

static bool type_matches(const char *pattern, const char *type)
{
	size_t p = strlen(pattern), t = strlen(type);

	if (*pattern == '*')
		return t >= p - 1 && !strcmp(type + t - (p - 1), pattern + 1);
	return !strcmp(pattern, type);
}

const struct kind *kind_of(const struct function *f, int k)
{
	const struct parameter *par = &f->par[k];

	for (const struct kind *kind = kinds; kind->function; kind++)
		if (!fnmatch(kind->function, f->name, 0) &&
		    type_matches(kind->type, par->type) &&
		    !fnmatch(kind->name, par->name, 0))
			return kind;
	printf("not ok - %s: no kind for %s %s\n", f->name, par->type,
	       par->name);
	exit(1);
}

static struct mrt_group *groups[2]; /* groups of self and of world */
struct mrt_group *self_group;
static struct mrt_type *a_type;
static struct mrt_comm *inter; /* between two groups; with two ranks or more */

/* Returns the good values that only the running job knows. */
static union value good(const struct function *f, int k)
{
	const struct kind *kind = kind_of(f, k);
	union value v = kind->good;

	if (!strcmp(f->name, "mrt_intercomm_merge") && kind->handle == COMM)
		v.p = inter;
	else if (kind->handle == COMM && !kind->indirect && !v.p)
		v.p = strcmp(f->par[k].name, "comm") ? W : good_comm;
	else if (kind->handle == WIN && !kind->indirect)
		v.p = stage.win;
	else if (!fnmatch("mrt_win_*", f->name, 0) && kind->handle == GROUP &&
		 !kind->indirect)
		v.p = self_group;
	else if (kind->handle == GROUP && !kind->indirect)
		v.p = groups[good_comm == W];
	else if (kind->handle == REQUEST && !kind->indirect && !v.p)
		v.p = stage.request;
	else if (kind->handle == TYPE && !kind->indirect && !v.p)
		v.p = a_type;
	else if (!strcmp(f->par[k].name, "remote_leader"))
		v.i = !me;
	else if (!strcmp(f->name, "mrt_map") && k == 0)
		v.u = stage.bytes;
	else if (!strcmp(f->name, "mrt_map") && k == 2)
		v.i = mrt_rank(good_comm);
	else if (!strcmp(f->name, "mrt_free"))
		v.p = stage.ptr;
	return v;
}

/* ---- One row ------------------------------------------------------------- */

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void fail(const char *format, ...)
{
	va_list args;

	run.failed++;
	printf("not ok - rank %d of %d: %s: ", me, np, run.row);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

/* Sends a message to this rank and checks that nothing else arrives. */
static void ping(void)
{
	static unsigned n;
	unsigned in = 0;
	int flag = 1;

	n++;
	if (mrt_sendrecv(&n, 1, MRT_UNSIGNED, me, 55, &in, 1, MRT_UNSIGNED, me,
			 55, W, MRT_STATUS_IGNORE) ||
	    in != n)
		fail("no message can be sent any more");
	if (mrt_iprobe(MRT_ANY_SOURCE, MRT_ANY_TAG, W, &flag,
		       MRT_STATUS_IGNORE) ||
	    flag)
		fail("a message is left");
}

static int expected(const struct function *f, const struct parameter *par,
		    const char *label, int code)
{
	for (const struct exception *e = exceptions; e->function; e++)
		if (!fnmatch(e->function, f->name, 0) &&
		    !fnmatch(e->name, par->name, 0) &&
		    !fnmatch(e->label, label, 0))
			return e->code;
	return code;
}

/* Returns whether the text names the parameter or the value. "rank" is
 * enough for ranks[], and errors in a list or a struct can be described in
 * many ways. */
static bool says(const char *detail, const struct parameter *par, union value v)
{
	char text[6][64];
	bool list = strstr(par->type, "[]") || strstr(par->type, "mrt_neigh") ||
		    strstr(par->type, "iovec");

	if (list || strstr(par->type, "**") || strstr(detail, "space"))
		return *detail;
	snprintf(text[0], sizeof(text[0]), "%s", par->name);
	snprintf(text[1], sizeof(text[1]), v.p ? "%p" : "NULL", v.p);
	snprintf(text[2], sizeof(text[2]), "%d", v.i);
	snprintf(text[3], sizeof(text[3]), "%zu", v.z);
	snprintf(text[4], sizeof(text[4]), "%td", v.d);
	snprintf(text[5], sizeof(text[5]), "%.20s",
		 !strcmp(par->type, "const char *") && v.p ? (char *)v.p
							   : "MRT_");
	for (int i = 0; i < 6; i++)
		if (strstr(detail, text[i]))
			return true;
	return false;
}

/* Records whether the row had the expected result. */
static void judge(const struct parameter *par, union value v, int want, int rc)
{
	if (want == EITHER ? rc <= MRT_ERR_LAST && rc != MRT_UNDEFINED
	    : want == ANY  ? rc >= 0 || rc <= MRT_ERR_LAST
	    : want == FINE ? rc < 0
			   : rc != want)
		fail("%d (%s), expected %d: %s", rc, mrt_error_string(rc), want,
		     mrt_error_detail());
	else if (rc < 0 && !says(mrt_error_detail(), par, v))
		fail("says only: %s", mrt_error_detail());
}

/* Returns whether an object of the stage now lies where a freed object was. */
static bool uses_freed(const void *handle)
{
	return handle &&
	       (handle == stage.comm || handle == stage.type ||
		handle == stage.op || handle == stage.group ||
		handle == stage.win || handle == stage.request ||
		handle == stage.requests[0] || handle == stage.requests[1]);
}

static void try_row(const struct function *f, int k, const char *label,
		    union value bad, int want)
{
	union value v[16] = {{NULL}};
	struct stage before;
	int rc;

	snprintf(run.row, sizeof(run.row), "%s:%s:%s", f->name,
		 k < 0 ? "" : f->par[k].name, label);
	if (want == SKIP || fnmatch(run.pattern, run.row, 0))
		return;
	if (run.verbose)
		fprintf(stderr, "# %d %s\n", me, run.row);
	alarm(30);
	run.rows++;
	stage_set(f);
	if (uses_freed(run.freed)) {
		/* its memory is in use again, so take another one */
		stage_clear(f, -1);
		stage_set(f);
	}
	for (int i = 0; i < f->n; i++)
		v[i] = i == k ? bad : good(f, i);
	before = stage;
	if (sigsetjmp(run.crash, 1)) {
		fail("crashed");
		return;
	}
	if (run.fatal)
		mrt_set_error_mode(MRT_ERRORS_FATAL);
	mrt_set_error_detail("");
	rc = f->call(v);
	judge(k < 0 ? &(struct parameter){"", ""} : &f->par[k], bad, want, rc);
	if (rc < 0 && memcmp(&before, &stage, sizeof(stage)))
		fail("fails with %d, and has changed an argument", rc);
	stage_clear(f, rc < 0 ? rc : 0);
	ping();
}

/* ---- All rows ------------------------------------------------------------ */

/* Returns whether only some ranks would fail, so that the others would wait
 * for them. */
static bool is_split(const struct function *f, int k)
{
	if (good_comm != W || np == 1 || !strcmp(f->par[k].name, "root"))
		return false;
	/* rank 0 receives nothing */
	if (!fnmatch("mrt_*exscan*", f->name, 0))
		return !fnmatch("*buf", f->par[k].name, 0);
	for (int i = 0; i < f->n; i++)
		if (!strcmp(f->par[i].name, "root"))
			return kind_of(f, k)->handle != COMM;
	return false;
}

static bool is_null_fine(enum handle_kind kind, const struct function *f)
{
	return kind == REQUEST && fnmatch("mrt_start*", f->name, 0) &&
	       fnmatch("mrt_request_free", f->name, 0) &&
	       fnmatch("mrt_cancel", f->name, 0) &&
	       fnmatch("mrt_grequest_*", f->name, 0) &&
	       fnmatch("mrt_pready*", f->name, 0);
}

/* Returns whether a handle is a good one, which the row of good arguments
 * covers. */
static bool is_good(const struct handle *h, enum handle_kind kind,
		    const struct function *f)
{
	if (h->kind != kind)
		return false;
	if (h->uncommitted)
		return !fnmatch("mrt_type_*", f->name, 0) ||
		       !fnmatch("mrt_get_*", f->name, 0) ||
		       !fnmatch("mrt_set_*", f->name, 0) ||
		       !fnmatch("mrt_pack*size", f->name, 0);
	return h->valid || (h->null && is_null_fine(kind, f));
}

static const int codes[] = {
    [COMM] = MRT_ERR_COMM,	 [TYPE] = MRT_ERR_TYPE,
    [OP] = MRT_ERR_OP,		 [GROUP] = MRT_ERR_GROUP,
    [REQUEST] = MRT_ERR_REQUEST, [MESSAGE] = MRT_ERR_REQUEST,
    [WIN] = MRT_ERR_WIN};

static void try_handles(const struct function *f, int k,
			const struct kind *kind)
{
	for (int i = 0; i < nhandles; i++) {
		struct handle *h = &handles[i];
		void *was = h->at[0];
		union value v = {.p = kind->indirect ? h->at : h->at[0]};

		if (is_good(h, kind->handle, f))
			continue;
		run.freed = h->kind && !h->valid && !h->null ? was : NULL;
		try_row(f, k, h->label, v,
			expected(f, &f->par[k], h->label, codes[kind->handle]));
		run.freed = NULL;
		if (h->at[0] != was || h->at[1] != was)
			fail("the handle has been changed");
		h->at[0] = h->at[1] = was;
	}
}

static void try_parameter(const struct function *f, int k)
{
	const struct kind *kind = kind_of(f, k);

	if (is_split(f, k))
		return;
	if (kind->handle)
		try_handles(f, k, kind);
	for (const struct bad *b = kind->bads; b->label; b++)
		try_row(f, k, b->label, b->value,
			expected(f, &f->par[k], b->label, b->code));
}

/* Leaves out functions that do not return, and those that need two ranks. */
static bool is_tried(const struct function *f)
{
	return (np == 2 || fnmatch("mrt_intercomm_*", f->name, 0)) &&
	       fnmatch("mrt_abort*", f->name, 0) &&
	       fnmatch("mrt_error_fatal", f->name, 0) &&
	       fnmatch("mrt_finalize", f->name, 0) &&
	       fnmatch("mrt_rest", f->name, 0);
}

static void try_all(void)
{
	for (int i = 0; i < nfunctions; i++) {
		const struct function *f = &functions[i];

		if (!is_tried(f))
			continue;
		try_row(f, -1, "good", (union value){NULL},
			expected(f, &(struct parameter){"", ""}, "good", FINE));
		for (int k = 0; k < f->n; k++)
			try_parameter(f, k);
		if (!run.fatal)
			OK(mrt_barrier(W));
	}
}

/* ---- Before and after -----------------------------------------------------
 */

/* Functions that may be called at any time, or return no error code. */
static const char *const any_time[] = {
    "mrt_init*",     "mrt_finali*",   "mrt_thread_level",   "mrt_abort*",
    "mrt_wt*",	     "mrt_version",   "mrt_set_error_*",    "mrt_error_*",
    "mrt_type_*",    "mrt_get_count", "mrt_get_elements",   "mrt_set_elements",
    "mrt_pack*",     "mrt_unpack*",   "mrt_algorithm_name", "mrt_comm_*data",
    "mrt_win_*data", "mrt_node_*",    "mrt_processor_name", "mrt_variable",
    "mrt_counters",  "mrt_medium",    "mrt_set_outer_call"};

static bool is_any_time(const char *name)
{
	for (size_t i = 0; i < sizeof(any_time) / sizeof(any_time[0]); i++)
		if (!fnmatch(any_time[i], name, 0))
			return true;
	return false;
}

/* All other functions report the wrong state. */
static void try_closed(const char *label)
{
	good_comm = W;
	for (int i = 0; i < nfunctions; i++) {
		const struct function *f = &functions[i];
		union value v[16] = {{NULL}};

		if (is_any_time(f->name))
			continue;
		snprintf(run.row, sizeof(run.row), "%s::%s", f->name, label);
		alarm(30);
		run.rows++;
		stage_set_closed();
		for (int k = 0; k < f->n; k++)
			v[k] = good(f, k);
		if (sigsetjmp(run.crash, 1))
			fail("crashed");
		else
			judge(&(struct parameter){"[]", ""}, v[0],
			      MRT_ERR_STATE, f->call(v));
	}
}

/* ---- Frame --------------------------------------------------------------- */

static void crashed(int sig)
{
	static const char text[] = "\nnot ok - no end of a call\n";

	if (sig != SIGALRM)
		siglongjmp(run.crash, 1);
	if (write(STDERR_FILENO, run.row, strlen(run.row)) < 0 ||
	    write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(98);
	_exit(99);
}

/* Makes an intercommunicator of the first rank and all others. */
static void make_inter(void)
{
	struct mrt_comm *own;

	OK(mrt_comm_split(W, me > 0, 0, &own));
	OK(mrt_intercomm_create(own, 0, W, !me, 1, &inter));
	OK(mrt_comm_free(&own));
}

static void catch (void)
{
	struct sigaction action = {.sa_handler = crashed};

	sigaction(SIGALRM, &action, NULL);
	if (getenv("SANITIZER") && *getenv("SANITIZER"))
		return;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

static void options(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-v"))
			run.verbose = true;
		else if (!strcmp(argv[i], "-f"))
			run.fatal = true;
		else
			run.pattern = argv[i];
	}
}

int main(int argc, char **argv)
{
	options(argc, argv);
	kinds_begin();
	mrt_set_error_mode(MRT_ERRORS_RETURN);
	catch ();
	if (!run.fatal)
		try_closed("before init");
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	OK(mrt_comm_group(MRT_COMM_SELF, &groups[0]));
	self_group = groups[0];
	OK(mrt_comm_group(W, &groups[1]));
	handles_make();
	OK(mrt_type_contiguous(2, MRT_INT, &a_type));
	if (np > 1)
		make_inter();
	good_comm = MRT_COMM_SELF;
	if (!run.fatal || me == np - 1)
		try_all();
	if (!run.fatal) {
		good_comm = W;
		try_all();
	}
	OK(mrt_barrier(W));
	if (np > 1)
		OK(mrt_comm_free(&inter));
	OK(mrt_type_free(&a_type));
	OK(mrt_group_free(&groups[0]));
	OK(mrt_group_free(&groups[1]));
	handles_free();
	OK(mrt_finalize());
	try_closed("after finalize");
	if (me == 0)
		printf("# %d functions, %d rows at each of %d ranks\n",
		       nfunctions, run.rows, np);
	if (!run.failed && !api_failures && me == 0)
		printf("ok - wrong arguments\n");
	return run.failed || api_failures ? 1 : 0;
}
