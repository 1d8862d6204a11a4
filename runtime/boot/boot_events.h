/* SPDX-License-Identifier: Apache-2.0 */
/* boot_events.h: turns events of PMIx into faults. Starts after PMIx_Init. */
#ifndef BOOT_EVENTS_H
#define BOOT_EVENTS_H

void boot_events_start(void);
#endif
