/* SPDX-License-Identifier: Apache-2.0 */
/* svg.h: what pictures (SVG 1.1) of ranks and messages share. */
#ifndef TOOLS_COMMON_SVG_H
#define TOOLS_COMMON_SVG_H

#include <stdio.h>

/* Begins a picture with a style sheet: classes for text, and what `style`
 * adds. The caller ends it with </svg>. */
void svg_begin(FILE *out, double width, double height, const char *style);
/* Writes the head of an arrow, of 12 by 12 pixels; it points to 10, 6. */
void svg_marker(FILE *out, const char *id, const char *shape);
/* Writes text with the characters escaped that are special in XML. */
void svg_text(FILE *out, const char *text);
#endif
