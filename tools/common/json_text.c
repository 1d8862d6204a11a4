/* SPDX-License-Identifier: Apache-2.0 */
/* json_text.c: a string is quoted as RFC 8259, section 7, says; bytes from 0x80
 * on pass unchanged. */
#include "tools/common/json_text.h"

#include <stdio.h>

void json_text(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			printf("\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			printf("\\u%04x", (unsigned)(unsigned char)*s);
		else
			putchar(*s);
	}
	putchar('"');
}
