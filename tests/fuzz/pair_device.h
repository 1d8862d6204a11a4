/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pair_device.h: two RDMA devices and what joins them, in one process. They do
 * what real ones may do and no more: a queue pair's work requests are carried
 * out in order, memory is read when that happens and not when it was posted,
 * completions come later, datagrams get lost, doubled and overtaken. The target
 * says when each of it happens. What breaks a rule of verbs - a queue that
 * overflows, a message that finds no buffer, a buffer out of its registration -
 * is a finding.
 */
#ifndef TESTS_FUZZ_PAIR_DEVICE_H
#define TESTS_FUZZ_PAIR_DEVICE_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>

struct pair_port {
	struct ibv_context context;
	struct ibv_pd pd;
	struct ibv_cq cq;
	int cqe;      /* room of cq: the target's to say */
	bool refuses; /* to register what peers may access */
};
extern struct pair_port *const pair_ports[2];

/* What libibverbs' calls do from now on. */
void pair_install(void);
/* Both as new. honest: nothing will be changed on the way. */
void pair_begin(bool honest);

/* The first work request of a side is carried out at the other. `spoil` of
 * the bytes of a message are changed. False: there is none. */
bool pair_carry(int side, unsigned spoil, const uint8_t *how);
/* The k-th datagram of a side arrives, or is lost; it stays if it is to come
 * again. */
enum pair_fate { PAIR_ARRIVES, PAIR_LOST, PAIR_TWICE };
bool pair_datagram(int side, unsigned k, enum pair_fate fate);
/* So many completions of received, and of sent messages can be polled. */
void pair_show(int side, unsigned received, unsigned sent);
/* The connection of a side fails: its first work request cannot be done. */
void pair_break(int side);
/* Nothing is under way, and nothing to be polled. */
bool pair_idle(void);
/* Registrations that have not been taken back. */
unsigned pair_registered(void);
#endif
