/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vb_stripe.c: long reads over both rails of a rank. The rails take parts in
 * turn as they finish them, so each carries as much as its speed allows. A part
 * that fails on the second rail is read again on the first: reads may be done
 * twice. Writes, atomics and messages stay on the first rail, where they keep
 * their order.
 */
#include "mrt.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_rma.h"

enum {
	PART_MIN = 64 << 10, /* bytes */
	PARTS_SHARE = 8	     /* parts of a read that is not very long */
};

static void stripe_post(struct vb_stripe_part *part)
{
	struct vb_stripe *s = part->of;
	struct vb_op op = {.user = &part->op,
			   .kind = VB_OP_READ,
			   .way = VB_DIRECT,
			   .local = s->dst + part->at,
			   .remote = s->remote + part->at,
			   .len = part->len};
	int rc;

	if (s->ep[part->rail]->state != VB_READY)
		part->rail = 0;
	op.ep = s->ep[part->rail];
	op.lkey = vb_lkey(s->entry, part->rail);
	op.rkey = s->rkey[part->rail];
	rc = vb_rma_start(&op);
	if (rc)
		part->op.done(&part->op, rc);
}

/* Takes the next bytes for a part. False: none are left. */
static bool stripe_deal(struct vb_stripe_part *part)
{
	struct vb_stripe *s = part->of;
	size_t left = s->len - s->dealt;

	if (!left || s->status)
		return false;
	part->at = s->dealt;
	part->len = left < s->part ? left : s->part;
	s->dealt += part->len;
	return true;
}

static void stripe_finish(struct vb_stripe *s)
{
	struct vb *vb = vb_of(s->ep[0]);
	struct fab_op *user = s->user;
	int status = s->status;

	mr_cache_put(&vb->rma.cache, s->entry);
	pool_put(&vb->rma.stripe_pool, s);
	user->done(user, status);
}

static void stripe_done(struct fab_op *op, int status)
{
	struct vb_stripe_part *part = (struct vb_stripe_part *)op;
	struct vb_stripe *s = part->of;

	if (status && part->rail) {
		part->rail = 0;
		vb_of(s->ep[0])->counts.redone++;
		stripe_post(part);
		return;
	}
	if (status)
		s->status = status;
	if (stripe_deal(part)) {
		stripe_post(part);
	} else if (!--s->flying) {
		stripe_finish(s);
	}
}

static void stripe_start(struct vb_stripe *s)
{
	int n = 0;

	/* all are dealt before one is posted, which may end at once */
	while (n < VB_RAILS * VB_STRIPE_AHEAD) {
		struct vb_stripe_part *part = &s->parts[n];

		*part =
		    (struct vb_stripe_part){.op.done = stripe_done,
					    .of = s,
					    .rail = (uint8_t)(n % VB_RAILS)};
		if (!stripe_deal(part))
			break;
		n++;
	}
	s->flying = n;
	for (int k = 0; k < n; k++)
		stripe_post(&s->parts[k]);
}

static bool stripe_is_possible(const struct vb_op *what, struct fab_key key)
{
	const struct vb *vb = vb_of(what->ep);
	int peer = what->ep->base.peer;
	struct vb_ep *second;

	/* no rkey is 0; that of the second rail is the upper half */
	if (what->len < VB_STRIPE_MIN || !what->rkey || !(key.word[0] >> 32) ||
	    what->ep->state != VB_READY || peer == vb->job->rank)
		return false;
	second = vb_ep_get(vb->second, peer);
	return second && vb_second_is_ready(second);
}

bool vb_stripe_read(const struct vb_op *what, struct fab_key key)
{
	struct vb *vb = vb_of(what->ep);
	size_t part = what->len / PARTS_SHARE & ~(size_t)4095;
	struct mr_entry *entry;
	struct vb_stripe *s;

	if (!stripe_is_possible(what, key))
		return false;
	entry = vb_mr_get(vb, what->local, what->len, true);
	s = entry ? pool_get(&vb->rma.stripe_pool) : NULL;
	if (!s) {
		if (entry)
			mr_cache_put(&vb->rma.cache, entry);
		return false;
	}
	if (part < PART_MIN)
		part = PART_MIN;
	*s = (struct vb_stripe){
	    .user = what->user,
	    .ep = {what->ep, vb->second->conn.eps[what->ep->base.peer]},
	    .rkey = {what->rkey, (uint32_t)(key.word[0] >> 32)},
	    .entry = entry,
	    .dst = what->local,
	    .remote = what->remote,
	    .len = what->len,
	    .part = part < VB_SEGMENT ? part : VB_SEGMENT};
	vb->counts.striped++;
	stripe_start(s);
	return true;
}
