/* SPDX-License-Identifier: Apache-2.0 */
/* match.c: the posted and the unexpected queue. */
#include "p2p/match.h"

#include <stdlib.h>
#include <string.h>

#include "p2p/describe.h"
#include "p2p/wire.h"
#include "runtime/base/copy.h"
#include "runtime/base/log.h"
#include "runtime/base/pool.h"

enum {
	BUCKETS = 256,
	BUCKETS_MOST = 65536,
	STRANGERS = 3, /* other keys that a search meets before a table grows */
	FRESH = 8,     /* messages that a search with a wildcard walks */
	SMALL = 128,   /* payload bytes of the pools' blocks */
	MEDIUM = 2304
};

/* The wildcards of a receive, or of the keys of a table. */
enum { ANY_SOURCE = 1, ANY_TAG = 2, FRESH_LINK = 3, KINDS = 4 };

/* A hash table, whose lists keep the order of what has the same key. */
struct table {
	char *lists;
	uint32_t mask; /* of the byte offset of a list */
};
_Static_assert(sizeof(struct list) == 16, "table_list() shifts by 4");

static struct list first_lists[1 + KINDS][BUCKETS];
static struct table posted;
/* The unexpected messages by all keys that a receive may have. All are in
 * arrived[0]. Those that have come since a receive with a wildcard looked for
 * one in vain are not in the other tables but in `fresh`. */
static struct table arrived[KINDS];
static struct list fresh = LIST_INIT(fresh);
static uint32_t indexed; /* messages in all tables */
static struct pool small, medium;
static uint64_t posts;
static uint32_t wild[KINDS]; /* posted receives; [0]: with any wildcard */
struct match_load match_load;

static void table_init(struct table *t, struct list *lists, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		list_init(&lists[i]);
	t->lists = (char *)lists;
	t->mask = (n - 1) * (uint32_t)sizeof(*lists);
}

static void table_free(struct table *t, int k)
{
	if (t->lists != (char *)first_lists[k])
		free(t->lists);
}

void match_init(void)
{
	for (int k = 0; k < KINDS; k++)
		table_init(&arrived[k], first_lists[k], BUCKETS);
	table_init(&posted, first_lists[KINDS], BUCKETS);
	list_init(&fresh);
	indexed = 0;
	memset(wild, 0, sizeof(wild));
	pool_init(&small, sizeof(struct unexpected) + SMALL, 32);
	pool_init(&medium, sizeof(struct unexpected) + MEDIUM, 8);
}

static struct unexpected *message_of(struct list *link, int kind)
{
	return list_entry(link - kind, struct unexpected, links[0]);
}

/* Calls visit for all unexpected messages. */
static void each_message(void (*visit)(struct unexpected *u, struct strays *s),
			 struct strays *s)
{
	uint32_t step = sizeof(struct list);

	for (uint32_t at = 0; at <= arrived[0].mask; at += step) {
		struct list *l = (struct list *)(void *)(arrived[0].lists + at);

		list_for_each_safe (it, l)
			visit(message_of(it, 0), s);
	}
}

static void drop_message(struct unexpected *u, struct strays *s)
{
	(void)s;
	match_take(u);
	match_discard(u);
}

void match_fini(void)
{
	each_message(drop_message, NULL);
	for (int k = 0; k < KINDS; k++)
		table_free(&arrived[k], k);
	table_free(&posted, KINDS);
	pool_fini(&small);
	pool_fini(&medium);
}

/* Returns the list of a key. The top byte of the hash depends on all of it, so
 * that it counts first. */
static inline struct list *table_list(const struct table *t, uint32_t context,
				      int source, int tag)
{
	uint32_t h = context * 0x9e3779b1u ^ (uint32_t)source * 0x85ebca6bu ^
		     (uint32_t)tag * 0xc2b2ae35u;

	return (struct list *)(void *)(t->lists +
				       (__builtin_bswap32(h) << 4 & t->mask));
}

/* Returns the list where a node of a table belongs: kind is that of a table in
 * arrived, or KINDS for posted. */
static struct list *list_of_node(const struct table *t, struct list *node,
				 int kind)
{
	const struct mrt_request *req;
	const struct unexpected *u;

	if (kind == KINDS) {
		req = list_entry(node, struct mrt_request, link);
		return table_list(t, req->context, req->peer, req->tag);
	}
	u = message_of(node, kind);
	return table_list(t, u->context,
			  kind & ANY_SOURCE ? MRT_ANY_SOURCE : u->source,
			  kind & ANY_TAG ? MRT_ANY_TAG : u->tag);
}

