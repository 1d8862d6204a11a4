/* SPDX-License-Identifier: Apache-2.0 */
/*
 * romio_request.c makes MPICH's generalized requests with a poll function by
 * mrt_grequest_poll. They stand for transfers by the system (POSIX AIO) and for
 * nonblocking collectives on files, which go on while they are polled.
 */
#include <aio.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "mrt_lib.h"
#include "romio/mpio.h"
#include "romio/romio.h"

struct romio_class {
	MPI_Grequest_query_function *query;
	MPI_Grequest_free_function *free;
	MPI_Grequest_cancel_function *cancel;
	MPIX_Grequest_poll_function *poll;
};

struct polled {
	MPIX_Grequest_class class;
	void *state;
	MPI_File file;
	bool part; /* it belongs to a collective, which gets its error */
	int error; /* errno: its transfer has failed */
	MPI_Request request;
	/* of a collective */
	MPI_Count before, bytes, moved; /* of a read */
	MPI_Request agreement;		/* it ends on all ranks */
	struct polled *next;		/* in the list below */
};

/* `current` is the request that this thread polls, or NULL. */
static _Thread_local struct polled *current;
/* `starting` is the file whose requests this thread makes, and `failed` the
 * file that romio_failed returns. */
static _Thread_local MPI_File starting, failed;
/* `next_is` tells whether the request that this thread makes next belongs to
 * this rank alone, stands for a collective, or is a part of the collective that
 * this thread has begun. */
static _Thread_local enum { ALONE, COLLECTIVE, PART } next_is;
/* `reads` and `reads_from` are what romio_reads was told. */
static _Thread_local MPI_Count reads_from, reads;

/* `collectives` lists the nonblocking collectives that are not complete. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct polled *collectives;

void romio_starts(MPI_File fh, int collective)
{
	starting = fh;
	next_is = collective ? COLLECTIVE : ALONE;
	reads = 0;
}

void romio_reads(MPI_Count before, MPI_Count bytes)
{
	reads_from = before;
	reads = bytes;
}

static bool is_pending(MPI_File fh)
{
	const struct polled *p;

	pthread_mutex_lock(&mutex);
	for (p = collectives; p && p->file != fh; p = p->next)
		;
	pthread_mutex_unlock(&mutex);
	return p;
}

static int no_query(void *context, MPI_Status *status)
{
	return MPI_SUCCESS;
}

static int no_free(void *context)
{
	return MPI_SUCCESS;
}

static int no_cancel(void *context, int complete)
{
	return MPI_SUCCESS;
}

/* A test of any request polls all of them, here one that is never complete. */
void romio_turn(MPI_File fh)
{
	MPI_Request any;
	int flag;

	if (!is_pending(fh))
		return;
	PMPI_Grequest_start(no_query, no_free, no_cancel, NULL, &any);
	while (is_pending(fh) && !PMPI_Test(&any, &flag, MPI_STATUS_IGNORE))
		;
	PMPI_Grequest_complete(any);
	PMPI_Wait(&any, MPI_STATUS_IGNORE);
}

/* Tells the other ranks the error of a collective, and learns theirs. */
static int collective_agree(struct polled *p)
{
	if (p->bytes)
		p->moved = romio_read_count(p->file, p->before, p->bytes);
	return PMPI_Iallreduce(MPI_IN_PLACE, &p->error, 1, MPI_INT, MPI_MAX,
			       romio_comm(p->file), &p->agreement);
}

static void collective_end(const struct polled *p)
{
	struct polled **at = &collectives;

	pthread_mutex_lock(&mutex);
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	pthread_mutex_unlock(&mutex);
	PMPI_Grequest_complete(p->request);
}

int romio_Grequest_complete(MPI_Request request)
{
	struct polled *p;

	pthread_mutex_lock(&mutex);
	for (p = collectives; p && p->request != request; p = p->next)
		;
	pthread_mutex_unlock(&mutex);
	return p ? collective_agree(p) : PMPI_Grequest_complete(request);
}

