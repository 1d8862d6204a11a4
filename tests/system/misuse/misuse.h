/* SPDX-License-Identifier: Apache-2.0 */
/*
 * misuse.h describes every public function with every kind of wrong argument,
 * as data. calls.awk makes the table of functions from the public headers. Each
 * parameter is of a kind (kinds.c), which has a good value and bad ones, and
 * the code that each bad value gives; exceptions are rows of their own. A row
 * of the test is a function, a parameter and a bad value, all other parameters
 * being good.
 */
#ifndef TESTS_MISUSE_H
#define TESTS_MISUSE_H

#include "tests/system/api.h"

union value {
	void *p;
	size_t z;
	ptrdiff_t d;
	int i;
	uint64_t u;
	void (*f)(void);
};

struct parameter {
	const char *type, *name;
};

struct function {
	const char *name;
	int (*call)(const union value *v);
	int n;
	struct parameter par[16];
};
extern const struct function functions[];
extern const int nfunctions;

/* The results that a row may expect besides one MRT_ERR_*. */
enum {
	FINE = 0,
	ANY = 1,    /* some error */
	SKIP = 2,   /* not tried: undetectable, or the call would not return */
	EITHER = 3, /* success or error, but the call returns */
};

struct bad {
	const char *label; /* NULL ends a table */
	union value value;
	int code;
};

/* Handles of all kinds, good and bad (handles.c). */
enum handle_kind { NO_HANDLE, COMM, TYPE, OP, GROUP, REQUEST, MESSAGE, WIN };
struct handle {
	const char *label;
	enum handle_kind kind; /* what it is, or was */
	bool valid, null, uncommitted;
	void *at[2]; /* the handle twice: an array of two handles */
};
extern struct handle handles[];
extern const int nhandles;
/* handles_make fills the table `handles`; all ranks call these two in this
 * order, and the table is complete between the two calls. */
void handles_make(void);
void handles_free(void);

/* A struct kind says what a parameter is; the first row that matches by
 * fnmatch counts. */
struct kind {
	const char *function, *type, *name;
	enum handle_kind
	    handle;   /* handles of all other kinds are wrong values */
	int indirect; /* 1: a pointer to a handle, or an array */
	union value good;
	const struct bad *bads;
};
extern const struct kind kinds[];
/* Must be called before all other functions of kinds.c. */
void kinds_begin(void);
const struct kind *kind_of(const struct function *f, int k);

struct exception {
	const char *function, *name, *label;
	int code;
};
extern const struct exception exceptions[];

/* The stage holds what good arguments point to. It is made anew for each row,
 * and a call that fails must not change it. */
enum { BLOCKS = 256, LIST = 4 };
struct stage {
	struct mrt_buffer shared, *own;
	int send[BLOCKS], recv[BLOCKS];
	size_t counts[LIST], sizes[LIST], zeros[LIST];
	ptrdiff_t displs[LIST], values[LIST];
	int ints[LIST], ones[LIST], ranges[1][3];
	int dists[LIST], defaults[LIST];
	struct mrt_type *types[LIST], *made_types[LIST];
	struct mrt_neighbors near;
	int self[1];
	struct iovec iov[2];
	char name[MRT_PROCESSOR_NAME_MAX];
	struct mrt_place places[LIST];

	struct mrt_comm *comm;
	struct mrt_type *type;
	struct mrt_op *op;
	struct mrt_group *group;
	struct mrt_request *request, *requests[2];
	struct mrt_message *message;
	struct mrt_win *win;
	struct mrt_target target;
	struct mrt_win_info win_info;
	void *ptr;
	size_t position, bytes, count;
	ptrdiff_t lb, extent;
	int flag, index, number, indices[LIST];
	struct mrt_status status, statuses[LIST];
	enum mrt_comparison result;
	enum mrt_combiner combiner;
};
extern struct stage stage;
/* The memory of windows, which calls that fail later may change. */
enum { WINDOW = 64 };
extern int window[WINDOW];
/* The group of this rank alone. */
extern struct mrt_group *self_group;
/* Set stage.request to a partitioned send of four partitions that has been
 * started, or to such a receive that has not, and free it (handles.c). */
void have_ready(void);
void end_ready(int rc);
void have_arrived(void);
void end_arrived(int rc);
/* stage_set prepares the stage for calls of f; stage_clear removes what a call
 * has made. */
void stage_set(const struct function *f);
/* Like stage_set, for the time when the library is closed. */
void stage_set_closed(void);
void stage_clear(const struct function *f, int rc);

/* Values that only the running job knows. */
extern struct mrt_comm *good_comm;
#endif
