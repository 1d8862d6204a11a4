/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit_tables.c: fits a fabric to tables (calibrate.h), and judges the fit by
 * cross validation: for each number of ranks but the largest, a fabric is
 * fitted to the times of no more ranks, and predicts those of more.
 */
#include "apps/common/app.h"
#include "tools/scale/calibrate.h"
#include "tools/scale/fabric_file.h"
#include "tools/common/quantile.h"
#include "tools/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_parameters(const struct calibration *c)
{
	printf("# fitted to %d rows; 80 %% intervals\n", c->rows);
	for (int k = 0; k < PARAMETERS; k++)
		printf("# %-22s %10.4g  %10.4g .. %-10.4g %-8s%s\n",
		       parameter_names[k], c->value[k], c->low[k], c->high[k],
		       parameter_units[k],
		       c->left[k] > CALIBRATE_LEFT ? " not determined" : "");
	printf("# eager messages to %llu bytes", (unsigned long long)c->eager);
	if (c->medium != SIM_NO_LIMIT)
		printf(", long ones from %llu bytes on",
		       (unsigned long long)c->medium + 1);
	putchar('\n');
}

/* Returns the least number of ranks in the table that is larger than `ranks`; 0
 * if there is none. */
static int next_ranks(const struct times *t, int ranks)
{
	int next = 0;

	for (int i = 0; i < t->n; i++) {
		int n = times_ranks(&t->rows[i]);

		if (n > ranks && (!next || n < next))
			next = n;
	}
	return next;
}

/* Adds what a fit to at most `ranks` ranks predicts for more of them. */
static void hold_out(const struct fit_tables *fit, const struct times *t,
		     const struct sim_fabric *base, int ranks,
		     struct times *held)
{
	struct calibration c;
	struct times part = {0};

	calibrate(t, ranks, base, &fit->run.topology, &c);
	for (int i = 0; i < t->n; i++) {
		struct times_row row = t->rows[i];

		if (times_ranks(&row) <= ranks)
			continue;
		times_predict(&row, &c.fabric, &fit->run.topology);
		*times_add(&part) = row;
		/* a call that several fits predict is not the same call */
		snprintf(row.system, sizeof(row.system), "%d ranks fitted",
			 ranks);
		*times_add(held) = row;
	}
	printf("# ---- fitted to %d rows of up to %d ranks; larger ones:\n",
	       c.rows, ranks);
	times_report(&part, false);
	times_fini(&part);
}

static int most_nodes(const struct times *t)
{
	int most = 1;

	for (int i = 0; i < t->n; i++)
		if (t->rows[i].nodes > most)
			most = t->rows[i].nodes;
	return most;
}

static size_t most_bytes(const struct times *t)
{
	size_t most = 1;

	for (int i = 0; i < t->n; i++)
		if (t->rows[i].bytes > most)
			most = t->rows[i].bytes;
	return most;
}

static void set_band(const struct times *held, struct sim_fabric *f)
{
	double *ratios = scale_alloc((size_t)held->n, sizeof(*ratios));
	int n = 0;

	for (int i = 0; i < held->n; i++) {
		double ratio = held->rows[i].us / held->rows[i].predicted;

		if (isfinite(ratio))
			ratios[n++] = ratio;
	}
	quantile_sort(ratios, n);
	if (n >= QUANTILE_FEW) {
		f->p10 = quantile(ratios, n, 0.1);
		f->p90 = quantile(ratios, n, 0.9);
		printf("# band of predictions: %.3f .. %.3f times (10 %% .. "
		       "90 %% of what was held out)\n",
		       f->p10, f->p90);
	}
	free(ratios);
}

static int fit_tables_fit(const struct fit_tables *fit, struct times *t,
			  const struct sim_fabric *base)
{
	struct calibration c;
	struct times held = {0};
	int most = 0;

	for (int n = next_ranks(t, 0); n; n = next_ranks(t, n)) {
		if (next_ranks(t, n))
			hold_out(fit, t, base, n, &held);
		most = n;
	}
	if (held.n) {
		puts("# ---- all that was held out:");
		times_report(&held, false);
	}
	calibrate(t, most, base, &fit->run.topology, &c);
	puts("# ---- fitted to all:");
	for (int i = 0; i < t->n; i++)
		times_predict(&t->rows[i], &c.fabric, &fit->run.topology);
	times_report(t, false);
	print_parameters(&c);
	c.fabric.measured_nodes = most_nodes(t);
	c.fabric.levels[SIM_LEAF].measured_min = 1;
	c.fabric.levels[SIM_LEAF].measured_max = most_bytes(t);
	memset(c.fabric.low, 0, sizeof(c.fabric.low));
	memset(c.fabric.high, 0, sizeof(c.fabric.high));
	set_band(&held, &c.fabric);
	times_fini(&held);
	snprintf(c.fabric.name, sizeof(c.fabric.name), "fitted");
	return fabric_write(
	    &c.fabric, fit->output,
	    "mrt-scale fit, from tables of measured times; what "
	    "they do not determine is drawn to the base fabric",
	    NULL, 0);
}

/* Returns the row whose system is not that of the first one, or NULL. */
static const struct times_row *other_system(const struct times *t)
{
	for (int i = 1; i < t->n; i++)
		if (strcmp(t->rows[i].system, t->rows[0].system) != 0 &&
		    strcmp(t->rows[i].system, TIMES_OSU) != 0 &&
		    strcmp(t->rows[0].system, TIMES_OSU) != 0)
			return &t->rows[i];
	return NULL;
}

int fit_tables(const struct fit_tables *f, char **paths, int n)
{
	struct sim_fabric base;
	struct times t = {0};
	int code = fabric_read(&base, f->base);

	for (int k = 0; k < n && !code; k++)
		code = times_read(&t, paths[k], &f->run);
	if (!code && !t.n)
		code = scale_error(APP_DATAERR, "%s has no times to fit to",
				   paths[0]);
	if (!code && other_system(&t))
		code =
		    scale_error(APP_USAGE,
				"times of several systems: %s, %s, ...; choose "
				"one with --system",
				t.rows[0].system, other_system(&t)->system);
	code = code ? code : fit_tables_fit(f, &t, &base);
	times_fini(&t);
	return code;
}
