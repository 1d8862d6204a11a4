/* SPDX-License-Identifier: Apache-2.0 */
/*
 * section.h: the choice buffers of mpi_f08, which come as descriptors (TS
 * 29113). A section without gaps is its address. Of others a blocking call gets
 * a copy, and a nonblocking one a datatype with the gaps of the section, or
 * where no datatype can have them a copy until its request is complete
 * (pending.h).
 */
#ifndef FORTRAN_SECTION_H
#define FORTRAN_SECTION_H

#include <ISO_Fortran_binding.h>

#include "fortran/convert.h"

static inline bool section_dense(const CFI_cdesc_t *buffer)
{
	CFI_index_t step = (CFI_index_t)buffer->elem_len;

	/* an array that is not allocated, where the buffer does not matter */
	if (!buffer->base_addr)
		return true;
	for (int k = 0; k < buffer->rank; k++) {
		if (buffer->dim[k].extent == 0)
			return true;
		if (buffer->dim[k].sm != step && buffer->dim[k].extent != 1)
			return false;
		step *= buffer->dim[k].extent;
	}
	return true;
}

static inline void *section_base(const CFI_cdesc_t *buffer)
{
	return buffer_arg(buffer->base_addr);
}

/* Whether a buffer is what it points to; false for some more that are. What
 * means something by its address is a scalar. */
static inline bool message_section_plain(const CFI_cdesc_t *buffer)
{
	if (__builtin_expect(buffer->rank == 1, 1))
		return buffer->dim[0].sm == (CFI_index_t)buffer->elem_len;
	return buffer->rank == 0 && message_plain(buffer->base_addr);
}

/* Programs pass MPI_IN_PLACE through dummy arguments that are arrays, too. */
static inline bool buffer_section_plain(const CFI_cdesc_t *buffer)
{
	return message_section_plain(buffer) && buffer_plain(buffer->base_addr);
}

/* Copies all elements to or from an array; of the latter those alone that
 * differ from `before`, if it is not NULL. */
void section_gather(const CFI_cdesc_t *buffer, void *copy);
void section_scatter(const CFI_cdesc_t *buffer, void *copy, const void *before);

/* Returns a new array with the elements, for free(). */
void *section_copy(const CFI_cdesc_t *buffer);

void section_return(const CFI_cdesc_t *buffer, void *copy, bool constant);

static inline void *section_in(const CFI_cdesc_t *buffer)
{
	return section_dense(buffer) ? section_base(buffer)
				     : section_copy(buffer);
}

/* Stores what the call has written; a constant buffer is only freed. */
static inline void section_out(const CFI_cdesc_t *buffer, void *passed,
			       bool constant)
{
	if (!section_dense(buffer))
		section_return(buffer, passed, constant);
}

/* The ways in which a nonblocking call can take a section. */
enum {
	SECTION_SHORT = -2, /* fail: it has less elements than the call needs */
	SECTION_COPY = -1,  /* take a copy */
	SECTION_AS_IS = 0,  /* take its address */
	SECTION_TYPE = 1    /* take its address and the datatype */
};

/* Replaces a datatype by one that has the gaps of a section of its elements,
 * and *count, if there is one, by 1, and returns what to do. Without a count
 * only a section whose elements lie in equal steps and are of the datatype has
 * such a type; with one, every section of which whole elements are sent, and
 * whose datatype has no gaps itself. */
int section_retype(const CFI_cdesc_t *buffer, MPI_Count *count,
		   MPI_Datatype *type);

static inline int section_type(const CFI_cdesc_t *buffer, MPI_Count *count,
			       MPI_Datatype *type)
{
	return section_dense(buffer) ? SECTION_AS_IS
				     : section_retype(buffer, count, type);
}

/* Chooses for a call that cannot have another datatype: there a section with
 * gaps is copied. */
static inline int section_untyped(const CFI_cdesc_t *buffer)
{
	return section_dense(buffer) ? SECTION_AS_IS : SECTION_COPY;
}

static inline void section_free(int made, MPI_Datatype *type)
{
	if (made == SECTION_TYPE)
		PMPI_Type_free(type);
}

/* Raises the error of a section that a nonblocking call cannot work on. */
int section_error(MPI_Comm comm);

#endif
