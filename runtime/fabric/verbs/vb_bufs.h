/* SPDX-License-Identifier: Apache-2.0 */
/* vb_bufs.h: registered buffers of one length, by number. The set grows by
 * chunks and never shrinks before the end. It holds messages of the receive
 * queue, and messages to send that are too long for a work request. */
#ifndef VERBS_VB_BUFS_H
#define VERBS_VB_BUFS_H

#include <infiniband/verbs.h>
#include <stddef.h>
#include <stdint.h>

enum { VB_CHUNK = 8 }; /* buffers per registration */
#define VB_NO_BUF UINT32_MAX

struct vb_chunk {
	char *base;
	struct ibv_mr *mr;
};

struct vb_bufs {
	struct ibv_pd *pd;
	size_t len;
	uint32_t max;  /* most buffers */
	uint32_t free; /* first free buffer; VB_NO_BUF: none */
	uint32_t count;
	struct vb_chunk *chunks;
};

/* Makes the set empty; nothing is registered yet. */
void vb_bufs_init(struct vb_bufs *bufs, struct ibv_pd *pd, size_t len,
		  uint32_t max);
void vb_bufs_fini(struct vb_bufs *bufs);
/* Adds a chunk. Returns 0 or an errno value. */
int vb_bufs_grow(struct vb_bufs *bufs);

static inline char *vb_buf(const struct vb_bufs *bufs, uint32_t k)
{
	return bufs->chunks[k / VB_CHUNK].base + k % VB_CHUNK * bufs->len;
}

static inline uint32_t vb_buf_lkey(const struct vb_bufs *bufs, uint32_t k)
{
	return bufs->chunks[k / VB_CHUNK].mr->lkey;
}

/* Gets a free buffer, or VB_NO_BUF if there is none and cannot be more now. */
static inline uint32_t vb_buf_get(struct vb_bufs *bufs)
{
	uint32_t k = bufs->free;

	if (__builtin_expect(k == VB_NO_BUF, 0)) {
		if (vb_bufs_grow(bufs))
			return VB_NO_BUF;
		k = bufs->free;
	}
	/* a free buffer begins with the number of the next one */
	bufs->free = *(const uint32_t *)(const void *)vb_buf(bufs, k);
	return k;
}

static inline void vb_buf_put(struct vb_bufs *bufs, uint32_t k)
{
	*(uint32_t *)(void *)vb_buf(bufs, k) = bufs->free;
	bufs->free = k;
}
#endif
