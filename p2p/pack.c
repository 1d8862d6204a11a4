/* SPDX-License-Identifier: Apache-2.0 */
/* pack.c: the public packing and unpacking. Callable at any time, since types
 * are only read. */
#include "p2p/args.h"
#include "p2p/type/external.h"

/* Checks that `bytes` at *position fit a packed form of `size`. */
static int check_room(size_t bytes, size_t size, const size_t *position)
{
	if (*position <= size && bytes <= size - *position)
		return 0;
	return proc_fail(MRT_ERR_TRUNCATE, "%zu bytes at %zu of %zu", bytes,
			 *position, size);
}

static int pack_check(const void *packed, const void *buf, size_t count,
		      struct mrt_type *type, const size_t *position)
{
	int rc = args_check_elements(buf, count, type);

	if (!rc && !position)
		rc = proc_fail(MRT_ERR_ARG, "position is NULL");
	if (!rc && (uintptr_t)packed < MRT_CONSTANTS_END && count &&
	    type_get(type)->size)
		rc = proc_fail(MRT_ERR_BUFFER, "the packed form is %p", packed);
	return rc;
}

static int check_size(size_t count, struct mrt_type *type, const size_t *size)
{
	const struct mrt_type *t = type_get(type);

	if (!t)
		return proc_fail_handle(MRT_ERR_TYPE, type, "a type");
	if (count > t->count_max)
		return proc_fail(MRT_ERR_COUNT, "the count is %td",
				 (ptrdiff_t)count);
	return size ? 0 : proc_fail(MRT_ERR_ARG, "size is NULL");
}

int mrt_pack(const void *inbuf, size_t count, struct mrt_type *type,
	     void *outbuf, size_t outsize, size_t *position)
{
	int rc = pack_check(outbuf, inbuf, count, type, position);
	size_t bytes = count * mrt_type_size(type);

	if (!rc)
		rc = check_room(bytes, outsize, position);
	if (!rc) {
		type_pack(type_get(type), inbuf, 0, bytes,
			  (char *)outbuf + *position);
		*position += bytes;
	}
	return proc_result("mrt_pack", rc);
}

int mrt_unpack(const void *inbuf, size_t insize, size_t *position, void *outbuf,
	       size_t count, struct mrt_type *type)
{
	int rc = pack_check(inbuf, outbuf, count, type, position);
	size_t bytes = count * mrt_type_size(type);

	if (!rc)
		rc = check_room(bytes, insize, position);
	if (!rc) {
		type_unpack(type_get(type), outbuf, 0, bytes,
			    (const char *)inbuf + *position);
		*position += bytes;
	}
	return proc_result("mrt_unpack", rc);
}

int mrt_pack_size(size_t count, struct mrt_type *type, size_t *size)
{
	int rc = check_size(count, type, size);

	if (!rc)
		*size = count * type_get(type)->size;
	return proc_result("mrt_pack_size", rc);
}

/* ---- external32 ---------------------------------------------------------- */

int mrt_pack_external_size(size_t count, struct mrt_type *type, size_t *size)
{
	int rc = check_size(count, type, size);

	if (!rc)
		*size = count * external_size(type_get(type));
	return proc_result("mrt_pack_external_size", rc);
}

int mrt_pack_external(const void *inbuf, size_t count, struct mrt_type *type,
		      void *outbuf, size_t outsize, size_t *position)
{
	int rc = pack_check(outbuf, inbuf, count, type, position);
	size_t bytes = rc ? 0 : count * external_size(type_get(type));

	if (!rc)
		rc = check_room(bytes, outsize, position);
	if (!rc)
		rc = external_pack(type_get(type), inbuf, count,
				   (char *)outbuf + *position);
	if (!rc)
		*position += bytes;
	return proc_result("mrt_pack_external", rc);
}

int mrt_unpack_external(const void *inbuf, size_t insize, size_t *position,
			void *outbuf, size_t count, struct mrt_type *type)
{
	int rc = pack_check(inbuf, outbuf, count, type, position);
	size_t bytes = rc ? 0 : count * external_size(type_get(type));

	if (!rc)
		rc = check_room(bytes, insize, position);
	if (!rc)
		rc = external_unpack(type_get(type), outbuf, count,
				     (const char *)inbuf + *position);
	if (!rc)
		*position += bytes;
	return proc_result("mrt_unpack_external", rc);
}
