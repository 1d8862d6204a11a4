/* SPDX-License-Identifier: Apache-2.0 */
/* vb_bufs.c: registers the chunks of vb_bufs.h. */
#include "runtime/fabric/verbs/vb_bufs.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/base/page.h"

void vb_bufs_init(struct vb_bufs *bufs, struct ibv_pd *pd, size_t len,
		  uint32_t max)
{
	*bufs = (struct vb_bufs){pd, len, max, VB_NO_BUF, 0, NULL};
}

static size_t chunk_len(const struct vb_bufs *bufs)
{
	return page_align(VB_CHUNK * bufs->len);
}

static void chunk_free(const struct vb_bufs *bufs, struct vb_chunk *chunk)
{
	if (chunk->mr)
		ibv_dereg_mr(chunk->mr);
	if (chunk->base)
		munmap(chunk->base, chunk_len(bufs));
}

void vb_bufs_fini(struct vb_bufs *bufs)
{
	for (uint32_t c = 0; c < bufs->count / VB_CHUNK; c++)
		chunk_free(bufs, &bufs->chunks[c]);
	free(bufs->chunks);
	vb_bufs_init(bufs, bufs->pd, bufs->len, bufs->max);
}

int vb_bufs_grow(struct vb_bufs *bufs)
{
	uint32_t c = bufs->count / VB_CHUNK;
	struct vb_chunk chunk = {NULL, NULL}, *more;
	int err;

	if (bufs->count + VB_CHUNK > bufs->max)
		return ENOBUFS;
	more = realloc(bufs->chunks, (c + 1) * sizeof(*more));
	if (!more)
		return ENOMEM;
	bufs->chunks = more;
	chunk.base = mmap(NULL, chunk_len(bufs), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (chunk.base == MAP_FAILED)
		return ENOMEM;
	chunk.mr = ibv_reg_mr(bufs->pd, chunk.base, chunk_len(bufs),
			      IBV_ACCESS_LOCAL_WRITE);
	if (!chunk.mr) {
		err = errno ? errno : ENOMEM;
		chunk_free(bufs, &chunk);
		return err;
	}
	bufs->chunks[c] = chunk;
	bufs->count += VB_CHUNK;
	for (uint32_t k = bufs->count; k-- > c * VB_CHUNK;)
		vb_buf_put(bufs, k);
	return 0;
}
