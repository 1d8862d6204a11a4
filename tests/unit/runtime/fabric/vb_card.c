/* SPDX-License-Identifier: Apache-2.0 */
/* vb_card.c: endpoints of other versions, jobs and machines are refused with a
 * message that names the peer and the reason; damaged ones too, whatever the
 * damage. */
#include "runtime/fabric/verbs/verbs.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "tests/tap.h"

/* ---- stand-ins for the parts that vb_card.c uses ---- */

static char published[4096];
static size_t published_len;
static char logged[512];

int boot_put(const char *key, const void *blob, size_t len)
{
	memcpy(published, blob, len);
	published_len = len;
	return 0;
}

int boot_get(int rank, const char *key, void *blob, size_t *len)
{
	if (published_len > *len)
		return MRT_ERR_PROTOCOL;
	memcpy(blob, published, published_len);
	*len = published_len;
	return 0;
}

void log_line(enum log_level level, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(logged, sizeof(logged), format, args);
	va_end(args);
}

const char *vb_port_name(const struct vb *vb)
{
	return "rxe0 port 1";
}

/* ---- tests ---- */

enum { RANKS = 3, ME = 1 };
static struct ibv_qp qps[RANKS];
static struct vb_ep eps[RANKS];
static struct boot_job job = {.size = RANKS, .rank = ME};
static struct vb vb = {.job = &job, .eps = eps, .window = 8};

/* Puts a good card into `published`; its queue pair numbers for us are 100 +
 * rank. */
static void publish(bool mesh)
{
	snprintf(job.id, sizeof(job.id), "job-7");
	snprintf(job.host, sizeof(job.host), "node2");
	vb.rx.len = 1024;
	vb.port_attr.active_mtu = IBV_MTU_1024;
	vb.attr.max_qp_rd_atom = 16;
	vb.card.mesh = mesh;
	for (int r = 0; r < RANKS; r++) {
		qps[r].qp_num = 100 + (uint32_t)r;
		eps[r].qp = &qps[r];
		eps[r].base.fab = &vb.base;
		eps[r].base.peer = r;
	}
	vb_card_publish(&vb);
}

static struct vb_card *card(void)
{
	return (struct vb_card *)(void *)published;
}

/* Reads `published` as rank 2's card; returns the result. */
static int read_it(uint32_t *qpn)
{
	int rc;

	logged[0] = 0;
	rc = vb_card_read(&eps[2], qpn);
	free(eps[2].card);
	eps[2].card = NULL;
	return rc;
}

static void refused(const char *text, const char *what)
{
	uint32_t qpn;

	ok(read_it(&qpn) == MRT_ERR_PROTOCOL, "%s: refused", what);
	ok(strstr(logged, text) != NULL, "%s: the message has \"%s\": %s", what,
	   text, logged);
}

static void good_cards(void)
{
	uint32_t qpn = 1;

	publish(true);
	ok(read_it(&qpn) == 0 && qpn == 100 + ME,
	   "full mesh: our queue pair number among theirs");
	publish(false);
	ok(read_it(&qpn) == 0 && qpn == 0, "at first use: none yet");
	ok(published_len == sizeof(struct vb_card), "and none is published");
}

static void foreign_cards(void)
{
	publish(true);
	card()->version = 9;
	refused("rank 2 speaks version 9 of the protocol over verbs, this rank "
		"1",
		"another version");
	publish(true);
	card()->version = 9;
	published_len = 8;
	refused("version 9", "another version, of another length");
	publish(true);
	card()->job++;
	refused("is of another job", "another job");
	publish(true);
	card()->magic = __builtin_bswap32(card()->magic);
	refused("none of libmrt's", "another byte order");
	published_len = 0;
	refused("none of libmrt's", "nothing");
}

/* Tries every length, and random bytes: each is refused, or as good as the
 * right one. */
static void damaged_cards(void)
{
	uint32_t qpn;
	int bad = 0;

	for (size_t len = 0; len < sizeof(struct vb_card) + RANKS * 4; len++) {
		publish(true);
		published_len = len;
		bad += read_it(&qpn) == 0;
	}
	ok(bad == 0, "cards cut short: refused");
	publish(true);
	published_len += 4;
	ok(read_it(&qpn) == MRT_ERR_PROTOCOL, "a card too long: refused");
	publish(true);
	card()->buf_len = 8;
	refused("damaged", "receive buffers of 8 bytes");
	publish(true);
	card()->window = 0;
	refused("damaged", "no receive buffers");
	publish(true);
	card()->mtu = 77;
	refused("damaged", "an impossible MTU");
	publish(true);
	memset(card()->host, 'x', sizeof(card()->host));
	card()->job++;
	refused("another job", "a name without end");
}

int main(void)
{
	good_cards();
	foreign_cards();
	damaged_cards();
	return tap_done();
}
