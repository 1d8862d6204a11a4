/* SPDX-License-Identifier: Apache-2.0 */
/* printable.h: makes foreign text safe to print on a terminal. */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include <stddef.h>

/*
 * Replaces by '?' each byte that a terminal could take for a command - control
 * characters, also 0x80 to 0x9f, and invalid UTF-8 - and each character that is
 * invisible or makes text look like another, such as direction marks and
 * zero-width characters. Values of variables and names of programs can come
 * from anywhere.
 */
void make_printable(char *text, size_t len);
#endif
