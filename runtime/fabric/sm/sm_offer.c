/* SPDX-License-Identifier: Apache-2.0 */
/* sm_offer.c: registered memory, and offers (struct sm_offer): the owner of the
 * source lets a reader open the copy of it, and then both ends copy chunks,
 * which doubles bandwidth when both are inside libmrt. */
#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/fabric/sm/sm_copy.h"

enum {
	OFFER_MIN = 1 << 16, /* shorter copies gain nothing from two ends */
	CLAIM_MIN = 1 << 15  /* a system call costs as much as 20 KiB */
};

static uint64_t offer_min64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- registered memory --------------------------------------------------- */

_Static_assert(SM_OFFERS == 64, "a bit of open_offers each");

static struct sm_offer *offer_open(struct sm *sm, const struct fab_mem *m)
{
	struct sm_offer *offer;
	int k;

	if (m->len < OFFER_MIN || !sm->copies.cma ||
	    sm->slots > sm->base.node_cpus ||
	    sm->copies.open_offers == UINT64_MAX)
		return NULL;
	k = __builtin_ctzll(~sm->copies.open_offers);
	sm->copies.open_offers |= 1ull << k;
	sm->copies.offered[k] = m;
	sm->copies.busy++;
	offer = &sm->card->offers[k];
	offer->len = m->len;
	/* relaxed: nothing to claim until the reader opens it, in join_offer */
	atomic_store_explicit(&offer->next, UINT64_MAX, memory_order_relaxed);
	return offer;
}

static int add_mem(struct sm *sm, size_t len, struct fab_mem **mem)
{
	struct fab_mem *m = pool_get(&sm->copies.mem_pool);

	if (!m)
		return log_error(MRT_ERR_NO_MEM, "registration of memory");
	*m = (struct fab_mem){.len = len, .id = ++sm->copies.next_id};
	list_append(&sm->copies.mems[m->id % SM_MEMS], &m->link);
	*mem = m;
	return 0;
}

int sm_mem_register(struct fab *fab, void *addr, size_t len, enum fab_use use,
		    struct fab_mem **mem, struct fab_key *key)
{
	struct sm *sm = (struct sm *)fab;
	bool once = use != FAB_KEPT;
	struct fab_mem *m;
	int rc = add_mem(sm, len, &m);

	if (rc)
		return rc;
	m->addr = addr;
	m->offer = once ? offer_open(sm, m) : NULL;
	key->word[0] = m->id;
	key->word[1] = once ? KEY_AWAITED : 0;
	if (once)
		sm_count_traffic(sm, 0, len);
	if (m->offer)
		key->word[1] = (uint64_t)(m->offer - sm->card->offers) + 1;
	*mem = m;
	return 0;
}

int sm_pack_register(struct fab_ep *fep, struct fab_packer *from, size_t len,
		     struct fab_mem **mem, struct fab_key *key)
{
	struct sm_ep *ep = (struct sm_ep *)fep;
	struct sm *sm = (struct sm *)fep->fab;
	int rc;

	if (ep->slot == sm->slot || sm_choice_packed(ep, len))
		return MRT_ERR_NO_FABRIC;
	rc = add_mem(sm, len, mem);
	if (rc)
		return rc;
	(*mem)->packer = from;
	key->word[0] = (*mem)->id;
	key->word[1] = KEY_PACKED;
	return 0;
}

void sm_mem_deregister(struct fab *fab, struct fab_mem *m)
{
	struct sm *sm = (struct sm *)fab;

	if (m->offer) {
		sm->copies.open_offers &=
		    ~(1ull << (m->offer - sm->card->offers));
		sm->copies.busy--;
	}
	sm_relay_drop(sm, m);
	list_remove(&m->link);
	pool_put(&sm->copies.mem_pool, m);
}

