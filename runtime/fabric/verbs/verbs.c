/* SPDX-License-Identifier: Apache-2.0 */
/* verbs.c: the RDMA provider; see verbs.h for its parts. */
#include "runtime/fabric/verbs/vb_rma.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"

enum {
	BATCH = 16,	   /* completions taken per poll */
	PROBE_EVERY = 4096 /* idle polls between readings of the clock */
};
#define END_NS 8000000000ull /* see check_for_faults */

static const char *verbs_unfit(const struct boot_job *job)
{
	struct ibv_device **list;
	int n = 0;

	if (!env.fabric && *env.ofi_provider &&
	    strcmp(env.ofi_provider, "none") != 0)
		return "MRT_OFI_PROVIDER asks for libfabric";
	if (vb_lib_open())
		return "libibverbs is not installed, or too old";
	list = ibv_get_device_list(&n);
	if (!list)
		return "RDMA devices cannot be listed (ibv_get_device_list)";
	ibv_free_device_list(list);
	return n > 0 ? NULL : "there is no RDMA device";
}

static int verbs_clamp(int want, int least, int most)
{
	if (want < least)
		want = least;
	return want < most ? want : most;
}

/* Opens the one completion queue; its events wake the watcher. */
static int open_cq(struct vb *vb)
{
	int ranks = vb->conn.peers_max, cqe;
	int least = (ranks + 1) * VB_WINDOW_MIN + (int)vb_cache_closings(vb);
	int others = vb_ud_completions(vb) + VB_PROBES;
	int vectors = vb->dev.context->num_comp_vectors;
	char what[64];
	int sends;

	vb->conn.srq_max = verbs_clamp(ranks * VB_WINDOW * 2, 256, VB_SRQ_MAX);
	vb->conn.inline_max = VB_INLINE;
	if (vb->conn.srq_max <= least)
		vb->conn.srq_max = least + 1;
	vb->conn.srq_max =
	    verbs_clamp(vb->conn.srq_max, 1, vb->dev.attr.max_srq_wr) - 1;
	sends = verbs_clamp(ranks * VB_SQ, 256, VB_SENDS_MAX);
	cqe = verbs_clamp(vb->conn.srq_max + sends + others, 1,
			  vb->dev.attr.max_cqe);
	vb->conn.cq_room = cqe - vb->conn.srq_max - others;
	if (vb->conn.cq_room < VB_SQ)
		return log_error(MRT_ERR_RESOURCE,
				 "%s has completion queues of %d entries only, "
				 "and %d ranks need %d: choose another device "
				 "by MRT_IB_DEVICE",
				 vb_port_name(vb), vb->dev.attr.max_cqe, ranks,
				 vb->conn.srq_max + others + VB_SQ);
	vb->conn.channel = ibv_create_comp_channel(vb->dev.context);
	if (!vb->conn.channel)
		return vb_refused(vb, "ibv_create_comp_channel",
				  "a channel for its events", errno);
	/* a CPU for each rank of a node to interrupt, if it sleeps */
	vb->conn.cq =
	    ibv_create_cq(vb->dev.context, cqe, NULL, vb->conn.channel,
			  vectors ? vb->job->node_rank % vectors : 0);
	if (!vb->conn.cq) {
		snprintf(what, sizeof(what), "a completion queue of %d", cqe);
		return vb_refused(vb, "ibv_create_cq", what, errno);
	}
	return 0;
}

void vb_init(struct vb *vb)
{
	static const struct vb_upcalls upcalls = {
	    vb_rma_push, vb_rma_retired, vb_relay_arrived, vb_second_lost};

	vb->up = &upcalls;
	if (!vb->first)
		vb->first = vb;
	list_init(&vb->leaving);
	list_init(&vb->msg.owing);
	list_init(&vb->conn.dialing);
	list_init(&vb->conn.closing);
	list_init(&vb->rma.blocked);
	list_init(&vb->msg.unsignalled);
	list_init(&vb->rma.relayed);
	list_init(&vb->rma.serves);
	list_init(&vb->rma.mems);
	own_heap_init(&vb->rma.heap);
	pool_init(&vb->rma.op_pool, sizeof(struct vb_op), 64);
	pool_init(&vb->rma.stripe_pool, sizeof(struct vb_stripe), 16);
	pool_init(&vb->rma.serve_pool, sizeof(struct vb_serve), 64);
}

/* Makes vb as if nothing had been opened; keeps what does not depend on the
 * device. */
static void verbs_reset(struct vb *vb)
{
	*vb = (struct vb){.base = vb->base,
			  .job = vb->job,
			  .carries_all = vb->carries_all,
			  .dev = {.ports = vb->dev.ports,
				  .net = vb->dev.net,
				  .second = vb->dev.second,
				  .paired = vb->dev.paired,
				  .again = vb->dev.again},
			  .msg.stop = -1};
	vb_init(vb);
}