/* Makes room for n keys, if the table has less: then a search passes one
 * stranger in the mean. A list of the old table is divided among some of the
 * new one that no other belongs to, so the order stays. Without memory the
 * table stays as it is. */
static void table_grow(struct table *t, int kind, uint32_t n)
{
	uint32_t size = t->mask / (uint32_t)sizeof(struct list) + 1;
	struct table old = *t;
	struct list *lists, *node;

	if (n <= size || size >= BUCKETS_MOST)
		return;
	while (size < n && size < BUCKETS_MOST)
		size *= 2;
	lists = malloc(size * sizeof(*lists));
	if (!lists)
		return;
	table_init(t, lists, size);
	for (uint32_t at = 0; at <= old.mask; at += sizeof(*lists))
		while (
		    (node = list_pop((struct list *)(void *)(old.lists + at))))
			list_append(list_of_node(t, node, kind), node);
	table_free(&old, kind);
}

/* ---- Posted receives ----------------------------------------------------- */

static inline int match_wildcards(int source, int tag)
{
	return (source == MRT_ANY_SOURCE ? ANY_SOURCE : 0) |
	       (tag == MRT_ANY_TAG ? ANY_TAG : 0);
}

void match_post_exact(struct mrt_request *req)
{
	req->order = ++posts;
	req->posted = true;
	match_load.posted++;
	list_append(table_list(&posted, req->context, req->peer, req->tag),
		    &req->link);
}

void match_post(struct mrt_request *req)
{
	int kind = match_wildcards(req->peer, req->tag);

	if (kind) {
		wild[kind]++;
		wild[0]++;
	}
	match_post_exact(req);
}

static inline void withdraw_exact(struct mrt_request *req)
{
	req->posted = false;
	match_load.posted--;
	list_remove(&req->link);
}

void match_withdraw(struct mrt_request *req)
{
	int kind = match_wildcards(req->peer, req->tag);

	if (kind) {
		wild[kind]--;
		wild[0]--;
	}
	withdraw_exact(req);
}

static inline bool is_for(const struct mrt_request *req, uint32_t context,
			  int source, int tag)
{
	return req->context == context && req->peer == source &&
	       req->tag == tag;
}

/* Returns the oldest receive with these very arguments, or NULL. */
static struct mrt_request *first_posted(uint32_t context, int source, int tag)
{
	struct mrt_request *found = NULL;
	int strangers = 0;

	list_for_each (it, table_list(&posted, context, source, tag)) {
		found = list_entry(it, struct mrt_request, link);
		if (is_for(found, context, source, tag))
			break;
		found = NULL;
		strangers++;
	}
	if (strangers > STRANGERS)
		table_grow(&posted, KINDS, match_load.posted);
	return found;
}

/* Like match_arrived, of receives of all kinds. */
static __attribute__((noinline)) struct mrt_request *
oldest_of_all(uint32_t context, int source, int tag)
{
	struct mrt_request *oldest = first_posted(context, source, tag), *req;

	for (int kind = 1; kind < KINDS; kind++) {
		if (!wild[kind])
			continue;
		req = first_posted(context,
				   kind & ANY_SOURCE ? MRT_ANY_SOURCE : source,
				   kind & ANY_TAG ? MRT_ANY_TAG : tag);
		if (req && (!oldest || req->order < oldest->order))
			oldest = req;
	}
	if (oldest)
		match_withdraw(oldest);
	return oldest;
}

struct mrt_request *match_arrived(uint32_t context, int source, int tag)
{
	struct mrt_request *req;
	struct list *l;

	if (!match_load.posted)
		return NULL;
	l = table_list(&posted, context, source, tag);
	req = list_entry(l->next, struct mrt_request, link);
	if (__builtin_expect(wild[0] || l->next == l ||
				 !is_for(req, context, source, tag),
			     0))
		return oldest_of_all(context, source, tag);
	withdraw_exact(req);
	return req;
}

/* ---- Unexpected messages ------------------------------------------------- */

static void add_stray(struct unexpected *u, struct strays *s)
{
	/* the others are of collectives and of MRT_CHECK */
	if (!context_is_internal(u->context))
		*s = (struct strays){s->n + 1, u->bytes, u->source, u->tag,
				     u->context};
}

