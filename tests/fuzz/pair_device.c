/* SPDX-License-Identifier: Apache-2.0 */
/* pair_device.c implements pair_device.h. */
/* includes the calls of libibverbs, which this file answers */
#include "runtime/fabric/verbs/vb_lib.c"

#include <stdlib.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/pair_state.h"

static struct port ports[2];
struct pair_port *const pair_ports[2] = {&ports[0].base, &ports[1].base};
static struct ibv_device device;
static bool strict; /* nothing is changed on the way */

static struct port *port_of(const struct ibv_context *context)
{
	return context == &ports[0].base.context ? &ports[0] : &ports[1];
}

static struct port *other(const struct port *p)
{
	return &ports[p == &ports[0]];
}

/* ---- memory ---- */

static struct ibv_mr *reg_mr(struct ibv_pd *pd, void *at, size_t len,
			     int access)
{
	struct port *p = port_of(pd->context);
	struct memory *m;

	if (p->base.refuses && access & IBV_ACCESS_REMOTE_READ) {
		errno = EINVAL;
		return NULL;
	}
	do
		m = &p->mrs[++p->next_key % MRS];
	while (m->live);
	*m = (struct memory){.access = access, .live = true};
	m->mr = (struct ibv_mr){.context = pd->context,
				.addr = at,
				.length = len,
				.lkey = p->next_key,
				.rkey = p->next_key};
	return &m->mr;
}

static int dereg_mr(struct ibv_mr *mr)
{
	struct memory *m = &port_of(mr->context)->mrs[mr->lkey % MRS];

	MUST(m->live && &m->mr == mr);
	m->live = false;
	return 0;
}

static bool may(const struct port *p, uint32_t key, uint64_t at, uint64_t len,
		int access)
{
	const struct memory *m = &p->mrs[key % MRS];
	uint64_t start = (uintptr_t)m->mr.addr;

	return m->live && m->mr.lkey == key && (m->access & access) == access &&
	       at >= start && len <= m->mr.length &&
	       at - start <= m->mr.length - len;
}

/* ---- queue pairs ---- */

static struct ibv_qp *create_qp(struct ibv_pd *pd,
				struct ibv_qp_init_attr *init)
{
	static uint32_t number;
	struct port *p = port_of(pd->context);
	struct ibv_qp *qp = calloc(1, sizeof(*qp));

	if (!qp)
		abort();
	qp->context = pd->context;
	qp->qp_type = init->qp_type;
	qp->qp_num = ++number;
	if (qp->qp_type == IBV_QPT_RC) {
		MUST(!p->rc); /* each side has one peer, which is not itself */
		p->rc = qp;
	}
	return qp;
}

static int destroy_qp(struct ibv_qp *qp)
{
	struct port *p = port_of(qp->context);

	if (p->rc == qp)
		p->rc = NULL;
	free(qp);
	return 0;
}

static int modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct port *p = port_of(qp->context);

	if (qp == p->rc && attr->qp_state == IBV_QPS_RTR) {
		MUST(other(p)->rc && attr->dest_qp_num == other(p)->rc->qp_num);
		p->connected = true;
	}
	return 0;
}

static struct ibv_ah *create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	return calloc(1, sizeof(struct ibv_ah));
}

static int destroy_ah(struct ibv_ah *ah)
{
	free(ah);
	return 0;
}

static struct ibv_srq *create_srq(struct ibv_pd *pd,
				  struct ibv_srq_init_attr *init)
{
	struct port *p = port_of(pd->context);

	p->srq.context = pd->context;
	return &p->srq;
}

static int destroy_srq(struct ibv_srq *srq)
{
	return 0;
}

/* ---- completions ---- */

static unsigned waiting(const struct completions *c)
{
	return c->end - c->first;
}

static void complete(struct port *p, struct completions *c,
		     const struct ibv_wc *wc)
{
	MUST(waiting(&p->received) + waiting(&p->done) < (unsigned)p->base.cqe);
	c->wc[c->end++ % CQES] = *wc;
}

static int take_some(struct completions *c, int n, struct ibv_wc *wc)
{
	int k = 0;

	while (k < n && c->shown && c->first != c->end) {
		wc[k++] = c->wc[c->first++ % CQES];
		c->shown--;
	}
	return k;
}

static int poll_cq(struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	struct port *p = port_of(cq->context);
	int k = take_some(&p->done, n, wc);

	return k + take_some(&p->received, n - k, wc + k);
}

void pair_show(int side, unsigned received, unsigned sent)
{
	ports[side].received.shown = received;
	ports[side].done.shown = sent;
}

/* ---- posting ---- */

static void copy_pieces(const struct ibv_send_wr *wr, char *to)
{
	for (int i = 0; i < wr->num_sge; i++) {
		memcpy(to, (void *)(uintptr_t)wr->sg_list[i].addr,
		       wr->sg_list[i].length);
		to += wr->sg_list[i].length;
	}
}

static uint32_t total(const struct ibv_send_wr *wr)
{
	uint32_t len = 0;

	for (int i = 0; i < wr->num_sge; i++)
		len += wr->sg_list[i].length;
	return len;
}

static void send_datagram(struct port *p, const struct ibv_send_wr *wr)
{
	struct ibv_wc wc = {.wr_id = wr->wr_id};
	struct datagram *d = &p->sent[p->nsent % QUEUE];

	MUST(total(wr) <= PAYLOAD);
	d->len = total(wr);
	copy_pieces(wr, d->data);
	if (p->nsent < QUEUE)
		p->nsent++;
	if (wr->send_flags & IBV_SEND_SIGNALED)
		complete(p, &p->done, &wc);
}

