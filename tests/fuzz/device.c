/* SPDX-License-Identifier: Apache-2.0 */
/* device.c implements device.h. */
/* includes the calls of libibverbs, which this file answers */
#include "runtime/fabric/verbs/vb_lib.c"

#include <stdlib.h>

#include "runtime/fabric/verbs/vb_rma.h"
#include "tests/fuzz/device.h"

struct ibv_context device_context;
char *device_datagrams;
bool device_recvs[DEVICE_RECVS];
uint64_t device_sent[DEVICE_SENT];
unsigned device_nsent;
struct ibv_send_wr device_datagram;
unsigned device_ndatagrams, device_refusals;
unsigned device_qps;
static unsigned live; /* queue pairs */
static struct ibv_device device;
static struct ibv_srq srq;

static struct ibv_qp *create_qp(struct ibv_pd *p, struct ibv_qp_init_attr *init)
{
	static uint32_t number;
	struct ibv_qp *qp;

	if (device_qps && live == device_qps) {
		errno = ENOMEM;
		return NULL;
	}
	live++;
	qp = calloc(1, sizeof(*qp));
	if (!qp)
		abort();
	qp->context = &device_context;
	qp->qp_type = init->qp_type;
	qp->qp_num = ++number;
	return qp;
}

static int destroy_qp(struct ibv_qp *qp)
{
	live--;
	free(qp);
	return 0;
}

static bool refuses(void)
{
	if (!device_refusals)
		return false;
	device_refusals--;
	errno = ETIMEDOUT;
	return true;
}

static int modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	return mask & IBV_QP_AV && refuses() ? ETIMEDOUT : 0;
}

static struct ibv_ah *create_ah(struct ibv_pd *p, struct ibv_ah_attr *attr)
{
	return refuses() ? NULL : calloc(1, sizeof(struct ibv_ah));
}

static int destroy_ah(struct ibv_ah *ah)
{
	free(ah);
	return 0;
}

static struct ibv_srq *create_srq(struct ibv_pd *p,
				  struct ibv_srq_init_attr *init)
{
	srq.context = &device_context;
	return &srq;
}

static int destroy_srq(struct ibv_srq *s)
{
	return 0;
}

static struct ibv_mr *reg_mr(struct ibv_pd *p, void *at, size_t len, int access)
{
	struct ibv_mr *mr;

	/* only the library's buffers can be registered, not the user's memory,
	 * so that long transfers are relayed */
	if (access != IBV_ACCESS_LOCAL_WRITE) {
		errno = EINVAL;
		return NULL;
	}
	mr = calloc(1, sizeof(*mr));
	if (len == (DEVICE_UD + 16) * DEVICE_UD_BUF && !device_datagrams)
		device_datagrams = at;
	return mr;
}

static int dereg_mr(struct ibv_mr *mr)
{
	free(mr);
	return 0;
}

static const char *status_str(enum ibv_wc_status status)
{
	return "status";
}

static const char *device_name(struct ibv_device *d)
{
	return "fuzz0";
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr,
		     struct ibv_send_wr **bad)
{
	if (qp->qp_type == IBV_QPT_UD) {
		device_datagram = *wr;
		device_ndatagrams++;
	}
	for (; wr; wr = wr->next) {
		for (int i = 0; i < wr->num_sge; i++)
			for (uint32_t k = 0; k < wr->sg_list[i].length; k++)
				(void)((volatile char *)(uintptr_t)wr
					   ->sg_list[i]
					   .addr)[k];
		if (wr->send_flags & IBV_SEND_SIGNALED &&
		    device_nsent < DEVICE_SENT)
			device_sent[device_nsent++] = wr->wr_id;
	}
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr,
		     struct ibv_recv_wr **bad)
{
	return 0;
}

static int post_srq(struct ibv_srq *s, struct ibv_recv_wr *wr,
		    struct ibv_recv_wr **bad)
{
	device_recvs[(uint32_t)wr->wr_id % DEVICE_RECVS] = true;
	return 0;
}

void device_install(void)
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
	device_context.device = &device;
	device_context.ops.post_send = post_send;
	device_context.ops.post_recv = post_recv;
	device_context.ops.post_srq_recv = post_srq;
}

struct vb *device_fabric(const struct boot_job *job,
			 const struct fab_sink *sink)
{
	static struct ibv_pd pd;
	static struct ibv_cq cq;
	struct vb *vb = calloc(1, sizeof(*vb));

	if (!vb)
		abort();
	vb->base.ops = &verbs_ops;
	vb->base.sink = *sink;
	vb->job = job;
	vb->dev.context = &device_context;
	vb->dev.pd = &pd;
	vb->conn.cq = &cq;
	vb->conn.srq_max = 60;
	vb->conn.cq_room = 100;
	vb->conn.inline_max = VB_INLINE;
	vb->dev.attr.max_qp = vb->dev.attr.max_srq_wr = 1000;
	vb->dev.attr.max_sge = 16;
	vb->dev.attr.max_qp_rd_atom = 16;
	vb->dev.attr.max_qp_init_rd_atom = 16;
	vb->dev.port = 1;
	vb->dev.port_attr.active_mtu = IBV_MTU_1024;
	vb_init(vb);
	vb_cache_init(vb);
	device_datagrams = NULL;
	device_nsent = device_qps = 0;
	memset(device_recvs, 0, sizeof(device_recvs));
	if (vb_mr_open(vb) || vb_mesh_open(vb) || !device_datagrams)
		abort();
	return vb;
}

void device_close(struct vb *vb)
{
	vb_mesh_close(vb);
	vb_srq_close(vb);
	vb_mr_close(vb);
	pool_fini(&vb->rma.op_pool);
	pool_fini(&vb->rma.serve_pool);
	free(vb);
}
