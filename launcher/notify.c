/* SPDX-License-Identifier: Apache-2.0 */
/* notify.c: sends one PMIx event; notify.h describes its contents. */

#include "launcher/notify.h"

#include <pmix.h>

#include "launcher/say.h"

enum { N_INFO = 4 };

/* PMIx's thread calls this when it no longer needs the infos. */
static void notify_notified(pmix_status_t status, void *arg)
{
	pmix_info_t *info = arg;

	PMIX_INFO_FREE(info, N_INFO);
}

void notify_failure(const struct job *job, const struct rank *failed,
		    enum notify_cause cause, const char *text)
{
	static const pmix_status_t codes[] = {
	    [NOTIFY_SIGNAL] = PMIX_ERR_PROC_ABORTED_BY_SIG,
	    [NOTIFY_ABORT] = PMIX_ERR_PROC_REQUESTED_ABORT,
	    [NOTIFY_EXIT] = PMIX_ERR_PROC_TERM_WO_SYNC,
	};
	int exit_code = job->exit_code;
	bool told = say_is_heard();
	pmix_info_t *info;
	pmix_proc_t proc;
	pmix_status_t rc;

	PMIX_INFO_CREATE(info, N_INFO);
	if (!info)
		return;
	/* ranks are not told who sends the event */
	PMIX_LOAD_PROCID(&proc, job->name,
			 failed ? (pmix_rank_t)failed->rank : PMIX_RANK_UNDEF);
	PMIx_Info_load(&info[0], PMIX_EVENT_AFFECTED_PROC, &proc, PMIX_PROC);
	PMIx_Info_load(&info[1], PMIX_EVENT_TEXT_MESSAGE, text, PMIX_STRING);
	PMIx_Info_load(&info[2], PMIX_EXIT_CODE, &exit_code, PMIX_INT);
	PMIx_Info_load(&info[3], "mrt.told", &told, PMIX_BOOL);
	rc = PMIx_Notify_event(codes[cause], &proc, PMIX_RANGE_NAMESPACE, info,
			       N_INFO, notify_notified, info);
	if (rc != PMIX_SUCCESS)
		notify_notified(rc, info);
}
