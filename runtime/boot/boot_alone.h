/* SPDX-License-Identifier: Apache-2.0 */
/* boot_alone.h: a part of boot.c. */
#ifndef BOOT_BOOT_ALONE_H
#define BOOT_BOOT_ALONE_H

/* Warns, in the rank 0 of a launcher that libmrt cannot join, that there are as
 * many jobs of one rank as it was to have ranks. */
void boot_alone_warn(void);
#endif
