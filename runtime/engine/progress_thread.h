/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress_thread.h: the thread of MRT_PROGRESS=thread. It makes progress while
 * the application computes: it answers peers, moves rendezvous data and goes on
 * with nonblocking collectives. A call makes progress itself, so the thread
 * keeps out of the way while one is under way or has just ended; then it sleeps
 * until a peer wakes it.
 */
#ifndef RUNTIME_PROGRESS_THREAD_H
#define RUNTIME_PROGRESS_THREAD_H

enum { PROGRESS_CALLS, PROGRESS_THREAD }; /* MRT_PROGRESS */

/* Starts the thread, after proc_use_lock. Returns 0 or MRT_ERR_* (logged). */
int progress_thread_start(void);
/* Ends it; the lock must be free. Does nothing if it has not been started. */
void progress_thread_stop(void);
/* Tells the thread, with the lock held, that the last call under way ends. */
void progress_thread_resume(void);
#endif
