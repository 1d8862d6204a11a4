/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rendezvous.pml: p2p's protocols of more than one message, with cancel, for
 * spin(1).
 *
 *   start_send   p2p_isend, request_name, rendezvous_send_rts, rendezvous_write_rts,
 *                eager_send of a synchronous one
 *   start_recv   p2p_irecv: match_find, match_post
 *   arrived      deliver_unusual: match_arrived or match_keep
 *   matched      rendezvous_receive, eager_receive_sync
 *   read         rendezvous_read, read_done
 *   cts, write   rendezvous_write_cts, rendezvous_write_cleared, rendezvous_write_data, write_done
 *   ended        take_end, awaits, request_by_id
 *   cancel       p2p_cancel: a posted receive; a send that has left is withdrawn
 *   withdrawn    p2p_withdraw, p2p_gone
 *
 * One rank sends; the other receives, cancels at any moment, and posts again. A
 * send may be cancelled, too, while it waits for an answer.
 * Each has two requests, whose ids are reused. A message may be held back
 * (p2p_transmit, retry). Asserted: each message is received once, and a request
 * completes once; memory is read or written only while it is registered, by the
 * operation it was registered for; an ACK, FIN or CTS finds the request that
 * waits for it. A state without progress is an invalid end state; a single
 * forgotten request is found when both are forgotten.
 */
#ifndef SENDS
#define SENDS 3 /* kinds: RTS, PUSH, SYNC */
#endif
#ifndef WITHDRAWS
#define WITHDRAWS 0 /* sends are cancelled, too */
#endif
#define SLOTS 2 /* requests per rank */
#define NONE SLOTS
#define SERIALS 8

/* mutants */
#define cancel_matched 1
#define released_early 3
#define fin_before_read 4
#define fin_before_write 6
#define kept_not_taken 7
#define cts_unregistered 8
#define gone_matched 9
#define gone_kept 10
/* what must be reachable */
#define unexpected 20
#define cancelled 21
#define cancel_lost 22
#define pushed 23
#define withdrawn 24
#define withdrawn_late 25
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)

mtype = { RTS, PUSH, SYNC, FIN, ACK, CTS, READ, WRITE, POSTED, HELD,
	WITHDRAW, GONE };

/* kind, the sender's id, the receiver's id, serial number */
chan to_recv = [4] of { mtype, byte, byte, byte };
chan to_send = [4] of { mtype, byte, byte, byte };

/* State of a sender's request: 0, or its stage and what it waits for. */
mtype send_stage[SLOTS];
byte send_serial[SLOTS], send_peer[SLOTS];
bool send_mem[SLOTS];  /* its memory is registered */
bool send_cancelled[SLOTS]; /* WITHDRAW has been sent */
byte serial;           /* serial number of the next message */

mtype recv_stage[SLOTS];
byte recv_serial[SLOTS], recv_from[SLOTS];
bool recv_mem[SLOTS];
byte expected;         /* serial number of the message to match next */
bool gone[SERIALS];    /* withdrawn, behind the expected one */

/* the unexpected queue */
chan kept = [4] of { mtype, byte, byte };

#define IS_UNANSWERED(k) (!send_cancelled[k] && (send_stage[k] == RTS || \
	send_stage[k] == PUSH || send_stage[k] == SYNC))

proctype sender()
{
	mtype kind;
	byte id, other, number;

again:	do
	/* start_send */
	:: atomic {
		(!send_stage[0] || !send_stage[SLOTS - 1]) && nfull(to_recv) ->
		id = (send_stage[0] -> SLOTS - 1 : 0);
		if
		:: kind = RTS
		:: SENDS > 1 -> kind = PUSH
		:: SENDS > 2 -> kind = SYNC
		fi;
		send_stage[id] = kind;
		send_serial[id] = serial;
		send_mem[id] = true;
		send_cancelled[id] = false;
		to_recv!kind(id, NONE, serial);
		serial = (serial + 1) % SERIALS;
		if
		:: MUTANT == released_early && kind == RTS ->
			send_mem[id] = false
		:: else
		fi;
		id = 0;
		kind = 0
	   }
	/* cancel */
	:: atomic {
		WITHDRAWS && nfull(to_recv) &&
		(IS_UNANSWERED(0) || IS_UNANSWERED(SLOTS - 1)) ->
		id = (IS_UNANSWERED(0) -> 0 : SLOTS - 1);
		send_cancelled[id] = true;
		to_recv!WITHDRAW(id, NONE, send_serial[id]);
		id = 0
	   }
	/* ended, and cts */
	:: atomic {
		to_send?kind(id, other, number) ->
		if
		:: kind == CTS ->
			assert(send_stage[id] == PUSH &&
			       send_serial[id] == number);
			send_stage[id] = WRITE;
			send_peer[id] = other
		:: kind == ACK ->
			assert(send_stage[id] == SYNC &&
			       send_serial[id] == number);
			send_stage[id] = 0;
			send_mem[id] = false
		:: kind == FIN ->
			assert(send_stage[id] == RTS &&
			       send_serial[id] == number);
			send_stage[id] = 0;
			send_mem[id] = false
		:: kind == GONE ->
			assert((send_stage[id] == RTS ||
				send_stage[id] == PUSH ||
				send_stage[id] == SYNC) &&
			       send_cancelled[id] &&
			       send_serial[id] == number);
			send_stage[id] = 0;
			send_mem[id] = false
		fi;
		id = 0;
		other = 0;
		number = 0;
		kind = 0
	   }
	/* write, write_done */
	:: atomic {
		(send_stage[0] == WRITE || send_stage[SLOTS - 1] == WRITE) ->
		id = (send_stage[0] == WRITE -> 0 : SLOTS - 1);
		REACHED(pushed);
		if
		:: MUTANT == fin_before_write
		:: else ->
			assert(recv_mem[send_peer[id]] &&
			       recv_serial[send_peer[id]] == send_serial[id])
		fi;
		send_stage[id] = HELD;
		id = 0
	   }
	:: atomic {
		nfull(to_recv) &&
		(send_stage[0] == HELD || send_stage[SLOTS - 1] == HELD) ->
		id = (send_stage[0] == HELD -> 0 : SLOTS - 1);
		to_recv!FIN(send_peer[id], NONE, send_serial[id]);
		if
		:: MUTANT == fin_before_write -> goto late
		:: else
		fi;
		send_stage[id] = 0;
		send_mem[id] = false;
		id = 0
	   }
	od;
late:	assert(recv_mem[send_peer[id]] &&
	       recv_serial[send_peer[id]] == send_serial[id]);
	send_stage[id] = 0;
	id = 0;
	goto again
}

