/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claim.c is preloaded and lets the ports of a device claim to be InfiniBand.
 * It replaces dlvsym, by which libmrt finds libibverbs' functions.
 *
 *   CLAIM_INFINIBAND=DEVICE  the device
 *   CLAIM_RANK=R             only at this rank (PMIX_RANK)
 */
#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <string.h>

static struct {
	struct ibv_context *(*open_device)(struct ibv_device *);
	int (*query_port)(struct ibv_context *, uint8_t, struct ibv_port_attr *,
			  size_t);
} real;

static int query_port(struct ibv_context *context, uint8_t port,
		      struct ibv_port_attr *attr, size_t len)
{
	const char *device = getenv("CLAIM_INFINIBAND");
	const char *mine = getenv("PMIX_RANK"), *rank = getenv("CLAIM_RANK");
	int rc = real.query_port(context, port, attr, len);

	if (device && !strcmp(device, context->device->name) && mine &&
	    (!rank || !strcmp(rank, mine)))
		attr->link_layer = IBV_LINK_LAYER_INFINIBAND;
	return rc;
}

static struct ibv_context *open_device(struct ibv_device *device)
{
	struct ibv_context *context = real.open_device(device);
	struct verbs_context *more =
	    context ? verbs_get_ctx_op(context, query_port) : NULL;

	if (more) {
		real.query_port = more->query_port;
		more->query_port = query_port;
	}
	return context;
}

typedef void *(*lookup)(void *, const char *, const char *);

__attribute__((visibility("default"))) void *
dlvsym(void *library, const char *name, const char *version)
{
	void *at = dlsym(RTLD_NEXT, "dlvsym"), *found;
	lookup next;

	memcpy(&next, &at, sizeof(next));
	found = next(library, name, version);
	if (!found || strcmp(name, "ibv_open_device") != 0)
		return found;
	memcpy(&real.open_device, &found, sizeof(found));
	return open_device;
}
