/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halo.h: who sends which vector entries to whom, so that every rank has the
 * entries of other ranks that its rows refer to, and no others. Built once,
 * started once a matrix product.
 */
#ifndef KERNELS_HALO_H
#define KERNELS_HALO_H

#include "apps/kernels/csr.h"

#include <mrt.h>

/* Entries exchanged with one rank: [offset, offset + count) of the halo when
 * received, of index[] and packed[] when sent. */
struct halo_peer {
	int rank;
	int offset;
	int count;
};

struct halo {
	int own;     /* entries of the vector that this rank owns */
	int foreign; /* entries received, behind the own ones */
	int nrecv;
	int nsend;
	struct halo_peer *recv;
	struct halo_peer *send;
	int *index;	/* own entries to send, per peer */
	double *packed; /* their values */
	struct mrt_request **requests;
};

/*
 * Builds *h for rows bounds[rank] .. bounds[rank + 1] - 1 of a matrix and
 * renumbers their columns from global ones: own entries from 0, then foreign
 * ones in ascending order. The order within a row stays, so that a row's sum
 * does not depend on the distribution. Collective.
 */
void halo_build(struct halo *h, struct csr *rows, const int *bounds);
void halo_fini(struct halo *h);

/*
 * x has own + foreign entries. Between start and finish the own ones may be
 * read, nothing written; the foreign ones are valid after finish.
 */
void halo_start(struct halo *h, double *x);
void halo_finish(struct halo *h);

#endif