/* Passes over messages that have been withdrawn. */
inline pass_gone()
{
	do
	:: gone[expected] ->
		gone[expected] = false;
		expected = (expected + 1) % SERIALS
	:: else -> break
	od
}

/* A message meets a receive; they match in order. */
inline matched(r)
{
	assert(number == expected);
	expected = (expected + 1) % SERIALS;
	pass_gone();
	recv_serial[r] = number;
	recv_from[r] = id;
	if
	:: kind == RTS -> recv_stage[r] = READ
	:: kind == PUSH -> recv_stage[r] = CTS
	:: kind == SYNC -> recv_stage[r] = ACK
	fi
}

inline complete(r)
{
	recv_stage[r] = 0;
	recv_mem[r] = false;
	recv_serial[r] = 0;
	recv_from[r] = 0
}

#define STAGE(what) (recv_stage[0] == what || recv_stage[SLOTS - 1] == what)
#define WHICH(what) (recv_stage[0] == what -> 0 : SLOTS - 1)

proctype receiver()
{
	mtype kind;
	byte id, number, other, r, first;

again:	do
	/* start_recv */
	:: atomic {
		!recv_stage[0] || !recv_stage[SLOTS - 1] ->
		r = (recv_stage[0] -> SLOTS - 1 : 0);
		if
		:: nempty(kept) ->
			REACHED(unexpected);
			if
			:: MUTANT == kept_not_taken -> kept?<kind, id, number>
			:: else -> kept?kind(id, number)
			fi;
			matched(r)
		:: empty(kept) ->
			recv_stage[r] = POSTED;
			first = (STAGE(POSTED) &&
				 recv_stage[1 - r] == POSTED -> first : r)
		fi;
		r = 0; kind = 0; id = 0; number = 0
	   }
	/* cancel */
	:: atomic {
		recv_stage[0] ->
		if
		:: recv_stage[0] == POSTED ->
			REACHED(cancelled);
			first = SLOTS - 1;
			recv_stage[0] = 0
		:: recv_stage[0] != POSTED && MUTANT == cancel_matched ->
			complete(0)
		:: else -> REACHED(cancel_lost)
		fi
	   }
	/* arrived, ended */
	:: atomic {
		nempty(to_recv) && (nfull(kept) || STAGE(POSTED)) &&
		nfull(to_send) ->
		to_recv?kind(id, other, number);
		if
		/* withdrawn */
		:: kind == WITHDRAW ->
			if
			:: kept??[kind, eval(id), number] ->
				REACHED(withdrawn);
				if
				:: MUTANT == gone_kept
				:: else ->
					kept??kind, eval(id), number;
					gone[number] = true;
					pass_gone()
				fi;
				to_send!GONE(id, NONE, number)
			:: else ->
				REACHED(withdrawn_late);
				if
				:: MUTANT == gone_matched ->
					to_send!GONE(id, NONE, number)
				:: else
				fi
			fi
		:: kind == FIN ->
			assert(recv_stage[id] == WRITE &&
			       recv_serial[id] == number);
			complete(id)
		:: kind != FIN && kind != WITHDRAW && STAGE(POSTED) ->
			r = (recv_stage[first] == POSTED -> first : 1 - first);
			matched(r);
			first = 1 - r
		:: else -> kept!kind(id, number)
		fi;
		r = 0; kind = 0; id = 0; number = 0; other = 0
	   }
	/* read, read_done: then FIN, which may be held back */
	:: atomic {
		STAGE(READ) ->
		r = WHICH(READ);
		if
		:: MUTANT == fin_before_read
		:: else ->
			assert(send_mem[recv_from[r]] &&
			       send_serial[recv_from[r]] == recv_serial[r])
		fi;
		recv_stage[r] = HELD;
		r = 0
	   }
	:: atomic {
		STAGE(HELD) && nfull(to_send) ->
		r = WHICH(HELD);
		to_send!FIN(recv_from[r], NONE, recv_serial[r]);
		if
		:: MUTANT == fin_before_read -> goto late
		:: else -> complete(r)
		fi;
		r = 0
	   }
	:: atomic {
		STAGE(ACK) && nfull(to_send) ->
		r = WHICH(ACK);
		to_send!ACK(recv_from[r], NONE, recv_serial[r]);
		complete(r);
		r = 0
	   }
	:: atomic {
		STAGE(CTS) && nfull(to_send) ->
		r = WHICH(CTS);
		recv_mem[r] = (MUTANT != cts_unregistered);
		to_send!CTS(recv_from[r], r, recv_serial[r]);
		recv_stage[r] = WRITE;
		r = 0
	   }
	od;
late:	assert(send_mem[recv_from[r]] &&
	       send_serial[recv_from[r]] == recv_serial[r]);
	atomic { complete(r); r = 0 }
	goto again
}

init
{
	atomic {
		run sender();
		run receiver()
	}
}
