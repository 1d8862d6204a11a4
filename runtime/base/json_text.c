/* SPDX-License-Identifier: Apache-2.0 */
/* json_text.c: a string is quoted as RFC 8259, section 7, says; bytes from 0x80
 * on pass unchanged. */
#include "runtime/base/json_text.h"

void json_text(FILE *out, const char *s)
{
	putc('"', out);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fprintf(out, "\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			fprintf(out, "\\u%04x", (unsigned)(unsigned char)*s);
		else
			putc(*s, out);
	}
	putc('"', out);
}
