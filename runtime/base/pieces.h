/* SPDX-License-Identifier: Apache-2.0 */
/* pieces.h: walks through a list of memory pieces from the front. The list has
 * neither an end mark nor empty pieces: the caller knows how many bytes it
 * holds. */
#ifndef BASE_PIECES_H
#define BASE_PIECES_H

#include <stddef.h>
#include <string.h>
#include <sys/uio.h>

struct pieces {
	const struct iovec *next; /* first piece not taken as a whole */
	size_t at;		  /* bytes of it already taken */
};

/* Takes the next *len bytes or fewer into `out`, as at most `most` pieces, each
 * part of one piece of the list. *len gets the bytes taken; returns the
 * pieces. */
static inline int pieces_take(struct pieces *p, struct iovec *out, int most,
			      size_t *len)
{
	size_t left = *len;
	int n = 0;

	while (left && n < most) {
		size_t part = p->next->iov_len - p->at;

		if (part > left)
			part = left;
		out[n].iov_base = (char *)p->next->iov_base + p->at;
		out[n++].iov_len = part;
		left -= part;
		p->at += part;
		if (p->at == p->next->iov_len) {
			p->next++;
			p->at = 0;
		}
	}
	*len -= left;
	return n;
}

/* Copies n pieces, which may be empty, to `to`; returns the end of the copy. */
static inline char *pieces_gather(char *to, const struct iovec *iov, int n)
{
	for (int i = 0; i < n; i++) {
		if (iov[i].iov_len)
			memcpy(to, iov[i].iov_base, iov[i].iov_len);
		to += iov[i].iov_len;
	}
	return to;
}

/* Takes the next len bytes and copies them to `to`. */
static inline void pieces_copy(struct pieces *p, char *to, size_t len)
{
	struct iovec piece;

	while (len) {
		size_t part = len;

		pieces_take(p, &piece, 1, &part);
		memcpy(to, piece.iov_base, part);
		to += part;
		len -= part;
	}
}
#endif
