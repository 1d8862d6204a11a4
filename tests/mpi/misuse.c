/* SPDX-License-Identifier: Apache-2.0 */
/*
 * misuse.c calls every function of MPI that is offered (tiers.txt) with wrong
 * arguments, one at a time: handles that are NULL, null, freed or of another
 * kind, NULL for each pointer, negative numbers. The call returns an error, of
 * the class that belongs to the parameter where there is one, or it may succeed
 * (fine[]); and a message can be sent afterwards. tests/system/misuse does this
 * more thoroughly for libmrt's own functions.
 *
 *   mpi/misuse [-v] [FUNCTION:PARAMETER:BAD]        (fnmatch)
 */
#include <fnmatch.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <mpi.h>

#include "tests/mpi/misuse.h"
#include "tests/mpi/misuse_calls.h"
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]), ROOM = 4096 };

static const char *pattern = "*";
static bool verbose;
static char row[256];
static int rows, failed;
static sigjmp_buf crash;

/* ---- Values -------------------------------------------------------------- */

/* The stage holds what pointers point to and is made anew for each row. */
static struct {
	char send[ROOM], recv[ROOM], text[ROOM];
	int zeros[64], ones[64], twos[64], steps[64], out[64];
	MPI_Aint address[64];
	MPI_Datatype types[64];
	MPI_Request requests[64];
	MPI_Status status[64];
	void *handle; /* a new one, or one to free */
} stage;
static MPI_Comm cart, graph;
static MPI_Group group;
static MPI_Info info;
static MPI_Session session;
static MPI_Comm freed_comm;
static MPI_Datatype freed_type;
static MPI_Group freed_group;
static MPI_Op freed_op;
static MPI_Request freed_request;
static MPI_Session freed_session;
static int keyval;

