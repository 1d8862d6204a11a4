/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic.c implements dynamic.h. */
#include "runtime/fabric/dynamic.h"

#include <dlfcn.h>
#include <string.h>

#include "runtime/base/log.h"

int dynamic_open(const char *file, const struct dynamic_symbol *symbols,
		 size_t n)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	for (size_t k = 0; library && k < n; k++) {
		const struct dynamic_symbol *s = &symbols[k];
		void *found = dlvsym(library, s->name, s->version);

		if (!found && !s->absent) {
			log_info("%s: %s", file, dlerror());
			dlclose(library);
			return -1;
		}
		memcpy(s->at, &found, sizeof(found));
	}
	if (!library)
		log_info("%s: %s", file, dlerror());
	return library ? 0 : -1;
}
