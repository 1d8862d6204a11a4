/* SPDX-License-Identifier: Apache-2.0 */
/* vb_card.c: endpoints of other versions, jobs and machines are refused with a
 * message that names the peer and the reason; damaged ones too, whatever the
 * damage. */
#include "runtime/fabric/verbs/vb_conn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mrt.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"
#include "tests/tap.h"

/* ---- stand-ins for the parts that vb_card.c uses ---- */

static char published[8192];
static size_t published_len;
static char logged[512];

int modex_card(int rank, void **card, size_t *len)
{
	static char copy[sizeof(published)];

	memcpy(copy, published, published_len);
	*card = copy;
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
static struct vb_ep eps[RANKS], *own_eps[RANKS];
static int node_ranks[] = {ME, 2};
static struct boot_job job = {.size = RANKS,
			      .rank = ME,
			      .nnodes = 2,
			      .node_size = 2,
			      .node_ranks = node_ranks};
static struct vb vb = {.job = &job, .conn = {.eps = own_eps, .window = 8}};

/* Puts a good card into `published`; its queue pair numbers for us are 100 +
 * rank. node_rank 0 has the two ports of its node behind it. */
static void publish_as(bool mesh, int node_rank)
{
	static const uint8_t net[4] = {10, 0, 0, 0};

	snprintf(job.id, sizeof(job.id), "job-7");
	snprintf(job.host, sizeof(job.host), "node2");
	vb.conn.rx.len = 1024;
	vb.dev.port_attr.active_mtu = IBV_MTU_1024;
	vb.dev.attr.max_qp_rd_atom = 16;
	vb.conn.card.mesh = mesh;
	vb.dev.ports.n = 2;
	for (int k = 0; k < 2; k++) {
		vb.dev.ports.all[k].net = vb_net_of(VB_IPV4, net, 24);
		snprintf(vb.dev.ports.all[k].device, 32, "rxe%d", k);
	}
	job.node_rank = node_rank;
	for (int r = 0; r < RANKS; r++) {
		qps[r].qp_num = 100 + (uint32_t)r;
		own_eps[r] = &eps[r];
		eps[r].qp = &qps[r];
		eps[r].base.fab = &vb.base;
		eps[r].base.peer = r;
	}
	vb_card_free(&vb);
	if (vb_card_make(&vb))
		return;
	ok(vb.base.card_len <= FAB_CARD_MAX + RANKS * sizeof(uint32_t) &&
	       vb.base.card_len < sizeof(published),
	   "a card of no more bytes than the longest");
	memcpy(published, vb.base.card, vb.base.card_len);
	published_len = vb.base.card_len;
}

static void publish(bool mesh)
{
	publish_as(mesh, 1);
}

static struct vb_card *card(void)
{
	return (struct vb_card *)(void *)published;
}

/* Reads `published` as a rank's card; returns the result. */
static int read_from(int peer, uint32_t *qpn, struct vb_node *node)
{
	int rc;

	logged[0] = 0;
	rc = vb_card_read(&eps[peer], node);
	*qpn = eps[peer].peer_qpn;
	free(eps[peer].card);
	eps[peer].card = NULL;
	return rc;
}

static int read_it(uint32_t *qpn)
{
	return read_from(2, qpn, NULL);
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

/* The card of the second rail follows that of the first. */
static void second_rail(void)
{
	static struct vb_ep others[RANKS], *no_eps[RANKS];
	static struct vb second = {.job = &job,
				   .first = &vb,
				   .rail = 1,
				   .conn = {.eps = no_eps, .window = 8}};
	int rc;

	publish(true);
	second.conn.rx.len = 1024;
	second.dev.port_attr = vb.dev.port_attr;
	second.dev.attr = vb.dev.attr;
	second.conn.card.dial_qpn = 77;
	second.conn.card.job = vb.conn.card.job;
	if (vb_card_make(&second))
		return;
	others[2].base.fab = &second.base;
	others[2].base.peer = 2;
	rc = vb_card_read(&others[2], NULL);
	ok(rc == MRT_ERR_NO_FABRIC, "a peer without a second rail");
	vb.second = &second;
	publish(true);
	rc = vb_card_read(&others[2], NULL);
	ok(!rc && others[2].card->dial_qpn == 77, "the second rail's card");
	free(others[2].card);
	others[2].card = NULL;
	card()->second--;
	rc = vb_card_read(&others[2], NULL);
	ok(rc == MRT_ERR_PROTOCOL && !others[2].card, "of a wrong length");
	card()->second++;
	published[published_len - sizeof(struct vb_card)] ^= 1;
	rc = vb_card_read(&others[2], NULL);
	ok(rc == MRT_ERR_PROTOCOL && !others[2].card, "damaged itself");
	vb.second = NULL;
	vb_card_free(&second);
}

static void foreign_cards(void)
{
	publish(true);
	card()->version = 99;
	refused(
	    "rank 2 speaks version 99 of the protocol over verbs, this rank ",
	    "another version");
	publish(true);
	card()->version = 99;
	published_len = 8;
	refused("version 99", "another version, of another length");
	publish(true);
	card()->job++;
	refused("is of another job", "another job");
	publish(true);
	card()->magic = __builtin_bswap32(card()->magic);
	refused("none of libmrt's", "another byte order");
	published_len = 0;
	refused("none of libmrt's", "nothing");
}

/* ---- ports ---- */

/* Publishes the card of a node's lowest rank, with its ports. */
static void publish_ports(bool mesh)
{
	publish_as(mesh, 0);
}

static void good_ports(void)
{
	struct vb_node node;
	uint32_t qpn;

	for (int mesh = 0; mesh < 2; mesh++) {
		publish_ports(mesh);
		is_int(read_from(0, &qpn, &node), 0, "a card with ports");
		is_int(qpn, mesh ? 100 + ME : 0, "the queue pair before them");
		ok(node.n == 2 && !memcmp(node.ports, vb.dev.ports.all,
					  2 * sizeof(struct vb_port)),
		   "the ports of the node");
		is_str(node.host, "node2", "its name");
		is_str(node.unfit, "", "and that there are no others");
	}
	snprintf(vb.dev.ports.unfit, sizeof(vb.dev.ports.unfit),
		 "rxe2 is DOWN");
	publish_ports(true);
	is_int(read_from(0, &qpn, &node), 0, "a card with reasons");
	is_str(node.unfit, "rxe2 is DOWN", "which are read");
	vb.dev.ports.unfit[0] = 0;
	publish(true);
	is_int(read_from(2, &qpn, &node), 0, "a rank that is not the lowest");
	is_int(node.n, 0, "has no ports");
	job.nnodes = 1;
	publish_ports(false);
	job.nnodes = 2;
	ok(published_len == sizeof(struct vb_card), "nor has the only node");
	vb.dev.again = true;
	publish_ports(false);
	vb.dev.again = false;
	ok(published_len == sizeof(struct vb_card), "nor a second card");
}

/* Whether a changed word of the ports is refused. */
static void ports_refused(size_t at, int32_t value, const char *what)
{
	uint32_t qpn;

	publish_ports(false);
	memcpy(published + sizeof(struct vb_card) + at, &value, sizeof(value));
	ok(read_from(0, &qpn, NULL) == MRT_ERR_PROTOCOL, "%s: refused", what);
	ok(strstr(logged, "damaged") != NULL, "%s: and said: %s", what, logged);
}

static void damaged_ports(void)
{
	const size_t len = sizeof(struct vb_card) + 2 * sizeof(struct vb_port);
	struct vb_node node;
	uint32_t qpn;
	int bad = 0;

	ports_refused(0, VB_NET_KINDS, "a network of no kind");
	ports_refused(0, VB_IPV4 | 33 << 8, "an IPv4 network of 33 bits");
	publish_ports(false);
	for (published_len = 0; published_len < len; published_len++)
		bad += read_from(0, &qpn, NULL) == 0;
	is_int(bad, 0, "ports cut short: refused");
	published_len = len + 1;
	ok(read_from(0, &qpn, NULL), "ports with more behind: refused");
	publish_ports(false);
	card()->nports = VB_PORTS_MAX + 1;
	published_len += (VB_PORTS_MAX - 1) * sizeof(struct vb_port);
	memset(published + len, 0, published_len - len);
	ok(read_from(0, &qpn, NULL), "too many ports: refused");
	snprintf(vb.dev.ports.unfit, sizeof(vb.dev.ports.unfit),
		 "rxe2 is DOWN");
	publish_ports(false);
	published[published_len - 1] = 'x';
	ok(read_from(0, &qpn, NULL), "reasons without end: refused");
	vb.dev.ports.unfit[0] = 0;
	publish_ports(false);
	card()->unfit = sizeof(vb.dev.ports.unfit) + 1;
	memset(published + published_len, 0, card()->unfit);
	published_len += card()->unfit;
	ok(read_from(0, &qpn, NULL), "reasons too long: refused");
	publish_ports(false);
	memset(published + sizeof(struct vb_card) + 28, 'x', 32);
	is_int(read_from(0, &qpn, &node), 0, "a name without end");
	ok(node.ports[0].device[31] == 0, "has one then");
}

/* Tries every length, and random bytes: each is refused, or as good as the
 * right one. */
static void damaged_cards(void)
{
	uint32_t qpn;
	int bad = 0;

	publish(true);
	for (published_len = 0; published_len < vb.base.card_len;
	     published_len++)
		bad += read_it(&qpn) == 0;
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
	second_rail();
	good_ports();
	damaged_ports();
	foreign_cards();
	damaged_cards();
	vb_card_free(&vb);
	return tap_done();
}
