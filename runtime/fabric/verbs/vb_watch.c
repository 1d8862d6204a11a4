/* SPDX-License-Identifier: Apache-2.0 */
/* vb_watch.c: a thread sleeps on the device's events, so that the rank itself
 * can sleep in shared memory and be woken by either. It wakes the rank when a
 * completion arrives, and handles the loss of ports and devices, for which
 * nothing on the data path checks. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/fabric/verbs/vb_msg.h"

/* ---- the thread ---- */

/* Handles a completion event. False: no more will come, and the rank finds
 * completions when it wakes up by itself (wait.c). */
static bool watch_completion(struct vb *vb)
{
	struct ibv_cq *cq;
	void *arg;

	if (ibv_get_cq_event(vb->conn.channel, &cq, &arg))
		return errno == EAGAIN || errno == EINTR;
	ibv_ack_cq_events(cq, 1);
	/* seq_cst: before the rank is woken, so that it arms anew */
	atomic_store(&vb->msg.armed, false);
	vb->base.sink.wake();
	return true;
}

static bool watch_asynchronous(struct vb *vb)
{
	struct ibv_async_event event;

	if (ibv_get_async_event(vb->dev.context, &event))
		return errno == EAGAIN || errno == EINTR;
	vb_async(vb, &event);
	ibv_ack_async_event(&event);
	return true;
}

static void *watch(void *arg)
{
	struct vb *vb = arg;
	struct pollfd fds[] = {
	    {.fd = vb->msg.stop, .events = POLLIN},
	    {.fd = vb->conn.channel->fd, .events = POLLIN},
	    {.fd = vb->dev.context->async_fd, .events = POLLIN},
	};

	while (!fds[0].revents) {
		if (poll(fds, 3, -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents & POLLIN && !watch_completion(vb))
			fds[1].fd = -1;
		if (fds[2].revents & POLLIN && !watch_asynchronous(vb))
			fds[2].fd = -1;
		/* once the device is gone its descriptors report that for
		 * ever */
		for (int i = 1; i < 3; i++)
			if (fds[i].revents & (POLLERR | POLLHUP | POLLNVAL))
				fds[i].fd = -1;
	}
	return NULL;
}

int vb_watch_open(struct vb *vb)
{
	sigset_t all, before;
	int err;

	vb->msg.stop = eventfd(0, EFD_CLOEXEC);
	if (vb->msg.stop < 0)
		return log_error(error_from_errno(errno), "eventfd: %s",
				 strerror(errno));
	/* signals belong to the application */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&vb->msg.watcher, NULL, watch, vb);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return log_error(error_from_errno(err), "thread: %s",
				 strerror(err));
	vb->msg.watching = true;
	return 0;
}

void vb_watch_close(struct vb *vb)
{
	uint64_t one = 1;

	if (vb->msg.watching) {
		if (write(vb->msg.stop, &one, sizeof(one)) != sizeof(one))
			return; /* impossible, but a leak is better than a hang
				 */
		pthread_join(vb->msg.watcher, NULL);
	}
	if (vb->msg.stop >= 0)
		close(vb->msg.stop);
	vb->msg.watching = false;
	vb->msg.stop = -1;
}

/* ---- sleeping, if verbs is the first fabric ---- */

/* Makes the next completion raise an event. */
static void watch_arm(struct vb *vb)
{
	/* An event that the watcher has not yet handled will wake the rank. The
	 * flag is set first, as the next event may come at once. */
	if (!atomic_exchange(&vb->msg.armed, true) &&
	    ibv_req_notify_cq(vb->conn.cq, 0))
		atomic_store(&vb->msg.armed, false);
	vb_probe_idle(vb);
}

void vb_arm(struct fab *fab, const void *flags)
{
	struct vb *vb = (struct vb *)fab;

	(void)flags; /* only fabrics of a node have any */
	nap_arm(&vb->msg.nap);
	watch_arm(vb);
	if (vb->second)
		watch_arm(vb->second);
}

void vb_disarm(struct fab *fab)
{
	nap_disarm(&((struct vb *)fab)->msg.nap);
}

void vb_wait(struct fab *fab, unsigned timeout_us)
{
	nap_wait(&((struct vb *)fab)->msg.nap, timeout_us);
}

void vb_wake(struct fab *fab)
{
	nap_wake(&((struct vb *)fab)->msg.nap);
}
