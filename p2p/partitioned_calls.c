/* SPDX-License-Identifier: Apache-2.0 */
/* partitioned_calls.c: the public calls of partitioned communication. Their
 * arguments are checked; partitioned.c does the rest. */
#include <stdlib.h>

#include "p2p/partitioned.h"
#include "p2p/start.h"
#include "runtime/engine/progress.h"
#include "runtime/engine/wait.h"

/* ---- Making requests ----------------------------------------------------- */

struct tags {
	uint32_t first, n;
	bool moved;
};

static void partitioned_calls_avoid(void *block, void *context)
{
	const struct partitioned *p = block;
	struct tags *t = context;

	if (!request_is_known(&p->req) || !p->sends ||
	    p->offer.first >= t->first + t->n ||
	    t->first >= p->offer.first + p->offer.partitions)
		return;
	t->first = p->offer.first + p->offer.partitions;
	t->moved = true;
}

/* Returns the first of n tags that no other request of this rank has: simply
 * the next ones, until all have been used once. */
static uint32_t take_tags(uint32_t n)
{
	static uint32_t next;
	static bool again;
	struct tags t = {next, n, false};

	do {
		if (t.first > MRT_TAG_MAX - n) {
			t.first = 0;
			again = true;
		}
		t.moved = false;
		if (again)
			pool_each(&request_partitioned_pool,
				  partitioned_calls_avoid, &t);
	} while (t.moved);
	next = t.first + n;
	return t.first;
}

/* The arguments that a send and a receive have in common. */
struct whole {
	const void *buf;
	int partitions, peer, tag;
	bool sends;
};

static int make_parts(struct partitioned *p, const struct args *a, uint32_t n)
{
	p->parts = calloc(n, sizeof(*p->parts));
	if (!p->parts) {
		pool_put_last(&request_partitioned_pool, p);
		return proc_fail(MRT_ERR_NO_MEM, "%u partitions", n);
	}
	p->offer = (struct offer){a->bytes / n, n, take_tags(n)};
	return 0;
}

static int partitioned_calls_make(const struct args *a, const struct whole *w,
				  struct mrt_request **request)
{
	struct partitioned *p = pool_get_zeroed(&request_partitioned_pool);

	if (!p)
		return proc_fail(MRT_ERR_NO_MEM, "a partitioned request");
	if (w->sends && make_parts(p, a, (uint32_t)w->partitions))
		return MRT_ERR_NO_MEM;
	request_prepare(&p->req, REQ_PARTITIONED);
	p->req.state = REQUEST_INACTIVE;
	p->req.complete = true;
	p->req.ops = &partitioned_ops;
	p->req.comm = a->comm;
	p->req.peer = a->peer;
	p->req.tag = w->tag;
	comm_hold(a->comm);
	if (a->typed.type)
		type_hold(a->typed.type);
	p->args = *a;
	p->buf = (void *)(uintptr_t)w->buf;
	p->partitions = w->partitions;
	p->sends = w->sends;
	partitioned_offer(p);
	*request = &p->req;
	return 0;
}

static int partitioned_calls_check(const struct whole *w, size_t count,
				   struct mrt_type *type, struct mrt_comm *comm,
				   struct mrt_request **request)
{
	struct args a;
	size_t all;
	int rc;

	if (!request)
		return proc_fail(MRT_ERR_ARG, "request is NULL");
	if (w->partitions <= 0)
		return proc_fail(MRT_ERR_ARG, "%d partitions", w->partitions);
	if (w->peer == MRT_ANY_SOURCE)
		return proc_fail(MRT_ERR_RANK,
				 "MRT_ANY_SOURCE: partitioned messages have no "
				 "wildcards");
	if (__builtin_mul_overflow((size_t)w->partitions, count, &all))
		all = SIZE_MAX;
	/* without wildcards, a receive has the rules of a send */
	rc = args_send(&a, w->buf, all, type, w->peer, w->tag, comm);
	return args_ok(rc) ? partitioned_calls_make(&a, w, request) : rc;
}

static int partitioned_calls_init(const char *call, const struct whole *w,
				  size_t count, struct mrt_type *type,
				  struct mrt_comm *comm,
				  struct mrt_request **request)
{
	int rc = enter_message(call, count, type, w->peer, w->tag, comm);

	if (!rc)
		rc = proc_leave_with(
		    partitioned_calls_check(w, count, type, comm, request));
	return comm_result(comm, call, rc);
}

int mrt_psend_init(const void *buf, int partitions, size_t count,
		   struct mrt_type *type, int dest, int tag,
		   struct mrt_comm *comm, struct mrt_request **request)
{
	struct whole w = {buf, partitions, dest, tag, true};

	return partitioned_calls_init("mrt_psend_init", &w, count, type, comm,
				      request);
}

int mrt_precv_init(void *buf, int partitions, size_t count,
		   struct mrt_type *type, int source, int tag,
		   struct mrt_comm *comm, struct mrt_request **request)
{
	struct whole w = {buf, partitions, source, tag, false};

	return partitioned_calls_init("mrt_precv_init", &w, count, type, comm,
				      request);
}

/* ---- Sending ------------------------------------------------------------- */

/* Partitions that become ready: list[0..n-1], or n from low on. */
struct ready {
	const int *list;
	size_t n;
	int low;
};

