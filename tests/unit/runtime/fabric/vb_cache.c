/* SPDX-License-Identifier: Apache-2.0 */
/* vb_cache.c and vb_close.c: which connections a rank has, on a simulated
 * device and clock. */
#include "tests/unit/runtime/fabric/vb_calls.h"

enum { RANKS = 16, PEERS = 4 };

static void look(void)
{
	now += 1000000;
	vb_close_progress(vb);
	vb_dial_progress(vb);
}

static void answers(int rank)
{
	hear_qpn = (uint32_t)(100 + rank);
	hear_epoch = peer(rank)->epoch;
	hear(rank, VB_ANSWER, 0);
	look();
}

static void calls(int rank)
{
	hear_qpn = (uint32_t)(100 + rank);
	hear_epoch = peer(rank)->epoch;
	hear(rank, VB_CALL, 0);
	look();
}

static void connect_to(int rank)
{
	dial(rank);
	answers(rank);
	is_int(peer(rank)->state, VB_READY, "rank %d is connected", rank);
}

/* Completes all that is posted to a peer. */
static void acknowledges(int rank, enum ibv_wc_status status)
{
	struct vb_ep *ep = peer(rank);
	struct ibv_wc wc = {.status = status,
			    .wr_id = vb_wr_id(VB_WR_SEND, (uint32_t)rank,
					      (uint16_t)(ep->head - 1))};

	vb_completed(vb, &wc);
	look();
}

static void closes(int rank)
{
	vb_close_heard(peer(rank));
	look();
}

static bool is_closing(int rank)
{
	look();
	return peer(rank)->state == VB_CLOSING;
}

/* Carries the end of a connection that is being closed. */
static void ends(int rank, enum vb_state then)
{
	look();
	acknowledges(rank, IBV_WC_SUCCESS);
	if (peer(rank)->state == VB_CLOSING)
		closes(rank);
	is_int(peer(rank)->state, then, "the connection to rank %d has ended",
	       rank);
}

static void test_room(void)
{
	begin();
	dial(1);
	dial(2);
	dial(3);
	is_int(vb->counts.calls, PEERS / 2,
	       "half of the room is for calls that are not answered");
	calls(4);
	calls(5);
	is_int(vb->counts.answers, 2, "the other half for those who call");
	calls(6);
	is_int(vb->counts.answers, 2, "one more has to wait");
	answers(1);
	ok(is_closing(1), "until one that is answered is closed");
	ends(1, VB_IDLE);
	is_int(vb->counts.calls, PEERS / 2 + 1,
	       "then who came first is called");
	answers(2);
	ok(is_closing(2), "the next one that is answered is closed, too");
	ends(2, VB_IDLE);
	is_int(vb->counts.answers, 3, "for the one that has called");
	is_int(vb->conn.qpn_used, PEERS, "nothing exceeds the room");
	end();
}

static void test_choice(void)
{
	begin();
	for (int r = 1; r <= PEERS; r++)
		connect_to(r);
	dial(9);
	ok(is_closing(1), "the first one goes where none was used");
	is_int(peer(1)->granted, vb->conn.window + 1,
	       "with a credit more for its last message");
	ends(1, VB_IDLE);
	is_int(peer(9)->state, VB_DIALING, "and another one is called");
	answers(9);
	for (int r = 2; r <= PEERS; r++)
		if (r != 3)
			dial(r);
	dial(9);
	dial(10);
	ok(is_closing(3), "one that was used stays before one that was not");
	is_int(dial(3), ERR_AGAIN, "what is being closed takes no message");
	ends(3, VB_IDLE);
	is_int(peer(10)->state, VB_DIALING, "a place is free");
	is_int(peer(3)->state, VB_IDLE, "for the one that came first");
	end();
}

static struct fab_op wanted;

static void ended(struct fab_op *op, int status)
{
	(void)op, (void)status;
}

static void test_unused(void)
{
	char to[8];

	begin();
	wanted.done = ended;
	for (int r = 1; r <= PEERS; r++)
		connect_to(r);
	/* a read waits for the answer, then for a place in the queue */
	for (int r = 1; r <= PEERS; r++)
		vb_read(&peer(r)->base, to, 0, (struct fab_key){{1, 1}},
			sizeof(to), &wanted);
	for (int r = 1; r <= PEERS; r++)
		peer(r)->head = peer(r)->tail = peer(r)->signalled = 0;
	dial(9);
	look();
	is_int(vb->conn.nclosing, 0,
	       "no connection is closed before what has waited for it is sent");
	end();
}

static void test_late(void)
{
	begin();
	for (int r = 1; r <= PEERS; r++)
		connect_to(r);
	dial(9);
	look();
	for (int r = 10; r < RANKS; r++)
		dial(r);
	look();
	is_int(vb->conn.nclosing, PEERS / 2,
	       "half are closed at once, whatever is wanted");
	now += 250000000;
	look();
	is_int(vb->conn.nclosing, PEERS, "and more if their peers are silent");
	end();
}

static void test_datagrams(void)
{
	begin();
	connect_to(1);
	closes(1);
	ends(1, VB_IDLE);
	is_int(peer(1)->epoch, 1, "a connection has ended");
	hear_epoch = 0;
	hear(1, VB_CALL, 0);
	is_int(peer(1)->state, VB_IDLE, "a late call is nothing");
	hear(1, VB_ANSWER, 0);
	is_int(peer(1)->state, VB_IDLE, "nor is a late answer");
	calls(1);
	is_int(peer(1)->state, VB_HALF, "a call of the next one connects");
	hear(1, VB_ANSWER, 0);
	closes(1);
	hear_epoch++;
	hear(1, VB_CALL, 0);
	is_int(peer(1)->state, VB_CLOSING, "an early call waits");
	hear_epoch--;
	ends(1, VB_HALF);
	end();
}

static void test_silence(void)
{
	begin();
	connect_to(1);
	closes(1);
	acknowledges(1, IBV_WC_RETRY_EXC_ERR);
	is_int(peer(1)->state, VB_IDLE, "a peer that has closed may be gone");
	is_int(fault_code, 0, "which is no fault");
	connect_to(1);
	vb_srq_add_last(peer(1));
	vb_cache_close(peer(1));
	look();
	ok(peer(1)->close_sent, "CLOSE is sent");
	acknowledges(1, IBV_WC_RETRY_EXC_ERR);
	is_int(fault_code, MRT_ERR_PEER, "a peer that has not is dead");
	end();
	fault_code = 0;
}

static void test_refusal(void)
{
	begin();
	device_qps = 3; /* and the one for calls */
	connect_to(1);
	connect_to(2);
	is_int(dial(3), ERR_AGAIN, "a queue pair is refused");
	is_int(vb->conn.peers_max, 2, "so two are what there is");
	ok(is_closing(1), "and another one is closed");
	ends(1, VB_IDLE);
	is_int(peer(3)->state, VB_DIALING, "then there is room");
	is_int(fault_code, 0, "and no fault");
	end();
}

int main(void)
{
	setenv("MRT_IB_PEERS", "4", 1);
	if (calls_init(RANKS))
		return 1;
	test_room();
	test_choice();
	test_unused();
	test_late();
	test_datagrams();
	test_silence();
	test_refusal();
	return tap_done();
}
