/* SPDX-License-Identifier: Apache-2.0 */
/* vb_fault.c: words errors of the device: which peer, over which device and
 * port, what happened and what it usually means. Any of them ends the job: a
 * reliable connection that gave up has lost messages. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "mrt.h"
#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/fabric/verbs/vb_device.h"

enum { GRACE_NS = 1000000000 }; /* the device's own report says more */

/* Returns what a completion's status means to a person. */
static const char *fault_meaning(enum ibv_wc_status status, bool software)
{
	switch (status) {
	case IBV_WC_RETRY_EXC_ERR:
		return "no answer: the link is down, or the process or its "
		       "node is gone";
	case IBV_WC_RNR_RETRY_EXC_ERR:
		return "it has no receive buffer, in spite of credits: a bug";
	case IBV_WC_REM_ACCESS_ERR:
		return "it refuses the access: the memory is not registered "
		       "(any more)";
	case IBV_WC_REM_INV_REQ_ERR:
	case IBV_WC_REM_OP_ERR:
		return "it cannot do what was asked";
	case IBV_WC_WR_FLUSH_ERR:
		return "the connection has failed; its other end says why";
	case IBV_WC_LOC_QP_OP_ERR:
		/* on Soft-RoCE: there is no route */
		if (software)
			return "the network interface of this side is down, or "
			       "has lost its address";
		/* fall through */
	case IBV_WC_LOC_LEN_ERR:
	case IBV_WC_LOC_PROT_ERR:
		return "this side asked for what the device cannot do: a bug";
	default:
		return "the device gives up";
	}
}

/* Appends "; rxe0 port 1 has been down for 3.2 s" if it is down. */
static void add_port(const struct vb *vb, char *text, size_t len)
{
	uint64_t down = atomic_load(&vb->dev.port_down);
	size_t used = strlen(text);

	if (down && used < len)
		snprintf(text + used, len - used,
			 "; %s has been %s for "
			 "%.1f s",
			 vb_port_name(vb),
			 atomic_load(&vb->dev.no_address)
			     ? "without its address"
			     : "down",
			 (double)(clock_ns() - down) * 1e-9);
}

static const char *host_of(const struct vb_ep *ep)
{
	return ep->card ? ep->card->host : "?";
}

static const char *device_of(const struct vb_ep *ep)
{
	return ep->card ? ep->card->device : "?";
}

/* Raises a fault. While closing only notes it, as a peer may be gone because it
 * has closed. A second rail alone is lost without a fault. */
static void raise_peer(struct vb_ep *ep, int code, const char *text)
{
	struct vb *vb = vb_of(ep);

	if (vb->rail) {
		vb->up->lost(ep, text);
	} else if (!vb->closing) {
		fault_raise(code, text);
	} else if (!vb->lost) {
		snprintf(vb->lost_text, sizeof(vb->lost_text), "%s", text);
		vb->lost = clock_ns();
	}
}

/* Returns the timeout of a packet: 4.096 us << timeout, InfiniBand
 * specification 9.7.6.1.3. */
static double timeout_s(long timeout)
{
	return 4.096e-6 * (double)(1ull << timeout);
}

uint64_t vb_retry_ns(void)
{
	return (uint64_t)(1e9 * timeout_s(env.ib_timeout) *
			  (double)(env.ib_retry + 1));
}

bool vb_is_cut_off(const struct vb_ep *ep, uint64_t now)
{
	const struct vb *vb = vb_of(ep);
	/* relaxed: pairs with the watcher's stores below; each stands alone */
	uint64_t down =
	    atomic_load_explicit(&vb->dev.port_down, memory_order_relaxed);
	uint64_t up =
	    atomic_load_explicit(&vb->dev.port_up, memory_order_relaxed);
	uint64_t limit = vb_retry_ns() + GRACE_NS;

	if (down)
		return now > ep->silent_since + limit && now > down + limit;
	/* perhaps probed while the port was down */
	return ep->checked_before < up && now > ep->silent_since + 2 * limit &&
	       now > up + 2 * limit;
}