static void nothing(void)
{
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static void *good_pointer(const char *type, const char *name)
{
	if (has(type, "MPI_Status"))
		return stage.status;
	if (has(type, "MPI_Request"))
		return stage.requests;
	if (has(type, "MPI_Datatype["))
		return stage.types;
	if (has(type, "MPI_Aint") || has(type, "MPI_Count"))
		return stage.address;
	if (has(type, "char"))
		return has(type, "**") || has(type, "*[]") ? NULL : stage.text;
	if (has(type, "MPI_"))
		return &stage.handle;
	if (has(type, "[][3]"))
		return stage.steps; /* {0, 0, 0}: changed below */
	if (has(type, "const int"))
		return has(name, "displs") || has(name, "coords") ||
			       has(name, "rank") || has(name, "starts") ||
			       has(name, "period")
			   ? stage.zeros
			   : stage.ones;
	if (has(type, "int")) /* differs between index and flag */
		return !strcmp(name, "flag") ? stage.out + 32 : stage.out;
	return has(name, "send") || has(name, "inbuf") ? stage.send
						       : stage.recv;
}

static int good_int(const char *name)
{
	if (!strcmp(name, "dest") || !strcmp(name, "source"))
		return MPI_PROC_NULL;
	if (has(name, "keyval"))
		return keyval;
	if (has(name, "size"))
		return 64;
	if (has(name, "max"))
		return 8;
	if (!strcmp(name, "order"))
		return MPI_ORDER_C;
	if (has(name, "split_type"))
		return MPI_COMM_TYPE_SHARED;
	return has(name, "count") || has(name, "dims") || !strcmp(name, "n") ||
	       !strcmp(name, "partitions") || has(name, "length") ||
	       has(name, "nodes") || has(name, "degree");
}

static MPI_Comm good_comm(const char *function)
{
	if (has(function, "Cart") || has(function, "eighbor") ||
	    has(function, "Topo"))
		return cart;
	if (has(function, "Graph") && !has(function, "create"))
		return graph;
	return has(function, "Intercomm") ? MPI_COMM_SELF : MPI_COMM_WORLD;
}

static union value good(const struct function *f, int k)
{
	const char *type = f->par[k].type, *name = f->par[k].name;
	union value v = {.p = NULL};

	if (!strcmp(type, "MPI_Comm"))
		v.p = good_comm(f->name);
	else if (!strcmp(type, "MPI_Datatype"))
		v.p = MPI_INT;
	else if (!strcmp(type, "MPI_Op"))
		v.p = MPI_SUM;
	else if (!strcmp(type, "MPI_Group"))
		v.p = group;
	else if (!strcmp(type, "MPI_Info"))
		v.p = has(f->name, "Info") ? info : MPI_INFO_NULL;
	else if (!strcmp(type, "MPI_Session"))
		v.p = session;
	else if (!strcmp(type, "MPI_Errhandler"))
		v.p = MPI_ERRORS_RETURN;
	else if (!strcmp(type, "MPI_Request"))
		v.p = stage.requests[0];
	else if (has(type, "_function *"))
		v.f = nothing;
	else if (has(type, "*") || has(type, "["))
		v.p = good_pointer(type, name);
	else if (has(type, "MPI_"))
		v.a = 64;
	else
		v.i = good_int(name);
	return v;
}

/* ---- What is expected ---------------------------------------------------- */

static const struct {
	const char *type;
	int class;
} classes[] = {{"MPI_Comm", MPI_ERR_COMM},	 {"MPI_Datatype", MPI_ERR_TYPE},
	       {"MPI_Op", MPI_ERR_OP},		 {"MPI_Group", MPI_ERR_GROUP},
	       {"MPI_Request", MPI_ERR_REQUEST}, {"MPI_Info", MPI_ERR_INFO},
	       {"MPI_Session", MPI_ERR_SESSION}};

/* Rows that may succeed, or have another class. */
/* clang-format off */
static const char *const fine[] = {
    "*_init:info:*", "*:extra_state:NULL", "*_fn:NULL", "*:attribute_val:NULL",
    "MPI_*:status:NULL", "MPI_*:array_of_statuses:NULL",
    "MPI_*xscan*:recvbuf:NULL", /* rank 0 receives nothing */
    "MPI_Comm_split*:key:*", "MPI_Type_vector:stride:*", "*:reorder:*",
    "MPI_Get_address:location:NULL", "MPI_Status_set_cancelled:flag:*",
    "MPI_Status_set_source:source:*", "MPI_Status_set_tag:tag:*",
    "MPI_Status_set_error:err:*",
    "MPI_*_call_errhandler:errorcode:*", "MPI_Cart_shift:disp:*",
    "MPI_Op_create:commute:*", "MPI_Info_create_env:arg?:*",
    "MPI_Info_get_string:value:NULL", /* the buffer has no bytes */
    "MPI_Session_get_nth_pset:pset_name:NULL", /* as above */
    "MPI_Parrived:partition:*", /* the request is null */
    "MPI_Type_get_name:datatype:null type",
    "MPI_Comm_get_name:comm:null communicator",
    "MPI_Dist_graph_create*:info:*" /* checked after other errors */
};
/* clang-format on */

static bool is_fine(void)
{
	for (size_t i = 0; i < sizeof(fine) / sizeof(fine[0]); i++)
		if (!fnmatch(fine[i], row, 0))
			return true;
	return false;
}

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void fail(const char *format, ...)
{
	va_list args;

	failed++;
	printf("# %s: ", row);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	fflush(stdout);
}

static void judge(int rc, int want)
{
	int class = 0;

	if (!rc) {
		if (!is_fine())
			fail("succeeds");
		return;
	}
	if (MPI_Error_class(rc, &class) || class > MPI_ERR_LASTCODE)
		fail("returns %d", rc);
	else if (want && class != want && !is_fine())
		fail("class %d, not %d", class, want);
}

static void ping(void)
{
	static int n;
	int in = -1;

	n++;
	if (MPI_Sendrecv(&n, 1, MPI_INT, 0, 5, &in, 1, MPI_INT, 0, 5,
			 MPI_COMM_SELF, MPI_STATUS_IGNORE) ||
	    in != n)
		fail("no message can be sent any more");
}

/* ---- Rows ---------------------------------------------------------------- */

static void set_stage(const struct function *f)
{
	memset(&stage, 0, sizeof(stage));
	for (int i = 0; i < 64; i++) {
		stage.ones[i] = 1;
		stage.twos[i] = 2;
		stage.types[i] = MPI_INT;
		stage.requests[i] = MPI_REQUEST_NULL;
	}
	strcpy(stage.text, has(f->name, "xternal") ? "external32"
			   : has(f->name, "pset")  ? "mpi://SELF"
						   : "text");
	stage.steps[2] = 1;
	if (!strcmp(f->name, "MPI_Comm_free") ||
	    !strcmp(f->name, "MPI_Comm_disconnect"))
		MPI_Comm_dup(MPI_COMM_SELF, (MPI_Comm *)&stage.handle);
	else if (!strcmp(f->name, "MPI_Type_free") ||
		 !strcmp(f->name, "MPI_Type_commit"))
		MPI_Type_contiguous(2, MPI_INT, (MPI_Datatype *)&stage.handle);
	else if (!strcmp(f->name, "MPI_Group_free"))
		MPI_Comm_group(MPI_COMM_WORLD, (MPI_Group *)&stage.handle);
	else if (!strcmp(f->name, "MPI_Info_free"))
		MPI_Info_create((MPI_Info *)&stage.handle);
	else if (has(f->name, "mrecv") || has(f->name, "Mrecv"))
		stage.handle = MPI_MESSAGE_NO_PROC;
	else if (has(f->name, "Start") || !strcmp(f->name, "MPI_Request_free"))
		MPI_Recv_init(stage.recv, 1, MPI_INT, MPI_PROC_NULL, 0,
			      MPI_COMM_SELF, &stage.requests[0]);
}

static void free_made(const struct function *f)
{
	for (int i = 0; i < 64; i++)
		if (stage.requests[i] != MPI_REQUEST_NULL)
			MPI_Request_free(&stage.requests[i]);
	for (int k = 0; stage.handle && k < f->n; k++)
		if (!strcmp(f->par[k].type, "MPI_Comm *") &&
		    stage.handle != MPI_COMM_NULL)
			MPI_Comm_free((MPI_Comm *)&stage.handle);
	if (!strcmp(f->name, "MPI_Session_init"))
		MPI_Session_finalize((MPI_Session *)&stage.handle);
}

static void try_row(const struct function *f, int k, const char *label,
		    union value bad, int want)
{
	union value v[16];
	int rc;

	snprintf(row, sizeof(row), "%s:%s:%s", f->name,
		 k < 0 ? "" : f->par[k].name, label);
	if (fnmatch(pattern, row, 0))
		return;
	if (verbose)
		fprintf(stderr, "# %s\n", row);
	alarm(30);
	rows++;
	set_stage(f);
	for (int i = 0; i < f->n; i++)
		v[i] = i == k ? bad : good(f, i);
	if (sigsetjmp(crash, 1)) {
		fail("crashes");
		return;
	}
	rc = f->call(v);
	judge(rc, want);
	if (!rc)
		free_made(f);
	ping();
}

/* Tries handles of all kinds except the kind of this type. */
static void try_handles(const struct function *f, int k, const char *type,
			int want, bool indirect)
{
	static void *at[64];
	const struct {
		const char *label, *type;
		void *handle;
	} bad[] = {{"NULL", "", NULL},
		   {"null communicator", "MPI_Comm", MPI_COMM_NULL},
		   {"null type", "MPI_Datatype", MPI_DATATYPE_NULL},
		   {"null operation", "MPI_Op", MPI_OP_NULL},
		   {"null group", "MPI_Group", MPI_GROUP_NULL},
		   {"null info", "", MPI_INFO_NULL},
		   {"null request", "", MPI_REQUEST_NULL},
		   {"freed communicator", "MPI_Comm", freed_comm},
		   {"freed type", "MPI_Datatype", freed_type},
		   {"freed group", "MPI_Group", freed_group},
		   {"freed operation", "MPI_Op", freed_op},
		   {"freed request", "MPI_Request", freed_request},
		   {"freed session", "MPI_Session", freed_session},
		   {"communicator", "", cart},
		   {"group", "", group},
		   {"info", "", info}};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		union value v = {.p = bad[i].handle};

		/* values that are good here */
		if (!*bad[i].type &&
		    !strcasecmp(bad[i].label +
				    (has(bad[i].label, "null ") ? 5 : 0),
				type[4] == 'C' ? "communicator" : type + 4))
			continue;
		for (int j = 0; j < 64; j++)
			at[j] = bad[i].handle;
		if (indirect)
			v.p = at;
		try_row(f, k, bad[i].label, v, want);
	}
}

