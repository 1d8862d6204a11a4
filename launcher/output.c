/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output.c: each rank has two pipes, or a terminal for stdout if ours is one,
 * from which whole lines are copied to the sinks. An incomplete line waits for
 * its end, for the end of the rank or, on a terminal, PROMPT_MS, so that
 * prompts appear. A rank with more than PENDING_MAX bytes waiting in a sink is
 * not read until there are fewer: its pipe fills up and the rank blocks, as it
 * would on a slow terminal.
 */

#include "launcher/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "launcher/say.h"
#include "runtime/base/clock.h"

enum {
	READ_SIZE = 65536,
	LINE_MAX_HELD = 1 << 20, /* longer lines are passed on in parts */
	PENDING_MAX = 1 << 20,
	PROMPT_MS = 200
};

struct stream {
	struct source source;
	struct watch watch;
	struct output *out;
	struct sink *sink;
	int rank, number; /* 0 stdout, 1 stderr */
	char *buf;	  /* beginning of a line, not yet passed on */
	size_t len, room;
	uint64_t since_ns; /* when it was last read */
	bool open, mid_line;
};

/* Puts lines with a prefix; the rest of a line that has begun gets none. */
static void put_tagged(struct stream *s, const char *data, size_t len)
{
	static const char *const names[] = {"stdout", "stderr"};
	size_t lines = 1, n = 0, prefix_len;
	char prefix[48], *text;

	for (size_t i = 0; i < len; i++)
		lines += data[i] == '\n';
	prefix_len = (size_t)snprintf(prefix, sizeof(prefix),
				      "[%d]<%s>: ", s->rank, names[s->number]);
	text = malloc(len + lines * prefix_len + 1);
	if (!text)
		return;
	for (size_t i = 0; i < len; i++) {
		if (!s->mid_line) {
			memcpy(text + n, prefix, prefix_len);
			n += prefix_len;
		}
		text[n++] = data[i];
		s->mid_line = data[i] != '\n';
	}
	sink_put(s->sink, &s->source, text, n);
	free(text);
}

/* Puts lines of stderr without those that the count of others tells. */
static void put_unrepeated(struct stream *s, const char *data, size_t len)
{
	for (size_t n; len > 0; data += n, len -= n) {
		const char *end = memchr(data, '\n', len);

		n = end ? (size_t)(end - data) + 1 : len;
		if (s->mid_line ||
		    !repeats_hold(&s->out->repeats, s->rank, data, n))
			sink_put(s->sink, &s->source, data, n);
		s->mid_line = !end;
	}
}

static void output_put(struct stream *s, const char *data, size_t len)
{
	if (s->out->job->opt->tag_output)
		put_tagged(s, data, len);
	else if (s->number == 1 && !s->out->job->opt->no_aggregate &&
		 memmem(data, len, "libmrt", 6))
		put_unrepeated(s, data, len);
	else {
		sink_put(s->sink, &s->source, data, len);
		s->mid_line = data[len - 1] != '\n';
	}
}

/* Passes on the whole lines of the buffer, or everything. */
static void pass_on(struct stream *s, bool all)
{
	char *end = all ? s->buf + s->len : memrchr(s->buf, '\n', s->len);
	size_t n;

	if (s->len == 0 || !end)
		return;
	n = (size_t)(end - s->buf) + !all;
	output_put(s, s->buf, n);
	s->len -= n;
	memmove(s->buf, s->buf + n, s->len);
}

static void close_stream(struct stream *s)
{
	if (!s->open)
		return;
	s->open = false;
	s->out->open--;
	loop_remove(&s->watch);
	close(s->watch.fd);
	pass_on(s, true);
	/* Ends the line, or the tag of another rank would follow in
	 * its middle. */
	if (s->out->job->opt->tag_output && s->mid_line)
		put_tagged(s, "\n", 1);
	free(s->buf);
	s->buf = NULL;
	s->room = 0;
}

static bool make_room(struct stream *s)
{
	char *buf;

	if (s->room - s->len >= READ_SIZE)
		return true;
	buf = realloc(s->buf, s->room + 2 * READ_SIZE);
	if (!buf)
		return false;
	s->buf = buf;
	s->room += 2 * READ_SIZE;
	return true;
}

/* Reads once; returns false if there is nothing (more) to read now. */
static bool read_stream(struct stream *s)
{
	ssize_t n;

	if (!make_room(s)) {
		close_stream(s);
		return false;
	}
	n = read(s->watch.fd, s->buf + s->len, READ_SIZE);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		close_stream(s);
		return false;
	}
	s->len += (size_t)n;
	pass_on(s, s->len >= LINE_MAX_HELD);
	s->since_ns = clock_ns();
	return true;
}

static void stream_ready(struct watch *watch)
{
	struct stream *s = list_entry(watch, struct stream, watch);

	read_stream(s);
	if (s->open && s->source.pending > PENDING_MAX)
		loop_remove(watch);
}

static void stream_drained(struct source *source)
{
	struct stream *s = list_entry(source, struct stream, source);

	if (s->open && source->pending < PENDING_MAX / 2)
		loop_add(&s->watch, LOOP_READ);
}

static void say_line(void *arg, const char *line, size_t len)
{
	struct output *out = arg;

	sink_put(out->to[1], NULL, line, len);
}

static void sink_broken(void *arg, struct sink *sink)
{
	struct output *out = arg;

	if (sink == &out->sinks[0])
		out->broken(out->arg, sink->error);
}

