/* SPDX-License-Identifier: Apache-2.0 */
/*
 * section.c: array sections with gaps, as copies and as datatypes.
 */
#include <stdlib.h>
#include <string.h>

#include "fortran/section.h"

/* ---- Copies -------------------------------------------------------------- */

static CFI_index_t section_elements(const CFI_cdesc_t *s)
{
	CFI_index_t n = 1;

	for (int k = 0; k < s->rank; k++)
		n *= s->dim[k].extent;
	return n;
}

/* A copy under way between a section and an array without gaps. */
struct copying {
	const CFI_cdesc_t *section;
	char *packed;	    /* the next element of the array */
	const char *before; /* the array as it was made, or NULL */
	bool gather;
};

static void copy_element(struct copying *c, char *at)
{
	size_t length = c->section->elem_len;

	if (c->gather)
		memcpy(c->packed, at, length);
	else if (!c->before || memcmp(c->packed, c->before, length))
		memcpy(at, c->packed, length);
	c->packed += length;
	if (c->before)
		c->before += length;
}

/* Copies the elements below dimension `rank` of a section at `at`. */
static void section_walk(struct copying *c, int rank, char *at)
{
	if (rank == 0) {
		copy_element(c, at);
		return;
	}
	for (CFI_index_t k = 0; k < c->section->dim[rank - 1].extent; k++)
		section_walk(c, rank - 1,
			     at + k * c->section->dim[rank - 1].sm);
}

void section_gather(const CFI_cdesc_t *buffer, void *copy)
{
	section_walk(&(struct copying){buffer, copy, NULL, true}, buffer->rank,
		     buffer->base_addr);
}

void section_scatter(const CFI_cdesc_t *buffer, void *copy, const void *before)
{
	section_walk(&(struct copying){buffer, copy, before, false},
		     buffer->rank, buffer->base_addr);
}

void *section_copy(const CFI_cdesc_t *buffer)
{
	/* more than SCRATCH, so that it is memory of its own */
	char *copy = scratch_room((long)section_elements(buffer) + SCRATCH,
				  buffer->elem_len, NULL);

	section_gather(buffer, copy);
	return copy;
}

void section_return(const CFI_cdesc_t *buffer, void *copy, bool constant)
{
	if (!constant)
		section_scatter(buffer, copy, NULL);
	free(copy);
}

/* ---- Datatypes ----------------------------------------------------------- */

/* Whether all elements lie in steps of *step bytes. */
static bool equal_steps(const CFI_cdesc_t *s, CFI_index_t *step)
{
	CFI_index_t next = 0;

	for (int k = 0; k < s->rank; k++) {
		if (s->dim[k].extent == 1)
			continue;
		if (next == 0)
			next = *step = s->dim[k].sm;
		if (s->dim[k].sm != next)
			return false;
		next *= s->dim[k].extent;
	}
	return true;
}

/* Makes *type `count` copies of itself in steps of `step` bytes. */
static int section_repeat(MPI_Count count, MPI_Aint step, MPI_Datatype *type)
{
	MPI_Datatype made = MPI_DATATYPE_NULL;
	int rc = PMPI_Type_create_hvector_c(count, 1, step, *type, &made);

	PMPI_Type_free(type);
	*type = made;
	return rc;
}

/* Makes *type, one element, the first n elements of the dimensions below
 * `rank`: whole slices of the last of them, and then a part of the next. */
static int first_elements(const CFI_cdesc_t *s, int rank, MPI_Count n,
			  MPI_Datatype *type)
{
	MPI_Datatype part[2];
	MPI_Count lengths[2] = {1, 1}, places[2] = {0}, slice = 1, rest;
	int rc;

	if (rank == 0)
		return MPI_SUCCESS;
	for (int k = 0; k < rank - 1; k++)
		slice *= s->dim[k].extent;
	rest = n % slice;
	places[1] = n / slice * s->dim[rank - 1].sm;
	if (n < slice)
		return first_elements(s, rank - 1, n, type);
	PMPI_Type_dup(*type, &part[1]);
	rc = first_elements(s, rank - 1, slice, type)
		 ?: section_repeat(n / slice, s->dim[rank - 1].sm, type);
	if (!rc && rest) {
		part[0] = *type;
		rc = first_elements(s, rank - 1, rest, &part[1])
			 ?: PMPI_Type_create_struct_c(2, lengths, places, part,
						      type);
		PMPI_Type_free(&part[0]);
	}
	PMPI_Type_free(&part[1]);
	return rc;
}

/* Makes *type that of one element of the section, of so many bytes: several of
 * the datatype, or bytes where the datatype has several elements. */
static int element_type(const CFI_cdesc_t *s, MPI_Count size,
			MPI_Datatype *type)
{
	MPI_Count length = (MPI_Count)s->elem_len;

	if (length % size == 0)
		return PMPI_Type_contiguous_c(length / size, *type, type);
	return PMPI_Type_contiguous_c(length, MPI_BYTE, type);
}

int section_retype(const CFI_cdesc_t *buffer, MPI_Count *count,
		   MPI_Datatype *type)
{
	MPI_Count size, lb, extent, length = (MPI_Count)buffer->elem_len;
	MPI_Datatype made = *type;
	CFI_index_t step = (CFI_index_t)buffer->elem_len;
	bool row;
	int rc;

	if (PMPI_Type_size_c(*type, &size) ||
	    PMPI_Type_get_extent_c(*type, &lb, &extent) || size == 0)
		return SECTION_AS_IS; /* which the call itself will find */
	if (size != extent || lb != 0)
		return SECTION_COPY;
	row = size == length && equal_steps(buffer, &step);
	if (row) {
		rc = PMPI_Type_create_resized_c(*type, 0, step, &made);
	} else if (!count || *count * size % length) {
		return SECTION_COPY;
	} else if (*count * size / length > section_elements(buffer)) {
		return SECTION_SHORT;
	} else if (*count <= 0) {
		return SECTION_AS_IS;
	} else {
		rc = element_type(buffer, size, &made)
			 ?: first_elements(buffer, buffer->rank,
					   *count * size / length, &made);
	}
	if (rc || PMPI_Type_commit(&made))
		return SECTION_COPY;
	if (!row)
		*count = 1;
	*type = made;
	return SECTION_TYPE;
}

int section_error(MPI_Comm comm)
{
	PMPI_Comm_call_errhandler(comm, MPI_ERR_BUFFER);
	return MPI_ERR_BUFFER;
}
