/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mpi_tool_cvar.c: control variables (MPI 4.1, 15.3.6): the MRT_ variables of
 * the environment, which can be read and not written. One that is a choice has
 * an enumeration, of the same index. Handles are indices from 1 on.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/mpi_impl.h"
#include "mpi/mpi_tool.h"

static bool is_choice(const struct mrt_variable *v)
{
	return strchr(v->range, '|') != NULL;
}

/* Numbers have the range "0..16384", and text "text". */
static MPI_Datatype type_of(const struct mrt_variable *v)
{
	const char *dots = strstr(v->range, "..");

	if (is_choice(v))
		return MPI_INT;
	if (!dots)
		return MPI_CHAR;
	return strtoll(dots + 2, NULL, 10) > INT_MAX ? MPI_COUNT : MPI_INT;
}

/* Returns the k-th of "a|b|c" and its length, or NULL past the last. */
static const char *tool_cvar_choice(const char *range, int k, size_t *len)
{
	for (; k > 0 && range; k--) {
		range = strchr(range, '|');
		range = range ? range + 1 : NULL;
	}
	if (range)
		*len = strcspn(range, "|");
	return range;
}

/* Returns the position of the value, which is one of the range. */
static int tool_cvar_position(const struct mrt_variable *v)
{
	const char *c;
	size_t len;
	int k = 0;

	while ((c = tool_cvar_choice(v->range, k, &len)) &&
	       (strlen(v->value) != len || strncmp(c, v->value, len) != 0))
		k++;
	return k;
}

/* Describes a variable. Returns MPI_SUCCESS, or `error` if there is no such
 * variable. */
static int tool_cvar_find(int index, int error, struct mrt_variable *v)
{
	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	return mrt_variable(index, v) ? MPI_SUCCESS : error;
}

static int index_of(const void *handle)
{
	return (int)(intptr_t)handle - 1;
}

API(T_cvar_get_num)(int *num_cvar)
{
	struct mrt_variable v;
	int n = 0;

	if (!mpi_tool_is_open())
		return MPI_T_ERR_NOT_INITIALIZED;
	while (mrt_variable(n, &v))
		n++;
	mpi_tool_put_int(n, num_cvar);
	return MPI_SUCCESS;
}

API(T_cvar_get_info)
(int cvar_index, char *name, int *name_len, int *verbosity,
 MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len,
 int *bind, int *scope)
{
	struct mrt_variable v;
	int rc = tool_cvar_find(cvar_index, MPI_T_ERR_INVALID_INDEX, &v);

	if (rc)
		return rc;
	mpi_tool_put(v.name, name, name_len);
	mpi_tool_put(v.help, desc, desc_len);
	mpi_tool_put_int(MPI_T_VERBOSITY_TUNER_BASIC, verbosity);
	mpi_tool_put_int(MPI_T_BIND_NO_OBJECT, bind);
	mpi_tool_put_int(MPI_T_SCOPE_READONLY, scope);
	if (datatype)
		*datatype = type_of(&v);
	if (enumtype)
		*enumtype = is_choice(&v)
				? (MPI_T_enum)(intptr_t)(cvar_index + 1)
				: MPI_T_ENUM_NULL;
	return MPI_SUCCESS;
}

API(T_cvar_get_index)(const char *name, int *cvar_index)
{
	struct mrt_variable v;
	int rc;

	if (!name || !cvar_index)
		return MPI_T_ERR_INVALID;
	for (int k = 0; !(rc = tool_cvar_find(k, MPI_T_ERR_INVALID_NAME, &v));
	     k++)
		if (!strcmp(v.name, name)) {
			*cvar_index = k;
			break;
		}
	return rc;
}

API(T_cvar_handle_alloc)
(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count)
{
	struct mrt_variable v;
	int rc = tool_cvar_find(cvar_index, MPI_T_ERR_INVALID_INDEX, &v);

	if (!rc && !handle)
		rc = MPI_T_ERR_INVALID;
	if (rc)
		return rc;
	*handle = (MPI_T_cvar_handle)(intptr_t)(cvar_index + 1);
	mpi_tool_put_int(type_of(&v) == MPI_CHAR ? (int)sizeof(v.value) : 1,
			 count);
	return MPI_SUCCESS;
}

API(T_cvar_handle_free)(MPI_T_cvar_handle *handle)
{
	struct mrt_variable v;
	int rc = tool_cvar_find(handle ? index_of(*handle) : -1,
				MPI_T_ERR_INVALID_HANDLE, &v);

	if (!rc)
		*handle = MPI_T_CVAR_HANDLE_NULL;
	return rc;
}

API(T_cvar_read)(MPI_T_cvar_handle handle, void *buf)
{
	struct mrt_variable v;
	int rc = tool_cvar_find(index_of(handle), MPI_T_ERR_INVALID_HANDLE, &v);

	if (!rc && !buf)
		rc = MPI_T_ERR_INVALID;
	if (rc)
		return rc;
	if (type_of(&v) == MPI_CHAR)
		strcpy(buf, v.value);
	else if (type_of(&v) == MPI_COUNT)
		*(MPI_Count *)buf = strtoll(v.value, NULL, 10);
	else
		*(int *)buf =
		    is_choice(&v) ? tool_cvar_position(&v) : atoi(v.value);
	return MPI_SUCCESS;
}

API(T_cvar_write)(MPI_T_cvar_handle handle, const void *buf)
{
	struct mrt_variable v;
	int rc = tool_cvar_find(index_of(handle), MPI_T_ERR_INVALID_HANDLE, &v);

	return rc ? rc : MPI_T_ERR_CVAR_SET_NEVER;
}

/* ---- Enumerations -------------------------------------------------------- */

static int find_enum(MPI_T_enum enumtype, struct mrt_variable *v)
{
	int rc =
	    tool_cvar_find(index_of(enumtype), MPI_T_ERR_INVALID_HANDLE, v);

	return rc || is_choice(v) ? rc : MPI_T_ERR_INVALID_HANDLE;
}

API(T_enum_get_info)
(MPI_T_enum enumtype, int *num, char *name, int *name_len)
{
	struct mrt_variable v;
	int n = 0, rc = find_enum(enumtype, &v);
	size_t len;

	if (rc)
		return rc;
	while (tool_cvar_choice(v.range, n, &len))
		n++;
	mpi_tool_put_int(n, num);
	mpi_tool_put(v.name, name, name_len);
	return MPI_SUCCESS;
}

API(T_enum_get_item)
(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len)
{
	struct mrt_variable v;
	int rc = find_enum(enumtype, &v);
	char text[sizeof(v.range)];
	const char *c;
	size_t len;

	if (rc)
		return rc;
	c = indx < 0 ? NULL : tool_cvar_choice(v.range, indx, &len);
	if (!c)
		return MPI_T_ERR_INVALID_INDEX;
	snprintf(text, sizeof(text), "%.*s", (int)len, c);
	mpi_tool_put_int(indx, value);
	mpi_tool_put(text, name, name_len);
	return MPI_SUCCESS;
}
