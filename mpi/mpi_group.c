/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_group.c: groups (MPI 4.1, chapter 7.3). Their errors go to the handler of
 * MPI_COMM_SELF. */
#include "mpi/mpi_impl.h"

static int group_end(const char *function, int mrt_error)
{
	return mpi_result(MPI_COMM_NULL, function, mrt_error);
}

API(Group_size)(MPI_Group group, int *size)
{
	return mpi_int_result(MPI_COMM_NULL, __func__,
			      mrt_group_size(to_group(group)), "size", size);
}

API(Group_rank)(MPI_Group group, int *rank)
{
	int r = mrt_group_rank(to_group(group));

	if (!rank)
		return mpi_null(MPI_COMM_NULL, __func__, "rank");
	if (r < 0 && r != MRT_UNDEFINED)
		return group_end(__func__, r);
	*rank = r;
	return MPI_SUCCESS;
}

static int fail_count(const char *function, int n)
{
	return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_ARG, "a list of %d",
			n);
}

API(Group_translate_ranks)
(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[])
{
	if (n < 0)
		return fail_count(__func__, n);
	return group_end(__func__, mrt_group_translate_ranks(
				       to_group(group1), (size_t)n, ranks1,
				       to_group(group2), ranks2));
}

API(Group_compare)(MPI_Group group1, MPI_Group group2, int *result)
{
	enum mrt_comparison comparison;
	int rc = mrt_group_compare(to_group(group1), to_group(group2),
				   result ? &comparison : NULL);

	if (!rc)
		*result = (int)comparison;
	return group_end(__func__, rc);
}

API(Group_union)(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
	return group_end(__func__,
			 mrt_group_union(to_group(group1), to_group(group2),
					 to_groups(newgroup)));
}

API(Group_intersection)(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
	return group_end(__func__, mrt_group_intersection(to_group(group1),
							  to_group(group2),
							  to_groups(newgroup)));
}

API(Group_difference)(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
	return group_end(__func__, mrt_group_difference(to_group(group1),
							to_group(group2),
							to_groups(newgroup)));
}

API(Group_incl)(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
	if (n < 0)
		return fail_count(__func__, n);
	return group_end(__func__, mrt_group_incl(to_group(group), (size_t)n,
						  ranks, to_groups(newgroup)));
}

API(Group_excl)(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
	if (n < 0)
		return fail_count(__func__, n);
	return group_end(__func__, mrt_group_excl(to_group(group), (size_t)n,
						  ranks, to_groups(newgroup)));
}

API(Group_range_incl)
(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
	if (n < 0)
		return fail_count(__func__, n);
	return group_end(__func__,
			 mrt_group_range_incl(to_group(group), (size_t)n,
					      (const int(*)[3])ranges,
					      to_groups(newgroup)));
}

API(Group_range_excl)
(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
	if (n < 0)
		return fail_count(__func__, n);
	return group_end(__func__,
			 mrt_group_range_excl(to_group(group), (size_t)n,
					      (const int(*)[3])ranges,
					      to_groups(newgroup)));
}

API(Group_free)(MPI_Group *group)
{
	return group_end(__func__, mrt_group_free(to_groups(group)));
}