static int class_of_int(const char *name)
{
	if (!strcmp(name, "root"))
		return MPI_ERR_ROOT;
	if (has(name, "tag"))
		return MPI_ERR_TAG;
	return 0;
}

static void try_parameter(const struct function *f, int k)
{
	const char *type = f->par[k].type, *name = f->par[k].name;
	bool pointer = has(type, "*") || has(type, "[");
	int class = 0;

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (!strcmp(type, classes[i].type))
			class = classes[i].class;
	if (class)
		try_handles(f, k, type, class, false);
	if (pointer)
		try_row(f, k, "NULL", (union value){.p = NULL}, 0);
	if (has(type, "MPI_Request") && pointer &&
	    (has(name, "array") || has(f->name, "Wait") ||
	     has(f->name, "Test") || has(f->name, "Cancel") ||
	     !strcmp(f->name, "MPI_Request_free") ||
	     !strcmp(f->name, "MPI_Start")))
		try_handles(f, k, "MPI_Request", 0, true);
	if (strcmp(type, "int"))
		return;
	try_row(f, k, "-77", (union value){.i = -77}, class_of_int(name));
	try_row(f, k, "INT_MIN", (union value){.i = INT_MIN},
		class_of_int(name));
}

static bool is_tried(const char *name)
{
	return !has(name, "Init") && !has(name, "Finalize") &&
	       !has(name, "Abort") && !has(name, "spawn") &&
	       !has(name, "Alloc_mem") && !has(name, "Free_mem") &&
	       !has(name, "Intercomm_create");
}

