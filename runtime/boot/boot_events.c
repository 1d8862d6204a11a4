/* SPDX-License-Identifier: Apache-2.0 */
/* boot_events.c: events of PMIx about the life of the job, a rank that has died
 * or a launcher that is gone, become faults. The handler runs on PMIx's
 * thread. */
#include "runtime/boot/boot_events.h"

#include <pmix.h>
#include <stdbool.h>
#include "mrt.h"
#include "runtime/base/fault.h"

static const pmix_info_t *find_info(const pmix_info_t *info, size_t n,
				    const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (PMIX_CHECK_KEY(&info[i], key))
			return &info[i];
	return NULL;
}

/* Whether mrun has printed the text (launcher/notify.h). */
static bool is_told(const pmix_info_t *info, size_t n)
{
	const pmix_info_t *told = find_info(info, n, "mrt.told");

	return told && told->value.type == PMIX_BOOL && told->value.data.flag;
}

static void peer_died(pmix_status_t status, const pmix_info_t *info, size_t n)
{
	const pmix_info_t *who = find_info(info, n, PMIX_EVENT_AFFECTED_PROC);
	const pmix_info_t *why = find_info(info, n, PMIX_EVENT_TEXT_MESSAGE);
	bool text =
	    why && why->value.type == PMIX_STRING && why->value.data.string;

	if (text && is_told(info, n))
		fault_raise_told(MRT_ERR_PEER, why->value.data.string);
	else if (text)
		fault_raise(MRT_ERR_PEER, why->value.data.string);
	else if (who && who->value.type == PMIX_PROC && who->value.data.proc)
		fault_raise_text(MRT_ERR_PEER, "rank %u has died (%s)",
				 who->value.data.proc->rank,
				 PMIx_Error_string(status));
	else
		fault_raise_text(MRT_ERR_PEER, "a rank has died (%s)",
				 PMIx_Error_string(status));
}

static void on_event(size_t handler, pmix_status_t status,
		     const pmix_proc_t *source, pmix_info_t info[], size_t n,
		     pmix_info_t results[], size_t nresults,
		     pmix_event_notification_cbfunc_fn_t done, void *arg)
{
	switch (status) {
	case PMIX_ERR_LOST_CONNECTION:
	case PMIX_ERR_UNREACH:
	case PMIX_ERR_COMM_FAILURE:
		fault_raise(MRT_ERR_SERVICE,
			    "the launcher is gone (its PMIx server closed the "
			    "connection)");
		break;
	case PMIX_ERR_PROC_ABORTED:
	case PMIX_ERR_PROC_ABORTED_BY_SIG:
	case PMIX_ERR_PROC_TERM_WO_SYNC:
	case PMIX_ERR_PROC_REQUESTED_ABORT:
	case PMIX_ERR_PROC_KILLED_BY_CMD:
	case PMIX_ERR_PROC_SENSOR_BOUND_EXCEEDED:
	case PMIX_ERR_EXIT_NONZERO_TERM:
	case PMIX_ERR_JOB_ABORTED:
	case PMIX_ERR_JOB_TERMINATED:
		peer_died(status, info, n);
		break;
	default:
		break; /* not about the life of the job */
	}
	if (done)
		done(PMIX_EVENT_ACTION_COMPLETE, NULL, 0, NULL, NULL, arg);
}

/* A registration is not waited for: what the server learns of this rank comes
 * after it, in the order of messages. */
static void boot_events_registered(pmix_status_t status, size_t handler,
				   void *arg)
{
}

/* Registers the handlers. The default handler gets what this process's PMIx
 * notices itself (a lost server); what the server sends about other ranks only
 * reaches handlers that name the code (PMIx 4.2.2). */
void boot_events_start(void)
{
	static pmix_status_t codes[] = {
	    PMIX_ERR_PROC_ABORTED,	 PMIX_ERR_PROC_ABORTED_BY_SIG,
	    PMIX_ERR_PROC_TERM_WO_SYNC,	 PMIX_ERR_PROC_REQUESTED_ABORT,
	    PMIX_ERR_PROC_KILLED_BY_CMD, PMIX_ERR_EXIT_NONZERO_TERM,
	    PMIX_ERR_JOB_ABORTED,
	};

	PMIx_Register_event_handler(NULL, 0, NULL, 0, on_event,
				    boot_events_registered, NULL);
	PMIx_Register_event_handler(codes, sizeof(codes) / sizeof(codes[0]),
				    NULL, 0, on_event, boot_events_registered,
				    NULL);
}
