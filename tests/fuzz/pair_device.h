/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pair_device.h: two RDMA devices and the network between them, in one process.
 * They do what real ones may do and no more: work requests of a queue pair are
 * carried out in order, memory is read at that time and not when it was posted,
 * completions come later, datagrams are lost, doubled and overtaken. The target
 * says when each of these happens. A breach of a rule of verbs - a queue that
 * overflows, a message that finds no buffer, a buffer outside of its
 * registration - is a finding.
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
	int cqe;      /* capacity of the cq, set by the target */
	int sends;    /* of it, for sends other than probes */
	bool refuses; /* refuses to register memory for peers */
};
extern struct pair_port *const pair_ports[2];

/* Makes libibverbs' calls go to these devices from now on. */
void pair_install(void);
/* Resets both devices. honest: no bytes will be changed on the way. */
void pair_begin(bool honest);

/* Carries out the first work request of a side at the other side, with `spoil`
 * of the bytes of a message changed; returns false if there is none. */
bool pair_carry(int side, unsigned spoil, const uint8_t *how);
/* Carries out the first message of a side, whose acknowledgement is lost: it is
 * repeated. */
void pair_lose_answer(int side);
/* Makes the kth datagram of a side arrive or get lost; it stays in the queue
 * if it is to arrive again. */
enum pair_fate { PAIR_ARRIVES, PAIR_LOST, PAIR_TWICE };
bool pair_datagram(int side, unsigned k, enum pair_fate fate);
/* Lets so many completions of received and of sent messages be polled. */
void pair_show(int side, unsigned received, unsigned sent);
/* Breaks the connection of a side: its first work request fails. */
void pair_break(int side);
/* Returns whether nothing is under way and nothing can be polled. */
bool pair_idle(void);
/* Returns the number of registrations that have not been taken back. */
unsigned pair_registered(void);
#endif
