/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_modex.c: the lowest rank of a node gets the cards of all (modex.h). They
 * lie where later the buffers of collectives are, and are read and written by
 * the file's descriptor, as only one rank needs them, once.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/sm/sm_segment.h"

static off_t place_of(const struct sm *sm, int slot)
{
	return (off_t)(sm->seg_size + (size_t)slot * SM_BULK_SLOT);
}

static int modex_failed(const struct sm *sm, const char *what, int slot)
{
	return log_error(error_from_errno(errno),
			 "cannot %s the endpoint of rank %d in the shared "
			 "memory of this node: %s",
			 what, sm->job->node_ranks[slot], strerror(errno));
}

int sm_put_far(struct fab_node *node, const struct fab *far)
{
	struct sm *sm = sm_of_node(node);
	struct fab_home *home = &sm->homes[sm->slot];
	size_t len = far ? far->card_len : 0;

	home->far_provider = far ? far->provider : FAB_NOTHING;
	home->far_software = far && far->software;
	home->card_len = len;
	if (sm->slots == 1)
		return 0; /* nobody shares it */
	if (len > SM_BULK_SLOT)
		return log_error(MRT_ERR_RESOURCE,
				 "an endpoint of %zu bytes is too long: lower "
				 "MRT_MESH_MAX",
				 len);
	for (size_t at = 0; at < len;) {
		ssize_t n =
		    pwrite(sm->fd, (const char *)far->card + at, len - at,
			   place_of(sm, sm->slot) + (off_t)at);

		if (n <= 0)
			return modex_failed(sm, "put", sm->slot);
		at += (size_t)n;
	}
	return 0;
}

ssize_t sm_card_of(struct fab_node *node, int rank, void *card)
{
	const struct sm *sm = sm_of_node(node);
	int slot = boot_local_index(sm->job, rank);
	size_t len = sm->homes[slot].card_len;

	for (size_t at = 0; card && at < len;) {
		ssize_t n = pread(sm->fd, (char *)card + at, len - at,
				  place_of(sm, slot) + (off_t)at);

		if (n <= 0)
			return modex_failed(sm, "read", slot);
		at += (size_t)n;
	}
	return (ssize_t)len;
}
