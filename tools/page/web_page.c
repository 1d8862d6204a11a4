/* SPDX-License-Identifier: Apache-2.0 */
/* web_page.c: the text of page.html, which the build turns into an array. */
#include "tools/page/web_page.h"

#include <string.h>

static const unsigned char page_text[] = {
#include "tools/page/page_text.h"
    0};
static const char *const page = (const char *)page_text;
static const char page_place[] = "@DATA@";

void page_begin(FILE *out)
{
	fwrite(page, 1, (size_t)(strstr(page, page_place) - page), out);
}

void page_end(FILE *out)
{
	fputs(strstr(page, page_place) + strlen(page_place), out);
}
