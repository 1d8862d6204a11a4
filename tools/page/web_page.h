/* SPDX-License-Identifier: Apache-2.0 */
/* web_page.h: the page on which people step through collectives, page.html. It
 * is one file with its script and data, and loads nothing. */
#ifndef TOOLS_PAGE_WEB_PAGE_H
#define TOOLS_PAGE_WEB_PAGE_H

#include <stdio.h>

/* Writes the page up to where its data stands: one JSON value without '<' in
 * it, which the caller writes next. */
void page_begin(FILE *out);
void page_end(FILE *out);
#endif
