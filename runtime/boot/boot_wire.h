/* SPDX-License-Identifier: Apache-2.0 */
/* boot_wire.h: lines of PMI-1 to the launcher and its answers, "cmd=get
 * kvsname=K key=A" and "cmd=get_result rc=0 value=V"; a part of boot_pmi.c. */
#ifndef BOOT_BOOT_WIRE_H
#define BOOT_BOOT_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/boot/boot_way.h"

/* Connects by PMI_FD or PMI_PORT. MRT_ERR_SERVICE (logged). */
int wire_open(void);

/* Whether the connection is open. A program that closes all its descriptors
 * closes it, too. */
bool wire_is_open(void);

/* Sends a line and waits for no answer. */
void wire_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sends a line and waits for the next one, as boot_fence_look allows. Returns
 * MRT_ERR_SERVICE (logged) if its cmd is another one than `answer`, or the code
 * of a fault. A launcher that is gone is a fault. */
int wire_ask(struct boot_fence *f, const char *answer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Waits for a line, as wire_ask does. */
int wire_next(struct boot_fence *f, const char *cmd);

/* Copies a field of the last answer. Returns false if it has none, or one that
 * is too long. */
bool wire_field(const char *name, char *text, size_t size);

/* Like wire_field for a number; `otherwise` without one. */
int wire_number(const char *name, int otherwise);
#endif
