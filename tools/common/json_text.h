/* SPDX-License-Identifier: Apache-2.0 */
/* json_text.h: strings of JSON for tools that print it as they go. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

/* Prints s to standard output as a JSON string, quoted and escaped. */
void json_text(const char *s);

#endif
