/* SPDX-License-Identifier: Apache-2.0 */
/*
 * truncate.c sends messages that are one byte longer than the buffer, as long,
 * and one byte shorter: by every way to send, every way to receive, with
 * lengths around every change of protocol. The buffer ends where an
 * inaccessible page begins, or before bytes that must stay unchanged; so must
 * the bytes in front of it. After each message another one shows that the
 * connection is usable.
 *
 *   truncate          at two ranks: rank 0 sends, 1 receives; with
 *                     TEST_LEVEL=quick a sixth of the lengths
 */
#include <sys/mman.h>
#include <unistd.h>

#include "tests/system/api.h"

int me, np, api_failures;

enum { MARK = 0xa5, FRONT = 64, TAG = 7 };
static const size_t lengths[] = {
    1,	  2,	8,    39,    40,    41,	   47,	  48,	  49,	  56,
    57,	  63,	64,   65,    120,   127,   128,	  129,	  500,	  1024,
    4000, 4096, 8192, 16384, 20000, 65536, 70000, 262144, 1 << 20};
enum { LENGTHS = sizeof(lengths) / sizeof(lengths[0]), MOST = 1 << 20 };

static char *source,
    *heap; /* [MOST + 8], contents to send; heap is of mrt_alloc */
static struct mrt_type *bytes_type; /* every second byte, so not dense */

/* ---- Ways to send ------------------------------------------------------- */

static void by_send(size_t n)
{
	OK(mrt_send(source, n, MRT_BYTE, 1, TAG, W));
}

static void by_heap(size_t n)
{
	OK(mrt_send(heap, n, MRT_BYTE, 1, TAG, W));
}

static void by_ssend(size_t n)
{
	OK(mrt_ssend(source, n, MRT_BYTE, 1, TAG, W));
}

static void finish(struct mrt_request *r)
{
	OK(mrt_wait(&r, MRT_STATUS_IGNORE));
}

static void by_isend(size_t n)
{
	struct mrt_request *r;

	OK(mrt_isend(source, n, MRT_BYTE, 1, TAG, W, &r));
	finish(r);
}

static void by_persistent(size_t n)
{
	struct mrt_request *r;

	OK(mrt_send_init(source, n, MRT_BYTE, 1, TAG, W, &r));
	OK(mrt_start(&r));
	OK(mrt_wait(&r, MRT_STATUS_IGNORE));
	OK(mrt_request_free(&r));
}

static void by_bsend(size_t n)
{
	OK(mrt_bsend(source, n, MRT_BYTE, 1, TAG, W));
}

/* Sends three pieces, the last of which is one byte. */
static void by_pieces(size_t n)
{
	struct iovec iov[3] = {
	    {source, n / 2}, {source + n / 2, 0}, {source + n - 1, 1}};

	iov[1].iov_len = n - 1 - n / 2;
	if (n > 1)
		OK(mrt_sendv(iov, 3, 1, TAG, W));
	else
		OK(mrt_sendv(iov + 2, 1, 1, TAG, W));
}

/* Sends every second byte, so that the data must be packed. */
static void by_type(size_t n)
{
	char *spread = malloc(2 * n);

	for (size_t i = 0; i < n; i++)
		spread[2 * i] = source[i];
	OK(mrt_send(spread, n, bytes_type, 1, TAG, W));
	free(spread);
}

static void by_sendrecv(size_t n)
{
	OK(mrt_sendrecv(source, n, MRT_BYTE, 1, TAG, NULL, 0, MRT_BYTE,
			MRT_PROC_NULL, 0, W, MRT_STATUS_IGNORE));
}

static void (*const ways_to_send[])(size_t n) = {
    by_send,  by_heap,	 by_ssend, by_isend,   by_persistent,
    by_bsend, by_pieces, by_type,  by_sendrecv};
enum { SENDS = sizeof(ways_to_send) / sizeof(ways_to_send[0]) };

/* ---- Ways to receive ---------------------------------------------------- */

