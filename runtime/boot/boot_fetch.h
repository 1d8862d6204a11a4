/* SPDX-License-Identifier: Apache-2.0 */
/* boot_fetch.h: asks the launcher for what a rank has published; a part of
 * boot.c. */
#ifndef BOOT_BOOT_FETCH_H
#define BOOT_BOOT_FETCH_H

#include <pmix.h>
#include <stddef.h>

enum boot_fetched {
	FETCH_DONE,
	FETCH_NOTHING, /* no answer, nothing published, or a fault */
	FETCH_UNFIT,   /* no bytes, or more than fit */
	FETCH_BROKEN   /* its seal shows that it is not what was asked for */
};

/* Copies the bytes published under a key without their seal; *size: room in,
 * length out. `key` must stay valid, as an answer may come after return. *why
 * says what is wrong with a seal. */
enum boot_fetched boot_fetch(const pmix_proc_t *who, const char *key,
			     void *bytes, size_t *size, const char **why);

/* Returns MRT_ERR_* for what could not be fetched (logged), or the code of a
 * fault that explains it. */
int boot_fetch_result(enum boot_fetched result, int rank, const char *key,
		      const char *why);
#endif
