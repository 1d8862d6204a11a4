/* SPDX-License-Identifier: Apache-2.0 */
/* ofi_lib.c: loads libfabric when a job needs it. The functions that libmrt
 * calls are defined here under libfabric's own names, which libmrt does not
 * export, and pass the call on; all others are inline functions of its headers.
 * A program begins with ofi_lib_open. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/log.h"
#include "runtime/fabric/ofi/ofi.h"

/* clang-format off */
/* V marks functions without a result. Versions are those that a linker would
 * have bound to. */
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
#define MEMBER(version, type, name, ...) __typeof__(name) *name;
	FUNCTIONS(MEMBER, MEMBER)
} lib;

static const struct symbol {
	const char *name, *version;
	void *at;
} symbols[] = {
#define SYMBOL(version, type, name, ...) {#name, version, &lib.name},
    FUNCTIONS(SYMBOL, SYMBOL)};

static bool lib_find(void *library)
{
	for (size_t k = 0; k < sizeof(symbols) / sizeof(*symbols); k++) {
		const struct symbol *s = &symbols[k];
		void *found = dlvsym(library, s->name, s->version);

		if (!found)
			return false;
		memcpy(s->at, &found, sizeof(found));
	}
	return true;
}

int ofi_lib_open(void)
{
	static void *library; /* stays loaded: others may use it too */
	void *opened;

	if (library)
		return 0;
	/* or two libraries beneath it handle the signals of crashes */
	setenv("IPATH_NO_BACKTRACE", "1", 0);
	setenv("HFI_NO_BACKTRACE", "1", 0);
	opened = dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
	if (opened && lib_find(opened)) {
		library = opened;
		return 0;
	}
	log_info("libfabric: %s", dlerror());
	if (opened)
		dlclose(opened);
	return -1;
}

#define CALL(version, type, name, parameters, arguments)                       \
	type name parameters                                                   \
	{                                                                      \
		return lib.name arguments;                                     \
	}
#define CALL_VOID(version, type, name, parameters, arguments)                  \
	type name parameters                                                   \
	{                                                                      \
		lib.name arguments;                                            \
	}
FUNCTIONS(CALL, CALL_VOID)
