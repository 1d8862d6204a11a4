/* SPDX-License-Identifier: Apache-2.0 */
/* names.c: replaces libmrt's names by MPI's. Both are alike but for a few. */
#include "runtime/base/names.h"

#include <ctype.h>
#include <string.h>

#include "runtime/base/env.h"

static bool is_mpi;

void names_use_mpi(bool yes)
{
	is_mpi = yes;
}

bool names_are_mpi(void)
{
	return is_mpi;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether a name of libmrt begins at `at`. */
static bool name_begins(const char *text, const char *at)
{
	return (!strncmp(at, "mrt_", 4) || !strncmp(at, "MRT_", 4)) &&
	       isalnum((unsigned char)at[4]) &&
	       (at == text || (!is_word(at[-1]) && !strchr("/.-$", at[-1])));
}

/* Turns the name at `name` into MPI's, which has as many characters: mrt_send
 * becomes MPI_Send. */
static void names_translate(char *name)
{
	memcpy(name, "MPI", 3);
	name[4] = (char)toupper((unsigned char)name[4]);
}

/* Returns MPI's name for a name of n characters whose words differ, or NULL if
 * names_translate is right. */
static const char *names_special(const char *name, size_t n)
{
	static const char *const pairs[][2] = {
	    {"mrt_alloc", "MPI_Alloc_mem"},
	    {"mrt_alloc_uncleared", "MPI_Alloc_mem"},
	    {"mrt_compare_swap", "MPI_Compare_and_swap"},
	    {"mrt_size", "MPI_Comm_size"},
	    {"mrt_rank", "MPI_Comm_rank"},
	    {"MRT_TYPE_NULL", "MPI_DATATYPE_NULL"},
	    {"MRT_FLOAT_COMPLEX", "MPI_C_COMPLEX"},
	    {"MRT_DOUBLE_COMPLEX", "MPI_C_DOUBLE_COMPLEX"},
	    {"MRT_LONG_DOUBLE_COMPLEX", "MPI_C_LONG_DOUBLE_COMPLEX"},
	    {"MRT_DOUBLE_PRECISION_COMPLEX", "MPI_DOUBLE_COMPLEX"},
	    {"MRT_BOOL", "MPI_C_BOOL"},
	    {"MRT_INT8", "MPI_INT8_T"},
	    {"MRT_INT16", "MPI_INT16_T"},
	    {"MRT_INT32", "MPI_INT32_T"},
	    {"MRT_INT64", "MPI_INT64_T"},
	    {"MRT_UINT8", "MPI_UINT8_T"},
	    {"MRT_UINT16", "MPI_UINT16_T"},
	    {"MRT_UINT32", "MPI_UINT32_T"},
	    {"MRT_UINT64", "MPI_UINT64_T"}};

	for (size_t k = 0; k < sizeof(pairs) / sizeof(*pairs); k++)
		if (strlen(pairs[k][0]) == n && !memcmp(pairs[k][0], name, n))
			return pairs[k][1];
	return NULL;
}

size_t names_copy(char *to, size_t len, const char *text)
{
	const char *at = text, *other;
	size_t n, k = 0;

	while (*at && k < len - 1) {
		n = is_mpi && name_begins(text, at) ? 4 : 0;
		while (n && is_word(at[n]))
			n++;
		if (!n || (*at == 'M' && env_is_name(at, n))) {
			to[k++] = *at++;
			continue;
		}
		other = names_special(at, n);
		if (k + (other ? strlen(other) : n) >= len)
			break;
		if (other) {
			memcpy(to + k, other, strlen(other));
			k += strlen(other);
		} else {
			memcpy(to + k, at, n);
			names_translate(to + k);
			k += n;
		}
		at += n;
	}
	to[k] = '\0';
	return k;
}