static int in_recv(char *buf, size_t room, struct mrt_status *status)
{
	return mrt_recv(buf, room, MRT_BYTE, 0, TAG, W, status);
}

static int in_any(char *buf, size_t room, struct mrt_status *status)
{
	return mrt_recv(buf, room, MRT_BYTE, MRT_ANY_SOURCE, MRT_ANY_TAG, W,
			status);
}

static int in_irecv(char *buf, size_t room, struct mrt_status *status)
{
	struct mrt_request *r;

	OK(mrt_irecv(buf, room, MRT_BYTE, 0, TAG, W, &r));
	return mrt_wait(&r, status);
}

static int in_waitall(char *buf, size_t room, struct mrt_status *status)
{
	struct mrt_request *r[2] = {MRT_REQUEST_NULL, MRT_REQUEST_NULL};
	struct mrt_status s[2];
	int rc;

	OK(mrt_irecv(buf, room, MRT_BYTE, 0, TAG, W, &r[1]));
	rc = mrt_waitall(2, r, s);
	*status = s[1];
	return rc == MRT_ERR_IN_STATUS ? s[1].error : rc;
}

static int in_persistent(char *buf, size_t room, struct mrt_status *status)
{
	struct mrt_request *r;
	int rc;

	OK(mrt_recv_init(buf, room, MRT_BYTE, 0, TAG, W, &r));
	OK(mrt_start(&r));
	rc = mrt_wait(&r, status);
	OK(mrt_request_free(&r));
	return rc;
}

/* Probes first, so that the message is an unexpected one. */
static int in_probe(char *buf, size_t room, struct mrt_status *status)
{
	OK(mrt_probe(0, TAG, W, status));
	return mrt_recv(buf, room, MRT_BYTE, 0, TAG, W, status);
}

static int in_mprobe(char *buf, size_t room, struct mrt_status *status)
{
	struct mrt_message *m;

	OK(mrt_mprobe(0, TAG, W, &m, status));
	return mrt_mrecv(buf, room, MRT_BYTE, &m, status);
}

static int in_imrecv(char *buf, size_t room, struct mrt_status *status)
{
	struct mrt_message *m;
	struct mrt_request *r;

	OK(mrt_mprobe(0, TAG, W, &m, status));
	OK(mrt_imrecv(buf, room, MRT_BYTE, &m, &r));
	return mrt_wait(&r, status);
}

static int in_sendrecv(char *buf, size_t room, struct mrt_status *status)
{
	return mrt_sendrecv(NULL, 0, MRT_BYTE, MRT_PROC_NULL, 0, buf, room,
			    MRT_BYTE, 0, TAG, W, status);
}

static int in_replace(char *buf, size_t room, struct mrt_status *status)
{
	return mrt_sendrecv_replace(buf, room, MRT_BYTE, MRT_PROC_NULL, 0, 0,
				    TAG, W, status);
}

static int in_isendrecv(char *buf, size_t room, struct mrt_status *status)
{
	struct mrt_request *r;

	OK(mrt_isendrecv(NULL, 0, MRT_BYTE, MRT_PROC_NULL, 0, buf, room,
			 MRT_BYTE, 0, TAG, W, &r));
	return mrt_wait(&r, status);
}

static int (*const ways_to_receive[])(char *buf, size_t room,
				      struct mrt_status *status) = {
    in_recv,   in_any,	  in_irecv,    in_waitall, in_persistent, in_probe,
    in_mprobe, in_imrecv, in_sendrecv, in_replace, in_isendrecv};
enum { RECEIVES = sizeof(ways_to_receive) / sizeof(ways_to_receive[0]) };

/* Receives into every second byte: unpacking must stop as well. */
static int in_type(char *buf, size_t room, struct mrt_status *status)
{
	char *spread = malloc(2 * room + 1);
	int rc;

	memset(spread, MARK, 2 * room + 1);
	rc = mrt_recv(spread, room, bytes_type, 0, TAG, W, status);
	for (size_t i = 0; i < room; i++) {
		buf[i] = spread[2 * i];
		CHECK((unsigned char)spread[2 * i + 1] == MARK);
	}
	CHECK((unsigned char)spread[2 * room] == MARK);
	free(spread);
	return rc;
}