static struct vb *verbs_create(const struct boot_job *job,
			       const struct fab_sink *sink)
{
	struct vb *vb = calloc(1, sizeof(*vb));

	if (!vb)
		return NULL;
	vb->base.ops = &verbs_ops;
	vb->base.sink = *sink;
	vb->job = job;
	/* if MRT_FABRIC is unset it serves peers on other nodes only */
	vb->carries_all = env.fabric != 0;
	verbs_reset(vb);
	return vb;
}

/* Drops a message to a program that has finished its own calls. */
static void verbs_drop(int peer, uint64_t hdr, const void *data, size_t len)
{
}

/* Runs while the end of all ranks is awaited. A peer that does not answer may
 * have ended well with the news of it still on the way, after a flap of the
 * link as long as TCP took to notice. So it is a fault only if the fence does
 * not end within END_NS. */
static void check_for_faults(void *arg)
{
	struct vb *vb = arg;

	vb->base.ops->progress(&vb->base);
	vb_probe_idle(vb);
	if (vb->lost && clock_ns() - vb->lost > END_NS)
		fault_raise(MRT_ERR_PEER, vb->lost_text);
}

/* Waits for all ranks: none closes while another still needs an acknowledgement
 * or probes it. */
static void wait_for_all(struct vb *vb)
{
	vb->base.sink.recv = verbs_drop;
	vb_drain(vb);
	if (fault_code)
		return;
	vb->closing = true;
	boot_fence_last(check_for_faults, vb);
}

/* Undoes open_port in reverse order. */
static void close_port(struct vb *vb)
{
	vb_stats_close(vb);
	vb_watch_close(vb);
	vb_mesh_close(vb);
	vb_srq_close(vb);
	if (!vb->rail)
		vb_mr_close(vb);
	if (vb->conn.cq)
		ibv_destroy_cq(vb->conn.cq);
	if (vb->conn.channel)
		ibv_destroy_comp_channel(vb->conn.channel);
	vb_device_close(vb);
	pool_fini(&vb->rma.op_pool);
	pool_fini(&vb->rma.serve_pool);
	pool_fini(&vb->rma.stripe_pool);
}

static void second_close(struct vb *vb)
{
	if (vb->second)
		close_port(vb->second);
	free(vb->second);
	vb->second = NULL;
}

/* Closes the first port first: its memory is registered with both. */
static void close_ports(struct vb *vb)
{
	close_port(vb);
	second_close(vb);
}

static void verbs_close(struct fab *fab)
{
	struct vb *vb = (struct vb *)fab;

	if (!vb)
		return;
	if (vb->wired && !fault_code)
		wait_for_all(vb);
	close_ports(vb);
	free(vb);
}

/* Opens the port of this rank and makes its card. */
static int open_port(struct vb *vb)
{
	int rc = vb_device_open(vb);

	vb_cache_init(vb);
	if (!rc)
		rc = open_cq(vb);
	if (!rc && !vb->rail)
		rc = vb_mr_open(vb);
	if (!rc)
		rc = vb_watch_open(vb);
	if (!rc)
		rc = vb_mesh_open(vb);
	if (rc)
		return rc;
	vb->base.software = vb_device_is_software(vb);
	vb->base.closes = vb->job->size > env.mesh_max;
	fab_count_cpus(&vb->base, vb->job);
	vb_stats_open(vb);
	return 0;
}

/* Opens the second rail of this rank, if there is to be one; before the card of
 * the first is made. A rank that cannot open it uses the first alone. */
static void second_open(struct vb *vb)
{
	struct vb *second = vb->dev.paired ? calloc(1, sizeof(*second)) : NULL;

	if (!second)
		return;
	*second = (struct vb){.base = vb->base,
			      .job = vb->job,
			      .carries_all = vb->carries_all,
			      .first = vb,
			      .rail = 1,
			      .dev = {.net = vb->dev.second},
			      .msg.stop = -1};
	vb_init(second);
	vb->second = second;
	if (open_port(second)) {
		second_close(vb);
		log_warn("one rail is used: the second one cannot be opened");
	}
}

static int open_ports(struct vb *vb)
{
	second_open(vb);
	return open_port(vb);
}

/* Makes the card of a rank without a port, in order that all learn why. */
static int open_nothing(struct vb *vb)
{
	/* what every rank accepts */
	vb->conn.rx.len = VB_BUF_MIN;
	vb->conn.window = VB_WINDOW_MIN;
	vb->dev.port_attr.active_mtu = IBV_MTU_256;
	vb->dev.attr.max_qp_rd_atom = 1;
	return vb_mesh_open(vb);
}

static int verbs_open(const struct boot_job *job, const struct fab_sink *sink,
		      struct fab **fab)
{
	struct vb *vb = verbs_create(job, sink);
	int rc;

