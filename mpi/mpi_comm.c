/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_comm.c: the info of communicators (MPI 4.1, chapter 7). mpi_comm_make.c
 * makes and frees them. */
#include <string.h>

#include "mpi/mpi_impl.h"

/* Assertions, which libmrt does not use. They are false unless set, and
 * reported as the user sets them. */
static const char *const hints[] = {
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
    "mpi_assert_strict_persistent_collective_ordering",
};
enum { HINTS = sizeof(hints) / sizeof(hints[0]) };

int mpi_comm_read_hints(MPI_Comm comm, MPI_Info info)
{
	struct mpi_comm *c = mpi_comm_of(comm);
	char value[8];
	int flag, rc = MPI_SUCCESS;

	if (!c)
		return MPI_ERR_NO_MEM;
	for (int k = 0; k < HINTS && !rc; k++) {
		rc = mpi_info_get(info, hints[k], sizeof(value), value, &flag);
		if (rc || !flag)
			continue;
		if (!strcmp(value, "true"))
			c->hints |= 1u << k;
		else if (!strcmp(value, "false"))
			c->hints &= ~(1u << k);
	}
	return rc;
}

API(Comm_set_info)(MPI_Comm comm, MPI_Info info)
{
	int rc = mpi_check_comm(comm, __func__);

	if (rc)
		return rc;
	if (info == MPI_INFO_NULL)
		return mpi_fail(comm, __func__, MPI_ERR_INFO,
				"info is MPI_INFO_NULL");
	rc = mpi_comm_read_hints(comm, info);
	return rc ? mpi_raise(comm, &__func__[1], rc) : MPI_SUCCESS;
}

API(Comm_get_info)(MPI_Comm comm, MPI_Info *info_used)
{
	const struct mpi_comm *c = mrt_comm_data(to_comm(comm));
	int rc = mpi_check_comm(comm, __func__);
	unsigned set = c ? c->hints : 0;
	MPI_Info info;

	if (!info_used)
		return mpi_null(comm, __func__, "info_used");
	if (rc)
		return rc;
	rc = mpi_info_create_used(&info);
	if (rc)
		return mpi_raise(comm, &__func__[1], rc);
	for (int k = 0; k < HINTS && !rc; k++)
		rc = mpi_info_set(info, hints[k],
				  set >> k & 1 ? "true" : "false");
	if (rc) {
		PMPI_Info_free(&info);
		return mpi_raise(comm, &__func__[1], rc);
	}
	*info_used = info;
	return MPI_SUCCESS;
}
