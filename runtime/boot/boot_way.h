/* SPDX-License-Identifier: Apache-2.0 */
/* boot_way.h: the contract of a way to the launcher, of which boot.c uses the
 * one that the environment shows. What one way alone offers, as PMIx its
 * events, it keeps to itself. All is called on the main thread, abort on
 * any. */
#ifndef BOOT_WAY_H
#define BOOT_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/boot/boot.h"

/* A fence waits for the other ranks; this says for what, and how long. */
struct boot_fence {
	const char *what;
	uint64_t began;
	long waited_ms; /* since a rank of this node was seen to come */
	uint64_t came;	/* when it came */
	/* called ten times a second, without a time limit; or NULL:
	 * MRT_TIMEOUT */
	void (*meanwhile)(void *arg);
	void *arg;
};

/* A way looks at a fence after each wait of at most a tenth of a second;
 * `in_vain`: nothing came in it. Returns 0: wait on, MRT_ERR_SERVICE (logged)
 * after MRT_TIMEOUT, or the code of a fault. Time is counted in waits instead
 * of read from a clock: a job that was stopped has not waited. */
int boot_fence_look(struct boot_fence *f, bool in_vain);

enum boot_fetched {
	FETCH_DONE,
	FETCH_NOTHING, /* no answer, nothing published, or a fault */
	FETCH_UNFIT,   /* no bytes, or more than fit: *len says how many */
	FETCH_BROKEN   /* its seal shows that it is not what was asked for */
};

/* Returns MRT_ERR_* for what could not be fetched (logged), or the code of a
 * fault that explains it. */
int boot_fetch_result(enum boot_fetched result, int rank, const char *key,
		      const char *why);

struct boot_way {
	/* Returns a text that tells the job of the environment from others, or
	 * NULL: no launcher of this way has started this process. */
	const char *(*offer)(void);
	/* The name of the environment variable by which a process finds the
	 * launcher. A child of a rank inherits it, though it is no rank, and is
	 * told to unset it. */
	const char *variable;
	/* Joins the job; MRT_ERR_* (logged). */
	int (*join)(void);
	/* Describes the job that was joined; MRT_ERR_PROTOCOL (logged). */
	int (*describe)(struct boot_job *job);
	/* Publishes sealed bytes; MRT_ERR_SERVICE (logged). */
	int (*put)(const char *key, const void *sealed, size_t len);
	/* Exchanges what was put and waits for all ranks; errors logged. */
	int (*fence)(struct boot_fence *f);
	/* Like boot_get; *why says what is wrong with a seal. */
	enum boot_fetched (*get)(int rank, const char *key, void *blob,
				 size_t *len, const char **why);
	/* Asks for the end of the job. It may return, and the caller exits. */
	void (*abort)(int code, const char *text);
	/* Leaves the job, for good or until the next join. */
	void (*leave)(void);
};

extern const struct boot_way boot_pmix, boot_pmi;
#endif