static void hung(int sig)
{
	(void)sig;
	printf("# %s: does not return\nnot ok - wrong arguments\n", row);
	fflush(stdout);
	_exit(99);
}

static void crashed(int sig)
{
	(void)sig;
	siglongjmp(crash, 1);
}

static void set_up(void)
{
	int one = 1, zero = 0, index = 1, edge = 0;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_group(MPI_COMM_WORLD, &group);
	MPI_Info_create(&info);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
	MPI_Cart_create(MPI_COMM_WORLD, 1, &one, &zero, 0, &cart);
	MPI_Graph_create(MPI_COMM_WORLD, 1, &index, &edge, 0, &graph);
	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN,
			       &keyval, NULL);
}

/* Makes freed handles for each function, because others may have reused their
 * memory. There are several of each kind, so that the next new handle is not
 * the one freed last. */
static void make_freed(void)
{
	MPI_Comm comms[4];
	MPI_Session s[2];
	MPI_Request r;
	int x;

	for (int i = 0; i < 2; i++)
		MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s[i]);
	freed_session = s[0];
	for (int i = 0; i < 2; i++)
		MPI_Session_finalize(&s[i]);
	for (int i = 0; i < 4; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	for (int i = 0; i < 4; i++) {
		freed_comm = comms[i];
		MPI_Comm_free(&comms[i]);
	}
	MPI_Type_contiguous(2, MPI_INT, &freed_type);
	MPI_Comm_group(MPI_COMM_WORLD, &freed_group);
	MPI_Op_create((MPI_User_function *)nothing, 1, &freed_op);
	MPI_Irecv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &r);
	freed_request = r;
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	MPI_Type_free(&(MPI_Datatype){freed_type});
	MPI_Group_free(&(MPI_Group){freed_group});
	MPI_Op_free(&(MPI_Op){freed_op});
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "-v"))
			verbose = true;
		else
			pattern = argv[i];
	}
	MPI_Init(&argc, &argv);
	signal(SIGALRM, hung);
	if (!getenv("SANITIZER") || !*getenv("SANITIZER"))
		signal(SIGSEGV, crashed);
	set_up();
	for (int i = 0; i < FUNCTIONS; i++) {
		make_freed();
		for (int k = 0; k < functions[i].n; k++)
			if (is_tried(functions[i].name))
				try_parameter(&functions[i], k);
	}
	printf("# %d functions, %d rows\n", FUNCTIONS, rows);
	printf("%sok - wrong arguments\n", failed ? "not " : "");
	return MPI_Session_finalize(&session) || MPI_Finalize() || failed;
}
