/* SPDX-License-Identifier: Apache-2.0 */
/* ofi_lib.c: loads libfabric (dynamic.h). All its other functions are inline
 * ones of its headers. A program begins with ofi_lib_open. */
#include <stdlib.h>

#include "runtime/fabric/dynamic.h"
#include "runtime/fabric/ofi/ofi.h"

/* clang-format off */
#define FUNCTIONS(X, V)                                                        \
	X("FABRIC_1.3", int, fi_getinfo,                                       \
	  (uint32_t version, const char *node, const char *service,            \
	   uint64_t flags, const struct fi_info *hints,                        \
	   struct fi_info **info),                                             \
	  (version, node, service, flags, hints, info))                        \
	V("FABRIC_1.3", void, fi_freeinfo, (struct fi_info *info), (info))     \
	X("FABRIC_1.3", struct fi_info *, fi_dupinfo,                          \
	  (const struct fi_info *info), (info))                                \
	X("FABRIC_1.1", int, fi_fabric,                                        \
	  (struct fi_fabric_attr *attr, struct fid_fabric **fabric,            \
	   void *context),                                                     \
	  (attr, fabric, context))                                             \
	X("FABRIC_1.0", const char *, fi_strerror, (int error), (error))
/* clang-format on */

static struct {
	FUNCTIONS(DYNAMIC_MEMBER, DYNAMIC_MEMBER)
} lib;

static const struct dynamic_symbol symbols[] = {
    FUNCTIONS(DYNAMIC_SYMBOL, DYNAMIC_SYMBOL)};

int ofi_lib_open(void)
{
	static bool is_open;

	if (is_open)
		return 0;
	/* or two libraries beneath it handle the signals of crashes */
	setenv("IPATH_NO_BACKTRACE", "1", 0);
	setenv("HFI_NO_BACKTRACE", "1", 0);
	is_open = !dynamic_open("libfabric.so.1", symbols,
				sizeof(symbols) / sizeof(*symbols));
	return is_open ? 0 : -1;
}

FUNCTIONS(DYNAMIC_CALL, DYNAMIC_CALL_VOID)
