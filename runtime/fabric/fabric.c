/* SPDX-License-Identifier: Apache-2.0 */
/* fabric.c: the list of providers, and what concerns all open fabrics. */
#include "config.h"

#include "runtime/fabric/fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"

#if !defined(HAVE_VERBS) || !defined(HAVE_OFI)
static const char *fabric_absent(const struct boot_job *job)
{
	return "libmrt is built without it";
}
#endif
#ifndef HAVE_VERBS
const struct fab_ops verbs_ops = {.name = "verbs", .unfit = fabric_absent};
#endif
#ifndef HAVE_OFI
const struct fab_ops ofi_ops = {.name = "ofi", .unfit = fabric_absent};
#endif

/* clang-format off */
#define PROVIDER(name) &name##_ops,
const struct fab_ops *const fab_providers[] = {PROVIDERS(PROVIDER) NULL};
/* clang-format on */
const struct fab_ops *const *fab_list = fab_providers;

void fab_prepare(void)
{
	for (int i = 0; fab_list[i]; i++)
		if (fab_list[i]->prepare)
			fab_list[i]->prepare();
}

int fab_count(const struct fab *fabs)
{
	int n = 0;

	for (; fabs; fabs = fabs->next)
		n++;
	return n;
}

static void close_all(struct fab *fabs)
{
	if (!fabs)
		return;
	close_all(fabs->next);
	fabs->ops->close(fabs);
}

void fab_close(struct fab *fabs)
{
	close_all(fabs);
	modex_close();
}

static int unmade_send(struct fab_ep *ep, uint64_t hdr, const struct iovec *iov,
		       int n)
{
	return ERR_AGAIN;
}

static const struct fab_ops unmade_ops = {.name = "none", .send = unmade_send};
struct fab_ep fab_unmade = {.ops = &unmade_ops};

int fab_connect(struct fab *fabs, int peer, struct fab_ep **ep)
{
	int rc = MRT_ERR_NO_FABRIC;

	for (; fabs && rc == MRT_ERR_NO_FABRIC; fabs = fabs->next)
		rc = fabs->ops->connect(fabs, peer, ep);
	if (rc == MRT_ERR_NO_FABRIC)
		return log_error(rc, "no fabric reaches rank %d", peer);
	if (rc)
		return rc;
	list_init(&(*ep)->held);
	list_init(&(*ep)->blocked);
	return 0;
}

void fab_count_cpus(struct fab *fab, const struct boot_job *job)
{
	uint64_t mask[TOPO_MASK_WORDS];
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	int quota = topo_quota(), ranks = job->node_size;

	topo_affinity(mask);
	fab->node_cpus = topo_usable_cpus(mask, quota);
	/* bound to a few CPUs: other ranks are bound to others */
	if (fab->node_cpus < ranks)
		fab->node_cpus = (int)online;
	/* a rank that spins keeps the CPU from the device's own work */
	fab->crowded = ranks > (int)online || fab->software;
	fab->metered = quota && quota < 100 * ranks;
}

struct fab_region {
	struct fab *fabs;
	struct fab_mem *mem[]; /* [fab_count(fabs)] */
};

int fab_region_open(struct fab *fabs, void *addr, size_t len,
		    struct fab_region **region, struct fab_key *keys)
{
	size_t n = (size_t)fab_count(fabs);
	struct fab_region *r = calloc(1, sizeof(*r) + n * sizeof(r->mem[0]));
	int rc = 0;

	if (!r)
		return log_error(MRT_ERR_NO_MEM, "memory of %zu bytes", len);
	r->fabs = fabs;
	for (struct fab *fab = fabs; fab && !rc; fab = fab->next)
		rc = fab->ops->mem_register(fab, addr, len, FAB_KEPT,
					    &r->mem[fab->index],
					    &keys[fab->index]);
	if (rc)
		fab_region_close(r);
	else
		*region = r;
	return rc;
}

void fab_region_close(struct fab_region *region)
{
	if (!region)
		return;
	for (struct fab *fab = region->fabs; fab; fab = fab->next)
		if (region->mem[fab->index])
			fab->ops->mem_deregister(fab, region->mem[fab->index]);
	free(region);
}

const struct fab_mem *fab_region_mem(const struct fab_region *region,
				     const struct fab *fab)
{
	return region ? region->mem[fab->index] : NULL;
}
