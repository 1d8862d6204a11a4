/* SPDX-License-Identifier: Apache-2.0 */
/* plain.h: text of others on its way to a terminal. */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include <stddef.h>

/*
 * Makes '?' of each byte that a terminal could take for a command: control
 * characters, also those of 0x80 to 0x9f, and whatever is not UTF-8; and of
 * characters that are not seen, or let text look like another: marks of
 * direction, of no width. What a variable or a program's name holds comes from
 * anywhere.
 */
void make_printable(char *text, size_t len);
#endif
