/* SPDX-License-Identifier: Apache-2.0 */
/* boot_describe.h: what the launcher's PMIx server tells of the job. */
#ifndef BOOT_BOOT_DESCRIBE_H
#define BOOT_BOOT_DESCRIBE_H

#include <pmix.h>

#include "runtime/boot/boot.h"

/* Fills *job for the rank `self`, a client of PMIx. MRT_ERR_PROTOCOL (logged)
 * if the server does not describe the job. */
int boot_describe(const pmix_proc_t *self, struct boot_job *job);
#endif
