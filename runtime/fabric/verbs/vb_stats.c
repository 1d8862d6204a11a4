/* SPDX-License-Identifier: Apache-2.0 */
/* vb_stats.c: counters for MRT_STATS: the provider's own, and those of the
 * device at its port since open (retries, receiver-not-ready), named like their
 * files in sysfs. The latter are of the whole device, for all its users. */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/env.h"
#include "runtime/base/counters.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/verbs/vb_rma.h"

static void read_counter(struct counters *t, const char *folder,
			 const char *name)
{
	char path[PATH_MAX];
	unsigned long long value;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fscanf(f, "%llu", &value) == 1)
		counters_add(t, "port", name, value);
	fclose(f);
}

/* Reads the device's counters; none if it has none. */
static void read_port(const struct vb *vb, struct counters *t)
{
	const struct ibv_device *device = vb->dev.context->device;
	char folder[sizeof(device->ibdev_path) + 40];
	const struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/ports/%d/hw_counters",
		 device->ibdev_path, vb->dev.port);
	t->n = 0;
	dir = opendir(folder);
	if (!dir)
		return;
	while ((entry = readdir(dir)))
		/* lifespan, ms for which the kernel keeps values, is no
		 * counter */
		if (entry->d_name[0] != '.' &&
		    strcmp(entry->d_name, "lifespan") != 0)
			read_counter(t, folder, entry->d_name);
	closedir(dir);
}

void vb_stats_open(struct vb *vb)
{
	if (!env.stats && !*env.stats_file)
		return;
	vb->port_start = malloc(sizeof(*vb->port_start));
	if (vb->port_start)
		read_port(vb, vb->port_start);
}

void vb_stats_close(struct vb *vb)
{
	free(vb->port_start);
	vb->port_start = NULL;
}

static void add_port(const struct vb *vb, struct counters *t)
{
	struct counters now;

	read_port(vb, &now);
	for (uint64_t k = 0; k < now.n && k < vb->port_start->n; k++)
		counters_add(t, "port", now.row[k].name,
			     now.row[k].value - vb->port_start->row[k].value);
}

static void add_memory(const struct vb *vb, struct counters *t)
{
	const struct mr_stats *mr = &vb->rma.cache.stats;
	uint64_t connected = 0;

	list_for_each (it, &vb->conn.open) {
		const struct vb_ep *ep = list_entry(it, struct vb_ep, open);

		connected += ep->state == VB_READY || ep->state == VB_HALF;
	}
	counters_add(t, "verbs", "registrations found", mr->hits);
	counters_add(t, "verbs", "registrations made", mr->misses);
	counters_add(t, "verbs", "registrations evicted", mr->evictions);
	counters_add(t, "verbs", "registrations invalidated",
		     mr->invalidations);
	counters_add_level(t, "verbs", "registered bytes now", mr->bytes);
	counters_add_level(t, "verbs", "receive buffers posted",
			   vb->conn.posted);
	counters_add_level(t, "verbs", "bytes of message buffers",
			   vb->conn.rx.count * vb->conn.rx.len +
			       vb->conn.tx.count * vb->conn.tx.len);
	counters_add_level(t, "verbs", "queue pairs connected", connected);
}

void vb_stats(struct fab *fab, struct counters *t)
{
	const struct vb *vb = (const struct vb *)fab;
	struct vb_counts sum = vb->counts;
	const struct vb_counts *c = &sum;

	if (vb->second) {
#define X(member, name) sum.member += vb->second->counts.member;
		VB_COUNTS(X)
#undef X
	}

	/* all posted work requests that are nothing else */
	counters_add(t, "verbs", "messages sent",
		     c->wrs - c->reads - c->writes - c->atomics - c->probes);
#define X(member, name) counters_add(t, "verbs", name, c->member);
	VB_COUNTS(X)
#undef X
	add_memory(vb, t);
	if (vb->port_start)
		add_port(vb, t);
}
