/* SPDX-License-Identifier: Apache-2.0 */
/*
 * leftovers.c: reports what is left at mrt_finalize. Nothing is counted while
 * the program runs: objects of users come from pools, and the first word of
 * each block tells whether it is an object.
 */
#include "lib/leftovers.h"

#include "coll/comm/comm_create.h"
#include "coll/op/op.h"
#include "p2p/bsend.h"
#include "p2p/describe.h"
#include "p2p/group.h"
#include "p2p/match.h"
#include "p2p/p2p.h"
#include "rma/win.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

#define WHERE "MRT_CHECK: left at mrt_finalize"
#define SAY WHERE ": "

/* ---- Requests ----------------------------------------------------------- */

enum { IDLE = REQ_GENERAL + 1, KINDS };
static const char *const kinds[KINDS] = {
    [REQ_SEND] = "sends",
    [REQ_RECV] = "receives",
    [REQ_COLL] = "collectives",
    [REQ_PARTITIONED] = "partitioned operations",
    [REQ_GENERAL] = "requests of the program's own"};

struct requests {
	size_t n[KINDS];
	const struct mrt_request *one[KINDS];
};

static void add_request(void *block, void *context)
{
	const struct mrt_request *req = block;
	struct requests *r = context;
	int kind = req->state == REQUEST_INACTIVE ? IDLE : req->kind;

	if (!request_is_known(req) || kind >= KINDS)
		return;
	r->n[kind]++;
	r->one[kind] = req;
}

static void report_requests(void)
{
	struct requests r = {{0}, {NULL}};
	char text[160];

	comm_each_request(add_request, &r);
	for (int kind = 0; kind < IDLE; kind++) {
		if (!r.n[kind])
			continue;
		describe_request(r.one[kind], text, sizeof(text));
		log_warn(
		    SAY
		    "%s that no test or wait has completed: %zu, one for %s",
		    kinds[kind], r.n[kind], text);
	}
	if (r.n[IDLE])
		log_warn(SAY "persistent requests: %zu", r.n[IDLE]);
}

/* ---- Objects ------------------------------------------------------------ */

struct count {
	uint64_t magic;
	size_t n;
};

static void add_object(void *block, void *context)
{
	struct count *c = context;

	c->n += *(const uint64_t *)block == c->magic;
}

static void add_type(void *block, void *context)
{
	const struct mrt_type *type = block;
	struct count *c = context;

	c->n += type_get(block) && !type->freed && !type->is_fixed;
}

static void report_leftovers(size_t n, const char *what)
{
	if (n)
		log_warn(SAY "%s: %zu", what, n);
}

static void report_pool(const struct pool *pool, uint64_t magic,
			const char *what)
{
	struct count c = {magic, 0};

	pool_each(pool, add_object, &c);
	report_leftovers(c.n, what);
}

static void report_types(void)
{
	struct count c = {0, 0};

	pool_each(&type_pool, add_type, &c);
	report_leftovers(c.n, "types");
}

/* ---- Messages ----------------------------------------------------------- */

static void report_messages(void)
{
	struct count c = {MESSAGE_MAGIC, 0};

	pool_each(&message_pool, add_object, &c);
	if (c.n)
		log_warn(SAY
			 "messages found by mrt_mprobe and not received: %zu",
			 c.n);
	if (bsend_attached())
		log_warn(SAY "a buffer for buffered sends");
}

void leftovers_report(void)
{
	report_requests();
	report_leftovers(comm_count(), "communicators");
	report_types();
	report_pool(&op_pool, OP_MAGIC, "operations");
	report_pool(&group_pool, GROUP_MAGIC, "groups");
	report_pool(&win_pool, WIN_MAGIC, "windows");
	report_messages();
}

int leftovers_report_strays(void)
{
	struct strays strays = match_strays();

	if (env.check)
		match_report_strays(&strays, WHERE);
	return 0;
}
