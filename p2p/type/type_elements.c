/* SPDX-License-Identifier: Apache-2.0 */
/* type_elements.c: the basic types of a type, from its contents, since a layout
 * knows only bytes. */
#include "p2p/type/type_elements.h"

#include "p2p/type/type_lock.h"

const struct mrt_type *type_part(const struct mrt_type *type, size_t k,
				 size_t *n)
{
	const struct type_contents *r = type->contents;
	const struct mrt_type *part;

	if (k >= r->ntypes)
		return NULL;
	part = type_get(r->types[k]);
	if (r->combiner == MRT_COMBINER_STRUCT)
		*n = (size_t)r->values[1 + k];
	else
		*n = part->size ? type->size / part->size : 0;
	return part;
}

size_t type_pair_value(const struct mrt_type *pair)
{
	bool same = pair->kind >= TYPE_FLOAT_FLOAT;

	return same ? pair->size / 2 : pair->size - sizeof(int);
}

/* The number of basic elements in less than a whole element. */
static size_t elements_of_part(const struct mrt_type *type, size_t bytes)
{
	const struct mrt_type *part;
	size_t n, before = 0, rest;

	if (!type->contents) {
		if (type->elements == 2 && bytes == type_pair_value(type))
			return 1;
		return bytes ? SIZE_MAX : 0;
	}
	for (size_t k = 0; (part = type_part(type, k, &n)); k++) {
		if (bytes < n * part->size) {
			rest = type_elements_of(part, bytes);
			return rest == SIZE_MAX ? rest : before + rest;
		}
		bytes -= n * part->size;
		before += n * part->elements;
	}
	return before;
}

size_t type_elements_of(const struct mrt_type *type, size_t bytes)
{
	size_t rest;

	if (!type->size)
		return bytes ? SIZE_MAX : 0;
	rest = elements_of_part(type, bytes % type->size);
	if (rest == SIZE_MAX)
		return rest;
	return bytes / type->size * type->elements + rest;
}

static size_t bytes_of_part(const struct mrt_type *type, size_t elements)
{
	const struct mrt_type *part;
	size_t n, before = 0;

	if (!type->contents)
		return elements ? type_pair_value(type) : 0;
	for (size_t k = 0; (part = type_part(type, k, &n)); k++) {
		if (elements < n * part->elements)
			return before + type_bytes_of(part, elements);
		elements -= n * part->elements;
		before += n * part->size;
	}
	return before;
}

size_t type_bytes_of(const struct mrt_type *type, size_t elements)
{
	if (!type->elements)
		return 0;
	return elements / type->elements * type->size +
	       bytes_of_part(type, elements % type->elements);
}

void type_each_basic(const struct mrt_type *type, size_t count,
		     void (*take)(void *context, const struct mrt_type *basic,
				  size_t n),
		     void *context)
{
	const struct mrt_type *part;
	size_t n;

	if (!type->size)
		return;
	if (!type->contents) {
		take(context, type, count);
		return;
	}
	if (type->contents->ntypes == 1) {
		part = type_part(type, 0, &n);
		type_each_basic(part, count * n, take, context);
		return;
	}
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; (part = type_part(type, k, &n)); k++)
			if (n)
				type_each_basic(part, n, take, context);
}

int mrt_get_count(const struct mrt_status *status, struct mrt_type *type,
		  size_t *count)
{
	const struct mrt_type *t = type_get(type);
	int rc = 0;

	if (!status || !count)
		rc = proc_fail(MRT_ERR_ARG, "status or count is NULL");
	else if (!t)
		rc = proc_fail_handle(MRT_ERR_TYPE, type, "a type");
	else if (t->size ? status->bytes % t->size : status->bytes)
		rc = proc_fail(MRT_ERR_TYPE,
			       "%zu bytes are not a whole number of %s",
			       status->bytes, t->name);
	else
		*count = t->size ? status->bytes / t->size : 0;
	return proc_result("mrt_get_count", rc);
}

int mrt_get_elements(const struct mrt_status *status, struct mrt_type *type,
		     size_t *elements)
{
	const struct mrt_type *t = type_get(type);
	size_t n;
	int rc = 0;

	if (!status || !elements)
		rc = proc_fail(MRT_ERR_ARG, "status or elements is NULL");
	else if (!t)
		rc = proc_fail_handle(MRT_ERR_TYPE, type, "a type");
	if (rc)
		return proc_result("mrt_get_elements", rc);
	n = type_elements_of(t, status->bytes);
	if (n == SIZE_MAX)
		rc = proc_fail(
		    MRT_ERR_TYPE,
		    "%zu bytes are not a whole number of basic elements",
		    (size_t)status->bytes);
	else
		*elements = n;
	return proc_result("mrt_get_elements", rc);
}

/* Bytes in a status need not be a message's: they may exceed the address
 * space. */
static bool fit_status(const struct mrt_type *t, size_t elements)
{
	const size_t most = INT64_MAX;

	return t->size ? elements / t->elements < most / t->size
		       : elements <= most;
}

int mrt_set_elements(struct mrt_status *status, struct mrt_type *type,
		     size_t elements)
{
	const struct mrt_type *t = type_get(type);
	int rc = 0;

	if (!status)
		rc = proc_fail(MRT_ERR_ARG, "status is NULL");
	else if (!t)
		rc = proc_fail_handle(MRT_ERR_TYPE, type, "a type");
	else if (!fit_status(t, elements))
		rc = proc_fail(MRT_ERR_COUNT, "the count is %td",
			       (ptrdiff_t)elements);
	else
		status->bytes = type_bytes_of(t, elements);
	return proc_result("mrt_set_elements", rc);
}