void vb_failed(struct vb_ep *ep, const struct ibv_wc *wc)
{
	struct vb *vb = vb_of(ep);
	char text[sizeof(vb->lost_text)], tries[80] = "";

	if (ep->state == VB_FAILED)
		return; /* later errors add nothing */
	ep->state = VB_FAILED;
	if (wc->status == IBV_WC_RETRY_EXC_ERR)
		snprintf(tries, sizeof(tries), " after %d tries of %.1f s",
			 vb->dev.retries + 1, timeout_s(vb->dev.timeout));
	snprintf(text, sizeof(text),
		 "rank %d on %s (%s) from %s: %s%s (%s, vendor 0x%x)",
		 ep->base.peer, host_of(ep), device_of(ep), vb_port_name(vb),
		 fault_meaning(wc->status, vb_device_is_software(vb)), tries,
		 ibv_wc_status_str(wc->status), wc->vendor_err);
	add_port(vb, text, sizeof(text));
	raise_peer(ep, MRT_ERR_PEER, text);
}

void vb_broken(struct vb_ep *ep, const char *what, int err)
{
	char text[sizeof(vb_of(ep)->lost_text)];

	if (ep->state == VB_FAILED)
		return;
	ep->state = VB_FAILED;
	snprintf(text, sizeof(text), "rank %d on %s (%s) from %s %s%s%s",
		 ep->base.peer, host_of(ep), device_of(ep),
		 vb_port_name(vb_of(ep)), what, err ? ": " : "",
		 err ? strerror(err) : "");
	add_port(vb_of(ep), text, sizeof(text));
	raise_peer(ep, MRT_ERR_PEER, text);
}

void vb_unconnected(struct vb_ep *ep, int code)
{
	char text[sizeof(vb_of(ep)->lost_text)];

	ep->state = VB_FAILED;
	snprintf(text, sizeof(text),
		 "rank %d on %s (%s) cannot be connected with %s",
		 ep->base.peer, host_of(ep), device_of(ep),
		 vb_port_name(vb_of(ep)));
	raise_peer(ep, code, text);
}

void vb_bad_message(const struct vb_ep *ep, unsigned kind, size_t len)
{
	fault_raise_text(MRT_ERR_PROTOCOL,
			 "rank %d sent a message that cannot be (kind %u of "
			 "verbs, %zu bytes): do all ranks run the same libmrt?",
			 ep->base.peer, kind, len);
}

/* ---- at start ---- */

const char *vb_advice(int err)
{
	static _Thread_local char text[200];
	struct rlimit limit = {0, 0};

	switch (err) {
	case ENOMEM:
	case ENOSPC:
	case EAGAIN:
		getrlimit(RLIMIT_MEMLOCK, &limit);
		if (limit.rlim_cur == RLIM_INFINITY)
			return "; the device or its driver has no more of "
			       "them: run fewer ranks on this node";
		snprintf(text, sizeof(text),
			 "; the device has no more of them,"
			 " or the limit of locked memory (ulimit -l: %llu KiB) "
			 "is too low: raise it, or run fewer ranks",
			 (unsigned long long)limit.rlim_cur >> 10);
		return text;
	case EMFILE:
	case ENFILE:
		return "; raise the limit of open files (ulimit -n)";
	case EPERM:
	case EACCES:
		return "; may this user open /dev/infiniband?";
	case ENODEV:
	case EIO:
	case ENXIO:
		return "; is the device gone, or being reset?";
	case EINVAL:
	case ENOSYS:
	case EOPNOTSUPP:
		return "; the device or its driver does not take this: choose "
		       "another one by MRT_IB_DEVICE";
	default:
		return "";
	}
}

int vb_refused(const struct vb *vb, const char *call, const char *what, int err)
{
	bool no_right = err == EPERM || err == EACCES;

	return log_error(no_right ? MRT_ERR_PERM : MRT_ERR_RESOURCE,
			 "%s: cannot get %s (%s): %s%s", vb_port_name(vb), what,
			 call, err ? strerror(err) : "no reason given",
			 vb_advice(err));
}
