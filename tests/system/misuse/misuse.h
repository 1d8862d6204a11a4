/* SPDX-License-Identifier: Apache-2.0 */
/*
 * misuse.h: every public function with every kind of wrong argument, as data.
 * calls.awk makes the functions' table from the public headers. Each parameter
 * is of a kind (kinds.c), which has a good value and bad ones, and the code
 * that a bad one gives; exceptions are rows of their own. A row of the test is
 * a function, a parameter and a bad value, all other parameters being good.
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

/* What a row may expect besides one MRT_ERR_*. */
enum {
	FINE = 0,
	ANY = 1,    /* some error */
	SKIP = 2,   /* not tried: no call can tell, or it would not return */
	EITHER = 3, /* right or wrong, but it returns */
};

struct bad {
	const char *label; /* NULL: the end */
	union value value;
	int code;
};

/* Handles of all kinds, good and bad (handles.c). */
enum handle_kind { NO_HANDLE, COMM, TYPE, OP, GROUP, REQUEST, MESSAGE };
struct handle {
	const char *label;
	enum handle_kind kind; /* what it is, or was */
	bool valid, null, uncommitted;
	void *at[2]; /* twice: an array of them */
};
extern struct handle handles[];
extern const int nhandles;
/* In this order: all ranks; handles is complete between the two. */
void handles_make(void);
void handles_free(void);

/* What a parameter is; the first that matches (fnmatch) counts. */
struct kind {
	const char *function, *type, *name;
	enum handle_kind handle; /* wrong values are all others' handles */
	int indirect;		 /* 1: a pointer to one, or an array */
	union value good;
	const struct bad *bads;
};
extern const struct kind kinds[];
/* Before all. */
void kinds_begin(void);
const struct kind *kind_of(const struct function *f, int k);

struct exception {
	const char *function, *name, *label;
	int code;
};
extern const struct exception exceptions[];

/* Where good arguments point to; made anew for each row, and unchanged by a
 * call that fails. */
enum { BLOCKS = 256, LIST = 4 };
struct stage {
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
	void *ptr;
	size_t position, bytes, count;
	ptrdiff_t lb, extent;
	int flag, index, number, indices[LIST];
	struct mrt_status status, statuses[LIST];
	enum mrt_comparison result;
	enum mrt_combiner combiner;
};
extern struct stage stage;
/* For calls of this function, before; and what it has made, after. */
void stage_set(const struct function *f);
/* The same with the library closed. */
void stage_set_closed(void);
void stage_clear(const struct function *f, int rc);

/* What only the running job knows. */
extern struct mrt_comm *good_comm;
#endif
