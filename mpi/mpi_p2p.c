/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_p2p.c: point to point (MPI 4.1, chapter 3). A negative count becomes a
 * size_t beyond any bound, which libmrt finds.
 */
#include "mpi/mpi_impl.h"

#define COUNT int
#define NAME(name) name
#include "mpi/mpi_p2p_body.h"
#undef COUNT
#undef NAME

#define COUNT MPI_Count
#define NAME(name) name##_c
#include "mpi/mpi_p2p_body.h"
