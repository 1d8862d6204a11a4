/* SPDX-License-Identifier: Apache-2.0 */
/* boot_alone.h: a part of boot.c. */
#ifndef BOOT_BOOT_ALONE_H
#define BOOT_BOOT_ALONE_H

/* Warns that this process is a job of one rank if the environment shows that an
 * unknown launcher has started several. Only the one that it calls 0 warns. */
void boot_alone_warn(void);
#endif
