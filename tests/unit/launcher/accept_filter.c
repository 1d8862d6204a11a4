/* SPDX-License-Identifier: Apache-2.0 */
/* accept_filter.c: tests launcher/accept_filter.c with a connection of its own.
 */
#include "launcher/accept_filter.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/tap.h"

int main(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	socklen_t len = sizeof(at), size = sizeof(int);
	int door = socket(AF_INET, SOCK_STREAM, 0), on = 0, fd;
	int visitor = socket(AF_INET, SOCK_STREAM, 0);
	struct timeval limit = {0, 0};

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	is_int(bind(door, (struct sockaddr *)&at, len) || listen(door, 4) ||
		   getsockname(door, (struct sockaddr *)&at, &len) ||
		   connect(visitor, (struct sockaddr *)&at, len),
	       0, "a connection");
	fd = accept(door, NULL, NULL);
	is_int(fd >= 0, 1, "of this user is accepted");
	is_int(accept_filter_peer(fd), ACCEPT_OWN, "its user is known");
	is_int(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &size) || !on, 0,
	       "messages do not wait for acknowledgements");
	size = sizeof(limit);
	is_int(getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, &size) ||
		   !limit.tv_sec,
	       0, "nor a reader for ever");
	close(fd);
	close(visitor);
	close(door);
	return tap_done();
}
