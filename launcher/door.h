/* SPDX-License-Identifier: Apache-2.0 */
/* door.h: who may connect to mrun's PMIx server; see door.c. */
#ifndef LAUNCHER_DOOR_H
#define LAUNCHER_DOOR_H

enum door_guest { GUEST_UNKNOWN, GUEST_OWN, GUEST_STRANGER };

/* Of which user the other end of a connection is: this one, or another. */
enum door_guest door_guest(int fd);
#endif
