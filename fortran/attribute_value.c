/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attribute_value.c: a tree of the integers by value and one by address. A
 * duplicate that C makes of an attribute is the same pointer without a
 * reference of its own, and C's callbacks drop none, so what Fortran sets with
 * a key of C stays: once for each value.
 */
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

#include "fortran/attribute_value.h"

/* C reads the value as an MPI_Aint, or, where it is little-endian, as the
 * INTEGER that MPI_Attr_put has set. */
struct value {
	MPI_Aint value;
	long refs;
};

static void *by_value, *by_address;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int value_compare(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static int address_compare(const void *a, const void *b)
{
	return (a > b) - (a < b);
}

static struct value *value_make(MPI_Aint integer)
{
	struct value *value = malloc(sizeof(*value));

	if (!value)
		return NULL;
	*value = (struct value){integer, 0};
	if (!tsearch(value, &by_value, value_compare))
		goto free_value;
	if (!tsearch(value, &by_address, address_compare))
		goto delete_value;
	return value;
delete_value:
	tdelete(value, &by_value, value_compare);
free_value:
	free(value);
	return NULL;
}

void *value_hold(MPI_Aint integer)
{
	const struct value wanted = {.value = integer};
	struct value *const *found, *value;

	pthread_mutex_lock(&lock);
	found = tfind(&wanted, &by_value, value_compare);
	value = found ? *found : value_make(integer);
	if (value)
		value->refs++;
	pthread_mutex_unlock(&lock);
	return value;
}

void value_release(void *attribute)
{
	struct value *value = attribute;

	pthread_mutex_lock(&lock);
	if (tfind(value, &by_address, address_compare) && --value->refs == 0) {
		tdelete(value, &by_value, value_compare);
		tdelete(value, &by_address, address_compare);
		free(value);
	}
	pthread_mutex_unlock(&lock);
}

bool value_read(void *attribute, MPI_Aint *value)
{
	bool fortran;

	pthread_mutex_lock(&lock);
	fortran = tfind(attribute, &by_address, address_compare) != NULL;
	*value =
	    fortran ? ((struct value *)attribute)->value : (MPI_Aint)attribute;
	pthread_mutex_unlock(&lock);
	return fortran;
}
