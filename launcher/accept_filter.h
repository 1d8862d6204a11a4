/* SPDX-License-Identifier: Apache-2.0 */
/* accept_filter.h: who may connect to mrun's PMIx server; see accept_filter.c.
 */
#ifndef LAUNCHER_ACCEPT_FILTER_H
#define LAUNCHER_ACCEPT_FILTER_H

enum accept_peer { ACCEPT_UNKNOWN, ACCEPT_OWN, ACCEPT_STRANGER };

/* Of which user the other end of a connection is: this one, or another. */
enum accept_peer accept_filter_peer(int fd);
#endif
