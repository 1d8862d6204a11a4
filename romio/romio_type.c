/* SPDX-License-Identifier: Apache-2.0 */
/*
 * romio_type.c answers what ROMIO asks of datatypes. ROMIO takes a type made
 * with large counts for one of ints, for which MPI_Type_get_envelope would be
 * an error; libmrt's own contents are the same for both.
 */
#include <limits.h>
#include <stdlib.h>

#include "mrt_lib.h"
#include "romio/romio.h"

/* Returns how many of the values are addresses; they come last. */
static size_t addresses_of(enum mrt_combiner combiner, size_t values)
{
	switch (combiner) {
	case MRT_COMBINER_HVECTOR:
		return 1;
	case MRT_COMBINER_RESIZED:
		return 2;
	case MRT_COMBINER_HINDEXED:
	case MRT_COMBINER_STRUCT:
		return (values - 1) / 2;
	case MRT_COMBINER_HINDEXED_BLOCK:
		return values - 2;
	default:
		return 0;
	}
}

int romio_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses,
			    int *types, int *combiner)
{
	enum mrt_combiner how;
	size_t nvalues, ntypes;
	int rc =
	    mrt_type_envelope((struct mrt_type *)type, &how, &nvalues, &ntypes);

	if (rc)
		return MPI_ERR_TYPE;
	*combiner = (int)how;
	*addresses = (int)addresses_of(how, nvalues);
	*integers = (int)nvalues - *addresses;
	*types = (int)ntypes;
	return MPI_SUCCESS;
}

/* Raises an error for a count that no int holds, because ROMIO does not look at
 * what the caller returns. */
static int int_of(ptrdiff_t value)
{
	if (value > INT_MAX || value < INT_MIN)
		PMPI_Comm_call_errhandler(MPI_COMM_SELF,
					  MPI_ERR_VALUE_TOO_LARGE);
	return (int)value;
}

int romio_Type_get_contents(MPI_Datatype type, int integers, int addresses,
			    int types, int array_of_integers[],
			    MPI_Aint array_of_addresses[],
			    MPI_Datatype array_of_types[])
{
	size_t n = (size_t)(integers + addresses);
	ptrdiff_t *values = malloc((n + 1) * sizeof(*values));
	int rc = values ? MPI_SUCCESS : MPI_ERR_NO_MEM;

	if (!rc &&
	    mrt_type_contents((struct mrt_type *)type, n, (size_t)types, values,
			      (struct mrt_type **)array_of_types))
		rc = MPI_ERR_TYPE;
	for (int k = 0; !rc && k < integers; k++)
		array_of_integers[k] = int_of(values[k]);
	for (int k = 0; !rc && k < addresses; k++)
		array_of_addresses[k] = values[integers + k];
	free(values);
	return rc;
}

/* ROMIO's own knows contiguous types of predefined ones alone, and goes wrong
 * at vectors of no blocks. It takes predefined types for dense without asking.
 */
void ADIOI_Datatype_iscontig(MPI_Datatype type, int *flag)
{
	enum mrt_combiner combiner = MRT_COMBINER_NAMED;

	(void)mrt_type_envelope((struct mrt_type *)type, &combiner, NULL, NULL);
	*flag = combiner == MRT_COMBINER_NAMED ||
		mrt_type_size((struct mrt_type *)type) == 0;
	if (!*flag)
		(void)mrt_type_traits((struct mrt_type *)type, NULL, flag);
}
