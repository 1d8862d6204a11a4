/* SPDX-License-Identifier: Apache-2.0 */
/*
 * server.h: mrun as the PMIx server of its ranks. What ranks say to it is
 * queued by PMIx's own thread and taken out by the main thread.
 */
#ifndef LAUNCHER_SERVER_H
#define LAUNCHER_SERVER_H

#include <stdbool.h>

#include "launcher/job.h"
#include "launcher/map.h"

enum server_what {
	SERVER_CONNECTED, /* PMIx_Init */
	SERVER_FINALIZED, /* PMIx_Finalize */
	SERVER_ABORTED	  /* PMIx_Abort: status and text are set */
};

struct server_message {
	enum server_what what;
	int rank, status;
	char text[256];
};

/* Starts the server and registers the job with all ranks. Signals must be
 * blocked already. EXIT_SERVICE (said). */
int server_start(const struct map *map, const struct job *job);

/*
 * Readable when messages wait. A rank's messages are in the queue before
 * its call returns, so what waitpid says is judged after the queue is empty.
 */
int server_fd(void);
bool server_next(struct server_message *message);

/* The environment of a rank: `base` plus what its PMIx client needs. NULL
 * when out of memory. The caller frees it by server_free_env. */
char **server_make_env(const struct job *job, int rank, char **base);
void server_free_env(char **env);

/* Forgets the job, waiting a moment at most. The server itself is not ended:
 * PMIx_server_finalize may hang after abnormal ends. */
void server_forget(const struct job *job);
#endif
