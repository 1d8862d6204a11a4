/* SPDX-License-Identifier: Apache-2.0 */
/* access.h: the steps that all operations on a window share (access.c). */
#ifndef RMA_ACCESS_H
#define RMA_ACCESS_H

#include "rma/win.h"

/* Elements of the target, checked. */
struct target {
	struct win_peer *peer;
	int rank;
	uint64_t at; /* address of the first element at its owner */
	char *here;  /* the same, mapped here; NULL: it is not */
	const struct mrt_type *type;
	size_t count, bytes;
	ptrdiff_t low; /* offset from `at` of their lowest byte */
	size_t span;   /* bytes from the lowest to the highest */
};

/* The origin's elements, or those of the result. */
struct origin {
	char *buf;
	size_t count;
	const struct mrt_type *type;
};

/* The target's contiguous runs. */
struct runs {
	struct iovec one, *list;
	size_t n;
};

/* Returned where there is nothing to do, or nothing any more. */
enum { NOTHING = 1 };

/* Checks the target and prepares for an operation on it (win_enter). Returns 0,
 * NOTHING for MRT_PROC_NULL, or MRT_ERR_*. */
int win_check_target(struct mrt_win *w, const struct mrt_target *target,
		     struct target *t);
/* Checks the origin's elements, which must be as many bytes as the target's. */
int win_check_origin(const void *buf, size_t count, struct mrt_type *type,
		     const struct target *t, struct origin *o);

/* Lists the runs of the target as if its first element were at base; for a
 * type without holes it cannot fail. win_drop_runs frees the list. */
int win_list_runs(const struct target *t, const void *base, struct runs *r);
void win_drop_runs(struct runs *r);
/* Copies from elements to other elements of as many bytes. False: no memory. */
bool win_move(char *to, const struct mrt_type *to_type, const char *from,
	      const struct mrt_type *from_type, size_t bytes);
/* Makes op->packed the origin's data (fill), or the place for the result. */
int win_pack_origin(struct win_op *op, const struct origin *o, size_t bytes,
		    bool fill);

/* Ends the call that has started an operation, and returns rc. An error of the
 * call is its own, not that of a later one. */
int win_started(struct win_op *op, int rc);

/* Begins a call: finds the window, and makes a request if the user wants one.
 * win_hand_out gives it to the user after a call that has ended with rc, which
 * may be NOTHING, or whose operation is under way; it returns 0 or the error.
 */
int win_begin_operation(struct mrt_win *handle, struct mrt_request **request,
			struct mrt_win **w, struct mrt_request **made);
int win_hand_out(int rc, struct mrt_request *made,
		 struct mrt_request **request);
#endif
