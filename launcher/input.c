/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input.c: a rank inherits mrun's stdin itself if that is a file or a pipe:
 * nothing is copied, and what the rank does not read is left for the next
 * reader. A terminal is forwarded through a pipe, because a rank, in its own
 * process group, must not read from the terminal.
 */

#include "launcher/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "launcher/say.h"
#include "runtime/base/list.h"

static void close_watch(struct watch *watch)
{
	loop_remove(watch);
	if (watch->fd >= 0)
		close(watch->fd);
	watch->fd = -1;
}

static void write_ready(struct watch *watch)
{
	struct input *in = list_entry(watch, struct input, to);
	ssize_t n = write(watch->fd, in->buf, in->len);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	loop_remove(watch);
	if (n < 0) { /* the rank has closed its stdin */
		close_watch(watch);
		return;
	}
	in->len -= (size_t)n;
	memmove(in->buf, in->buf + n, in->len);
	loop_add(in->len ? watch : &in->from, in->len ? LOOP_WRITE : LOOP_READ);
}

static void read_ready(struct watch *watch)
{
	struct input *in = list_entry(watch, struct input, from);
	ssize_t n = read(watch->fd, in->buf, sizeof(in->buf));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	loop_remove(watch);
	if (n < 0) /* mrun is in the background: see input_resume */
		return;
	if (n == 0) {
		close_watch(&in->to);
		return;
	}
	in->len = (size_t)n;
	loop_add(&in->to, LOOP_WRITE);
}

int input_init(struct input *in)
{
	memset(in, 0, sizeof(*in));
	in->from.fd = STDIN_FILENO;
	in->from.ready = read_ready;
	in->to.fd = -1;
	in->to.ready = write_ready;
	in->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (in->null_fd < 0)
		return say_fail(EXIT_RESOURCE, "cannot open /dev/null: %s",
				strerror(errno));
	return 0;
}

void input_fini(struct input *in)
{
	loop_remove(&in->from);
	close_watch(&in->to);
	close(in->null_fd);
}

int input_open(struct input *in, const struct job *job, int rank)
{
	int fds[2];

	if (rank != job->opt->stdin_rank)
		return in->null_fd;
	if (!isatty(STDIN_FILENO))
		return STDIN_FILENO;
	if (pipe2(fds, O_CLOEXEC)) {
		say_error("cannot make a pipe for rank %d: %s", rank,
			  strerror(errno));
		return in->null_fd;
	}
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	in->to.fd = fds[1];
	loop_add(&in->from, LOOP_READ);
	return fds[0];
}

void input_close_child(const struct input *in, int fd)
{
	if (fd != STDIN_FILENO && fd != in->null_fd)
		close(fd);
}

void input_resume(struct input *in)
{
	if (in->to.fd >= 0 && in->len == 0)
		loop_add(&in->from, LOOP_READ);
}
