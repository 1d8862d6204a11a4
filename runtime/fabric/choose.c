/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choose.c opens the fabrics of a job: one inside the nodes, and one between
 * them, on which the ranks agree. Each rank opens the first provider of the
 * list that its node can use, and publishes that. Nodes that are alike have
 * then agreed, at no cost. Otherwise all go on to the latest provider that any
 * of them has opened, as that one cannot use those before it, and publish
 * again: two fences and another request to each node. So they do if no network
 * of a provider joins all nodes. A job whose user names a fabric uses that or
 * none.
 */
#include "runtime/fabric/fabric.h"

#include <stdio.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"
#include "runtime/topo/switches.h"

struct choice {
	const struct boot_job *job;
	const struct fab_sink *sink;
	struct fab **fabs;    /* where the list of open fabrics begins */
	struct fab **far;     /* where the one between the nodes is in it */
	char why[MODEX_TEXT]; /* "n1 cannot use a (reason), b (reason)" or "" */
};

static void choice_add(struct choice *c, const char *name, const char *reason)
{
	size_t len = strlen(c->why), room = sizeof(c->why) - len;

	if (len)
		snprintf(c->why + len, room, ", %s (%s)", name, reason);
	else
		snprintf(c->why, room, "%.63s cannot use %s (%s)", c->job->host,
			 name, reason);
}

/* Whether MRT_FABRIC allows provider i: it is 0 for any, else a position in
 * PROVIDERS, counted from 1. */
static bool choice_allows(int i)
{
	return !env.fabric || env.fabric == i + 1;
}

/* Opens the first provider that can be used, from place `i` of the list on, and
 * that connects one node only or all. Opens nothing if there is none. */
static int choice_open_from(struct choice *c, int i, bool node_only,
			    struct fab **fab)
{
	int rc;

	for (; fab_list[i]; i++) {
		const char *reason;

		if (fab_list[i]->node_only != node_only || !choice_allows(i))
			continue;
		reason = fab_list[i]->unfit(c->job);
		if (!reason)
			break;
		choice_add(c, fab_list[i]->name, reason);
	}
	rc = fab_list[i] ? fab_list[i]->open(c->job, c->sink, fab) : 0;
	if (rc || !*fab)
		return rc;
	(*fab)->provider = i;
	(*fab)->index = fab != c->fabs;
	return 0;
}

static int choice_fail(const struct choice *c, const char *why)
{
	return log_error(MRT_ERR_NO_FABRIC,
			 "no fabric connects the %d ranks on %d node(s) %s: "
			 "%s; ranks on several nodes need an RDMA device on "
			 "each and a libmrt with verbs, or libfabric and a "
			 "network that it drives, such as TCP",
			 c->job->size, c->job->nnodes, c->job->nodes,
			 *why ? why : "MRT_FABRIC names one of one node only");
}

/* Goes on to another provider between the nodes, with all other ranks. */
static int choice_go_on(struct choice *c, int provider)
{
	struct fab *far = *c->far;
	int rc = 0;

	if (!far || far->provider < provider) {
		*c->far = NULL;
		if (far)
			far->ops->close(far);
		rc = choice_open_from(c, provider, false, c->far);
	}
	return rc ? rc : modex_renew(*c->far);
}

/* Wires the fabric between the nodes, after which few cards are asked for. If
 * it does not join them, `apart` says why and there may be others. */
static int choice_wire(struct choice *c)
{
	struct fab *far = *c->far;
	int rc = far->ops->wire(far);

	if (!rc)
		modex_forget();
	if (rc && far->apart) {
		choice_add(c, far->ops->name, far->apart);
		if (env.fabric)
			return choice_fail(c, c->why);
	}
	return rc;
}

/* Agrees with the other nodes on a fabric, and wires it. */
static int choice_agree(struct choice *c)
{
	char told[MODEX_TEXT] = ""; /* why it is not the first of the list */
	struct census all;
	int rc = modex_census(&all);

	while (!rc && all.most != FAB_NOTHING) {
		if (all.least == all.most) {
			rc = choice_wire(c);
			if (!rc && *told && !c->job->rank)
				log_warn("%s: between all nodes %s is used",
					 told, fab_list[all.most]->name);
			if (!rc || !(*c->far)->apart)
				return rc;
			all.most++;
			all.why = c->why;
		}
		snprintf(told, sizeof(told), "%s", all.why);
		rc = choice_go_on(c, all.most) ?: modex_census(&all);
	}
	return rc ? rc : choice_fail(c, all.why);
}

static int choice_connect(struct choice *c, struct fab *near)
{
	struct fab *far = *c->far;
	int rc = boot_fence();

	if (!rc && near != far)
		rc = near->ops->wire(near);
	if (!rc)
		rc = modex_open(c->job, near, far, c->why);
	if (rc || (!far && c->job->nnodes == 1))
		return rc;
	return near == far ? choice_wire(c) : choice_agree(c);
}

int fab_open(const struct boot_job *job, const struct fab_sink *sink,
	     struct fab **fabs)
{
	struct fab_sink own = *sink;
	struct choice c = {.job = job, .sink = &own, .fabs = fabs, .far = fabs};
	int rc = 0;

	*fabs = NULL;
	if (job->nnodes > 1 && !job->node_rank) /* it speaks for the node */
		rc = switches_learn(job->host, &own.switches);
	if (!rc)
		rc = choice_open_from(&c, 0, true, fabs);
	if (rc)
		return rc;
	if (*fabs)
		c.far = &(*fabs)->next;
	if (!*fabs || job->nnodes > 1)
		rc = choice_open_from(&c, 0, false, c.far);
	if (rc)
		return rc;
	if (!*fabs || (env.fabric && !*c.far && job->nnodes > 1))
		return choice_fail(&c, c.why);
	return choice_connect(&c, *fabs);
}
