/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c: parses numbers in a text (see scan.h). */
#include "apps/kernels/scan.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int ends_word(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

/* Returns the position after blanks, tabs and carriage returns. */
static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\r')
		p++;
	return p;
}

int scan_at_line_end(const char *p)
{
	p = skip_blanks(p);
	return *p == '\n' || *p == '\0';
}

const char *scan_next_line(const char *p)
{
	p += strcspn(p, "\n");
	return *p ? p + 1 : p;
}

int scan_int(const char **p, int64_t *value)
{
	const char *q = skip_blanks(*p);
	int negative = *q == '-';
	int64_t v = 0;

	if (*q == '-' || *q == '+')
		q++;
	if (!is_digit(*q))
		return -1;
	for (; is_digit(*q); q++) {
		if (v > (INT64_MAX - 9) / 10)
			return -1;
		v = v * 10 + (*q - '0');
	}
	if (!ends_word(*q))
		return -1;
	*value = negative ? -v : v;
	*p = q;
	return 0;
}

/* Parses digits with an optional point; up to 19 digits are exact. Returns the
 * number of digits, and in *exponent how many follow the point. */
static int scan_digits(const char **p, uint64_t *mantissa, int *exponent)
{
	const char *q = *p;
	int digits = 0, point = 0;

	*mantissa = 0;
	*exponent = 0;
	for (;; q++) {
		if (*q == '.' && !point) {
			point = 1;
			continue;
		}
		if (!is_digit(*q))
			break;
		if (digits++ < 19)
			*mantissa = *mantissa * 10 + (uint64_t)(*q - '0');
		*exponent -= point;
	}
	*p = q;
	return digits;
}

/* Parses an optional exponent (e, E, or Fortran's d, D). Returns 0 or -1. */
static int scan_exponent(const char **p, int *exponent)
{
	int64_t e;

	if (!*(*p) || !strchr("eEdD", **p))
		return 0;
	++*p;
	if (**p == ' ' || scan_int(p, &e) || e < -9999 || e > 9999)
		return -1;
	*exponent += (int)e;
	return 0;
}

/* Uses strtod on a copy, because strtod does not know Fortran's exponent
 * letter. */
static double slow_double(const char *from, const char *to)
{
	char word[64];
	size_t n = (size_t)(to - from);

	if (n >= sizeof(word))
		return strtod(from, NULL);
	memcpy(word, from, n);
	word[n] = '\0';
	for (char *d = word; *d; d++)
		if (*d == 'd' || *d == 'D')
			*d = 'e';
	return strtod(word, NULL);
}

/* Integers up to 2^53 and powers of ten up to 10^22 are exact doubles, so one
 * multiplication or division gives the correctly rounded value. */
int scan_double(const char **p, double *value)
{
	static const double ten[] = {1e0,  1e1,	 1e2,  1e3,  1e4,  1e5,
				     1e6,  1e7,	 1e8,  1e9,  1e10, 1e11,
				     1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
				     1e18, 1e19, 1e20, 1e21, 1e22};
	const char *begin = skip_blanks(*p), *q = begin;
	int negative = *q == '-', exponent, digits;
	uint64_t mantissa;
	double v;

	if (*q == '-' || *q == '+')
		q++;
	digits = scan_digits(&q, &mantissa, &exponent);
	if (digits == 0 || scan_exponent(&q, &exponent) || !ends_word(*q))
		return -1;
	if (digits <= 19 && mantissa <= (1ull << 53) && abs(exponent) <= 22) {
		v = exponent < 0 ? (double)mantissa / ten[-exponent]
				 : (double)mantissa * ten[exponent];
		v = negative ? -v : v;
	} else {
		v = slow_double(begin, q);
	}
	if (!isfinite(v))
		return -1;
	*value = v;
	*p = q;
	return 0;
}