struct fab_mem *sm_find_mem(struct sm *sm, uint64_t id, uint64_t addr,
			    uint64_t len)
{
	list_for_each (it, &sm->copies.mems[id % SM_MEMS]) {
		struct fab_mem *m = list_entry(it, struct fab_mem, link);
		uint64_t base = (uintptr_t)m->addr;

		if (m->id == id && addr >= base && len <= m->len &&
		    addr - base <= m->len - len)
			return m;
	}
	return NULL;
}

/* ---- offers ---- */

/* Claims the next chunk of an offer: half of what is left, within limits, so
 * that both ends finish at about the same time. Returns its bytes, or 0 if
 * nothing is left. */
static uint64_t offer_claim(struct sm_offer *o, uint64_t len, uint64_t *at)
{
	/* acquire: pairs with the release in join_offer, for dst and reader */
	uint64_t n, next = atomic_load_explicit(&o->next, memory_order_acquire);

	do {
		if (next >= len)
			return 0;
		n = (len - next) / 2;
		n = n < CLAIM_MIN ? CLAIM_MIN : offer_min64(n, env.sm_chunk);
		n = offer_min64(n, len - next);
		/* acquire: as above */
	} while (!atomic_compare_exchange_weak_explicit(
	    &o->next, &next, next + n, memory_order_acquire,
	    memory_order_acquire));
	*at = next;
	return n;
}

int sm_offer_help(struct sm *sm)
{
	for (uint64_t open = sm->copies.open_offers; open; open &= open - 1) {
		const struct fab_mem *m =
		    sm->copies.offered[__builtin_ctzll(open)];
		struct sm_offer *o = m->offer;
		uint64_t at, n = offer_claim(o, m->len, &at);
		/* read once: a peer could change it after the check */
		uint32_t reader = n ? *(volatile uint32_t *)&o->reader : 0;

		if (!n)
			continue;
		if (reader >= (uint32_t)sm->slots ||
		    !sm_cma(true, sm->cards[reader].pid, m->addr + at,
			    o->dst + at, n))
			atomic_store_explicit(&o->failed, 1,
					      memory_order_relaxed);
		sm->copies.helped += n;
		/* release: pairs with the acquire in step_offer, for the data
		 * and `failed` */
		atomic_fetch_add_explicit(&o->done, n, memory_order_release);
		return 1;
	}
	return 0;
}

void sm_offer_join(struct sm *sm, struct sm_copy *c)
{
	struct sm_offer *o;

	if (c->kind != COPY_READ || c->to || c->key.word[1] - 1 >= SM_OFFERS)
		return;
	o = &c->ep->card->offers[c->key.word[1] - 1];
	if (o->len != c->len)
		return; /* the owner would copy more than is wanted */
	o->dst = (uintptr_t)c->local;
	o->reader = (uint32_t)sm->slot;
	atomic_store_explicit(&o->failed, 0, memory_order_relaxed);
	atomic_store_explicit(&o->done, 0, memory_order_relaxed);
	/* release: pairs with the acquire in claim, for all stores above */
	atomic_store_explicit(&o->next, 0, memory_order_release);
	sm_notify(sm, c->ep->card);
	c->offer = o;
}

int sm_offer_step(struct sm *sm, struct sm_copy *c)
{
	struct sm_offer *o = c->offer;
	uint64_t at, n = offer_claim(o, c->len, &at);

	if (n) {
		if (!sm_cma(false, c->ep->card->pid, c->local + at,
			    c->remote + at, n))
			atomic_store_explicit(&o->failed, 1,
					      memory_order_relaxed);
		/* relaxed: read by this rank only */
		atomic_fetch_add_explicit(&o->done, n, memory_order_relaxed);
	}
	/* acquire: pairs with the release in help, for the data and `failed` */
	if (atomic_load_explicit(&o->done, memory_order_acquire) < c->len)
		return n > 0;
	if (atomic_load_explicit(&o->failed, memory_order_relaxed))
		c->offer = NULL; /* one end failed: copy again, alone */
	else
		sm_copy_finish(sm, c, 0);
	return 1;
}