MPI_File romio_failed(void)
{
	MPI_File fh = failed;

	failed = NULL;
	return fh;
}

int MPIX_Grequest_class_create(MPI_Grequest_query_function *query_fn,
			       MPI_Grequest_free_function *free_fn,
			       MPI_Grequest_cancel_function *cancel_fn,
			       MPIX_Grequest_poll_function *poll_fn,
			       MPIX_Grequest_wait_function *wait_fn,
			       MPIX_Grequest_class *greq_class)
{
	struct romio_class *class = malloc(sizeof(*class));

	if (!class)
		return MPI_ERR_NO_MEM;
	*class = (struct romio_class){query_fn, free_fn, cancel_fn, poll_fn};
	*greq_class = class;
	return MPI_SUCCESS;
}

static int polled_query(void *context, MPI_Status *status)
{
	struct polled *p = context;

	if (!p->error || p->part) {
		int rc = p->class->query(p->state, status);

		if (p->bytes)
			PMPI_Status_set_elements_x(status, MPI_BYTE, p->moved);
		return rc;
	}
	PMPI_Status_set_elements(status, MPI_BYTE, 0);
	failed = p->file;
	return ADIOI_Err_create_code("", "", p->error);
}

static int polled_free(void *context)
{
	struct polled *p = context;
	int rc = p->class->free(p->state);

	free(p);
	return rc;
}

static int polled_cancel(void *context, int complete)
{
	struct polled *p = context;

	return p->class->cancel(p->state, complete);
}

static void polled_poll(void *context)
{
	struct polled *before = current;
	MPI_Status status;
	int agreed = 0;

	current = context;
	if (current->agreement == MPI_REQUEST_NULL)
		current->class->poll(current->state, &status);
	else
		PMPI_Test(&current->agreement, &agreed, MPI_STATUS_IGNORE);
	if (agreed)
		collective_end(current);
	current = before;
}

int MPIX_Grequest_class_allocate(MPIX_Grequest_class greq_class,
				 void *extra_state, MPI_Request *request)
{
	struct polled *p = malloc(sizeof(*p));
	int rc;

	if (!p)
		return MPI_ERR_NO_MEM;
	*p = (struct polled){.class = greq_class,
			     .state = extra_state,
			     .file = current ? current->file : starting,
			     .part = current || next_is == PART,
			     .agreement = MPI_REQUEST_NULL};
	rc = PMPI_Grequest_start(polled_query, polled_free, polled_cancel, p,
				 request);
	if (rc)
		return rc;
	p->request = *request;
	if (next_is == COLLECTIVE && !current) {
		next_is = PART;
		p->before = reads_from;
		p->bytes = reads;
		pthread_mutex_lock(&mutex);
		p->next = collectives;
		collectives = p;
		pthread_mutex_unlock(&mutex);
	}
	(void)mrt_grequest_poll((struct mrt_request *)*request, polled_poll);
	return MPI_SUCCESS;
}

void romio_poll_failed(int error)
{
	if (!current)
		return;
	current->error = error;
	pthread_mutex_lock(&mutex);
	for (struct polled *p = collectives; p && current->part; p = p->next)
		if (p->file == current->file)
			p->error = error;
	pthread_mutex_unlock(&mutex);
}

int romio_aio_error(const struct aiocb *transfer)
{
	int error = aio_error(transfer);

	if (!error || error == EINPROGRESS || !current)
		return error;
	romio_poll_failed(error);
	return 0;
}

ssize_t romio_aio_return(struct aiocb *transfer)
{
	ssize_t n, done = aio_return(transfer);

	if (done < 0 || transfer->aio_lio_opcode != LIO_WRITE)
		return done < 0 ? 0 : done; /* romio_aio_error has the error */
	for (; (size_t)done < transfer->aio_nbytes; done += n) {
		n = pwrite(transfer->aio_fildes,
			   (char *)transfer->aio_buf + done,
			   transfer->aio_nbytes - (size_t)done,
			   transfer->aio_offset + done);
		if (n < 0)
			romio_poll_failed(errno);
		if (n <= 0)
			break;
	}
	return done;
}
