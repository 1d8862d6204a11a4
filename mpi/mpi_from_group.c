/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_from_group.c: communicators made of groups alone (MPI 4.1, 7.4.2 and
 * 7.6.2). libmrt's parent for them is its world, which is there without
 * MPI_Init, too. An error goes to the handler that the new communicator gets.
 */
#include <stdint.h>
#include <string.h>

#include "mpi/mpi_impl.h"

static int fail_errhandler(const char *function)
{
	return mpi_fail(MPI_COMM_NULL, function, MPI_ERR_ERRHANDLER,
			"no error handler for communicators");
}

/* Sets *tag by a hash of the string (FNV-1a). Two strings of one tag match each
 * other only where threads of the same ranks use both at the same time. */
static int read_stringtag(const char *stringtag, int *tag)
{
	uint32_t hash = 2166136261;

	if (!stringtag || strlen(stringtag) >= MPI_MAX_STRINGTAG_LEN)
		return mpi_detailed(MPI_ERR_ARG,
				    "stringtag is NULL or too long");
	for (; *stringtag; stringtag++)
		hash = (hash ^ (unsigned char)*stringtag) * 16777619;
	*tag = (int)(hash & MRT_TAG_MAX);
	return MPI_SUCCESS;
}

/* Ends a function that makes a communicator: attaches the error handler, sets
 * the hints and *newcomm. */
static int from_group_made(const char *function, int error, struct mrt_comm *c,
			   MPI_Info info, MPI_Errhandler errhandler,
			   MPI_Comm *newcomm)
{
	if (!error && c != MRT_COMM_NULL) {
		struct mpi_comm *comm = mpi_comm_of(from_comm(c));

		if (!comm) {
			error = mpi_detailed(MPI_ERR_NO_MEM, "no memory");
		} else {
			comm->object.errhandler =
			    mpi_errhandler_hold(errhandler);
			comm->maker = function + 1;
		}
		if (!error && info != MPI_INFO_NULL)
			error = mpi_comm_read_hints(from_comm(c), info);
	}
	if (!error)
		*newcomm = from_comm(c);
	return mpi_result_for(errhandler, MPI_COMM_SELF, function, error);
}

API(Comm_create_from_group)
(MPI_Group group, const char *stringtag, MPI_Info info,
 MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
	struct mrt_comm *c = MRT_COMM_NULL;
	int tag, rc;

	if (!mpi_errhandler_fits(errhandler, MPI_KIND_COMM))
		return fail_errhandler(__func__);
	rc = mpi_info_check(info);
	if (!rc)
		rc = read_stringtag(stringtag, &tag);
	if (!rc)
		rc = mrt_comm_create_group(MRT_COMM_WORLD, to_group(group), tag,
					   newcomm ? &c : NULL);
	return from_group_made(__func__, rc, c, info, errhandler, newcomm);
}

/* Sets *rank to the leader's in the world. */
static int find_leader(struct mrt_group *group, int leader, int *rank)
{
	struct mrt_group *world;
	int rc = mrt_comm_group(MRT_COMM_WORLD, &world);

	if (rc)
		return rc;
	rc = mrt_group_translate_ranks(group, 1, &leader, world, rank);
	mrt_group_free(&world);
	return rc;
}

/* A leader with an error takes part all the same, since the others of its group
 * wait. */
static int from_group_join(MPI_Group local_group, int local_leader,
			   MPI_Group remote_group, int remote_leader, int tag,
			   struct mrt_comm **newcomm)
{
	struct mrt_comm *local;
	int rank = MRT_UNDEFINED, error = 0, rc;

	rc = mrt_comm_create_group(MRT_COMM_WORLD, to_group(local_group), tag,
				   &local);
	if (rc || local == MRT_COMM_NULL)
		return rc;
	if (mrt_rank(local) == local_leader)
		error =
		    find_leader(to_group(remote_group), remote_leader, &rank);
	rc = mrt_intercomm_create(local, local_leader, MRT_COMM_WORLD, rank,
				  tag, newcomm);
	mrt_comm_free(&local);
	return error ? error : rc;
}

API(Intercomm_create_from_groups)
(MPI_Group local_group, int local_leader, MPI_Group remote_group,
 int remote_leader, const char *stringtag, MPI_Info info,
 MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
	struct mrt_comm *c = MRT_COMM_NULL;
	int tag, rc;

	if (!mpi_errhandler_fits(errhandler, MPI_KIND_COMM))
		return fail_errhandler(__func__);
	rc = newintercomm ? mpi_info_check(info)
			  : mpi_detailed(MPI_ERR_ARG, "newintercomm is NULL");
	if (!rc)
		rc = read_stringtag(stringtag, &tag);
	if (!rc)
		rc = from_group_join(local_group, local_leader, remote_group,
				     remote_leader, tag, &c);
	return from_group_made(__func__, rc, c, info, errhandler, newintercomm);
}
