/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit_tables.c: fits a fabric to tables (calibrate.h), and judges the fit by
 * cross validation: for each number of ranks but the largest, a fabric is
 * fitted to the times of no more ranks, and predicts those of more; and where
 * there are several collectives, for each one a fabric is fitted to the others.
 */
#include "apps/common/app.h"
#include "tools/scale/calibrate.h"
#include "tools/scale/fabric_file.h"
#include "tools/common/quantile.h"
#include "tools/scale/scale.h"

#include <limits.h>
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

/* Adds what a fit to some rows predicts for those that are held out. */
static void hold_out(const struct fit_tables *fit, const struct times *t,
		     const struct sim_fabric *base,
		     const struct calibrate_rows *rows,
		     const struct calibration *start, struct times *held)
{
	struct calibration c;
	struct times part = {0};
	char name[STUDY_NAME];

	calibrate(t, rows, base, &fit->run.topology, start, &c);
	if (rows->without)
		snprintf(name, sizeof(name), "without %s", rows->without);
	else
		snprintf(name, sizeof(name), "up to %d ranks", rows->max_ranks);
	for (int i = 0; i < t->n; i++) {
		struct times_row row = t->rows[i];

		if (!calibrate_holds_out(rows, &row))
			continue;
		times_predict(&row, &c.fabric, &fit->run.topology);
		*times_add(&part) = row;
		/* a call that several fits predict is not the same call */
		snprintf(row.system, sizeof(row.system), "%s", name);
		*times_add(held) = row;
	}
	printf("# ---- fitted to %d rows, %s; the others:\n", c.rows, name);
	times_report(&part, false);
	times_fini(&part);
}

/* Holds out one collective after the other, if there are at least three. */
static void hold_out_each(const struct fit_tables *fit, const struct times *t,
			  const struct sim_fabric *base,
			  const struct calibration *start, struct times *held)
{
	const char *names[COLLECTIVES];
	int n = 0;

	for (int i = 0; i < t->n; i++) {
		const char *name = times_name(&t->rows[i]);
		int k = 0;

		while (k < n && strcmp(names[k], name) != 0)
			k++;
		if (k == n && t->rows[i].kind == TIMES_COLLECTIVE)
			names[n++] = name;
	}
	for (int k = 0; k < n && n > 2; k++) {
		const struct calibrate_rows rows = {INT_MAX, names[k]};

		hold_out(fit, t, base, &rows, start, held);
	}
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
	struct calibrate_rows rows = {INT_MAX, NULL};
	struct calibration c;
	struct times held = {0};

	calibrate(t, &rows, base, &fit->run.topology, NULL, &c);
	for (int n = next_ranks(t, 0); next_ranks(t, n); n = next_ranks(t, n)) {
		rows.max_ranks = n;
		hold_out(fit, t, base, &rows, NULL, &held);
	}
	hold_out_each(fit, t, base, &c, &held);
	if (held.n) {
		puts("# ---- all that was held out:");
		times_report(&held, false);
	}
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
