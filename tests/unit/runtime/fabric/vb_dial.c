/* SPDX-License-Identifier: Apache-2.0 */
/* vb_dial.c, vb_ud.c and vb_second.c: what is lost, late or refused while ranks
 * connect at first use, and connections of a second rail that fail, on a
 * simulated device and clock. */
#include "tests/unit/runtime/fabric/vb_calls.h"

static void fail(uint16_t restarts)
{
	struct ibv_wc wc = arrival(restarts);

	wc.status = IBV_WC_GENERAL_ERR;
	vb_ud_arrived(vb, &wc);
}

/* Completes the last datagram that was sent, if that shows. */
static void complete(void)
{
	struct ibv_wc wc = {.wr_id = device_datagram.wr_id};

	if (device_datagram.send_flags & IBV_SEND_SIGNALED)
		vb_ud_arrived(vb, &wc);
	device_datagram.send_flags = 0;
}

static void test_repeats(void)
{
	unsigned long repeated;

	begin();
	is_int(dial(1), ERR_AGAIN, "a message calls its receiver");
	is_int(vb->counts.calls, 1, "once");
	is_int(device_datagram.wr.ud.remote_qkey, NONCE,
	       "by the key of the receiver's card");
	for (int k = 0; k < 200; k++) {
		hear(2, VB_CALL, 0);
		pass_ms(50);
	}
	repeated = vb->counts.repeated;
	ok(repeated >= 2 && repeated <= 4,
	   "%lu repetitions in 10 s while another calls steadily", repeated);
	pass_ms(10000);
	ok(vb->counts.repeated > repeated, "and more in silence");
	end();
}

static void test_failures(void)
{
	begin();
	dial(1);
	fail(0);
	is_int(fault_code, 0, "a datagram that fails ends no job");
	fail(0);
	hear(1, VB_ANSWER, 0);
	is_int(peer(1)->state, VB_DIALING,
	       "what completes late, of the time before, is nothing");
	pass_ms(300);
	is_int(vb->counts.calls, 2, "the call is repeated");
	for (int k = 0; k < 100; k++) {
		hear(2, VB_CALL, 1);
		complete();
	}
	is_int(vb->counts.answers, 100, "and others are answered");
	for (int k = 0; k < 100; k++)
		hear(2, VB_CALL, 1);
	ok(vb->counts.answers < 132, "as far as the send queue has room");
	hear(1, VB_ANSWER, 1);
	is_int(peer(1)->state, VB_READY, "its answer connects");
	for (uint16_t k = 1; k <= 16 && !fault_code; k++)
		fail(k);
	is_int(fault_code, MRT_ERR_RESOURCE, "a device that fails always");
	has_str(world_fault, "UD", "ends the job");
	end();
}

static void test_addresses(void)
{
	begin();
	device_refusals = 2;
	is_int(dial(1), ERR_AGAIN, "the address is not resolved");
	is_int(vb->counts.calls, 0, "nobody is called");
	is_int(dial(1), ERR_AGAIN, "the next message waits as well");
	pass_ms(250);
	is_int(vb->counts.calls, 0, "nor when it is refused again");
	pass_ms(500);
	is_int(vb->counts.calls, 1, "the peer is called then");
	device_refusals = 1;
	hear(1, VB_ANSWER, 0);
	is_int(peer(1)->state, VB_DIALING,
	       "an answer is lost where its sender cannot be reached yet");
	hear(1, VB_ANSWER, 0);
	is_int(peer(1)->state, VB_READY, "the next one connects");
	device_refusals = 1;
	hear(2, VB_CALL, 0);
	is_int(vb->counts.answers, 0, "so is a call");
	hear(2, VB_CALL, 0);
	is_int(vb->counts.answers, 1, "the next one is answered");
	is_int(fault_code, 0, "and nothing is wrong");
	end();

	begin();
	device_refusals = 1000;
	dial(1);
	for (int k = 0; k < 100 && !fault_code; k++)
		pass_ms(1000);
	is_int(fault_code, MRT_ERR_NO_FABRIC,
	       "an address that is never resolved ends the job");
	ok(now < 1000000000000, "in time");
	end();
	device_refusals = 0;
}

/* ---- the second rail ---- */

static struct reading {
	struct fab_op op;
	int ended, status;
	uint64_t wr_id;
	char to[64];
} readings[2];

static void reading_done(struct fab_op *op, int status)
{
	struct reading *r = (struct reading *)op;

	r->ended++;
	r->status = status;
}

