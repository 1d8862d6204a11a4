/* SPDX-License-Identifier: Apache-2.0 */
/* accept_filter.h: tells whether a peer of mrun's PMIx server is a process of
 * the same user; see accept_filter.c. */
#ifndef LAUNCHER_ACCEPT_FILTER_H
#define LAUNCHER_ACCEPT_FILTER_H

enum accept_peer { ACCEPT_UNKNOWN, ACCEPT_OWN, ACCEPT_STRANGER };

/* Returns whose socket the other end of the connection is: this user's, another
 * user's, or unknown. */
enum accept_peer accept_filter_peer(int fd);
#endif
