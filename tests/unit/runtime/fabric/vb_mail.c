/* SPDX-License-Identifier: Apache-2.0 */
/* vb_mail.c loses, doubles and delays messages by datagram, beside connections
 * that are called, made and closed, on a simulated device and clock. */
#include "tests/unit/runtime/fabric/vb_calls.h"

/* Lets a peer say which message it heard last, and that it sends one, or 0. */
static void tells(int rank, uint32_t heard, uint32_t sends)
{
	hear_mailed = sends;
	hear_heard = heard;
	hear(rank, sends ? VB_MAIL : VB_HEARD, 0);
	hear_mailed = hear_heard = 0;
}

static unsigned sent_since_last(void)
{
	unsigned n = device_ndatagrams;

	device_ndatagrams = 0;
	return n;
}

static void test_sending(void)
{
	char byte[VB_MAIL_MAX + 1] = "";
	struct iovec iov = {byte, sizeof(byte)};

	begin();
	is_int(dial(1), 0, "a message goes at once");
	is_int(sent_since_last(), 1, "as a datagram");
	ok(!peer(1)->qp, "and no connection is begun");
	is_int(dial(1), ERR_AGAIN, "the next one waits");
	pass_ms(100);
	is_int(sent_since_last(), 0, "until the first is acknowledged");
	pass_ms(150);
	is_int(sent_since_last(), 1, "which is repeated meanwhile");
	ok(vb->busy, "and is not forgotten");
	tells(1, 1, 0);
	is_int((int)vb->busy, 0, "an acknowledgement ends that");
	tells(1, 1, 0);
	is_int(dial(1), 0, "so the next one goes");
	tells(1, 1, 0);
	ok(peer(1)->mail, "for which an old acknowledgement is none");
	tells(1, 2, 0);
	is_int(dial(1), ERR_AGAIN, "after two of them a peer is called");
	is_int(vb->counts.calls, 1, "once");
	iov.iov_len = VB_MAIL_MAX + 1;
	is_int(vb_send(&peer(2)->base, 0, &iov, 1), ERR_AGAIN,
	       "a peer that is sent much");
	is_int(vb->counts.calls, 2, "is called at once");
	end();
}

static void test_arrival(void)
{
	begin();
	tells(1, 0, 1);
	is_int(nreceived, 1, "a message arrives");
	is_int(sent_since_last(), 1, "and is acknowledged");
	tells(1, 0, 1);
	is_int(nreceived, 1, "once");
	is_int(sent_since_last(), 1, "though acknowledged again");
	tells(1, 0, 3);
	is_int(nreceived, 1, "what cannot be next is nothing");
	is_int(sent_since_last(), 0, "and not acknowledged");
	hear_epoch = 1;
	tells(1, 0, 2);
	is_int(nreceived, 1,
	       "nor what comes after a connection that has not ended");
	hear_epoch = 0;
	end();
}

static void test_calls(void)
{
	begin();
	dial(1);
	hear(1, VB_CALL, 0);
	is_int(vb->counts.answers, 0,
	       "no connection overtakes a message that is not acknowledged");
	tells(1, 1, 0);
	is_int(vb->counts.answers, 1, "then the peer is answered");
	is_int(peer(1)->state, VB_HALF, "and connected");
	hear_heard = 1;
	hear(1, VB_ANSWER, 0);
	is_int(peer(1)->state, VB_READY, "as it says");
	hear_heard = 0;

	peer(1)->close_heard = true; /* its CLOSE has arrived */
	peer(1)->state = VB_CLOSING;
	hear_epoch = 1;
	tells(1, 1, 1);
	is_int(nreceived, 1, "a message after the CLOSE of its sender arrives");
	hear_epoch = 0;
	end();
}

int main(void)
{
	if (calls_init(3))
		return 1;
	env.ib_datagrams = 2;
	test_sending();
	test_arrival();
	test_calls();
	return tap_done();
}
