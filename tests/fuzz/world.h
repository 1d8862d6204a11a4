/* SPDX-License-Identifier: Apache-2.0 */
/*
 * world.h stands for the rest of the job in a process that is alone: a boot
 * whose other ranks publish what the target says, and faults that can be
 * undone, so that one process tries input after input. It defines the symbols
 * of runtime/boot/boot.c, runtime/base/fault.c and runtime/engine/progress.c,
 * which are then not linked from the library.
 */
#ifndef TESTS_FUZZ_WORLD_H
#define TESTS_FUZZ_WORLD_H

#include <stddef.h>

/* The size of the job of boot_init, on one node; this process is rank 0. */
extern int world_size;

/* boot_get and modex_card find this blob of any rank, and nothing if it is
 * NULL. */
extern const void *world_blob;
extern size_t world_blob_len;

/* The text of the fault, "" if there is none. */
extern char world_fault[512];
/* Undoes a fault. */
void world_heal(void);
#endif
