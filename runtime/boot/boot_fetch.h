/* SPDX-License-Identifier: Apache-2.0 */
/* boot_fetch.h: asks the launcher for what a rank has published; a part of
 * boot_pmix.c. */
#ifndef BOOT_BOOT_FETCH_H
#define BOOT_BOOT_FETCH_H

#include <pmix.h>

#include "runtime/boot/boot_way.h"

/* Copies the bytes published under a key without their seal; *size: room in,
 * length out, also if there is too little room. `key` must stay valid, as an
 * answer may come after return. *why says what is wrong with a seal. */
enum boot_fetched boot_fetch(const pmix_proc_t *who, const char *key,
			     void *bytes, size_t *size, const char **why);

#endif
