/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_watch.c: a thread sleeps on the descriptor of the completion queue, so
 * that the rank itself can sleep in shared memory and be woken by either. The
 * thread calls nothing of libfabric. It looks once each time that the rank
 * arms it, as the descriptor stays readable until the rank makes progress.
 *
 * The provider net of libfabric 1.17 needs more. Its descriptor is an epoll of
 * its sockets and of a signal, which each completion sets and fi_trywait should
 * clear, but does not: after the first completion the descriptor is readable
 * for good. This file sets the signal from the beginning, so that sockets have
 * something if two members of the epoll are ready. A second epoll over the
 * first one, which is edge-triggered, wakes the thread only by what comes after
 * the rank has looked.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/fabric/ofi/ofi.h"

/* Makes the watcher see what comes from now on. Returns whether the rank may
 * sleep, because nothing has come before. */
static bool edges_try(const struct ofi *ofi)
{
	struct epoll_event events[2];

	epoll_wait(ofi->edges, events, 1, 0);
	return epoll_wait(ofi->queue, events, 2, 0) < 2;
}

static int edges_open(struct ofi *ofi)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};

	if (strcmp(ofi->info->fabric_attr->prov_name, "net"))
		return 0;
	fi_cq_signal(ofi->cq);
	ofi->edges = epoll_create1(EPOLL_CLOEXEC);
	if (ofi->edges < 0 ||
	    epoll_ctl(ofi->edges, EPOLL_CTL_ADD, ofi->queue, &event))
		return log_error(error_from_errno(errno), "epoll: %s",
				 strerror(errno));
	return 0;
}

/* Waits for an event after the rank has armed. */
static void watch_once(struct ofi *ofi, struct pollfd fds[4])
{
	uint64_t count;

	if (fds[1].revents & POLLIN &&
	    read(ofi->arm, &count, sizeof(count)) == sizeof(count))
		fds[2].fd = ofi->edges < 0 ? ofi->queue : ofi->edges;
	if (fds[3].revents)
		ofi_pulse_look(ofi, &fds[3]);
	if (!fds[2].revents)
		return;
	fds[2].fd = -1;
	/* seq_cst: before the rank is woken, so that it arms anew */
	atomic_store(&ofi->armed, false);
	ofi->base.sink.wake();
}

static void *watch(void *arg)
{
	struct ofi *ofi = arg;
	struct pollfd fds[] = {
	    {.fd = ofi->stop, .events = POLLIN},
	    {.fd = ofi->arm, .events = POLLIN},
	    {.fd = -1, .events = POLLIN},
	    {.fd = ofi->pulse, .events = POLLOUT},
	};

	while (!fds[0].revents) {
		if (poll(fds, 4, -1) < 0)
			continue;
		watch_once(ofi, fds);
	}
	return NULL;
}

int ofi_watch_open(struct ofi *ofi)
{
	sigset_t all, before;
	int err;

	if (fi_control(&ofi->cq->fid, FI_GETWAIT, &ofi->queue))
		ofi->queue = -1; /* the rank wakes by itself now and then */
	ofi->stop = eventfd(0, EFD_CLOEXEC);
	ofi->arm = eventfd(0, EFD_CLOEXEC);
	if (ofi->stop < 0 || ofi->arm < 0)
		return log_error(error_from_errno(errno), "eventfd: %s",
				 strerror(errno));
	err = edges_open(ofi);
	if (err)
		return err;
	/* signals belong to the application */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&ofi->watcher, NULL, watch, ofi);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return log_error(error_from_errno(err), "thread: %s",
				 strerror(err));
	ofi->watching = true;
	return 0;
}

void ofi_watch_close(struct ofi *ofi)
{
	uint64_t one = 1;

	if (ofi->watching) {
		if (write(ofi->stop, &one, sizeof(one)) != sizeof(one))
			return; /* impossible; a leak is better than a hang */
		pthread_join(ofi->watcher, NULL);
	}
	if (ofi->stop >= 0)
		close(ofi->stop);
	if (ofi->arm >= 0)
		close(ofi->arm);
	if (ofi->edges >= 0)
		close(ofi->edges);
}

void ofi_arm(struct fab *fab, const void *flags)
{
	struct ofi *ofi = (struct ofi *)fab;
	struct fid *queue = &ofi->cq->fid;
	uint64_t one = 1;

	nap_arm(&ofi->nap);
	/* an event that the watcher has not yet seen will wake the rank */
	if (atomic_exchange(&ofi->armed, true))
		return;
	if ((ofi->edges < 0 ? !fi_trywait(ofi->fabric, &queue, 1)
			    : edges_try(ofi)) &&
	    write(ofi->arm, &one, sizeof(one)) == sizeof(one))
		return;
	/* there is something to do already */
	atomic_store(&ofi->armed, false);
	ofi->base.sink.wake();
}
