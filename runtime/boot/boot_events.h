/* SPDX-License-Identifier: Apache-2.0 */
/* boot_events.h: faults from PMIx's events, once PMIx_Init has been called. */
#ifndef BOOT_EVENTS_H
#define BOOT_EVENTS_H

void boot_events_start(void);
#endif
