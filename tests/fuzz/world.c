/* SPDX-License-Identifier: Apache-2.0 */
/* world.c implements world.h. */
#include "tests/fuzz/world.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/error.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"
/* included for its static state, which a fault closes for ever */
#include "runtime/engine/progress.c"

int world_size = 3;
const void *world_blob;
size_t world_blob_len;
char world_fault[512];

/* ---- boot.h ---- */

bool boot_is_launched(void)
{
	return false;
}

int boot_init(struct boot_job *job)
{
	memset(job, 0, sizeof(*job));
	job->size = job->node_size = world_size;
	job->nnodes = 1;
	job->node_ranks = calloc((size_t)world_size, sizeof(int));
	if (!job->node_ranks)
		return MRT_ERR_NO_MEM;
	for (int r = 0; r < world_size; r++)
		job->node_ranks[r] = r;
	snprintf(job->id, sizeof(job->id), "fuzz");
	snprintf(job->host, sizeof(job->host), "here");
	return 0;
}

int boot_put(const char *key, const void *blob, size_t len)
{
	return 0;
}

int boot_fence(void)
{
	return 0;
}

int boot_fence_last(void (*meanwhile)(void *arg), void *arg)
{
	return 0;
}

int boot_get(int rank, const char *key, void *blob, size_t *len)
{
	if (!world_blob || world_blob_len > *len)
		return MRT_ERR_PROTOCOL;
	memcpy(blob, world_blob, world_blob_len);
	*len = world_blob_len;
	return 0;
}

int boot_put_node(const struct boot_job *job, const char *key, const void *blob,
		  size_t len)
{
	return boot_put(key, blob, len);
}

int boot_get_node(const struct boot_job *job, const char *key, void *blob,
		  size_t *len)
{
	return boot_get(job->node_ranks[0], key, blob, len);
}

void boot_drop_node(const struct boot_job *job, const char *key)
{
}

void boot_stats(struct counters *t)
{
}

void boot_abort(int code, const char *text)
{
	fprintf(stderr, "the job is ended: %d, %s\n", code, text);
	abort();
}

void boot_forked(void)
{
}

int boot_finalize(struct boot_job *job, bool for_good)
{
	free(job->node_ranks);
	job->node_ranks = NULL;
	return 0;
}

/* ---- modex.h ---- */

/* The card that modex_card has given last is a block of its own length, so that
 * ASan sees an access behind it. */
static void *card_given;

int modex_open(const struct boot_job *job, struct fab *near, struct fab *far,
	       const char *why)
{
	return 0;
}

int modex_renew(struct fab *far)
{
	return 0;
}

int modex_census(struct census *all)
{
	return 0;
}

int modex_card(int rank, void **card, size_t *len)
{
	modex_forget();
	card_given =
	    world_blob ? malloc(world_blob_len + !world_blob_len) : NULL;
	if (!card_given)
		return MRT_ERR_PROTOCOL;
	memcpy(card_given, world_blob, world_blob_len);
	*card = card_given;
	*len = world_blob_len;
	return 0;
}

void modex_forget(void)
{
	free(card_given);
	card_given = NULL;
}

int modex_places(void)
{
	return MRT_ERR_PROTOCOL;
}

struct place modex_place_of(int rank)
{
	return (struct place){.node = rank, .cache = -1};
}

void modex_close(void)
{
}

/* ---- fault.h ---- */

atomic_int fault_code;

void fault_raise(int code, const char *text)
{
	if (fault_code)
		return;
	snprintf(world_fault, sizeof(world_fault), "%s", text);
	fault_code = code;
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

int fault_report(void)
{
	return fault_code;
}

const char *fault_message(void)
{
	return world_fault;
}

bool fault_claim(void)
{
	return true;
}

void fault_set_wakeup(void (*wakeup)(void))
{
}

void fault_share(_Atomic uint32_t *word)
{
}

void fault_suspect(int code)
{
}

int fault_resolve(int code)
{
	return code;
}

void fault_confirm(const char *text)
{
	fault_raise(MRT_ERR_PEER, text);
}

void world_heal(void)
{
	fault_code = 0;
	world_fault[0] = 0;
	closed = false;
}
