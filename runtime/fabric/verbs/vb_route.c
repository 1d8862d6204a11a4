/* SPDX-License-Identifier: Apache-2.0 */
/* vb_route.c: asks the kernel for routes. What it is asked is what it asks
 * itself when it connects a RoCE port, with one difference: where it has no
 * route by the interface it would take the other to be on the same link, but
 * RTM_F_FIB_MATCH makes that an error. */
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/fabric/verbs/vb_ports.h"

struct request {
	struct nlmsghdr head;
	struct rtmsg route;
	char more[3 * RTA_SPACE(16)];
};

static void route_append(struct request *r, unsigned short type,
			 const void *data, size_t len)
{
	struct rtattr *to = (void *)((char *)r + r->head.nlmsg_len);

	to->rta_type = type;
	to->rta_len = (unsigned short)RTA_LENGTH(len);
	memcpy(RTA_DATA(to), data, len);
	r->head.nlmsg_len += (uint32_t)RTA_SPACE(len);
}

int vb_route_open(void)
{
	return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
}

bool vb_route_exists(int fd, bool ipv4, const struct vb_link *from,
		     const uint8_t *to)
{
	size_t len = ipv4 ? 4 : 16;
	struct request r = {
	    .head = {.nlmsg_len = NLMSG_LENGTH(sizeof(r.route)),
		     .nlmsg_type = RTM_GETROUTE,
		     .nlmsg_flags = NLM_F_REQUEST},
	    .route = {.rtm_family = ipv4 ? AF_INET : AF_INET6,
		      .rtm_src_len = (unsigned char)(len * 8),
		      .rtm_dst_len = (unsigned char)(len * 8),
		      .rtm_flags = RTM_F_FIB_MATCH},
	};
	union {
		struct nlmsghdr head;
		char bytes[4096];
	} reply;
	const struct rtmsg *found = NLMSG_DATA(&reply.head);

	route_append(&r, RTA_SRC, from->addr, len);
	route_append(&r, RTA_DST, to, len);
	route_append(&r, RTA_OIF, &from->index, sizeof(from->index));
	return send(fd, &r, r.head.nlmsg_len, 0) >= 0 &&
	       recv(fd, &reply, sizeof(reply), 0) >=
		   (ssize_t)NLMSG_LENGTH(sizeof(*found)) &&
	       reply.head.nlmsg_type == RTM_NEWROUTE &&
	       found->rtm_type == RTN_UNICAST;
}
