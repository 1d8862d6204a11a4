/* SPDX-License-Identifier: Apache-2.0 */
/* romio_whole.c lets ROMIO, whose counts are ints, move more elements than an
 * int can count: as one element of a type that has all of them. */
#include <limits.h>
#include <stdlib.h>

#include "romio/romio.h"

enum { PIECE = 1 << 30 }; /* elements of the inner type */

/* `kept` has the types of operations that may be under way. */
static MPI_Datatype *kept;
static size_t nkept;

/* Returns a type of `count` elements, made of pieces of 2^30 elements and of
 * what is left over. */
static MPI_Datatype whole_type(MPI_Count count, MPI_Datatype type)
{
	MPI_Count lb, extent;
	MPI_Datatype parts[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
	MPI_Datatype piece = MPI_DATATYPE_NULL, whole = MPI_DATATYPE_NULL;
	const int ones[2] = {1, 1};
	MPI_Aint at[2] = {0, 0};

	PMPI_Type_get_extent_x(type, &lb, &extent);
	at[1] = (MPI_Aint)(count / PIECE * PIECE * extent);
	PMPI_Type_contiguous(PIECE, type, &piece);
	PMPI_Type_contiguous((int)(count / PIECE), piece, &parts[0]);
	PMPI_Type_contiguous((int)(count % PIECE), type, &parts[1]);
	PMPI_Type_create_struct(2, ones, at, parts, &whole);
	PMPI_Type_commit(&whole);
	PMPI_Type_free(&piece);
	PMPI_Type_free(&parts[0]);
	PMPI_Type_free(&parts[1]);
	return whole;
}

MPI_Datatype romio_whole(MPI_Count *count, MPI_Datatype *type)
{
	MPI_Datatype whole;

	if (*count <= INT_MAX)
		return MPI_DATATYPE_NULL;
	whole = whole_type(*count, *type);
	*count = 1;
	*type = whole;
	return whole;
}

int romio_whole_end(MPI_Datatype whole, int keep, int rc)
{
	MPI_Datatype *more;

	if (whole == MPI_DATATYPE_NULL)
		return rc;
	if (!keep) {
		PMPI_Type_free(&whole);
		return rc;
	}
	more = realloc(kept, (nkept + 1) * sizeof(*kept));
	if (more) {
		kept = more;
		kept[nkept++] = whole;
	}
	return rc;
}

void romio_wholes_free(void)
{
	while (nkept)
		PMPI_Type_free(&kept[--nkept]);
	free(kept);
	kept = NULL;
}
