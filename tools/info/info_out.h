/* SPDX-License-Identifier: Apache-2.0 */
/* info_out.h: writes what mrt-info has found as text for people or as JSON for
 * programs, by the same calls. */
#ifndef TOOLS_INFO_INFO_OUT_H
#define TOOLS_INFO_INFO_OUT_H

#include <stdbool.h>

enum info_kind { INFO_OBJECT, INFO_LIST };

void info_set_json(bool json);
bool info_is_json(void);
/*
 * Begins an object or a list; key is NULL inside a list. In text an outermost
 * object is a heading, and a nested one only indents. Blanks in keys become
 * underscores in JSON.
 */
void info_open(const char *key, enum info_kind kind);
void info_close(enum info_kind kind);
void info_text(const char *key, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void info_number(const char *key, double value);
void info_bool(const char *key, bool value);
#endif
