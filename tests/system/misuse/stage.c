/* SPDX-License-Identifier: Apache-2.0 */
/* stage.c holds what good arguments point to, and removes what calls leave
 * behind. */
#include <fnmatch.h>

#include "tests/system/misuse/misuse.h"

struct stage stage;
int window[WINDOW];
struct mrt_comm *good_comm;

/* The value of an output that nothing has been written to. */
#define UNSET ((void *)0x5a5a5a5a)

static void nothing(const void *in, void *inout, size_t count,
		    struct mrt_type *type, void *context)
{
	(void)in;
	(void)inout;
	(void)count;
	(void)type;
	(void)context;
}

static void set_lists(void)
{
	for (int i = 0; i < LIST; i++) {
		stage.counts[i] = 2;
		stage.sizes[i] = 2;
		stage.displs[i] = 8 * i; /* elements, and bytes */
		stage.values[i] = 77;
		stage.ints[i] = 0;
		stage.ones[i] = 1;
		stage.dists[i] = MRT_DISTRIBUTE_BLOCK;
		stage.defaults[i] = MRT_DISTRIBUTE_DFLT_DARG;
		stage.types[i] = MRT_INT;
		stage.made_types[i] = UNSET;
		stage.indices[i] = 77;
		stage.statuses[i].source = 77;
	}
	for (int i = 0; i < BLOCKS; i++)
		stage.send[i] = stage.recv[i] = i;
	stage.ranges[0][2] = 1;
}

static void set_scalars(void)
{
	stage.near = (struct mrt_neighbors){1, stage.self, 1, stage.self, 0};
	stage.iov[0] = (struct iovec){stage.send, 8};
	stage.iov[1] = (struct iovec){stage.send + 4, 8};
	stage.comm = UNSET;
	stage.type = UNSET;
	stage.op = UNSET;
	stage.group = UNSET;
	stage.request = UNSET;
	stage.requests[0] = stage.requests[1] = MRT_REQUEST_NULL;
	stage.message = UNSET;
	stage.win = UNSET;
	stage.target = (struct mrt_target){0, 1, 2, MRT_INT};
	stage.ptr = UNSET;
	stage.bytes = stage.count = 77;
	stage.lb = stage.extent = 77;
	stage.flag = stage.index = stage.number = 77;
	stage.status.source = 77;
	stage.status.bytes = 8;
	stage.result = MRT_UNEQUAL;
	stage.combiner = MRT_COMBINER_DUP;
}

/* ---- What a function needs, and leaves ----------------------------------- */

static void have_comm(void)
{
	/* a copy of self: ranks take another one at different times */
	OK(mrt_comm_dup(MRT_COMM_SELF, &stage.comm));
}

static void have_type(void)
{
	OK(mrt_type_contiguous(2, MRT_INT, &stage.type));
}

static void have_op(void)
{
	OK(mrt_op_create(nothing, NULL, 1, &stage.op));
}

static void have_group(void)
{
	OK(mrt_comm_group(W, &stage.group));
}

static void have_persistent(void)
{
	OK(mrt_recv_init(stage.recv, 2, MRT_INT, MRT_PROC_NULL, 0, W,
			 &stage.request));
	OK(mrt_recv_init(stage.recv, 2, MRT_INT, MRT_PROC_NULL, 0, W,
			 &stage.requests[0]));
	OK(mrt_recv_init(stage.recv, 2, MRT_INT, MRT_PROC_NULL, 0, W,
			 &stage.requests[1]));
}

static void free_persistent(int rc)
{
	(void)rc;
	for (int i = 0; i < 2; i++)
		OK(mrt_request_free(&stage.requests[i]));
	if (stage.request != MRT_REQUEST_NULL)
		OK(mrt_request_free(&stage.request));
}

static void have_null(void)
{
	stage.request = MRT_REQUEST_NULL;
}

static void keep(int rc)
{
	(void)rc;
}

static void have_active(void)
{
	struct mrt_request *other;

	/* the memory of a completed request stays free */
	OK(mrt_irecv(stage.recv, 2, MRT_INT, MRT_PROC_NULL, 0, W, &other));
	OK(mrt_irecv(stage.recv, 2, MRT_INT, me, 910, W, &stage.request));
	OK(mrt_wait(&other, MRT_STATUS_IGNORE));
}

