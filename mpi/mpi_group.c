/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_group.c: groups (MPI 4.1, chapter 7.3). Their errors go to the handler of
 * MPI_COMM_SELF. */
#include "mpi/mpi_impl.h"

API(Group_rank)(MPI_Group group, int *rank)
{
	int r = mrt_group_rank(to_group(group));

	if (!rank)
		return mpi_null(MPI_COMM_NULL, __func__, "rank");
	if (r < 0 && r != MRT_UNDEFINED)
		return mpi_result(MPI_COMM_NULL, __func__, r);
	*rank = r;
	return MPI_SUCCESS;
}

API(Group_compare)(MPI_Group group1, MPI_Group group2, int *result)
{
	enum mrt_comparison comparison;
	int rc = mrt_group_compare(to_group(group1), to_group(group2),
				   result ? &comparison : NULL);

	if (!rc)
		*result = (int)comparison;
	return mpi_result(MPI_COMM_NULL, __func__, rc);
}
