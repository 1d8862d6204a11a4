/* SPDX-License-Identifier: Apache-2.0 */
/* measure_coll.c: measures a collective over algorithms and sizes. */
#include "tools/scale/measure.h"

#include "apps/common/app.h"

#include <stdlib.h>
#include <string.h>

#define W MRT_COMM_WORLD

struct calls {
	const struct tune_times *times;
	size_t bytes;
	long calls;
};

static void measure_coll_sample(struct measure *m, const struct point *p,
				void *arg, double *us, int k)
{
	const struct calls *c = arg;

	for (int i = 0; i < k; i++)
		us[i] = tune_run(&m->tune, c->times, c->bytes, c->calls) /
			(double)c->calls * 1e6;
}

static int has_algorithm(const char *collective, const char *way)
{
	size_t argument, len = strcspn(way, ":");
	const char *name;

	for (int k = 0; (name = mrt_algorithm_name(collective, k, &argument));
	     k++)
		if (strlen(name) == len && !strncmp(name, way, len))
			return 1;
	return 0;
}

/* Keeps only the algorithms that were asked for; returns 1 if the default is
 * among them. A name that this collective lacks may belong to another one. */
static int choose_ways(struct tune_times *times, const char *list)
{
	char copy[1024], *words = copy, *word;
	int with_default = 0;

	if (!strcmp(list, "all"))
		return 1;
	snprintf(copy, sizeof(copy), "%s", list);
	times->nways = 1;
	while ((word = strsep(&words, ",")) != NULL) {
		if (!strcmp(word, "default"))
			with_default = 1;
		else if (has_algorithm(times->collective->name, word) &&
			 times->nways < TUNE_WAYS)
			snprintf(times->way[times->nways++], TUNE_NAME, "%s",
				 word);
	}
	return with_default;
}

/* Measures one point, if its algorithm fits. A sample has an even number of
 * calls if roots alternate, and at least one call. */
static int measure_way(struct measure *m, struct tune_times *times, int way,
		       size_t bytes)
{
	struct calls calls = {.times = times, .bytes = bytes};
	struct point p = {.ranks = m->tune.ranks, .bytes = bytes};

	snprintf(p.test, STUDY_NAME, "%s", times->collective->name);
	snprintf(p.way, STUDY_NAME, "%s", times->way[way]);
	if (!measure_lacks(m, &p))
		return 0;
	tune_use(times, way);
	if (way && !tune_fits(times, way, bytes))
		return 0;
	mrt_chosen_algorithm(times->collective->name, bytes, W, p.chosen,
			     STUDY_NAME);
	calls.calls = tune_calls(&m->tune, times, bytes, m->o->sample);
	p.calls = calls.calls;
	return measure_point(m, &p, measure_coll_sample, &calls);
}

int measure_collective(struct measure *m, const struct tune_collective *c)
{
	struct tune_times *times = app_alloc(1, sizeof(*times));
	int code = 0, from;

	tune_prepare(&m->tune, c, times);
	from = !choose_ways(times,
			    m->o->algorithms ? m->o->algorithms : "default");
	for (int k = 0; k < times->nsizes; k++)
		for (int w = from; w < times->nways && !code; w++)
			code = measure_way(m, times, w, times->bytes[k]);
	tune_use(times, 0);
	free(times);
	return code;
}
