/* SPDX-License-Identifier: Apache-2.0 */
/* type_object.c: types as objects: duplicate, resize, commit, free, inquiry,
 * and the data that the user attaches. */
#include "p2p/type/type_builder.h"
#include "p2p/type/type_lock.h"
#include "runtime/base/pool.h"

/* ---- Creation and references --------------------------------------------- */

struct pool type_pool = POOL_INIT(struct mrt_type, 16);

struct mrt_type *type_alloc(void)
{
	return pool_get(&type_pool);
}

void type_dealloc(struct mrt_type *type)
{
	if (type)
		pool_put_last(&type_pool, type);
}

void type_hold(const struct mrt_type *type)
{
	if (type->contents)
		((struct mrt_type *)(uintptr_t)type)->refs++;
}

static void release_contents(struct type_contents *contents)
{
	if (--contents->refs)
		return;
	for (size_t i = 0; i < contents->ntypes; i++)
		type_release(type_get(contents->types[i]));
	contents_destroy(contents);
}

void type_release(const struct mrt_type *type)
{
	struct mrt_type *t = (struct mrt_type *)(uintptr_t)type;

	if (!t->contents || --t->refs)
		return;
	release_contents(t->contents);
	region_release(&t->region);
	type_dealloc(t);
}

static int type_object_resize(struct mrt_type *oldtype, ptrdiff_t lb,
			      ptrdiff_t extent, struct mrt_type **newtype)
{
	struct type_contents *r;
	const struct mrt_type *old;
	struct type_builder d;
	int rc = type_check(oldtype, newtype, &old);

	if (rc)
		return rc;
	r = contents_create(MRT_COMBINER_RESIZED, 2, 1);
	if (r) {
		r->values[0] = lb;
		r->values[1] = extent;
		r->types[0] = oldtype;
	}
	builder_copy(&d, old);
	builder_set_bounds(&d, lb, extent);
	return builder_finish(&d, r, newtype);
}

int mrt_type_resized(struct mrt_type *oldtype, ptrdiff_t lb, ptrdiff_t extent,
		     struct mrt_type **newtype)
{
	type_lock();
	return proc_result(
	    "mrt_type_resized",
	    type_unlock_with(type_object_resize(oldtype, lb, extent, newtype)));
}

/* Commits a type. It is dense if any number of its elements can be moved as
 * bytes. */
static void type_object_commit(struct mrt_type *t)
{
	t->committed = true;
	t->dense = !t->region.layout && !t->region.at && t->size &&
		   t->extent == (ptrdiff_t)t->size;
	t->magic = t->dense ? TYPE_DENSE : TYPE_OTHER;
}

static int dup_type(struct mrt_type *oldtype, struct mrt_type **newtype)
{
	struct type_contents *r;
	const struct mrt_type *old;
	struct type_builder d;
	int rc = type_check(oldtype, newtype, &old);

	if (rc)
		return rc;
	r = contents_create(MRT_COMBINER_DUP, 0, 1);
	if (r)
		r->types[0] = oldtype;
	builder_copy(&d, old);
	d.type.kind = old->kind;
	rc = builder_finish(&d, r, newtype);
	if (!rc && old->committed)
		type_object_commit(*newtype);
	return rc;
}

int mrt_type_dup(struct mrt_type *oldtype, struct mrt_type **newtype)
{
	type_lock();
	return proc_result("mrt_type_dup",
			   type_unlock_with(dup_type(oldtype, newtype)));
}

int mrt_type_commit(struct mrt_type *type)
{
	const struct mrt_type *t;
	int rc;

	type_lock();
	rc = type_find(type, &t);
	if (!rc && !t->committed)
		type_object_commit(type);
	type_unlock();
	return proc_result("mrt_type_commit", rc);
}

int mrt_type_free(struct mrt_type **type)
{
	const struct mrt_type *t = NULL;
	int rc;

	type_lock();
	rc = type ? type_find(*type, &t)
		  : proc_fail(MRT_ERR_ARG, "type is NULL");
	if (!rc && (!t->contents || t->is_fixed))
		rc = proc_fail(MRT_ERR_TYPE, "%s is predefined", t->name);
	if (!rc && t->freed)
		rc = proc_fail(MRT_ERR_TYPE,
			       "type %p has been freed, and is still in use",
			       (void *)*type);
	if (!rc) {
		(*type)->freed = true;
		type_release(t);
		*type = MRT_TYPE_NULL;
	}
	type_unlock();
	return proc_result("mrt_type_free", rc);
}

/* ---- Bounds -------------------------------------------------------------- */

/* Sets *lb and *extent to the bounds of a type, or to its true bounds. */
static int type_object_bounds(struct mrt_type *type, ptrdiff_t *lb,
			      ptrdiff_t *extent, bool true_bounds)
{
	const struct mrt_type *t;
	int rc = type_find(type, &t);

	if (!rc && (!lb || !extent))
		rc = proc_fail(MRT_ERR_ARG, "lb or extent is NULL");
	if (!rc) {
		*lb = true_bounds ? t->true_lb : t->lb;
		*extent = true_bounds ? t->true_extent : t->extent;
	}
	return rc;
}

