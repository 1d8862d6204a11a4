/* SPDX-License-Identifier: Apache-2.0 */
/* calibrate_model.c: names the parameters that calibrate.h fits, and says where
 * in the description of a fabric each one is. */
#include "tools/scale/calibrate.h"

#include "tools/scale/fabric_file.h"

#include <math.h>

const char *const parameter_names[PARAMETERS] = {
    [P_CALL] = "call",
    [P_LATENCY] = "L, eager",
    [P_SEND] = "o_s",
    [P_RECEIVE] = "o_r",
    [P_COPIED] = "O_s + O_r, eager",
    [P_RENDEZVOUS] = "L, rendezvous",
    [P_BYTE] = "G",
    [P_BYTE_LONG] = "G, long messages",
    [P_REDUCE] = "reduce",
    [P_REDUCE_FAR] = "reduce_far",
    [P_COPY] = "copy",
    [P_COPY_FAR] = "copy_far",
    [P_CACHE] = "cache",
    [P_SPREAD] = "spread",
    [P_EXCHANGE] = "exchange",
    [P_FRESH] = "fresh",
    [P_FRESH_HUGE] = "fresh_huge",
    [P_JITTER] = "jitter",
    [P_TURN] = "turn",
    [P_NODE] = "factor inside a node"};

const char *const parameter_units[PARAMETERS] = {[P_CALL] = "ns",
						 [P_LATENCY] = "ns",
						 [P_SEND] = "ns",
						 [P_RECEIVE] = "ns",
						 [P_COPIED] = "ns/byte",
						 [P_RENDEZVOUS] = "ns",
						 [P_BYTE] = "ns/byte",
						 [P_BYTE_LONG] = "ns/byte",
						 [P_REDUCE] = "ns/byte",
						 [P_REDUCE_FAR] = "ns/byte",
						 [P_COPY] = "ns/byte",
						 [P_COPY_FAR] = "ns/byte",
						 [P_CACHE] = "bytes",
						 [P_SPREAD] = "ns",
						 [P_EXCHANGE] = "",
						 [P_FRESH] = "ns/byte",
						 [P_FRESH_HUGE] = "ns/byte",
						 [P_JITTER] = "ns",
						 [P_TURN] = "ns",
						 [P_NODE] = ""};

/* Returns value, or `other` if it is 0 and has no logarithm. */
static double calibrate_model_either(double value, double other)
{
	return log(value > 0 ? value : other);
}

/*
 * These assumptions hold where a base fabric says nothing: half a microsecond
 * for a call and a quarter, or two switches, for a fourfold distance; vectors
 * of more than 16 MiB, which cost three times as much to reduce and copy.
 */
void parameters_of(const struct sim_fabric *base, double theta[PARAMETERS],
		   double width[PARAMETERS])
{
	const struct sim_link *link = &base->levels[SIM_LEAF];
	const struct sim_range *e = &link->ranges[0];
	const struct sim_range *r = &link->ranges[link->nranges - 1];
	const double values[PARAMETERS] = {
	    [P_CALL] = calibrate_model_either(base->call, 500),
	    [P_LATENCY] = calibrate_model_either(e->L, 1000),
	    [P_SEND] = calibrate_model_either(e->o_s, 40),
	    [P_RECEIVE] = calibrate_model_either(e->o_r, 110),
	    [P_COPIED] = calibrate_model_either(e->O_s + e->O_r, 0.04),
	    [P_RENDEZVOUS] = calibrate_model_either(r->L, 1000),
	    [P_BYTE] = calibrate_model_either(e->G, r->G),
	    [P_BYTE_LONG] = calibrate_model_either(r->G, 0.04),
	    [P_REDUCE] = calibrate_model_either(base->reduce, 0.03),
	    [P_REDUCE_FAR] = calibrate_model_either(
		base->cache > 0 ? base->reduce_far : 0, 3 * base->reduce),
	    [P_COPY] = calibrate_model_either(base->copy, 0.03),
	    [P_COPY_FAR] = calibrate_model_either(
		base->cache > 0 ? base->copy_far : 0, 3 * base->copy),
	    [P_CACHE] = calibrate_model_either(base->cache, 16 << 20),
	    [P_SPREAD] = calibrate_model_either(base->spread, 250),
	    [P_EXCHANGE] = calibrate_model_either(base->exchange, 1),
	    [P_FRESH] = calibrate_model_either(base->fresh, 0.5),
	    [P_FRESH_HUGE] = calibrate_model_either(base->fresh_huge, 0.15),
	    [P_JITTER] = calibrate_model_either(base->jitter, 100),
	    [P_TURN] = calibrate_model_either(base->turn, TURN_DEFAULT),
	    [P_NODE] = 0};

	for (int k = 0; k < PARAMETERS; k++) {
		theta[k] = values[k];
		width[k] = k == P_BYTE || k == P_EXCHANGE ? log(2) : log(3);
	}
}

static void set_link(struct sim_link *link, const struct sim_range *like,
		     const struct calibration *c, double farther)
{
	const double *v = c->value;
	struct sim_range r = {.max_bytes = c->eager,
			      .L = v[P_LATENCY] + farther,
			      .o_s = v[P_SEND],
			      .o_r = v[P_RECEIVE],
			      .g = like->g,
			      .G = v[P_BYTE],
			      .O_s = v[P_COPIED] / 2,
			      .O_r = v[P_COPIED] / 2};

	link->nranges = 0;
	link->ranges[link->nranges++] = r;
	r.O_s = r.O_r = 0;
	r.rendezvous = true;
	r.L = v[P_RENDEZVOUS] + farther;
	r.max_bytes = c->medium;
	link->ranges[link->nranges++] = r;
	if (c->medium == SIM_NO_LIMIT)
		return;
	r.G = v[P_BYTE_LONG];
	r.max_bytes = SIM_NO_LIMIT;
	link->ranges[link->nranges++] = r;
}

static void scale_link(struct sim_link *link, double by)
{
	for (int k = 0; k < link->nranges; k++) {
		struct sim_range *r = &link->ranges[k];

		r->L *= by;
		r->o_s *= by;
		r->o_r *= by;
		r->g *= by;
		r->G *= by;
		r->O_s *= by;
		r->O_r *= by;
	}
}

void parameters_apply(struct calibration *c, const struct sim_fabric *base,
		      const double theta[PARAMETERS])
{
	struct sim_fabric *f = &c->fabric;
	const struct sim_range leaf = base->levels[SIM_LEAF].ranges[0];
	const struct sim_range other = base->levels[SIM_OTHER].ranges[0];
	double *v = c->value;

	for (int k = 0; k < PARAMETERS; k++)
		v[k] = exp(theta[k]);
	*f = *base;
	f->call = v[P_CALL];
	f->reduce = v[P_REDUCE];
	f->copy = v[P_COPY];
	f->reduce_far = v[P_REDUCE_FAR];
	f->copy_far = v[P_COPY_FAR];
	f->cache = v[P_CACHE];
	f->spread = v[P_SPREAD];
	f->jitter = v[P_JITTER];
	f->turn = v[P_TURN];
	f->exchange = v[P_EXCHANGE];
	f->fresh = v[P_FRESH];
	f->fresh_huge = v[P_FRESH_HUGE];
	set_link(&f->levels[SIM_LEAF], &leaf, c, 0);
	set_link(&f->levels[SIM_OTHER], &leaf, c, fmax(0, other.L - leaf.L));
	scale_link(&f->levels[SIM_CACHE], v[P_NODE]);
	scale_link(&f->levels[SIM_NODE], v[P_NODE]);
}
