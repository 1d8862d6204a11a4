/* SPDX-License-Identifier: Apache-2.0 */
/* svg.c: the head, style sheet and texts of pictures. */
#include "tools/common/svg.h"

static const char texts[] =
    "text { font: 13px Helvetica, Arial, sans-serif; fill: #222 }\n"
    ".title { font-size: 17px; font-weight: bold }\n"
    ".small { font-size: 12px; fill: #555 }\n"
    ".mid { text-anchor: middle }\n"
    ".end { text-anchor: end }\n";

void svg_begin(FILE *out, double width, double height, const char *style)
{
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" "
		"viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n"
		"<style>\n%s%s</style>\n",
		width, height, width, height, texts, style);
}

void svg_marker(FILE *out, const char *id, const char *shape)
{
	fprintf(out,
		"<marker id=\"%s\" markerUnits=\"userSpaceOnUse\" "
		"markerWidth=\"12\" markerHeight=\"12\" refX=\"10\" refY=\"6\" "
		"orient=\"auto\">%s</marker>\n",
		id, shape);
}

void svg_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&')
			fprintf(out, "&#%d;", *text);
		else
			fputc(*text, out);
}
