/* SPDX-License-Identifier: Apache-2.0 */
/* server.h: mrun is the PMIx server of its ranks. PMIx's thread queues what
 * ranks send, and the main thread takes it out. */
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

/* Starts the server and registers the job with all ranks. Signals must already
 * be blocked. Returns 0, EXIT_RESOURCE or EXIT_SERVICE, after a message. */
int server_start(const struct map *map, const struct job *job);

/*
 * server_fd is readable when messages are queued; server_next takes one, or
 * returns false. A rank's message is queued before its PMIx call returns, so
 * all messages of an ended rank are there when waitpid reports it.
 */
int server_fd(void);
bool server_next(struct server_message *message);

/* Returns the environment of a rank, `base` plus what its PMIx client needs;
 * NULL when out of memory. The caller frees it by server_free_env. */
char **server_make_env(const struct job *job, int rank, char **base);
void server_free_env(char **env);

/* Deregisters the job, waiting FORGET_MS at most. The server is not finalized:
 * PMIx_server_finalize may hang after abnormal ends. */
void server_forget(const struct job *job);
#endif