int mrt_type_extent(struct mrt_type *type, ptrdiff_t *lb, ptrdiff_t *extent)
{
	return proc_result("mrt_type_extent",
			   type_object_bounds(type, lb, extent, false));
}

int mrt_type_true_extent(struct mrt_type *type, ptrdiff_t *lb,
			 ptrdiff_t *extent)
{
	return proc_result("mrt_type_true_extent",
			   type_object_bounds(type, lb, extent, true));
}

int mrt_type_traits(struct mrt_type *type, int *committed, int *dense)
{
	const struct mrt_type *t;
	int rc = type_find(type, &t);

	if (!rc) {
		if (committed)
			*committed = t->committed;
		if (dense)
			*dense = t->dense;
	}
	return proc_result("mrt_type_traits", rc);
}

/* ---- Envelope and contents ----------------------------------------------- */

int mrt_type_envelope(struct mrt_type *type, enum mrt_combiner *combiner,
		      size_t *nvalues, size_t *ntypes)
{
	const struct mrt_type *t;
	int rc = type_find(type, &t);

	if (!rc) {
		const struct type_contents *r = t->contents;

		if (combiner)
			*combiner = r ? r->combiner : MRT_COMBINER_NAMED;
		if (nvalues)
			*nvalues = r ? r->nvalues : 0;
		if (ntypes)
			*ntypes = r ? r->ntypes : 0;
	}
	return proc_result("mrt_type_envelope", rc);
}

/* Makes another handle of the same type; a predefined one is returned as it
 * is. */
static struct mrt_type *type_object_clone(struct mrt_type *handle)
{
	const struct mrt_type *t = type_get(handle);
	struct mrt_type *copy;

	if (!t->contents || t->is_fixed)
		return handle;
	copy = type_alloc();
	if (!copy)
		return NULL;
	*copy = *t;
	copy->refs = 1;
	copy->freed = false;
	copy->data = NULL;
	copy->contents->refs++;
	region_hold(&copy->region);
	return copy;
}

static int clone_all(const struct type_contents *r, struct mrt_type *types[])
{
	for (size_t i = 0; i < r->ntypes; i++) {
		types[i] = type_object_clone(r->types[i]);
		if (types[i])
			continue;
		while (i--)
			type_release(type_get(types[i]));
		return proc_fail(MRT_ERR_NO_MEM, "no memory for a type");
	}
	return 0;
}

int mrt_type_contents(struct mrt_type *type, size_t max_values,
		      size_t max_types, ptrdiff_t values[],
		      struct mrt_type *types[])
{
	const struct type_contents *r;
	const struct mrt_type *t;
	int rc;

	type_lock();
	rc = type_find(type, &t);
	r = rc ? NULL : t->contents;
	if (!rc && !r)
		rc = proc_fail(MRT_ERR_ARG, "%s is predefined", t->name);
	else if (!rc && (max_values < r->nvalues || max_types < r->ntypes))
		rc = proc_fail(
		    MRT_ERR_ARG,
		    "room for %zu values and %zu types, there are %zu and %zu",
		    max_values, max_types, r->nvalues, r->ntypes);
	else if (!rc && ((r->nvalues && !values) || (r->ntypes && !types)))
		rc = proc_fail(MRT_ERR_ARG, "%s is NULL",
			       types ? "values" : "types");
	if (!rc)
		rc = clone_all(r, types);
	if (!rc)
		for (size_t i = 0; i < r->nvalues; i++)
			values[i] = r->values[i];
	type_unlock();
	return proc_result("mrt_type_contents", rc);
}

/* ---- Data of the user ---------------------------------------------------- */

static void *data_of[TYPE_ROWS]; /* of the predefined types */

static void **data_place(const struct mrt_type *t)
{
	if (t->contents)
		return &((struct mrt_type *)(uintptr_t)t)->data;
	return &data_of[t - type_table];
}

int mrt_type_set_data(struct mrt_type *type, void *data)
{
	const struct mrt_type *t;
	int rc = type_find(type, &t);

	if (!rc)
		*data_place(t) = data;
	return proc_result("mrt_type_set_data", rc);
}

void *mrt_type_data(struct mrt_type *type)
{
	const struct mrt_type *t = type_get(type);

	return t ? *data_place(t) : NULL;
}

int mrt_type_set_form(struct mrt_type *type, int form)
{
	const struct mrt_type *t;
	int rc = type_find(type, &t);

	if (!rc && !t->contents)
		rc = proc_fail(MRT_ERR_TYPE, "%s is predefined", t->name);
	if (!rc)
		type->form = form;
	return proc_result("mrt_type_set_form", rc);
}

int mrt_type_form(struct mrt_type *type)
{
	const struct mrt_type *t = type_get(type);

	return t ? t->form : 0;
}
