/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending.c: a list of the copies of sections that requests work on. There are
 * few: most sections have a datatype.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fortran/pending.h"

struct pending {
	struct pending *next;
	MPI_Fint request;
	bool active;
	void *copy;
	void *before; /* the copy as it was at the start; NULL if constant */
	CFI_cdesc_t section; /* with the dimensions behind it */
};

int pending_copies;

static struct pending *pending;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void pending_add(int rc, MPI_Fint request, const CFI_cdesc_t *buffer,
		 void *copy, bool constant, bool persistent)
{
	size_t size =
	    sizeof(*buffer) + (size_t)buffer->rank * sizeof(buffer->dim[0]);
	struct pending *p;

	if (rc) {
		free(copy);
		return;
	}
	p = scratch_room(SCRATCH + 1, sizeof(*p) + size, NULL);
	p->request = request;
	p->active = !persistent;
	p->copy = copy;
	/* The section itself still has what the copy had. */
	p->before = constant ? NULL : section_copy(buffer);
	memcpy(&p->section, buffer, size);
	pthread_mutex_lock(&lock);
	p->next = pending;
	pending = p;
	__atomic_add_fetch(&pending_copies, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
}

static void pending_fill(struct pending *p, MPI_Fint request)
{
	if (p->request != request)
		return;
	section_gather(&p->section, p->copy);
	if (p->before)
		section_gather(&p->section, p->before);
	p->active = true;
}

void pending_start(long n, const MPI_Fint *requests)
{
	if (!pending_any())
		return;
	pthread_mutex_lock(&lock);
	for (long k = 0; k < n; k++) {
		for (struct pending *p = pending; p; p = p->next)
			pending_fill(p, requests[k]);
	}
	pthread_mutex_unlock(&lock);
}

/* Takes what *at points to out of the list. */
static void pending_drop(struct pending **at)
{
	struct pending *p = *at;

	*at = p->next;
	if (!p->active) {
		free(p->copy);
		free(p->before);
	}
	free(p);
	__atomic_sub_fetch(&pending_copies, 1, __ATOMIC_RELAXED);
}

static void drop_all(MPI_Fint request)
{
	struct pending **at = &pending;

	while (*at) {
		if ((*at)->request == request)
			pending_drop(at);
		else
			at = &(*at)->next;
	}
}

void pending_forget(MPI_Fint request)
{
	if (!pending_any())
		return;
	pthread_mutex_lock(&lock);
	drop_all(request);
	pthread_mutex_unlock(&lock);
}

static void pending_finish(struct pending *p)
{
	if (p->active && p->before)
		section_scatter(&p->section, p->copy, p->before);
	p->active = false;
}

/* An inactive persistent request counts as complete; its copies are not active.
 */
static void settle_pending(MPI_Fint request, MPI_Request handle)
{
	int complete = handle == MPI_REQUEST_NULL;

	for (struct pending *p = pending; p; p = p->next) {
		if (p->request != request || !p->active)
			continue;
		if (!complete)
			PMPI_Request_get_status(handle, &complete,
						MPI_STATUS_IGNORE);
		if (complete)
			pending_finish(p);
	}
	if (handle == MPI_REQUEST_NULL)
		drop_all(request);
}

void pending_settle(long n, const MPI_Fint *requests,
		    const MPI_Request *handles)
{
	if (!pending_any())
		return;
	pthread_mutex_lock(&lock);
	for (long k = 0; k < n; k++)
		settle_pending(requests[k], handles[k]);
	pthread_mutex_unlock(&lock);
}
