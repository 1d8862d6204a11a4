/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attribute_value.h: the integers that Fortran sets as attributes. C sees a
 * pointer to one (MPI 5.0, 19.3.7), and what C sets is a pointer of its own, so
 * the address tells who has set an attribute.
 */
#ifndef FORTRAN_ATTRIBUTE_VALUE_H
#define FORTRAN_ATTRIBUTE_VALUE_H

#include "fortran/convert.h"

/* Returns the pointer to an integer, and adds a reference; NULL: no memory.
 * Attributes that are equal share it. */
void *value_hold(MPI_Aint value);

/* Drops a reference; nothing for a pointer that C has set. */
void value_release(void *attribute);

/* Whether Fortran has set the attribute. Stores the integer that Fortran gets:
 * the one it has set, or else C's pointer. */
bool value_read(void *attribute, MPI_Aint *value);

#endif
