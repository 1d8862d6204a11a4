/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure.c: one rank of a job of `mrt-scale run`. A sample times some calls
 * after a barrier, on the slowest rank. Samples are taken until the confidence
 * interval of their median is narrow (Hoefler and Belli, SC'15).
 */
#include "tools/scale/measure.h"

#include "apps/common/app.h"
#include "tools/common/quantile.h"
#include "tools/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define W MRT_COMM_WORLD
#define BATCH 10 /* samples between two checks of the interval */

static double measure_width(const double *us, int n)
{
	double *sorted = scale_alloc((size_t)n, sizeof(*sorted)), wide;

	memcpy(sorted, us, (size_t)n * sizeof(*us));
	quantile_sort(sorted, n);
	wide = quantile_width(sorted, n);
	free(sorted);
	return wide;
}

static void measure_progress(const struct measure *m, const struct point *p,
			     int n, double wide)
{
	if (!m->tune.progress)
		return;
	fprintf(stderr, "\r%d ranks: %s %s %zu bytes, %d samples", p->ranks,
		p->test, p->way, p->bytes, n);
	if (isfinite(wide))
		fprintf(stderr, " +-%.1f %%", wide * 100);
	fputs(" \033[K", stderr);
}

int measure_lacks(struct measure *m, const struct point *p)
{
	int lacks = m->tune.me == 0 && !study_has(m->o->output, p);

	mrt_bcast(&lacks, 1, MRT_INT, 0, W);
	return lacks;
}

/* Takes all samples of a point into m->us, and returns their number. */
static int sample_all(struct measure *m, const struct point *p,
		      measure_fn *sample, void *arg)
{
	const struct measure_options *o = m->o;
	double start = mrt_wtime();
	int n = 0, more = 1;

	while (more) {
		int k = o->most - n < BATCH ? (int)o->most - n : BATCH;
		double wide;

		sample(m, p, arg, m->us + n, k);
		mrt_allreduce(MRT_IN_PLACE, m->us + n, (size_t)k, MRT_DOUBLE,
			      MRT_MAX, W);
		n += k;
		wide = measure_width(m->us, n);
		measure_progress(m, p, n, wide);
		more = n < o->most &&
		       (n < o->least ||
			(wide > o->width && mrt_wtime() - start < o->limit));
		mrt_bcast(&more, 1, MRT_INT, 0, W);
	}
	return n;
}

int measure_point(struct measure *m, struct point *p, measure_fn *sample,
		  void *arg)
{
	int code = 0;

	p->n = sample_all(m, p, sample, arg);
	p->us = m->us;
	if (m->tune.me == 0) {
		if (!m->job[0])
			code = measure_job(m);
		snprintf(p->job, sizeof(p->job), "%s", m->job);
		code = code ? code : study_write(m->o->output, p);
	}
	p->us = NULL;
	m->measured++;
	mrt_bcast(&code, 1, MRT_INT, 0, W);
	return code;
}

static void get_buffers(struct measure *m)
{
	struct tune *t = &m->tune;
	size_t bytes = TUNE_BYTES;

	for (int k = 0; k < m->o->sizes.n; k++)
		if (m->o->sizes.bytes[k] > bytes)
			bytes = m->o->sizes.bytes[k];
	t->sizes = m->o->sizes;
	t->send = app_alloc(bytes, 1);
	t->recv = app_alloc(bytes, 1);
	t->counts = app_alloc((size_t)t->ranks, sizeof(*t->counts));
	t->displs = app_alloc((size_t)t->ranks, sizeof(*t->displs));
	m->places = app_alloc((size_t)t->ranks, sizeof(*m->places));
	m->us = app_alloc((size_t)m->o->most, sizeof(*m->us));
	mrt_comm_places(W, m->places);
}

static void free_buffers(struct measure *m)
{
	free(m->tune.send);
	free(m->tune.recv);
	free(m->tune.counts);
	free(m->tune.displs);
	free(m->places);
	free(m->us);
}

static int measure_test(struct measure *m, const char *name)
{
	if (!strcmp(name, "pairs"))
		return measure_pairs(m);
	for (const struct tune_collective *c = tune_collectives; c->name; c++)
		if (!strcmp(c->name, name))
			return measure_collective(m, c);
	return APP_USAGE;
}

static int measure_all(struct measure *m)
{
	char copy[1024], *words = copy, *word;
	int code = 0;

	snprintf(copy, sizeof(copy), "%s", m->o->tests);
	while (!code && (word = strsep(&words, ",")) != NULL)
		code = measure_test(m, word);
	if (m->tune.progress && m->measured)
		fputs("\r\033[K", stderr);
	return code;
}

int scale_worker(int argc, char **argv)
{
	static struct measure m;
	static struct measure_options o;
	int code = measure_parse(argc, argv, &o);

	if (code >= 0)
		return code;
	mrt_init(&argc, &argv);
	m.o = &o;
	m.tune.me = mrt_rank(W);
	m.tune.ranks = mrt_size(W);
	m.tune.progress = !o.quiet && app_progress_wanted();
	get_buffers(&m);
	code = measure_all(&m);
	free_buffers(&m);
	mrt_finalize();
	return code;
}