static bool is_probe(const struct work *w)
{
	return w->wr.opcode == IBV_WR_RDMA_WRITE && !w->len;
}

/* Checks that each work request has its place in the completion queue: if the
 * connection fails all of them complete. Probes have places of their own. */
static void check_places(const struct port *p)
{
	int n = 0;

	for (unsigned k = p->first; k != p->end; k++)
		n += !is_probe(&p->work[k % QUEUE]);
	MUST(n <= p->base.sends);
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad)
{
	struct port *p = port_of(qp->context);

	for (; wr; wr = wr->next) {
		struct work *w = &p->work[p->end % QUEUE];

		if (qp->qp_type == IBV_QPT_UD) {
			send_datagram(p, wr);
			continue;
		}
		MUST(p->end - p->first < p->base.sq && wr->num_sge <= VB_SGE);
		p->end++;
		w->wr = *wr;
		w->len = total(wr);
		for (int i = 0; i < wr->num_sge; i++)
			w->sge[i] = wr->sg_list[i];
		w->wr.sg_list = w->sge;
		if (wr->send_flags & IBV_SEND_INLINE) {
			MUST(w->len <= VB_INLINE);
			copy_pieces(wr, w->data);
		}
		check_places(p);
	}
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		     struct ibv_recv_wr **bad)
{
	struct port *p = port_of(qp->context);

	MUST(p->ud_end - p->ud_first < UD_RECVS);
	p->ud[p->ud_end++ % UD_RECVS] = (struct recv){wr->wr_id, *wr->sg_list};
	return 0;
}

static int post_srq(struct ibv_srq *srq, struct ibv_recv_wr *wr,
		    struct ibv_recv_wr **bad)
{
	struct port *p = port_of(srq->context);

	MUST(may(p, wr->sg_list->lkey, wr->sg_list->addr, wr->sg_list->length,
		 IBV_ACCESS_LOCAL_WRITE));
	MUST(p->srq_end - p->srq_first < RECVS);
	p->srqs[p->srq_end++ % RECVS] = (struct recv){wr->wr_id, *wr->sg_list};
	return 0;
}

/* ---- what the wire does ---- */

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

static void fail(struct port *p, const struct work *w,
		 enum ibv_wc_status status)
{
	struct ibv_wc wc = {.wr_id = w->wr.wr_id, .status = status};

	p->broken = true;
	complete(p, &p->done, &wc);
	wc.status = IBV_WC_WR_FLUSH_ERR;
	while (p->first != p->end) {
		wc.wr_id = p->work[p->first++ % QUEUE].wr.wr_id;
		complete(p, &p->done, &wc);
	}
}

bool pair_carry(int side, unsigned spoil, const uint8_t *how)
{
	struct port *p = &ports[side], *at = other(p);
	struct work *w = &p->work[p->first % QUEUE];
	struct ibv_wc wc = {.wr_id = w->wr.wr_id};

	if (p->first == p->end || p->broken || at->broken || !at->connected)
		return false;
	if (w->wr.opcode == IBV_WR_SEND && at->base.shares &&
	    at->srq_first == at->srq_end)
		return false; /* repeated until there is a buffer */
	p->first++;
	if (w->wr.opcode == IBV_WR_SEND)
		receive(at, p, w, spoil, how);
	else if (!access_memory(p, at, w))
		fail(p, w, IBV_WC_REM_ACCESS_ERR);
	if (!p->broken && w->wr.send_flags & IBV_SEND_SIGNALED)
		complete(p, &p->done, &wc);
	return true;
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

bool pair_idle(void)
{
	for (int s = 0; s < 2; s++)
		if (ports[s].first != ports[s].end || ports[s].nsent ||
		    waiting(&ports[s].received) || waiting(&ports[s].done))
			return false;
	return true;
}

unsigned pair_registered(void)
{
	unsigned n = 0;

	for (int k = 0; k < 2 * MRS; k++)
		n += ports[k % 2].mrs[k / 2].live;
	return n;
}

/* ---- start ---- */

static const char *status_str(enum ibv_wc_status status)
{
	return "status";
}

static const char *device_name(struct ibv_device *d)
{
	return "pair0";
}

void pair_begin(bool honest)
{
	strict = honest;
	for (int s = 0; s < 2; s++) {
		struct port *p = &ports[s];

		for (int k = 0; k < MRS; k++)
			p->mrs[k].live = false;
		p->connected = p->broken = p->base.refuses = false;
		p->rc = NULL;
		p->first = p->end = p->nsent = 0;
		p->srq_first = p->srq_end = p->ud_first = p->ud_end = 0;
		p->received.first = p->received.end = p->received.shown = 0;
		p->done.first = p->done.end = p->done.shown = 0;
	}
}

void pair_install(void)
{
	lib.ibv_create_qp = create_qp;
	lib.ibv_destroy_qp = destroy_qp;
	lib.ibv_modify_qp = modify_qp;
	lib.ibv_create_ah = create_ah;
	lib.ibv_destroy_ah = destroy_ah;
	lib.ibv_create_srq = create_srq;
	lib.ibv_destroy_srq = destroy_srq;
	lib.ibv_reg_mr = reg_mr;
	lib.ibv_dereg_mr = dereg_mr;
	lib.ibv_wc_status_str = status_str;
	lib.ibv_get_device_name = device_name;
	for (int s = 0; s < 2; s++) {
		struct pair_port *p = &ports[s].base;

		p->context.device = &device;
		p->context.ops.post_send = post_send;
		p->context.ops.post_recv = post_recv;
		p->context.ops.post_srq_recv = post_srq;
		p->context.ops.poll_cq = poll_cq;
		p->pd.context = p->cq.context = &p->context;
	}
}