static void end_active(int rc)
{
	if (rc)
		OK(mrt_cancel(&stage.request));
	OK(mrt_wait(&stage.request, MRT_STATUS_IGNORE));
}

static void have_general(void)
{
	OK(mrt_grequest_start(NULL, NULL, NULL, NULL, &stage.request));
}

static void end_general(int rc)
{
	if (rc)
		OK(mrt_grequest_complete(stage.request));
	OK(mrt_wait(&stage.request, MRT_STATUS_IGNORE));
}

static void end_polled(int rc)
{
	end_general(1);
}

static void end_started(int rc)
{
	if (!rc)
		end_general(1);
}

static void have_no_message(void)
{
	stage.message = MRT_MESSAGE_NO_PROC;
}

static void have_buffer(void)
{
	OK(mrt_buffer_attach(&stage.shared, stage.recv, sizeof(stage.recv)));
}

static void detach(int rc)
{
	void *at;
	size_t bytes;

	if (!rc)
		OK(mrt_buffer_detach(&stage.shared, &at, &bytes));
}

static void detach_failed(int rc)
{
	detach(!rc);
}

static void have_memory(void)
{
	OK(mrt_alloc(64, &stage.ptr));
}

static void free_failed(int rc)
{
	if (rc)
		OK(mrt_free(stage.ptr));
}

static void free_memory(int rc)
{
	(void)rc;
	OK(mrt_free(stage.ptr));
}

static void free_mapped(int rc)
{
	(void)rc;
	OK(mrt_free((void *)(uintptr_t)stage.bytes));
}

/* stage.bytes is the address; stage.ptr becomes the mapping. */
static void have_mapped(void)
{
	OK(mrt_alloc(64, &stage.ptr));
	stage.bytes = (size_t)stage.ptr;
	stage.ptr = UNSET;
}

/* ---- Windows, which are of this rank alone ------------------------------- */

static void have_win(void)
{
	OK(mrt_win_create(window, sizeof(window), sizeof(int), MRT_COMM_SELF,
			  &stage.win));
}

static void free_win(int rc)
{
	(void)rc;
	if (stage.request != UNSET)
		OK(mrt_wait(&stage.request, MRT_STATUS_IGNORE));
	if (stage.win != MRT_WIN_NULL)
		OK(mrt_win_free(&stage.win));
}

static void free_made_win(int rc)
{
	if (!rc)
		OK(mrt_win_free(&stage.win));
}

static void have_shared(void)
{
	void *base;

	OK(mrt_win_allocate_shared(8, 1, 1, MRT_COMM_SELF, &base, &stage.win));
}

static void have_dynamic(void)
{
	OK(mrt_win_create_dynamic(MRT_COMM_SELF, &stage.win));
}

static void have_attached(void)
{
	have_dynamic();
	OK(mrt_win_attach(stage.win, window, sizeof(window)));
}

static void have_all(void)
{
	have_win();
	OK(mrt_win_lock_all(0, stage.win));
}

static void end_all(int rc)
{
	(void)rc;
	OK(mrt_win_unlock_all(stage.win));
	free_win(0);
}

static void end_all_done(int rc)
{
	if (rc)
		end_all(rc);
	else
		free_win(rc);
}

static void end_all_begun(int rc)
{
	end_all_done(!rc);
}

static void have_lock(void)
{
	have_win();
	OK(mrt_win_lock(1, 0, 0, stage.win));
}

static void end_lock(int rc)
{
	if (rc)
		OK(mrt_win_unlock(0, stage.win));
	free_win(rc);
}

static void end_lock_begun(int rc)
{
	end_lock(!rc);
}

static void have_post(void)
{
	have_win();
	OK(mrt_win_post(self_group, 0, stage.win));
}

static void have_start(void)
{
	have_post();
	OK(mrt_win_start(self_group, 0, stage.win));
}

static void have_complete(void)
{
	have_start();
	OK(mrt_win_complete(stage.win));
}

static void end_wait(int rc)
{
	if (rc)
		OK(mrt_win_wait(stage.win));
	free_win(rc);
}

static void end_complete(int rc)
{
	if (rc)
		OK(mrt_win_complete(stage.win));
	end_wait(1);
}

static void end_start(int rc)
{
	if (rc)
		OK(mrt_win_start(self_group, 0, stage.win));
	end_complete(1);
}

