/* SPDX-License-Identifier: Apache-2.0 */
/* proc.c: the lock of MRT_THREAD_MULTIPLE and how a failing call ends. */
#include "runtime/proc.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "runtime/base/error.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"

struct proc proc;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct {
	int code;
	char text[256];
} detail;

void proc_lock(void)
{
	pthread_mutex_lock(&lock);
}

void proc_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

int proc_fail(int code, const char *format, ...)
{
	va_list args;

	detail.code = code;
	va_start(args, format);
	vsnprintf(detail.text, sizeof(detail.text), format, args);
	va_end(args);
	return code;
}

int proc_failed(const char *call, int code)
{
	bool told = detail.code == code;

	detail.code = 0;
	if (proc.error_mode == MRT_ERRORS_RETURN)
		return code;
	/* a fault has been logged by who found it, and the launcher knows */
	if (code == fault_code) {
		fault_report();
		fflush(NULL);
		_exit(error_exit_code(code));
	}
	log_line(LOG_ERROR, code, "%s: %s", call,
		 told ? detail.text : error_text(code));
	fflush(NULL);
	boot_abort(error_exit_code(code), error_name(code));
}

enum mrt_error_mode mrt_set_error_mode(enum mrt_error_mode mode)
{
	enum mrt_error_mode before = proc.error_mode;

	proc.error_mode = mode;
	return before;
}