	if (!vb)
		return log_error(MRT_ERR_NO_MEM, "verbs fabric");
	rc = vb_device_scan(vb);
	if (!rc)
		rc = vb->dev.ports.n ? open_ports(vb) : open_nothing(vb);
	if (rc) {
		verbs_close(&vb->base);
		return rc;
	}
	*fab = &vb->base;
	return 0;
}

/* Publishes a second time, for the network of all, after opening the port of
 * this rank there if it is another. */
static int open_again(struct vb *vb)
{
	int rc;

	vb->dev.again = true;
	if (vb_device_is_open(vb)) {
		second_close(vb);
		second_open(vb);
		vb_card_free(vb);
		rc = vb_card_make(vb);
	} else {
		close_ports(vb);
		verbs_reset(vb);
		rc = open_ports(vb);
	}
	return rc ? rc : modex_renew(&vb->base);
}

static int verbs_wire(struct fab *fab)
{
	struct vb *vb = (struct vb *)fab;
	bool again;
	int rc = vb_agree(vb, &again);

	if (!rc && again)
		rc = open_again(vb);
	if (!vb->dev.paired)
		second_close(vb);
	vb->busy += vb->second != NULL; /* so that each poll moves it */
	if (!rc)
		rc = vb_mesh_wire(vb);
	vb->wired = !rc;
	return rc;
}

static int verbs_connect(struct fab *fab, int peer, struct fab_ep **ep)
{
	struct vb_ep *found = vb_ep_get((struct vb *)fab, peer);

	*ep = found ? &found->base : NULL;
	return found ? 0 : MRT_ERR_NO_MEM;
}

static int verbs_loopback(struct fab *fab, const struct fab_mem *mem,
			  struct fab_ep **ep)
{
	struct vb *vb = (struct vb *)fab;

	if (!vb->conn.card.atomics || (mem && !vb_mem_is_registered(mem)))
		return MRT_ERR_NO_FABRIC;
	return verbs_connect(fab, vb->job->rank, ep);
}

static void verbs_arm(struct fab *fab, const void *flags)
{
	vb_arm(fab, flags);
	/* freed memory stays pinned until this call */
	mr_cache_refresh(&((struct vb *)fab)->rma.cache);
}

static void verbs_dispatch(struct vb *vb, const struct ibv_wc *wc)
{
	switch (wc->wr_id >> 62) {
	case VB_WR_RECV:
		vb_arrived(vb, wc);
		break;
	case VB_WR_SEND:
		vb_completed(vb, wc);
		break;
	default:
		vb_ud_arrived(vb, wc);
	}
}

/* Advances what no completion starts. */
static __attribute__((noinline)) int move(struct vb *vb)
{
	int n = 0;

	if (vb->second)
		n += vb->base.ops->progress(&vb->second->base) +
		     vb_second_progress(vb->second);
	if (!list_empty(&vb->conn.closing))
		n += vb_close_progress(vb);
	if (!list_empty(&vb->conn.dialing))
		n += vb_dial_progress(vb);
	if (!list_empty(&vb->rma.relayed) || !list_empty(&vb->rma.serves))
		n += vb_relay_progress(vb);
	if (!list_empty(&vb->rma.blocked))
		n += vb_rma_progress(vb);
	if (!list_empty(&vb->msg.owing))
		n += vb_credits_return(vb);
	return n;
}

static int verbs_progress(struct fab *fab)
{
	struct vb *vb = (struct vb *)fab;
	struct ibv_wc wc[BATCH];
	int n = ibv_poll_cq(vb->conn.cq, BATCH, wc);

	if (__builtin_expect(n < 0, 0)) {
		vb_lost(vb,
			"its completion queue cannot be read (ibv_poll_cq)");
		return 0;
	}
	for (int i = 0; i < n; i++)
		verbs_dispatch(vb, &wc[i]);
	if (__builtin_expect(vb->busy, 0))
		n += move(vb);
	if (!n && ++vb->polls % PROBE_EVERY == 0)
		vb_probe_idle(vb);
	return n;
}

const struct fab_ops verbs_ops = {
    .name = "verbs",
    .unfit = verbs_unfit,
    .open = verbs_open,
    .wire = verbs_wire,
    .close = verbs_close,
    .connect = verbs_connect,
    .send = vb_send,
    .mem_register = vb_mem_register,
    .mem_deregister = vb_mem_deregister,
    .read = vb_read,
    .write = vb_write,
    .writev = vb_writev,
    .loopback = verbs_loopback,
    .fetch_add = vb_fetch_add,
    .compare_swap = vb_compare_swap,
    .progress = verbs_progress,
    .arm = verbs_arm,
    .disarm = vb_disarm,
    .wait = vb_wait,
    .wake = vb_wake,
    .heap_alloc = vb_heap_alloc,
    .heap_free = vb_heap_free,
    .heap_map = vb_heap_map,
    .stats = vb_stats,
};
