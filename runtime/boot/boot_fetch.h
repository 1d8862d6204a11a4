/* SPDX-License-Identifier: Apache-2.0 */
/* boot_fetch.h: what a rank has published, asked of the launcher; a part of
 * boot.c. */
#ifndef BOOT_BOOT_FETCH_H
#define BOOT_BOOT_FETCH_H

#include <pmix.h>
#include <stddef.h>

enum boot_fetched {
	FETCH_DONE,
	FETCH_NOTHING, /* no answer, or that there is nothing, or a fault */
	FETCH_UNFIT,   /* it is no bytes, or more than there is room for */
	FETCH_BROKEN   /* its seal says that it is not what was asked for */
};

/* The bytes under a key, which must stay where it is, without their seal;
 * *size: room in, length out. *why: what is wrong with a seal. */
enum boot_fetched boot_fetch(const pmix_proc_t *who, const char *key,
			     void *bytes, size_t *size, const char **why);
#endif
