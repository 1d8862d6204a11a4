/* SPDX-License-Identifier: Apache-2.0 */
/* slopes_messages.c: messages and requests that are under way (slopes.c). */
#include <stdlib.h>

#include "tests/mpi/slopes.h"

enum { LONG = 1 << 17, SHORT = 128 /* longer than MRT_SM_EAGER_MAX there */ };

MPI_Request requests[MOST];
static char buffer[LONG], into[LONG];

static void exchange(int tag, int source)
{
	double x = 1, y;

	MPI_Send(&x, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD);
	MPI_Recv(&y, 1, MPI_DOUBLE, source, tag, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}

static void ping(int k)
{
	(void)k;
	exchange(1, 0);
}

static void answer(int k)
{
	MPI_Request r;
	double x = 1, y;

	(void)k;
	MPI_Irecv(&y, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &r);
	MPI_Send(&x, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void send_one(int k)
{
	MPI_Send(&k, 1, MPI_INT, 0, 10 + k, MPI_COMM_WORLD);
}

static void send_same(int k)
{
	MPI_Send(&k, 1, MPI_INT, 0, 10, MPI_COMM_WORLD);
}

static void take_one(int k)
{
	MPI_Recv(&k, 1, MPI_INT, 0, 10 + k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void take_any(int k)
{
	MPI_Recv(&k, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}

static void probe_other(int k)
{
	MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, other, &k, MPI_STATUS_IGNORE);
}

static void probe_tag(int k)
{
	MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &k, MPI_STATUS_IGNORE);
}

static void probe_last(int k)
{
	MPI_Iprobe(MPI_ANY_SOURCE, 9 + live, MPI_COMM_WORLD, &k,
		   MPI_STATUS_IGNORE);
}

/* Takes a message from the middle, and sends it again. */
static void again_any(int k)
{
	int tag = 10 + (k + live / 2) % live;

	MPI_Recv(&k, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	MPI_Send(&k, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

static void again_one(int k)
{
	int tag = (k + live / 2) % live;

	take_one(tag);
	send_one(tag);
}

static void post(int k)
{
	MPI_Irecv(into, 1, MPI_INT, 0, 10 + k, MPI_COMM_WORLD, &requests[k]);
}

static void post_any(int k)
{
	MPI_Irecv(into, 1, MPI_INT, MPI_ANY_SOURCE, 10 + k, MPI_COMM_WORLD,
		  &requests[k]);
}

static void post_wild(int k)
{
	MPI_Irecv(into, 1, MPI_INT, 0, MPI_ANY_TAG, other, &requests[k]);
}

static void withdraw(int k)
{
	MPI_Cancel(&requests[k]);
	MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
}

static void fulfil(int k)
{
	k = (k + live / 2) % live;
	send_one(k);
	MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
	post_any(k);
}

static void bsend_begin(void)
{
	size_t bytes = (MOST + 200) * (size_t)(SHORT + MPI_BSEND_OVERHEAD);

	room = malloc(bytes);
	MPI_Buffer_attach(room, (int)bytes);
}

static void bsend_one(int k)
{
	MPI_Bsend(buffer, SHORT, MPI_CHAR, 0, 10 + k, MPI_COMM_WORLD);
}

static void take_short(int k)
{
	MPI_Recv(into, SHORT, MPI_CHAR, 0, 10 + k, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}

static void bsend_again(int k)
{
	MPI_Bsend(buffer, SHORT, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
	(void)k;
	MPI_Recv(into, SHORT, MPI_CHAR, 0, 1, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
}

static void bsend_oldest(int k)
{
	take_short(k);
	bsend_one(k);
}

static void bsend_end(void)
{
	void *at;
	int bytes;

	MPI_Buffer_detach(&at, &bytes);
	free(room);
}

static void isend_long(int k)
{
	MPI_Isend(buffer, LONG, MPI_CHAR, 0, 10 + k, MPI_COMM_WORLD,
		  &requests[k]);
}

static void take_long(int k)
{
	MPI_Recv(into, LONG, MPI_CHAR, 0, 10 + k, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
}

static void again_long(int k)
{
	take_long(k);
	isend_long(k);
}

static void issend_one(int k)
{
	MPI_Issend(&live, 1, MPI_INT, 0, 10 + k, MPI_COMM_WORLD, &requests[k]);
}

static void take_sync(int k)
{
	take_one(k);
	MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
}

static void issend_freed(int k)
{
	issend_one(k);
	MPI_Request_free(&requests[k]);
}

static void again_freed(int k)
{
	take_one(k);
	issend_freed(k);
}

static void disconnect(int k)
{
	MPI_Comm comm;

	(void)k;
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_disconnect(&comm);
}

static void again_sync(int k)
{
	take_sync(k);
	issend_one(k);
}

static void cancel_sync(int k)
{
	withdraw(k);
	issend_one(k);
}

static void persistent(int k)
{
	MPI_Recv_init(into, 1, MPI_INT, 0, 10 + k, MPI_COMM_WORLD,
		      &requests[k]);
}

static void free_request(int k)
{
	MPI_Request_free(&requests[k]);
}

static void again_persistent(int k)
{
	MPI_Start(&requests[k]);
	send_one(k);
	MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
	free_request(k);
	persistent(k);
}

static void partitioned(int k)
{
	MPI_Psend_init(buffer, 1, 1, MPI_INT, 0, 10, MPI_COMM_WORLD,
		       MPI_INFO_NULL, &requests[k]);
}

static void again_partitioned(int k)
{
	free_request(k);
	partitioned(k);
}

static int no_query(void *state, MPI_Status *status)
{
	(void)state;
	(void)status;
	return MPI_SUCCESS;
}

static int no_free(void *state)
{
	(void)state;
	return MPI_SUCCESS;
}

static int no_cancel(void *state, int complete)
{
	(void)state;
	(void)complete;
	return MPI_SUCCESS;
}

static void general(int k)
{
	MPI_Grequest_start(no_query, no_free, no_cancel, NULL, &requests[k]);
}

static void end_general(int k)
{
	MPI_Grequest_complete(requests[k]);
	MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
}

static void again_general(int k)
{
	end_general(k);
	general(k);
}

const struct kind slopes_messages[] = {
    {"unexpected, others by the same tag: exchange", MOST, NULL, send_same,
     ping, take_any, NULL},
    {"unexpected of many tags: exchange", MOST, NULL, send_one, ping, take_one,
     NULL},
    {"unexpected: probe any on another communicator", MOST, NULL, send_one,
     probe_other, take_one, NULL},
    {"unexpected: probe any source, a tag that is not there", MOST, NULL,
     send_one, probe_tag, take_one, NULL},
    {"unexpected: probe any source, the last tag", MOST, NULL, send_one,
     probe_last, take_any, NULL},
    {"unexpected: receive any source, a tag amid, and send", MOST, NULL,
     send_one, again_any, take_one, NULL},
    {"unexpected: receive a tag amid, and send", MOST, NULL, send_one,
     again_one, take_one, NULL},
    {"posted for other tags: exchange", MOST, NULL, post, ping, withdraw, NULL},
    {"posted for other tags, any source: exchange", MOST, NULL, post_any, ping,
     withdraw, NULL},
    {"posted for other tags, any source: receive any", MOST, NULL, post_any,
     answer, withdraw, NULL},
    {"posted for other tags, any source: send to one amid, post", MOST, NULL,
     post_any, fulfil, withdraw, NULL},
    {"posted for any tag elsewhere: receive any", MOST, NULL, post_wild, answer,
     withdraw, NULL},
    {"buffered sends: buffered send, receive", MOST, bsend_begin, bsend_one,
     bsend_again, take_short, bsend_end},
    {"buffered sends: receive the oldest, send", MOST, bsend_begin, bsend_one,
     bsend_oldest, take_short, bsend_end},
    {"long sends: exchange", MOST, NULL, isend_long, ping, take_long, NULL},
    {"long sends: receive the oldest, send", MOST, NULL, isend_long, again_long,
     take_long, NULL},
    {"synchronous sends: receive the oldest, send", MOST, NULL, issend_one,
     again_sync, take_sync, NULL},
    {"synchronous sends: cancel the oldest, send", MOST, NULL, issend_one,
     cancel_sync, take_sync, NULL},
    {"synchronous sends, freed: exchange", MOST, NULL, issend_freed, ping,
     take_one, NULL},
    {"synchronous sends, freed: receive the oldest, send", MOST, NULL,
     issend_freed, again_freed, take_one, NULL},
    {"requests: dup and disconnect", MOST, NULL, persistent, disconnect,
     free_request, NULL},
    {"buffered sends: dup and disconnect", MOST, bsend_begin, bsend_one,
     disconnect, take_short, bsend_end},
    {"persistent requests: start, wait, free, init", MOST, NULL, persistent,
     again_persistent, free_request, NULL},
    {"partitioned requests: free, init", MOST, NULL, partitioned,
     again_partitioned, free_request, NULL},
    {"generalized requests: complete the oldest, start", MOST, NULL, general,
     again_general, end_general, NULL},
    {NULL, 0, NULL, NULL, NULL, NULL, NULL}};
