/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ofi_pulse.c: notices that a node has vanished. libfabric's TCP waits for a
 * silent peer as long as Linux retransmits, some 15 minutes, or for ever if
 * nothing is under way. So the nodes form a ring in which the lowest rank of
 * each has a TCP connection to that of the next one, over the network that
 * libfabric uses. Nothing is sent on it: the kernels exchange keepalives,
 * whatever the ranks are doing. Nobody accepts the connection, which the
 * listener's queue keeps. The thread of ofi_watch.c sees its end.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/fault.h"
#include "runtime/base/log.h"
#include "runtime/boot/boot.h"
#include "runtime/fabric/modex.h"
#include "runtime/fabric/ofi/ofi.h"

enum { SILENCE_S = 10, BETWEEN_S = 2 };

/* A card holds one of these addresses if its network is one of IP. */
union pulse_address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

static socklen_t pulse_address(const struct ofi_card *card, uint16_t port,
			       union pulse_address *to)
{
	memset(to, 0, sizeof(*to));
	memcpy(to, card + 1,
	       card->address_len < sizeof(*to) ? card->address_len
					       : sizeof(*to));
	if (to->any.sa_family == AF_INET6) {
		to->in6.sin6_port = port;
		return sizeof(to->in6);
	}
	to->in.sin_port = port;
	return to->any.sa_family == AF_INET ? sizeof(to->in) : 0;
}

static bool pulse_leads(const struct ofi *ofi)
{
	return ofi->base.software && ofi->job->nnodes > 1 &&
	       !ofi->job->node_rank;
}

void ofi_pulse_open(struct ofi *ofi, struct ofi_card *card)
{
	union pulse_address own;
	socklen_t len = pulse_address(card, 0, &own);

	if (!len || !pulse_leads(ofi))
		return;
	ofi->door = socket(own.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (ofi->door < 0 || bind(ofi->door, &own.any, len) ||
	    listen(ofi->door, 1) || getsockname(ofi->door, &own.any, &len)) {
		log_info("this node cannot be watched: %s", strerror(errno));
		return;
	}
	card->door =
	    own.any.sa_family == AF_INET6 ? own.in6.sin6_port : own.in.sin_port;
}

/* A process that ends resets its connection or refuses one, which is the
 * launcher's business: what matters is silence. */
static void pulse_failed(const struct ofi *ofi, int error)
{
	const struct ofi_ep *peer = ofi->watched;

	if (!error || error == ECONNRESET || error == ECONNREFUSED ||
	    error == EPIPE)
		return;
	if (ofi->beats)
		fault_raise_text(MRT_ERR_PEER,
				 "rank %d on %s is unreachable: its node has "
				 "not answered for %d s (%s)",
				 peer->base.peer, peer->host, SILENCE_S,
				 strerror(error));
	else
		log_warn("%s cannot be reached by TCP (%s): is there a "
			 "firewall between the nodes?",
			 peer->host, strerror(error));
}

/* Returns the lowest rank of the next node. */
static int pulse_next(const struct ofi *ofi)
{
	int own = ofi->job->rank, n = ofi->job->size;

	for (int k = 1; k < n; k++)
		if (modex_place_of((own + k) % n).node == (own + k) % n)
			return (own + k) % n;
	return own;
}

static int pulse_dial(struct ofi *ofi, const struct ofi_card *card)
{
	const int yes = 1, between = BETWEEN_S;
	const unsigned silence_ms = SILENCE_S * 1000;
	union pulse_address to;
	socklen_t len = pulse_address(card, card->door, &to);
	int s = socket(to.any.sa_family,
		       SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	ofi->pulse = s;
	if (s < 0 ||
	    setsockopt(s, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes)) ||
	    setsockopt(s, IPPROTO_TCP, TCP_KEEPIDLE, &between,
		       sizeof(between)) ||
	    setsockopt(s, IPPROTO_TCP, TCP_KEEPINTVL, &between,
		       sizeof(between)) ||
	    setsockopt(s, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence_ms,
		       sizeof(silence_ms)))
		return -1;
	return connect(s, &to.any, len) && errno != EINPROGRESS ? -1 : 0;
}

int ofi_pulse_connect(struct ofi *ofi)
{
	const struct ofi_card *card;
	size_t len;
	int rc;

	if (!pulse_leads(ofi))
		return 0;
	rc = modex_places();
	if (rc)
		return rc;
	ofi->watched = ofi_ep_get(ofi, pulse_next(ofi));
	if (!ofi->watched)
		return MRT_ERR_NO_MEM;
	rc = ofi_find_card(ofi->watched, &card, &len);
	if (rc)
		return rc;
	if (!ofi_is_card(ofi, card, len))
		return ofi_refuse_card(ofi->watched, card, len);
	snprintf(ofi->watched->host, sizeof(ofi->watched->host), "%.63s",
		 card->host);
	if (card->door && pulse_dial(ofi, card))
		pulse_failed(ofi, errno);
	return 0;
}

void ofi_pulse_look(struct ofi *ofi, struct pollfd *fd)
{
	int error = 0;
	socklen_t len = sizeof(error);

	if (!(fd->revents & (POLLERR | POLLHUP))) {
		/* it is connected: only its end matters now */
		ofi->beats = true;
		fd->events = 0;
		return;
	}
	fd->fd = -1;
	getsockopt(ofi->pulse, SOL_SOCKET, SO_ERROR, &error, &len);
	pulse_failed(ofi, error);
}

void ofi_pulse_close(struct ofi *ofi)
{
	if (ofi->pulse >= 0)
		close(ofi->pulse);
	if (ofi->door >= 0)
		close(ofi->door);
}
