/* SPDX-License-Identifier: Apache-2.0 */
/*
 * times_names.c: which plan of libmrt is the algorithm that another library
 * calls by some name, and what that library does otherwise (see times.h).
 *
 * Source: Open MPI 4.1, ompi/mca/coll/base: its trees and chains send a vector
 * whole unless they are told a segment, its linear scatter, gather and reduce
 * end each message before they begin the next.
 */
#include "tools/scale/times.h"

#include "coll/plan/algorithm.h"
#include "coll/plan/rules.h"

#include <string.h>

/* A segment that no vector fills. */
#define WHOLE ":1099511627776"

/*
 * Names of other libraries for the algorithms of a collective (NULL: of any):
 * the beginning of a name suffices. `here` is libmrt's choice, "" if it has
 * none, or if the algorithm consists of others that the name does not tell.
 * Names that are not here mean libmrt's of the same words. Most of these
 * algorithms go from round to round by blocking sends and receives.
 */
static const struct synonym {
	const char *collective, *name, *here;
	enum {
		BY_ROUNDS,
		AT_ONCE, /* a rank begins several messages */
		/* by rounds, but no two ranks exchange messages; libmrt's do
		 * where there is a power of two of them */
		ROUND_ABOUT
	} how;
} synonyms[] = {
    {"bcast", "binary", "binary" WHOLE, AT_ONCE},
    {"bcast", "binomial", "binomial", AT_ONCE},
    {"bcast", "knomial", "knomial", AT_ONCE},
    {"bcast", "basic_linear", "linear", AT_ONCE},
    {"bcast", "linear", "linear", AT_ONCE},
    {"bcast", "pipeline", "chain" WHOLE, AT_ONCE},
    {"bcast", "chain", "", BY_ROUNDS},
    {"bcast", "scatter_allgather_ring", "scatter_allgather", BY_ROUNDS},
    {"bcast", "scatter_allgather", "", BY_ROUNDS},
    {"bcast", "bine_bdw", "", BY_ROUNDS},
    {"reduce", "binary", "binary" WHOLE, AT_ONCE},
    {"reduce", "binomial", "binomial", AT_ONCE},
    {"reduce", "knomial", "knomial", AT_ONCE},
    {"reduce", "pipeline", "chain" WHOLE, AT_ONCE},
    {"reduce", "chain", "", BY_ROUNDS},
    {"reduce", "bine_bdw", "", BY_ROUNDS},
    {"gather", "linear_sync", "", BY_ROUNDS},
    {"scatter", "linear_nb", "linear", AT_ONCE},
    {"allgather", "linear", "", BY_ROUNDS},
    {"allreduce", "non_overlapping", "", BY_ROUNDS},
    {"allreduce", "nonoverlapping", "", BY_ROUNDS},
    {"allreduce", "segmented_ring", "ring", BY_ROUNDS},
    {"allreduce", "bine_bdw", "bine_halving", BY_ROUNDS},
    {"alltoall", "linear", "linear", AT_ONCE},
    {"alltoall", "pairwise", "pairwise", ROUND_ABOUT},
    {NULL, "basic_linear", "linear", BY_ROUNDS},
    {NULL, "modified_bruck", "bruck", BY_ROUNDS},
    {NULL, "k_bruck", "bruck", BY_ROUNDS},
    {NULL, "redscat_allgather", "rabenseifner", BY_ROUNDS},
    {NULL, "reduce_scatter_allgather", "rabenseifner", BY_ROUNDS}};

int times_collective(const char *name, enum collective *collective)
{
	if (!strcmp(name, "reduce_scatter"))
		name = "reduce_scatter_block";
	for (int k = 0; k < COLLECTIVES; k++)
		if (!strcmp(coll_tables[k].name, name) && !rules[k].neighbors) {
			*collective = (enum collective)k;
			return 0;
		}
	return -1;
}

/* Returns the first synonym that a name begins with, or NULL. */
static const struct synonym *find_synonym(enum collective c, const char *name)
{
	const struct synonym *s = synonyms;
	size_t n = sizeof(synonyms) / sizeof(synonyms[0]);

	for (; n; n--, s++)
		if ((!s->collective ||
		     !strcmp(s->collective, coll_tables[c].name)) &&
		    !strncmp(s->name, name, strlen(s->name)))
			return s;
	return NULL;
}

/* Returns how many letters of words begin both names; each ends where the other
 * does, or where its next word begins. */
static size_t common_letters(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return (!a[n] && (!b[n] || b[n] == '_')) || (!b[n] && a[n] == '_') ? n
									   : 0;
}

/* Finds the algorithm whose name has most in common with this one. */
static const struct algorithm *closest_name(const struct coll_table *t,
					    const char *name)
{
	const struct algorithm *best = NULL;
	size_t most = 0, n;

	for (size_t k = 0; k < t->nrows; k++) {
		n = common_letters(t->rows[k]->name, name);
		if (n > most) {
			most = n;
			best = t->rows[k];
		}
	}
	return best;
}

/* Drops words from the end of a name until one of libmrt's begins so. */
static const struct algorithm *drop_words(const struct coll_table *t,
					  const char *name)
{
	const struct algorithm *found;
	char words[STUDY_NAME], *last;

	snprintf(words, sizeof(words), "%s", name);
	for (;;) {
		found = closest_name(t, words);
		last = strrchr(words, '_');
		if (found || !last)
			return found;
		*last = '\0';
	}
}

bool times_algorithm(struct times_row *r)
{
	const struct synonym *s;
	char why[256];

	r->choice = (struct choice){NULL, 0};
	if (select_parse(r->collective, r->algorithm, &r->choice, why,
			 sizeof(why)))
		return true;
	s = find_synonym(r->collective, r->algorithm);
	r->in_turn = !s || s->how != AT_ONCE;
	r->no_exchange = s && s->how == ROUND_ABOUT;
	if (s)
		return select_parse(r->collective, s->here, &r->choice, why,
				    sizeof(why)) &&
		       r->choice.algorithm;
	r->choice.algorithm =
	    drop_words(&coll_tables[r->collective], r->algorithm);
	return r->choice.algorithm;
}