static void end_post(int rc)
{
	if (!rc)
		end_start(1);
	else
		free_win(rc);
}

static const struct needs {
	const char *function;
	void (*set)(void);
	void (*clear)(int rc); /* NULL: clear by what has been written */
} needs[] = {
    {"mrt_comm_free", have_comm, NULL},
    {"mrt_comm_disconnect", have_comm, NULL},
    {"mrt_type_free", have_type, NULL},
    {"mrt_type_commit", have_type, NULL},
    {"mrt_type_f90", NULL, keep},
    {"mrt_op_free", have_op, NULL},
    {"mrt_group_free", have_group, NULL},
    {"mrt_request_free", have_persistent, free_persistent},
    {"mrt_start*", have_persistent, free_persistent},
    {"mrt_pready*", have_ready, end_ready},
    {"mrt_parrived", have_arrived, end_arrived},
    {"mrt_wait", have_null, keep},
    {"mrt_test", have_null, keep},
    {"mrt_cancel", have_active, end_active},
    {"mrt_grequest_complete", have_general, end_general},
    {"mrt_grequest_poll", have_general, end_polled},
    {"mrt_grequest_start", NULL, end_started},
    {"mrt_mrecv", have_no_message, keep},
    {"mrt_imrecv", have_no_message, NULL},
    {"mrt_mprobe", NULL, keep},
    {"mrt_improbe", NULL, keep},
    {"mrt_buffer_attach", NULL, detach},
    {"mrt_buffer_detach", have_buffer, detach_failed},
    {"mrt_free", have_memory, free_failed},
    {"mrt_alloc*", NULL, NULL},
    {"mrt_map", have_mapped, free_mapped},
    {"mrt_win_create*", NULL, free_made_win},
    {"mrt_win_allocate*", NULL, free_made_win},
    {"mrt_win_shared", have_shared, free_win},
    {"mrt_win_attach", have_dynamic, free_win},
    {"mrt_win_detach", have_attached, free_win},
    {"mrt_win_lock", have_win, end_lock_begun},
    {"mrt_win_unlock", have_lock, end_lock},
    {"mrt_win_lock_all", have_win, end_all_begun},
    {"mrt_win_unlock_all", have_all, end_all_done},
    {"mrt_win_flush", have_all, end_all},
    {"mrt_win_post", have_win, end_post},
    {"mrt_win_start", have_post, end_start},
    {"mrt_win_complete", have_start, end_complete},
    {"mrt_win_wait", have_complete, end_wait},
    {"mrt_win_test", have_complete, end_wait},
    {"mrt_win_*", have_win, free_win},
    {"mrt_put", have_all, end_all},
    {"mrt_get", have_all, end_all},
    {"mrt_*accumulate", have_all, end_all},
    {"mrt_compare_swap", have_all, end_all},
};

static const struct needs *needs_of(const struct function *f)
{
	for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		if (!fnmatch(needs[i].function, f->name, 0))
			return &needs[i];
	return NULL;
}

void stage_set_closed(void)
{
	memset(&stage, 0, sizeof(stage));
	set_lists();
	set_scalars();
}

void stage_set(const struct function *f)
{
	const struct needs *n = needs_of(f);

	stage_set_closed();
	stage.self[0] = mrt_rank(good_comm);
	if (n && n->set)
		n->set();
}

static bool is_new(const void *handle, const void *null)
{
	return handle != UNSET && handle != null;
}

void stage_clear(const struct function *f, int rc)
{
	const struct needs *n = needs_of(f);

	if (n && n->clear) {
		n->clear(rc);
		return;
	}
	if (is_new(stage.request, MRT_REQUEST_NULL)) {
		if (!fnmatch("*_init", f->name, 0))
			OK(mrt_request_free(&stage.request));
		else
			OK(mrt_wait(&stage.request, MRT_STATUS_IGNORE));
	}
	if (is_new(stage.comm, MRT_COMM_NULL))
		OK(mrt_comm_free(&stage.comm));
	if (is_new(stage.type, MRT_TYPE_NULL))
		OK(mrt_type_free(&stage.type));
	if (is_new(stage.op, MRT_OP_NULL))
		OK(mrt_op_free(&stage.op));
	if (is_new(stage.group, MRT_GROUP_NULL))
		OK(mrt_group_free(&stage.group));
	if (is_new(stage.ptr, NULL))
		free_memory(rc);
}
