/* SPDX-License-Identifier: Apache-2.0 */
/* pair_device.c implements pair_device.h. */
/* includes the calls of libibverbs, which this file answers */
#include "runtime/fabric/verbs/vb_lib.c"

#include <stdlib.h>

#include "tests/fuzz/input.h"
#include "tests/fuzz/pair_state.h"

struct port ports[2];
struct pair_port *const pair_ports[2] = {&ports[0].base, &ports[1].base};
bool strict;
static struct ibv_device device;

static struct port *port_of(const struct ibv_context *context)
{
	return context == &ports[0].base.context ? &ports[0] : &ports[1];
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

bool may(const struct port *p, uint32_t key, uint64_t at, uint64_t len,
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
		p->connected = p->broken = false;
	}
	return qp;
}

/* A completion that is polled later would be taken for one of the next queue
 * pair. */
static void check_polled(const struct port *p, const struct ibv_qp *qp)
{
	MUST(p->first == p->end);
	for (unsigned k = p->done.first; k != p->done.end; k++)
		MUST(p->done.wc[k % CQES].wr_id >> 62 != VB_WR_SEND);
	for (unsigned k = p->received.first; k != p->received.end; k++)
		MUST(p->received.wc[k % CQES].qp_num != qp->qp_num);
}

static int destroy_qp(struct ibv_qp *qp)
{
	struct port *p = port_of(qp->context);

	if (p->rc == qp) {
		p->rc = NULL;
		if (strict)
			check_polled(p, qp);
	}
	free(qp);
	return 0;
}

static int modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct port *p = port_of(qp->context);

	if (qp == p->rc && attr->qp_state == IBV_QPS_RTR) {
		MUST(other(p)->rc && attr->dest_qp_num == other(p)->rc->qp_num);
		p->connected = true;
		p->dest = attr->dest_qp_num;
	}
	if (qp == p->rc && attr->qp_state == IBV_QPS_ERR)
		pair_flush(p);
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

void complete(struct port *p, struct completions *c, const struct ibv_wc *wc)
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
	struct completions *d = &p->done;
	int k = 0;

	/* a failure shows long after what has arrived before */
	if (d->first == d->end || !d->wc[d->first % CQES].status ||
	    !waiting(&p->received))
		k = take_some(d, n, wc);
	return k + take_some(&p->received, n - k, wc + k);
}

void pair_show(int side, unsigned received, unsigned sent)
{
	ports[side].received.shown = received;
	ports[side].done.shown = sent;
}

/* ---- posting ---- */

void copy_pieces(const struct ibv_send_wr *wr, char *to)
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
		MUST(p->end - p->first < VB_SQ && wr->num_sge <= VB_SGE);
		p->end++;
		w->carried = false;
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