struct strays match_strays(void)
{
	struct strays s = {0};

	each_message(add_stray, &s);
	return s;
}

void match_report_strays(const struct strays *s, const char *where)
{
	char text[160];

	if (!s->n)
		return;
	describe_receive(s->source, s->tag, s->context, text, sizeof(text));
	log_warn("%s: messages that nobody receives: %zu, such as %s, of %zu "
		 "bytes",
		 where, s->n, text, s->bytes);
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
	memcpy(&u->context, &head->context,
	       sizeof(*u) - offsetof(struct unexpected, context));
	copy_bytes(u->data, data, head->len);
	list_append(table_list(&arrived[0], u->context, u->source, u->tag),
		    &u->links[0]);
	list_append(&fresh, &u->links[FRESH_LINK]);
	match_load.kept++;
	return u;
}

/* Puts all messages into all tables: each once in its life. */
static void index_fresh(void)
{
	struct list *it;

	while ((it = list_pop(&fresh))) {
		struct unexpected *u = message_of(it, FRESH_LINK);

		for (int kind = 1; kind < KINDS; kind++)
			list_append(
			    list_of_node(&arrived[kind], &u->links[kind], kind),
			    &u->links[kind]);
		u->indexed = true;
		indexed++;
	}
}

static inline bool match_fits(const struct unexpected *u, uint32_t context,
			      int source, int tag)
{
	return context == u->context &&
	       (source == MRT_ANY_SOURCE || source == u->source) &&
	       (tag == MRT_ANY_TAG || tag == u->tag);
}

/* Returns the oldest message in the table of such receives, or NULL. */
static inline struct unexpected *first_arrived(int kind, uint32_t context,
					       int source, int tag)
{
	struct table *t = &arrived[kind];
	int strangers = 0;
	struct unexpected *found = NULL;

	list_for_each (it, table_list(t, context, source, tag)) {
		found = message_of(it, kind);
		if (match_fits(found, context, source, tag))
			break;
		found = NULL;
		strangers++;
	}
	if (__builtin_expect(strangers > STRANGERS, 0))
		table_grow(t, kind, kind ? indexed : match_load.kept);
	return found;
}

/* All fresh messages are younger than the others. */
static __attribute__((noinline)) struct unexpected *
first_wild(int kind, uint32_t context, int source, int tag)
{
	struct unexpected *found =
	    indexed ? first_arrived(kind, context, source, tag) : NULL;
	int n = 0;

	if (found)
		return found;
	list_for_each (it, &fresh) {
		if (match_fits(message_of(it, FRESH_LINK), context, source,
			       tag))
			return message_of(it, FRESH_LINK);
		if (++n < FRESH)
			continue;
		index_fresh();
		return first_arrived(kind, context, source, tag);
	}
	return NULL;
}

struct unexpected *match_find(uint32_t context, int source, int tag)
{
	if (!match_load.kept)
		return NULL;
	if (source == MRT_ANY_SOURCE || tag == MRT_ANY_TAG)
		return first_wild(match_wildcards(source, tag), context, source,
				  tag);
	return first_arrived(0, context, source, tag);
}

struct unexpected *match_find_id(int source, int tag, uint32_t context,
				 uint32_t id)
{
	list_for_each (it, table_list(&arrived[0], context, source, tag)) {
		struct unexpected *u = message_of(it, 0);

		if (u->source == source && wire_id(u->kind, u->data) == id)
			return u;
	}
	return NULL;
}

bool match_forget(uint32_t context, struct strays *strays)
{
	const int kind = ANY_SOURCE | ANY_TAG;
	bool all = true;

	*strays = (struct strays){0};
	if (!match_load.kept)
		return true;
	index_fresh();
	list_for_each_safe (it, table_list(&arrived[kind], context,
					   MRT_ANY_SOURCE, MRT_ANY_TAG)) {
		struct unexpected *u = message_of(it, kind);

		if (u->context != context)
			continue;
		if (wire_id(u->kind, u->data)) {
			all = false;
			continue;
		}
		add_stray(u, strays);
		match_take(u);
		match_discard(u);
	}
	return all;
}

void match_take(struct unexpected *u)
{
	list_remove(&u->links[0]);
	list_remove(&u->links[FRESH_LINK]);
	match_load.kept--;
	if (!u->indexed)
		return;
	list_remove(&u->links[ANY_SOURCE]);
	list_remove(&u->links[ANY_TAG]);
	indexed--;
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
