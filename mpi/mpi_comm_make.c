/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_comm_make.c: makes and frees communicators (MPI 4.1, chapter 7.4). A new
 * communicator inherits the error handler of the old one; a duplicate also gets
 * what the copy callbacks make of its attributes.
 */
#include <string.h>

#include "mpi/mpi_forward.h"

int mpi_comm_made(MPI_Comm comm, const char *function, int mrt_error,
		  struct mrt_comm *c, MPI_Comm *newcomm)
{
	if (mrt_error)
		return mpi_failed(comm, function, mrt_error);
	*newcomm = from_comm(c);
	if (c != MRT_COMM_NULL)
		mpi_comm_inherit(comm, *newcomm, function + 1);
	return MPI_SUCCESS;
}

/*
 * Gives a duplicate its topology, attributes and hints. If a callback fails
 * here, the ranks where it succeeded have a communicator that this rank does
 * not know, so it cannot be freed collectively.
 */
static int comm_make_duplicated(MPI_Comm comm, const char *function,
				MPI_Info info, MPI_Comm *newcomm)
{
	const struct mpi_comm *from = mpi_comm_of(comm);
	struct mpi_comm *to = mpi_comm_of(*newcomm);
	int rc = from && to ? MPI_SUCCESS : MPI_ERR_NO_MEM;

	if (!rc) {
		to->topology = mpi_topology_copy(from->topology);
		rc = mpi_attr_copy(MPI_KIND_COMM, comm, *newcomm);
	}
	if (!rc && info != MPI_INFO_NULL)
		rc = mpi_comm_read_hints(*newcomm, info);
	if (!rc)
		return MPI_SUCCESS;
	mpi_object_forget(mrt_comm_data(to_comm(*newcomm)));
	*newcomm = MPI_COMM_NULL;
	return mpi_raise(comm, function + 1, rc);
}

static int comm_make_dup(MPI_Comm comm, const char *function, MPI_Info info,
			 MPI_Comm *newcomm)
{
	struct mrt_comm *c = MRT_COMM_NULL;
	int rc = mrt_comm_dup(to_comm(comm), newcomm ? &c : NULL);

	rc = mpi_comm_made(comm, function, rc, c, newcomm);
	return rc ? rc : comm_make_duplicated(comm, function, info, newcomm);
}

API(Comm_dup)(MPI_Comm comm, MPI_Comm *newcomm)
{
	return comm_make_dup(comm, __func__, MPI_INFO_NULL, newcomm);
}

API(Comm_dup_with_info)(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
	return comm_make_dup(comm, __func__, info, newcomm);
}

/* Sets *newcomm at once, with the attributes as they are now. */
static int comm_make_idup(MPI_Comm comm, const char *function, MPI_Info info,
			  MPI_Comm *newcomm, MPI_Request *request)
{
	int rc = mrt_comm_idup(to_comm(comm), (struct mrt_comm **)newcomm,
			       to_requests(request));

	if (rc)
		return mpi_failed(comm, function, rc);
	if (*newcomm == MPI_COMM_NULL)
		return MPI_SUCCESS; /* the request reports the error */
	mpi_comm_inherit(comm, *newcomm, function + 1);
	rc = comm_make_duplicated(comm, function, info, newcomm);
	if (rc) /* the other ranks need this rank's part all the same */
		mrt_request_free(to_requests(request));
	return rc;
}

API(Comm_idup)(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
	return comm_make_idup(comm, __func__, MPI_INFO_NULL, newcomm, request);
}

API(Comm_idup_with_info)
(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
	return comm_make_idup(comm, __func__, info, newcomm, request);
}

/* ---- By hardware --------------------------------------------------------- */

static const char resource_key[] = "mpi_hw_resource_type";

/* Resources by their names in info; the first is the standard's name. */
static const struct {
	const char *name;
	enum mrt_locality locality;
} resources[] = {
    {"mpi_shared_memory", MRT_LOCALITY_NODE},
    {"mrt://node", MRT_LOCALITY_NODE},
    {"mrt://cache", MRT_LOCALITY_CACHE},
};
enum { RESOURCES = sizeof(resources) / sizeof(resources[0]) };

/* Sets *locality to that of the resource in info, MRT_UNDEFINED if it is
 * unknown. */
static int named_resource(MPI_Info info, int *locality)
{
	char value[64];
	int flag = 0, rc = MPI_SUCCESS;

	*locality = MRT_UNDEFINED;
	if (info != MPI_INFO_NULL)
		rc = mpi_info_get(info, resource_key, sizeof(value), value,
				  &flag);
	for (int k = 0; k < RESOURCES && flag && !rc; k++)
		if (!strcmp(value, resources[k].name))
			*locality = resources[k].locality;
	return rc;
}

