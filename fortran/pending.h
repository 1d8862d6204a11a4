/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending.h: copies of array sections that nonblocking and persistent calls
 * work on. A copy belongs to a request, which it is known by as Fortran's
 * INTEGER, and goes back to its section when one of Fortran's calls finds the
 * request complete. A request that only C completes keeps its copy. All may be
 * called by any thread.
 */
#ifndef FORTRAN_PENDING_H
#define FORTRAN_PENDING_H

#include <stdbool.h>

#include "fortran/section.h"

/* The number of copies. Relaxed: who completes a request knows of its start. */
extern int pending_copies;

static inline bool pending_any(void)
{
	return __atomic_load_n(&pending_copies, __ATOMIC_RELAXED) > 0;
}

/* Gives a request the copy that a call has got for a section, unless the call
 * has failed; that of a constant buffer is only freed later. A persistent
 * request gets new contents when it starts. */
void pending_add(int rc, MPI_Fint request, const CFI_cdesc_t *buffer,
		 void *copy, bool constant, bool persistent);

/* Fills the copies of persistent requests that are about to start. */
void pending_start(long n, const MPI_Fint *requests);

/* Forgets the copies of a request that is freed. If it is active it may still
 * need their memory, which is never freed then. */
void pending_forget(MPI_Fint request);

/* Looks whether requests are complete after a call that has made handles of
 * them, and stores what they have received. */
void pending_settle(long n, const MPI_Fint *requests,
		    const MPI_Request *handles);

#endif
