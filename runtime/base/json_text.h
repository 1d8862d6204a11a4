/* SPDX-License-Identifier: Apache-2.0 */
/* json_text.h: strings of JSON for programs that print it as they go. */
#ifndef BASE_JSON_TEXT_H
#define BASE_JSON_TEXT_H

#include <stdio.h>

/* Writes s as a JSON string, quoted and escaped. */
void json_text(FILE *out, const char *s);

#endif
