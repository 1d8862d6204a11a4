/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dynamic.h: libraries that are loaded when a job needs them. A file lists the
 * functions that libmrt calls as FUNCTIONS(X, V), V for those without a result,
 * and makes of the list, with a static struct `lib` of pointers, the symbols
 * that dynamic_open looks up and functions of the same names that pass the call
 * on. libmrt does not export them.
 */
#ifndef FABRIC_DYNAMIC_H
#define FABRIC_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>

/* Versions are those that a linker would have bound to. */
struct dynamic_symbol {
	const char *name, *version;
	void *at;    /* the pointer to set */
	bool absent; /* it may be */
};

/* Loads a library, which stays, and sets the pointers. Returns 0, or -1 after
 * logging why at level info. */
int dynamic_open(const char *file, const struct dynamic_symbol *symbols,
		 size_t n);

#define DYNAMIC_MEMBER(version, type, name, ...) __typeof__(name) *name;
#define DYNAMIC_SYMBOL(version, type, name, ...)                               \
	{#name, version, &lib.name, false},
#define DYNAMIC_CALL(version, type, name, parameters, arguments)               \
	type name parameters                                                   \
	{                                                                      \
		return lib.name arguments;                                     \
	}
#define DYNAMIC_CALL_VOID(version, type, name, parameters, arguments)          \
	type name parameters                                                   \
	{                                                                      \
		lib.name arguments;                                            \
	}
#endif
