/* SPDX-License-Identifier: Apache-2.0 */
/* vb_memory.c: what a connected peer takes with its least receive buffers, by
 * the formulas of two devices: at most 96 KiB.
 * Soft-RoCE (Linux, rxe_queue.c) adds a header to a ring of a power of two of
 * entries, which are of a power of two of bytes. mlx5 (rdma-core,
 * mlx5_calc_sq_size) rounds up all entries together, and keeps 16 bytes for
 * each block of 64. */
#include "runtime/fabric/verbs/verbs.h"

#include <rdma/rdma_user_rxe.h>

#include "tests/tap.h"

enum {
	LIMIT = 96 << 10,
	PAGE = 4096,
	RECV = 8192,	     /* MRT_IB_EAGER_MAX and a head */
	MLX5_OVERHEAD = 192, /* of an entry: segments that precede its data */
	MLX5_QP = 1536	     /* struct mlx5_qp and its doorbell, about */
};

static size_t power_of_two(size_t n)
{
	size_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

static size_t round_up(size_t n, size_t to)
{
	return (n + to - 1) / to * to;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t rxe(size_t sq, size_t len, size_t sge)
{
	size_t entry = sizeof(struct rxe_send_wqe) +
		       larger(len, sge * sizeof(struct rxe_sge));

	return round_up(sizeof(struct rxe_queue_buf) +
			    power_of_two(sq + 1) * power_of_two(entry),
			PAGE);
}

static size_t mlx5(size_t sq, size_t len, size_t sge)
{
	size_t entry = round_up(
	    MLX5_OVERHEAD + larger(round_up(4 + len, 16), sge * 16), 64);
	size_t ring = power_of_two(sq * entry);

	return round_up(ring, PAGE) + ring / 64 * 16 + MLX5_QP;
}

/* Returns the bytes beside the queue pair. */
static size_t others(void)
{
	return sizeof(struct vb_ep) + sizeof(struct vb_card) +
	       (VB_SQ + 1) * sizeof(struct vb_slot) + VB_WINDOW_MIN * RECV;
}

static void check(const char *device, size_t qp)
{
	ok(qp + others() <= LIMIT, "%s: %zu + %zu bytes for a connected peer",
	   device, qp, others());
}

int main(void)
{
	/* measured, by the mappings of /dev/infiniband */
	is_int(rxe(63, 48, 3), 20 << 10, "the ring of 63 takes 20 KiB");
	is_int(rxe(VB_SQ, VB_INLINE, VB_SGE), 36 << 10,
	       "that of up to 256 peers 36 KiB");
	check("Soft-RoCE", rxe(VB_SQ, VB_INLINE, VB_SGE));
	check("mlx5", mlx5(VB_SQ, VB_INLINE, VB_SGE));
	return tap_done();
}
