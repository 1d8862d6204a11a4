/* SPDX-License-Identifier: Apache-2.0 */
/* fault.c: the first fault of the process, published once. */
#include "runtime/base/fault.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "mrt.h"
#include "runtime/base/log.h"

enum { RESOLVE_MS = 500 };

atomic_int fault_code;
static atomic_bool suspected;
static atomic_int suspicion;
static atomic_flag claimed = ATOMIC_FLAG_INIT, reported = ATOMIC_FLAG_INIT;
static char fault_text[512];
static bool told; /* by the launcher; published with the code */
/* Held while the hook runs and the word is used: after their removal, what they
 * need may be freed. */
static pthread_mutex_t hook_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t *shared_word;
static void (*wakeup_hook)(void);

static void raise_once(int code, const char *text, bool by_launcher)
{
	if (atomic_flag_test_and_set(&claimed))
		return;
	snprintf(fault_text, sizeof(fault_text), "%s", text);
	told = by_launcher;
	/* release: pairs with the acquires in fault_report and fault_message,
	 * so that the text is there before the code */
	atomic_store_explicit(&fault_code, code, memory_order_release);
	pthread_mutex_lock(&hook_lock);
	if (wakeup_hook)
		wakeup_hook();
	pthread_mutex_unlock(&hook_lock);
}

void fault_raise(int code, const char *text)
{
	raise_once(code, text, false);
}

void fault_raise_told(int code, const char *text)
{
	raise_once(code, text, true);
}

int fault_raise_text(int code, const char *format, ...)
{
	char text[400];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fault_raise(code, text);
	return code;
}

void fault_share(_Atomic uint32_t *word)
{
	pthread_mutex_lock(&hook_lock);
	shared_word = word;
	pthread_mutex_unlock(&hook_lock);
}

bool fault_claim(void)
{
	_Atomic uint32_t *word = shared_word;

	/* relaxed: the word stands alone */
	return !word ||
	       !atomic_exchange_explicit(word, 1, memory_order_relaxed);
}

/* Chooses the level of this rank's line. Other faults than those that all ranks
 * meet are this rank's own, and nobody else tells of them. */
static enum log_level choose_level(int code)
{
	bool first = !told;

	if (code != MRT_ERR_PEER && code != MRT_ERR_SERVICE)
		return LOG_ERROR;
	pthread_mutex_lock(&hook_lock);
	first = first && fault_claim();
	pthread_mutex_unlock(&hook_lock);
	return first ? LOG_ERROR : LOG_INFO;
}

int fault_report(void)
{
	/* acquire: pairs with the release in fault_raise */
	int code = atomic_load_explicit(&fault_code, memory_order_acquire);
	if (code && !atomic_flag_test_and_set(&reported))
		log_line(choose_level(code), code, "%s", fault_text);
	return code;
}

const char *fault_message(void)
{
	/* acquire: pairs with the release in fault_raise */
	return atomic_load_explicit(&fault_code, memory_order_acquire)
		   ? fault_text
		   : "";
}

void fault_set_wakeup(void (*wakeup)(void))
{
	pthread_mutex_lock(&hook_lock);
	wakeup_hook = wakeup;
	pthread_mutex_unlock(&hook_lock);
}

void fault_suspect(int code)
{
	atomic_store(&suspicion, code);
	atomic_store(&suspected, true);
}

int fault_resolve(int code)
{
	const struct timespec step = {0, 1000000};

	for (int ms = 0; atomic_load(&suspected) && ms < RESOLVE_MS; ms++) {
		if (atomic_load(&fault_code))
			return fault_code;
		nanosleep(&step, NULL);
	}
	if (atomic_exchange(&suspected, false) && suspicion)
		return suspicion;
	return code;
}

void fault_confirm(const char *text)
{
	fault_resolve(0);
	fault_raise(MRT_ERR_PEER, text);
}