/* Posts a read over the connection with rank 1. */
static void read_it(struct reading *r)
{
	struct vb_op op = {.ep = peer(1),
			   .user = &r->op,
			   .kind = VB_OP_READ,
			   .way = VB_DIRECT,
			   .local = r->to,
			   .len = sizeof(r->to),
			   .rkey = 1};

	*r = (struct reading){.op.done = reading_done};
	device_nsent = 0;
	ok(!vb_rma_start(&op) && device_nsent == 1, "a read is posted");
	r->wr_id = device_sent[0];
}

static void completes(const struct reading *r, enum ibv_wc_status status)
{
	struct ibv_wc wc = {.wr_id = r->wr_id, .status = status};

	vb_completed(vb, &wc);
}

static void fails_once(const struct reading *r)
{
	is_int(r->ended, 1, "the read ends");
	is_int(r->status, MRT_ERR_PEER, "with an error");
	is_int(fault_code, 0, "and the job goes on");
}

/* Whether rank 1 is called when the rail is wanted. */
static bool calls(void)
{
	unsigned long before = vb->counts.calls;

	ok(!vb_second_is_ready(peer(1)), "the rail is not ready");
	return vb->counts.calls > before;
}

static void connect_second(void)
{
	ok(calls(), "the peer is called");
	hear(1, VB_ANSWER, 0);
	ok(vb_second_is_ready(peer(1)), "its answer connects");
}

static void begin_second(void)
{
	static struct vb_card cards[VB_RAILS];

	begin();
	for (int k = 0; k < VB_RAILS; k++)
		memcpy(&cards[k], world_blob, sizeof(cards[k]));
	cards[0].second = sizeof(cards[1]);
	world_blob = cards;
	world_blob_len = sizeof(cards);
	vb->rail = 1;
	vb->dev.attr.max_qp_init_rd_atom = 16;
	vb->dev.port_attr.max_msg_sz = VB_SEGMENT;
	connect_second();
}

static void test_flush(void)
{
	begin_second();
	read_it(&readings[0]);
	read_it(&readings[1]);
	completes(&readings[0], IBV_WC_RETRY_EXC_ERR);
	fails_once(&readings[0]);
	is_int(vb_second_progress(vb), 0, "it flushes");
	is_int(readings[1].ended, 0, "what the device may still write waits");
	completes(&readings[1], IBV_WC_WR_FLUSH_ERR);
	fails_once(&readings[1]);
	is_int(vb_second_progress(vb), 1, "then it ends");
	is_int(peer(1)->state, VB_IDLE, "and may begin anew");
	ok(!calls(), "not at once");
	hear(1, VB_ANSWER, 0);
	is_int(peer(1)->state, VB_IDLE, "a late answer is nothing");
	now += 1100000000;
	connect_second();
	vb_broken(peer(1), "is broken", 0);
	vb_second_progress(vb);
	now += 1100000000;
	connect_second();
	end();
}

static void test_stuck(void)
{
	begin_second();
	read_it(&readings[0]);
	vb_broken(peer(1), "is broken", 0);
	is_int(vb_second_progress(vb), 0, "a device that does not flush");
	now += 5100000000;
	is_int(vb_second_progress(vb), 1, "is not awaited for ever");
	fails_once(&readings[0]);
	completes(&readings[0], IBV_WC_WR_FLUSH_ERR);
	is_int(readings[0].ended, 1, "what it completes late is nothing");
	ok(!calls(), "and the peer is not called again");
	end();
}

static void test_anew(void)
{
	begin_second();
	hear_qpn = 10;
	hear(1, VB_CALL, 0);
	is_int(peer(1)->state, VB_FAILED, "a peer with another queue pair");
	vb_second_progress(vb);
	hear(1, VB_CALL, 0);
	is_int(peer(1)->state, VB_HALF, "is connected when it calls again");
	hear(1, VB_ANSWER, 0);
	ok(vb_second_is_ready(peer(1)), "and is ready when it says so");
	hear_qpn = 9;
	is_int(fault_code, 0, "and nothing is wrong");
	end();
}

static void test_gone(void)
{
	begin_second();
	read_it(&readings[0]);
	vb_lost(vb, "the device is gone");
	is_int(vb_second_progress(vb), 0, "a device that is gone");
	completes(&readings[0], IBV_WC_WR_FLUSH_ERR);
	fails_once(&readings[0]);
	vb_second_progress(vb);
	now += 100000000000;
	ok(!calls(), "is not used again");
	end();
}

int main(void)
{
	if (calls_init(3))
		return 1;
	test_repeats();
	test_failures();
	test_addresses();
	fault_code = 0;
	test_flush();
	test_stuck();
	test_anew();
	test_gone();
	return tap_done();
}