/* ---- One message -------------------------------------------------------- */

static size_t page;
static char *guarded; /* ends where an inaccessible page begins */

/* Returns a buffer of so many bytes, before the inaccessible page or before
 * marked bytes. */
static char *make_buffer(size_t room, bool guard)
{
	char *end = guarded + MOST + 2 * page, *buf = end - room;

	if (!guard)
		buf -= FRONT;
	memset(buf - FRONT, MARK, (size_t)(end - buf) + FRONT);
	return buf;
}

static bool is_marked(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)p[i] != MARK)
			return false;
	return true;
}

static void judge(const char *buf, size_t room, size_t sent, bool guard)
{
	size_t got = sent < room ? sent : room;

	CHECK(is_marked(buf - FRONT, FRONT));
	CHECK(guard || is_marked(buf + room, FRONT));
	CHECK(!memcmp(buf, source, got));
	CHECK(is_marked(buf + got, room - got));
}

static int failed_before;

static void receive(size_t sent, size_t room, int way, bool guard)
{
	struct mrt_status s = {.source = 99};
	char *buf = make_buffer(room, guard);
	int rc = way < RECEIVES ? ways_to_receive[way](buf, room, &s)
				: in_type(buf, room, &s);

	CHECK(rc == (sent > room ? MRT_ERR_TRUNCATE : 0));
	CHECK(s.source == 0 && s.tag == TAG && s.bytes == sent);
	judge(buf, room, sent, guard);
}

/* Sends messages of n bytes into buffers of n - 1, n and n + 1. */
static void exchange(int send, int way, size_t n)
{
	int x = 0;

	for (int d = -1; d <= 1; d++) {
		size_t room = n + (size_t)(ptrdiff_t)d;

		if (me == 0) {
			ways_to_send[send](n);
			OK(mrt_send(&d, 1, MRT_INT, 1, TAG + 1, W));
		} else {
			receive(n, room, way, (n + (size_t)way) % 2);
			OK(mrt_recv(&x, 1, MRT_INT, 0, TAG + 1, W,
				    MRT_STATUS_IGNORE));
			CHECK(x == d);
		}
		if (api_failures > failed_before)
			fprintf(stderr, "# send %d, receive %d, %zu into %zu\n",
				send, way, n, room);
		failed_before = api_failures;
	}
}

static void set_up(void)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	guarded = mmap(NULL, MOST + 3 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	mprotect(guarded + MOST + 2 * page, page, PROT_NONE);
	source = malloc(MOST + 8);
	OK(mrt_alloc(MOST + 8, (void **)&heap));
	for (size_t i = 0; i < MOST + 8; i++)
		source[i] = heap[i] = (char)(i * 7 + i / 251);
	OK(mrt_type_resized(MRT_BYTE, 0, 2, &bytes_type));
	OK(mrt_type_commit(bytes_type));
	OK(mrt_buffer_attach(MRT_BUFFER_PROCESS, MRT_BUFFER_AUTOMATIC, 0));
}

int main(int argc, char **argv)
{
	const char *level = getenv("TEST_LEVEL");
	int step = level && !strcmp(level, "quick") ? 6 : 1;
	long n = 0;

	mrt_set_error_mode(MRT_ERRORS_RETURN);
	if (mrt_init(&argc, &argv))
		return 1;
	me = mrt_rank(W);
	np = mrt_size(W);
	if (np != 2)
		return 1;
	set_up();
	for (int send = 0; send < SENDS; send++)
		for (int way = 0; way <= RECEIVES; way++)
			for (int k = 0; k < LENGTHS; k += step, n += 3)
				exchange(send, way, lengths[k]);
	OK(mrt_finalize());
	if (me == 1)
		printf("%sok - %ld messages, cut by a byte or not\n",
		       api_failures ? "not " : "", n);
	return api_failures != 0;
}
