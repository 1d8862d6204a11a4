/* SPDX-License-Identifier: Apache-2.0 */
/*
 * notify.h: tells the surviving ranks that one has failed.
 *
 * The PMIx event that each connected rank gets:
 *	code	PMIX_ERR_PROC_ABORTED_BY_SIG	a signal killed the rank
 *		PMIX_ERR_PROC_REQUESTED_ABORT	the rank called PMIx_Abort
 *		PMIX_ERR_PROC_TERM_WO_SYNC	it ended in any other way
 *	source	the failed rank; range PMIX_RANGE_NAMESPACE
 *	info	PMIX_EVENT_AFFECTED_PROC	pmix_proc_t of the failed rank
 *		PMIX_EVENT_TEXT_MESSAGE		"rank 3 on node1 (pid 123,
 *						./app) was killed by signal 9
 *						(Killed)"
 *		PMIX_EXIT_CODE			int, what mrun will exit with
 *		mrt.told			bool, mrun has printed the text
 * It is not marked as non-default: the default handler gets it too. A rank
 * that registers later gets it then.
 */
#ifndef LAUNCHER_NOTIFY_H
#define LAUNCHER_NOTIFY_H

#include "launcher/job.h"

enum notify_cause { NOTIFY_SIGNAL, NOTIFY_ABORT, NOTIFY_EXIT };

/* Sends the event without waiting for it to arrive. */
void notify_failure(const struct job *job, const struct rank *failed,
		    enum notify_cause cause, const char *text);
#endif