static int ready_at(const struct ready *r, size_t i)
{
	return r->list ? r->list[i] : r->low + (int)i;
}

/* Marks the partitions. If one of them cannot be, none is. */
static int partitioned_calls_mark(struct partitioned *p, const struct ready *r)
{
	for (size_t i = 0; i < r->n; i++) {
		int k = ready_at(r, i);
		bool exists = k >= 0 && k < p->partitions;

		if (exists && !p->parts[k].ready) {
			p->parts[k].ready = true;
			continue;
		}
		while (i--)
			p->parts[ready_at(r, i)].ready = false;
		return proc_fail(MRT_ERR_ARG,
				 exists ? "partition %d of %d is ready already"
					: "partition %d of %d",
				 exists || r->list ? k : ready_at(r, r->n - 1),
				 p->partitions);
	}
	return 0;
}

/* Checks that the request is a partitioned one. */
static int check_request(const struct mrt_request *req, bool sends)
{
	if (!request_is_valid(req))
		return request_unknown(req);
	if (req->kind != REQ_PARTITIONED ||
	    ((const struct partitioned *)req)->sends != sends)
		return proc_fail(MRT_ERR_REQUEST,
				 "the request is no partitioned %s",
				 sends ? "send" : "receive");
	return 0;
}

static int send_ready(struct mrt_request *req, const struct ready *r)
{
	struct partitioned *p = (struct partitioned *)req;
	int rc = check_request(req, true);

	if (rc)
		return rc;
	rc = req->state == REQUEST_ACTIVE
		 ? partitioned_calls_mark(p, r)
		 : proc_fail(MRT_ERR_REQUEST,
			     "the partitioned send has not been started");
	if (rc)
		request_set_error_comm(req);
	for (size_t i = 0; i < r->n && !rc; i++)
		partitioned_send(p, (uint32_t)ready_at(r, i));
	return rc;
}

int mrt_pready(int partition, struct mrt_request *request)
{
	const struct ready r = {NULL, 1, partition};

	return proc_result("mrt_pready",
			   proc_enter("mrt_pready")
			       ?: proc_leave_with(send_ready(request, &r)));
}

static int send_range(int low, int high, struct mrt_request *request)
{
	struct ready r = {NULL, 0, low};

	if (low < 0 || low > high)
		return proc_fail(MRT_ERR_ARG, "partitions %d to %d", low, high);
	r.n = (size_t)(high - low) + 1;
	return send_ready(request, &r);
}

int mrt_pready_range(int low, int high, struct mrt_request *request)
{
	return proc_result(
	    "mrt_pready_range",
	    proc_enter("mrt_pready_range")
		?: proc_leave_with(send_range(low, high, request)));
}

static int send_list(size_t n, const int partitions[],
		     struct mrt_request *request)
{
	const struct ready r = {partitions, n, 0};

	if (n && !partitions)
		return proc_fail(MRT_ERR_ARG,
				 "the list of %zu partitions is NULL", n);
	if (n > INT_MAX)
		return proc_fail(MRT_ERR_COUNT, "%td partitions", (ptrdiff_t)n);
	return send_ready(request, &r);
}

int mrt_pready_list(size_t n, const int partitions[],
		    struct mrt_request *request)
{
	return proc_result(
	    "mrt_pready_list",
	    proc_enter("mrt_pready_list")
		?: proc_leave_with(send_list(n, partitions, request)));
}

/* ---- Receiving ----------------------------------------------------------- */

/* Whether all partitions of the sender that overlap partition k are there. Both
 * sides count in equal partitions of one message. */
static bool has_arrived(const struct partitioned *p, size_t k)
{
	size_t own = p->args.bytes / (size_t)p->partitions;

	if (p->req.complete)
		return true;
	if (!p->parts || !own || !partitioned_sizes_agree(p))
		return false;
	for (size_t i = k * own / p->offer.bytes;
	     i * p->offer.bytes < (k + 1) * own; i++)
		if (!p->parts[i].req.complete)
			return false;
	return true;
}

static int partitioned_calls_look(struct mrt_request *req, int partition,
				  int *flag)
{
	struct partitioned *p = (struct partitioned *)req;
	size_t k = (size_t)partition;
	int rc;

	if (!flag)
		return proc_fail(MRT_ERR_ARG, "flag is NULL");
	rc = req == MRT_REQUEST_NULL ? 0 : check_request(req, false);
	if (!rc && req != MRT_REQUEST_NULL &&
	    (partition < 0 || partition >= p->partitions)) {
		rc = proc_fail(MRT_ERR_ARG, "partition %d of %d", partition,
			       p->partitions);
		request_set_error_comm(req);
	}
	if (rc)
		return rc;
	*flag = !request_is_active(req) || has_arrived(p, k);
	if (*flag)
		return 0;
	wait_test();
	*flag = !request_is_active(req) || has_arrived(p, k);
	return *flag ? 0 : progress_fault();
}

int mrt_parrived(struct mrt_request *request, int partition, int *flag)
{
	return proc_result("mrt_parrived",
			   proc_enter("mrt_parrived")
			       ?: proc_leave_with(partitioned_calls_look(
				      request, partition, flag)));
}
