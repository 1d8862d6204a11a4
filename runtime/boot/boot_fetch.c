/* SPDX-License-Identifier: Apache-2.0 */
/* boot_fetch.c: PMIx_Get waits for ever if the server is lost meanwhile (PMIx
 * 4.2.2). So the request is made without waiting and given up at a fault. A
 * later answer finds static storage and is dropped. */
#include "runtime/boot/boot_fetch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/base/clock.h"
#include "runtime/base/fault.h"
#include "runtime/boot/boot_seal.h"

enum { POLL_NS = 20000000 }; /* between checks for faults */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t cond;
	unsigned asked, answered;
	void *bytes; /* the caller's, while it waits */
	size_t size;
	struct seal seal; /* expected, but for the length */
	const char *why;
	enum boot_fetched result;
} fetch = {.lock = PTHREAD_MUTEX_INITIALIZER, .cond = PTHREAD_COND_INITIALIZER};

static enum boot_fetched boot_fetch_take(const pmix_value_t *value)
{
	const pmix_byte_object_t *bo = &value->data.bo;
	size_t room;

	if (value->type != PMIX_BYTE_OBJECT)
		return FETCH_UNFIT;
	fetch.why = seal_broken(&fetch.seal, bo->bytes, bo->size);
	if (fetch.why)
		return FETCH_BROKEN;
	room = fetch.size;
	fetch.size = bo->size - sizeof(struct seal);
	if (fetch.size > room)
		return FETCH_UNFIT;
	memcpy(fetch.bytes, bo->bytes + sizeof(struct seal), fetch.size);
	return FETCH_DONE;
}

/* Receives the answer, on PMIx's thread. */
static void boot_fetch_arrived(pmix_status_t status, pmix_value_t *value,
			       void *arg)
{
	pthread_mutex_lock(&fetch.lock);
	if ((unsigned)(uintptr_t)arg == fetch.asked) {
		if (status == PMIX_SUCCESS && value)
			fetch.result = boot_fetch_take(value);
		fetch.answered = fetch.asked;
		pthread_cond_signal(&fetch.cond);
	}
	pthread_mutex_unlock(&fetch.lock);
}

static void wait_for_answer(void)
{
	struct timespec until;

	while (fetch.answered != fetch.asked && !atomic_load(&fault_code)) {
		until = clock_in(CLOCK_REALTIME, POLL_NS);
		pthread_cond_timedwait(&fetch.cond, &fetch.lock, &until);
	}
	/* makes a later answer belong to no request */
	if (fetch.answered != fetch.asked)
		fetch.asked++;
}

enum boot_fetched boot_fetch(const pmix_proc_t *who, const char *key,
			     void *bytes, size_t *size, const char **why)
{
	static pmix_info_t immediate; /* only what the server has already */
	static bool loaded;
	enum boot_fetched result;
	unsigned request;

	if (!loaded)
		PMIX_INFO_LOAD(&immediate, PMIX_IMMEDIATE, NULL, PMIX_BOOL);
	loaded = true;
	pthread_mutex_lock(&fetch.lock);
	request = ++fetch.asked;
	fetch.bytes = bytes;
	fetch.size = *size;
	fetch.seal = seal_of(who->nspace, who->rank, key);
	fetch.result = FETCH_NOTHING;
	pthread_mutex_unlock(&fetch.lock);
	if (PMIx_Get_nb(who, key, &immediate, 1, boot_fetch_arrived,
			(void *)(uintptr_t)request) != PMIX_SUCCESS)
		return FETCH_NOTHING;
	pthread_mutex_lock(&fetch.lock);
	wait_for_answer();
	result = fetch.result;
	*size = fetch.size;
	*why = fetch.why;
	pthread_mutex_unlock(&fetch.lock);
	return result;
}
