/* SPDX-License-Identifier: Apache-2.0 */
/* trace_error.c: how the reader of fabrics reports what is wrong. */
#include <stdarg.h>
#include <stdio.h>

#include "tools/scale/scale.h"

int scale_error(int code, const char *format, ...)
{
	va_list args;

	fputs("mrt-trace: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return code;
}
