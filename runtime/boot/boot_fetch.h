/* SPDX-License-Identifier: Apache-2.0 */
/* boot_fetch.h: what a rank has published, asked of the launcher; a part of
 * boot.c. */
#ifndef BOOT_BOOT_FETCH_H
#define BOOT_BOOT_FETCH_H

#include <pmix.h>
#include <stddef.h>

/* The bytes under a key, which must stay where it is, to be freed; NULL if
 * there are none, or at a fault. */
char *boot_fetch(const pmix_proc_t *who, const char *key, size_t *size);
#endif