static bool same_file(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

int output_init(struct output *out, const struct job *job,
		void (*broken)(void *arg, int error), void *arg)
{
	memset(out, 0, sizeof(*out));
	out->job = job;
	out->broken = broken;
	out->arg = arg;
	out->streams = calloc((size_t)job->nranks * 2, sizeof(*out->streams));
	if (!out->streams ||
	    repeats_init(&out->repeats, job->nranks, say_line, out)) {
		free(out->streams);
		return say_fail(EXIT_RESOURCE, "out of memory");
	}
	if (job->opt->output_dir && mkdir(job->opt->output_dir, 0777) &&
	    errno != EEXIST) {
		say_error("--output %s: %s", job->opt->output_dir,
			  strerror(errno));
		repeats_fini(&out->repeats);
		free(out->streams);
		return EXIT_RESOURCE;
	}
	for (int k = 0; k < 2; k++) {
		sink_init(&out->sinks[k], k + 1);
		out->sinks[k].broken = sink_broken;
		out->sinks[k].arg = out;
		out->to[k] = &out->sinks[k];
		out->interactive |= isatty(k + 1);
	}
	/* Two queues into one file would tear each other's lines. */
	if (same_file(STDOUT_FILENO, STDERR_FILENO))
		out->to[1] = &out->sinks[0];
	say_set_writer(say_line, out);
	return 0;
}

void output_fini(struct output *out)
{
	say_set_writer(NULL, NULL);
	output_close(out);
	sink_fini(&out->sinks[0]);
	sink_fini(&out->sinks[1]);
	repeats_fini(&out->repeats);
	free(out->streams);
	out->streams = NULL;
}

static int open_file(const struct output *out, int rank, int k)
{
	static const char *const names[] = {"out", "err"};
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/rank.%d.%s", out->job->opt->output_dir,
		 rank, names[k]);
	/* Others may be allowed to make files in this directory: follow no
	 * links, and do not wait for a reader of a FIFO. */
	fd = open(path,
		  O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW |
		      O_NONBLOCK,
		  0666);
	if (fd < 0)
		say_error("cannot write %s: %s", path,
			  errno == ELOOP   ? "it is a symbolic link"
			  : errno == ENXIO ? "it is a FIFO that nobody reads"
					   : strerror(errno));
	else
		fcntl(fd, F_SETFL, 0);
	return fd;
}

/* Makes a terminal that passes bytes on as they are, as wide as ours: programs
 * with colours, and those that write by lines to a terminal only, do as without
 * mrun. Returns false if there is none to be had. */
static bool open_terminal(int fds[2])
{
	struct termios mode;
	struct winsize size;

	fds[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fds[0] < 0)
		return false;
	fds[1] = unlockpt(fds[0]) ? -1
				  : ioctl(fds[0], TIOCGPTPEER,
					  O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (fds[1] < 0) {
		close(fds[0]);
		return false;
	}
	tcgetattr(fds[1], &mode);
	cfmakeraw(&mode);
	tcsetattr(fds[1], TCSANOW, &mode);
	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		ioctl(fds[0], TIOCSWINSZ, &size);
	return true;
}

static int open_pipe(struct output *out, int rank, int k)
{
	struct stream *s = &out->streams[2 * rank + k];
	int fds[2];

	if (!(k == 0 && isatty(STDOUT_FILENO) && open_terminal(fds)) &&
	    pipe2(fds, O_CLOEXEC)) {
		say_error("cannot make a pipe for rank %d: %s", rank,
			  strerror(errno));
		return -1;
	}
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	s->out = out;
	s->sink = out->to[k];
	s->rank = rank;
	s->number = k;
	s->source.drained = stream_drained;
	s->watch.fd = fds[0];
	s->watch.ready = stream_ready;
	s->open = true;
	out->open++;
	loop_add(&s->watch, LOOP_READ);
	return fds[1];
}

int output_open(struct output *out, int rank, int fds[2])
{
	for (int k = 0; k < 2; k++) {
		fds[k] = out->job->opt->output_dir ? open_file(out, rank, k)
						   : open_pipe(out, rank, k);
		if (fds[k] < 0) {
			if (k == 1)
				close(fds[0]);
			return EXIT_RESOURCE;
		}
	}
	return 0;
}

int output_timeout_ms(const struct output *out)
{
	int ms = repeats_timeout_ms(&out->repeats);

	for (int i = 0; out->interactive && i < 2 * out->job->nranks; i++)
		if (out->streams[i].open && out->streams[i].len > 0)
			return loop_shorter(ms, PROMPT_MS / 2);
	return ms;
}

void output_flush(struct output *out)
{
	uint64_t now = clock_ns();

	repeats_tell_quiet(&out->repeats);
	if (!out->interactive)
		return;
	for (int i = 0; i < 2 * out->job->nranks; i++) {
		struct stream *s = &out->streams[i];

		/* what waits for a slow terminal is no prompt */
		if (s->open && s->len > 0 && s->source.pending == 0 &&
		    now - s->since_ns > PROMPT_MS * 1000000ull)
			pass_on(s, true);
	}
}

/* Reads what is in the pipe. The limit is for writers that never stop; a pipe
 * seldom holds more than a mebibyte. */
static void empty_pipe(struct stream *s)
{
	for (int k = 0; s->open && k < 32 && read_stream(s); k++)
		;
}

void output_catch_up(struct output *out, int rank)
{
	empty_pipe(&out->streams[2 * rank]);
	empty_pipe(&out->streams[2 * rank + 1]);
}

void output_close(struct output *out)
{
	for (int i = 0; i < 2 * out->job->nranks; i++) {
		empty_pipe(&out->streams[i]);
		close_stream(&out->streams[i]);
	}
	repeats_tell(&out->repeats);
}

bool output_delivered(const struct output *out)
{
	return sink_empty(&out->sinks[0]) && sink_empty(&out->sinks[1]);
}