/* Reports in info what the ranks of a new communicator share, where libmrt
 * chose it, and sets the communicator's hints. */
static int report_resource(MPI_Comm newcomm, int split_type, MPI_Info info,
			   int locality)
{
	int k = 0;

	if (newcomm == MPI_COMM_NULL || info == MPI_INFO_NULL)
		return MPI_SUCCESS;
	while (resources[k].locality != (enum mrt_locality)locality)
		k++;
	if (split_type == MPI_COMM_TYPE_HW_UNGUIDED)
		mpi_info_set(info, resource_key, resources[k].name);
	return mpi_comm_read_hints(newcomm, info);
}

/* Sets *locality by the split type. Returns 0 or MPI_ERR_*. */
static int find_locality(MPI_Comm comm, int split_type, MPI_Info info,
			 int *locality)
{
	switch (split_type) {
	case MPI_COMM_TYPE_SHARED:
		*locality = MRT_LOCALITY_NODE;
		return MPI_SUCCESS;
	case MPI_COMM_TYPE_HW_UNGUIDED:
		*locality = mrt_comm_locality(to_comm(comm));
		return MPI_SUCCESS;
	case MPI_COMM_TYPE_HW_GUIDED:
	case MPI_COMM_TYPE_RESOURCE_GUIDED:
		return named_resource(info, locality);
	case MPI_UNDEFINED:
		*locality = MRT_UNDEFINED;
		return MPI_SUCCESS;
	default:
		return MPI_ERR_ARG;
	}
}

API(Comm_split_type)
(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
	struct mrt_comm *c = MRT_COMM_NULL;
	int locality = 0, rc = mrt_size(to_comm(comm));

	if (rc < 0)
		return mpi_failed(comm, __func__, rc);
	rc = find_locality(comm, split_type, info, &locality);
	if (rc)
		return mpi_fail(comm, __func__, rc, "split_type %d",
				split_type);
	rc = mrt_comm_split_locality(to_comm(comm), locality, key,
				     newcomm ? &c : NULL);
	rc = mpi_comm_made(comm, __func__, rc, c, newcomm);
	if (rc)
		return rc;
	rc = report_resource(*newcomm, split_type, info, locality);
	return rc ? mpi_raise(comm, &__func__[1], rc) : MPI_SUCCESS;
}

API(Get_hw_resource_info)(MPI_Info *hw_info)
{
	MPI_Info info = MPI_INFO_NULL;
	int code, within;

	if (!hw_info)
		return mpi_null(MPI_COMM_NULL, __func__, "hw_info");
	code = mpi_info_create(&info);
	for (int k = 0; k < RESOURCES && !code; k++) {
		if (!strchr(resources[k].name, ':')) /* a type, not a URI */
			continue;
		within = mrt_is_within(resources[k].locality);
		if (within < 0) {
			PMPI_Info_free(&info);
			return mpi_failed(MPI_COMM_NULL, __func__, within);
		}
		code = mpi_info_set(info, resources[k].name,
				    within ? "true" : "false");
	}
	if (code)
		return mpi_raise(MPI_COMM_NULL, &__func__[1], code);
	*hw_info = info;
	return MPI_SUCCESS;
}

/* ---- Freeing ------------------------------------------------------------- */

/* MPI_Comm_free and MPI_Comm_disconnect. */
static int comm_make_end(MPI_Comm *comm, const char *function,
			 int (*mrt)(struct mrt_comm **comm))
{
	MPI_Comm old;
	int rc;

	if (!comm)
		return mpi_null(MPI_COMM_NULL, function, "comm");
	old = *comm;
	if (old == MPI_COMM_WORLD || old == MPI_COMM_SELF)
		return mpi_fail(
		    old, function, MPI_ERR_COMM,
		    "MPI_COMM_WORLD and MPI_COMM_SELF are never freed");
	rc = mrt_size(to_comm(old));
	if (rc < 0)
		return mpi_failed(old, function, rc);
	rc = mpi_attr_delete_all(MPI_KIND_COMM, old);
	if (rc)
		return mpi_raise(old, function + 1, rc);
	mpi_object_forget(mrt_comm_data(to_comm(old)));
	return mpi_result(old, function, mrt((struct mrt_comm **)comm));
}

API(Comm_free)(MPI_Comm *comm)
{
	return comm_make_end(comm, __func__, mrt_comm_free);
}

API(Comm_disconnect)(MPI_Comm *comm)
{
	return comm_make_end(comm, __func__, mrt_comm_disconnect);
}
