/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halo.h: which vector entries each rank sends to which other, so that every
 * rank has exactly the foreign entries that its rows refer to. Built once, and
 * used for each matrix product.
 */
#ifndef KERNELS_HALO_H
#define KERNELS_HALO_H

#include "apps/kernels/csr.h"

#include <mrt.h>

/* Entries exchanged with one rank: [offset, offset + count) of the halo if
 * received; of index[] and packed[] if sent. */
struct halo_peer {
	int rank;
	int offset;
	int count;
};

struct halo {
	int own;     /* vector entries that this rank owns */
	int foreign; /* entries received, stored after the own ones */
	int nrecv;
	int nsend;
	struct halo_peer *recv;
	struct halo_peer *send;
	int *index;	/* own entries to send, grouped by peer */
	double *packed; /* values of these entries */
	struct mrt_request **requests;
};

/*
 * Builds *h for rows bounds[rank] .. bounds[rank + 1] - 1 of a matrix, and
 * renumbers their columns from global ones: own entries from 0, then foreign
 * ones in ascending order. The order within a row is kept, so that its sum does
 * not depend on the distribution. Collective.
 */
void halo_build(struct halo *h, struct csr *rows, const int *bounds);
void halo_fini(struct halo *h);

/*
 * Exchange entries of x, which has own + foreign entries. Between start and
 * finish own entries may be read, and nothing may be written; foreign entries
 * are valid after finish.
 */
void halo_start(struct halo *h, double *x);
void halo_finish(struct halo *h);

#endif
