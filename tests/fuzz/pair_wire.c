/* SPDX-License-Identifier: Apache-2.0 */
/* pair_wire.c: what the network between the devices of pair_device.c does. */
#include "tests/fuzz/input.h"
#include "tests/fuzz/pair_state.h"

static void gather(const struct port *p, const struct work *w, char *to)
{
	if (w->wr.send_flags & IBV_SEND_INLINE) {
		memcpy(to, w->data, w->len);
		return;
	}
	for (int i = 0; i < w->wr.num_sge; i++)
		MUST(may(p, w->sge[i].lkey, w->sge[i].addr, w->sge[i].length,
			 0));
	copy_pieces(&w->wr, to);
}

static void scatter(const struct port *p, const struct work *w,
		    const char *from)
{
	for (int i = 0; i < w->wr.num_sge; i++) {
		MUST(may(p, w->sge[i].lkey, w->sge[i].addr, w->sge[i].length,
			 IBV_ACCESS_LOCAL_WRITE));
		memcpy((void *)(uintptr_t)w->sge[i].addr, from,
		       w->sge[i].length);
		from += w->sge[i].length;
	}
}

static void receive(struct port *at, const struct port *from,
		    const struct work *w, unsigned spoil, const uint8_t *how)
{
	struct recv *r = &at->srqs[at->srq_first % RECVS];
	struct ibv_wc wc = {
	    .wr_id = r->id, .byte_len = w->len, .qp_num = at->rc->qp_num};
	char *to = (char *)(uintptr_t)r->sge.addr;

	/* receiver not ready: credits must prevent it */
	MUST(!strict || at->srq_first != at->srq_end);
	if (at->srq_first == at->srq_end)
		return;
	MUST(w->len <= r->sge.length);
	at->srq_first++;
	gather(from, w, to);
	for (unsigned k = 0; k < spoil && w->len; k++)
		to[how[2 * k] % w->len] ^= (char)how[2 * k + 1];
	complete(at, &at->received, &wc);
}

static uint64_t act(const struct ibv_send_wr *wr, uint64_t *word)
{
	uint64_t before = *word;

	if (wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
		*word += wr->wr.atomic.compare_add;
	else if (before == wr->wr.atomic.compare_add)
		*word = wr->wr.atomic.swap;
	return before;
}

/* Reads or writes the other side's memory; returns false if that is not
 * permitted. */
static bool access_memory(struct port *p, struct port *at, struct work *w)
{
	const struct ibv_send_wr *wr = &w->wr;
	char *there = (char *)(uintptr_t)wr->wr.rdma.remote_addr;
	uint64_t before;

	if (wr->opcode == IBV_WR_RDMA_WRITE) {
		if (w->len && !may(at, wr->wr.rdma.rkey, (uintptr_t)there,
				   w->len, IBV_ACCESS_REMOTE_WRITE))
			return false;
		if (w->len)
			gather(p, w, there);
	} else if (wr->opcode == IBV_WR_RDMA_READ) {
		if (!may(at, wr->wr.rdma.rkey, (uintptr_t)there, w->len,
			 IBV_ACCESS_REMOTE_READ))
			return false;
		scatter(p, w, there);
	} else {
		there = (char *)(uintptr_t)wr->wr.atomic.remote_addr;
		if (!may(at, wr->wr.atomic.rkey, (uintptr_t)there, 8,
			 IBV_ACCESS_REMOTE_ATOMIC))
			return false;
		before = act(wr, (uint64_t *)(void *)there);
		scatter(p, w, (char *)&before);
	}
	return true;
}

void pair_flush(struct port *p)
{
	struct ibv_wc wc = {.status = IBV_WC_WR_FLUSH_ERR};

	p->broken = true;
	while (p->first != p->end) {
		wc.wr_id = p->work[p->first++ % QUEUE].wr.wr_id;
		complete(p, &p->done, &wc);
	}
}

static void fail(struct port *p, const struct work *w,
		 enum ibv_wc_status status)
{
	struct ibv_wc wc = {.wr_id = w->wr.wr_id, .status = status};

	complete(p, &p->done, &wc);
	pair_flush(p);
}

/* Whether the other side destroyed its end, so that nobody answers. */
static bool is_gone(const struct port *p)
{
	const struct port *at = other(p);

	return p->connected && (!at->rc || at->rc->qp_num != p->dest);
}

/* Carries out a work request at the other side; false: it has failed. */
static bool carry_out(struct port *p, struct work *w, unsigned spoil,
		      const uint8_t *how)
{
	struct port *at = other(p);

	w->carried = true;
	if (w->wr.opcode == IBV_WR_SEND) {
		receive(at, p, w, spoil, how);
		return true;
	}
	return access_memory(p, at, w);
}

/* Returns the first work request of a side, if the other side can answer. */
static struct work *next_work(struct port *p)
{
	struct port *at = other(p);
	struct work *w = &p->work[p->first % QUEUE];

	if (p->first == p->end || p->broken)
		return NULL;
	if (is_gone(p)) {
		p->first++;
		fail(p, w, IBV_WC_RETRY_EXC_ERR);
		return NULL;
	}
	if (at->broken || !at->connected || !p->connected)
		return NULL;
	return w;
}

bool pair_carry(int side, unsigned spoil, const uint8_t *how)
{
	struct port *p = &ports[side];
	struct work *w = next_work(p);
	struct ibv_wc wc = {0};

	if (!w)
		return false;
	p->first++;
	wc.wr_id = w->wr.wr_id;
	if (!w->carried && !carry_out(p, w, spoil, how))
		fail(p, w, IBV_WC_REM_ACCESS_ERR);
	if (!p->broken && w->wr.send_flags & IBV_SEND_SIGNALED)
		complete(p, &p->done, &wc);
	return true;
}

void pair_lose_answer(int side)
{
	struct port *p = &ports[side];
	struct work *w = next_work(p);

	if (w && !w->carried && w->wr.opcode == IBV_WR_SEND)
		carry_out(p, w, 0, NULL);
}

void pair_break(int side)
{
	struct port *p = &ports[side];

	if (p->first != p->end && !p->broken)
		fail(p, &p->work[p->first++ % QUEUE], IBV_WC_RETRY_EXC_ERR);
}

bool pair_datagram(int side, unsigned k, enum pair_fate fate)
{
	struct port *p = &ports[side], *at = other(p);
	struct datagram d;
	struct recv *r;
	struct ibv_wc wc = {0};

	if (!p->nsent)
		return false;
	k %= p->nsent;
	d = p->sent[k];
	if (fate != PAIR_TWICE)
		p->sent[k] = p->sent[--p->nsent];
	if (fate == PAIR_LOST || at->ud_first == at->ud_end)
		return true;
	r = &at->ud[at->ud_first++ % UD_RECVS];
	wc.wr_id = r->id;
	wc.byte_len = d.len + GRH;
	MUST(wc.byte_len <= r->sge.length);
	memcpy((char *)(uintptr_t)r->sge.addr + GRH, d.data, d.len);
	complete(at, &at->received, &wc);
	return true;
}
