/* SPDX-License-Identifier: Apache-2.0 */
/* match.c: the posted and the unexpected queue. */
#include "p2p/match.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/wire.h"
#include "runtime/base/copy.h"
#include "runtime/base/pool.h"

enum {
	BUCKETS = 256,
	SMALL = 128, /* payload bytes of the pools' blocks */
	MEDIUM = 2304
};

static struct list posted[BUCKETS], wild = LIST_INIT(wild);
static struct list arrived[BUCKETS], arrival = LIST_INIT(arrival);
static struct pool small, medium;
static uint64_t posts;
struct match_load match_load;

void match_init(void)
{
	for (int i = 0; i < BUCKETS; i++) {
		list_init(&posted[i]);
		list_init(&arrived[i]);
	}
	list_init(&wild);
	list_init(&arrival);
	pool_init(&small, sizeof(struct unexpected) + SMALL, 32);
	pool_init(&medium, sizeof(struct unexpected) + MEDIUM, 8);
}

void match_fini(void)
{
	struct list *it;

	while ((it = list_pop(&arrival)))
		match_discard(list_entry(it, struct unexpected, order_link));
	pool_fini(&small);
	pool_fini(&medium);
}

static inline unsigned bucket(uint32_t context, int source, int tag)
{
	uint32_t h = context * 0x9e3779b1u ^ (uint32_t)source * 0x85ebca6bu ^
		     (uint32_t)tag * 0xc2b2ae35u;

	return h >> 24;
}
_Static_assert(BUCKETS == 256, "bucket() takes the top 8 bits");

static inline bool is_wild(const struct mrt_request *req)
{
	return req->peer == MRT_ANY_SOURCE || req->tag == MRT_ANY_TAG;
}

static inline struct list *bucket_of(const struct mrt_request *req)
{
	return &posted[bucket(req->context, req->peer, req->tag)];
}

static inline bool fits(uint32_t context, int source, int tag,
			uint32_t has_context, int has_source, int has_tag)
{
	return context == has_context &&
	       (source == MRT_ANY_SOURCE || source == has_source) &&
	       (tag == MRT_ANY_TAG || tag == has_tag);
}

static inline void post(struct mrt_request *req, struct list *queue)
{
	req->order = ++posts;
	req->posted = true;
	match_load.posted++;
	list_append(queue, &req->link);
}

void match_post(struct mrt_request *req)
{
	post(req, is_wild(req) ? &wild : bucket_of(req));
}

void match_post_exact(struct mrt_request *req)
{
	post(req, bucket_of(req));
}

void match_withdraw(struct mrt_request *req)
{
	req->posted = false;
	match_load.posted--;
	list_remove(&req->link);
}

static inline struct mrt_request *first_exact(uint32_t context, int source,
					      int tag)
{
	list_for_each (it, &posted[bucket(context, source, tag)]) {
		struct mrt_request *req =
		    list_entry(it, struct mrt_request, link);

		if (req->context == context && req->peer == source &&
		    req->tag == tag)
			return req;
	}
	return NULL;
}

/* Returns the older one of exact, which may be NULL, and the first matching
 * receive with a wildcard. */
static __attribute__((noinline)) struct mrt_request *
first_of_all(struct mrt_request *exact, uint32_t context, int source, int tag)
{
	list_for_each (it, &wild) {
		struct mrt_request *req =
		    list_entry(it, struct mrt_request, link);

		if (fits(req->context, req->peer, req->tag, context, source,
			 tag))
			return exact && exact->order < req->order ? exact : req;
	}
	return exact;
}

struct mrt_request *match_arrived(uint32_t context, int source, int tag)
{
	struct mrt_request *req;

	if (!match_load.posted)
		return NULL;
	req = first_exact(context, source, tag);
	if (__builtin_expect(!list_empty(&wild), 0))
		req = first_of_all(req, context, source, tag);
	if (req)
		match_withdraw(req);
	return req;
}

size_t match_kept(void)
{
	size_t n = 0;

	list_for_each (it, &arrival) {
		uint32_t context =
		    list_entry(it, struct unexpected, order_link)->context;

		/* the others are of collectives and of MRT_CHECK */
		n += !context_is_internal(context);
	}
	return n;
}

struct unexpected *match_keep(const struct unexpected *head, const void *data)
{
	struct unexpected *u;

	if (head->len <= SMALL)
		u = pool_get(&small);
	else if (head->len <= MEDIUM)
		u = pool_get(&medium);
	else
		u = malloc(sizeof(*u) + head->len);
	if (!u)
		return NULL;
	*u = *head;
	copy_bytes(u->data, data, head->len);
	list_append(&arrived[bucket(u->context, u->source, u->tag)],
		    &u->hash_link);
	list_append(&arrival, &u->order_link);
	match_load.kept++;
	return u;
}

struct unexpected *match_find(uint32_t context, int source, int tag)
{
	if (!match_load.kept)
		return NULL;
	if (source == MRT_ANY_SOURCE || tag == MRT_ANY_TAG) {
		list_for_each (it, &arrival) {
			struct unexpected *u =
			    list_entry(it, struct unexpected, order_link);

			if (fits(context, source, tag, u->context, u->source,
				 u->tag))
				return u;
		}
		return NULL;
	}
	list_for_each (it, &arrived[bucket(context, source, tag)]) {
		struct unexpected *u =
		    list_entry(it, struct unexpected, hash_link);

		if (fits(context, source, tag, u->context, u->source, u->tag))
			return u;
	}
	return NULL;
}

struct unexpected *match_find_id(int source, uint32_t id)
{
	list_for_each (it, &arrival) {
		struct unexpected *u =
		    list_entry(it, struct unexpected, order_link);

		if (u->source == source && wire_id(u->kind, u->data) == id)
			return u;
	}
	return NULL;
}

void match_take(struct unexpected *u)
{
	list_remove(&u->hash_link);
	list_remove(&u->order_link);
	match_load.kept--;
}

void match_discard(struct unexpected *u)
{
	if (u->len <= SMALL)
		pool_put(&small, u);
	else if (u->len <= MEDIUM)
		pool_put(&medium, u);
	else
		free(u);
}
