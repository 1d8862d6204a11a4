/* SPDX-License-Identifier: Apache-2.0 */
/*
 * close.pml: a connection that is opened, used, closed and opened anew, for
 * spin(1).
 *
 *   call, hear   vb_dial, vb_dial_handle of runtime/fabric/verbs/vb_dial.c
 *   mail         vb_mail_send, vb_mail_handle of vb_mail.c
 *   close, end   vb_cache_close; vb_close_progress, close_end of vb_close.c
 *   arrived      vb_arrived, vb_close_heard
 *   completed    vb_completed, vb_close_is_over of vb_post.c
 *   network      the device: work requests of a queue pair are carried out in
 *                order and acknowledged in order; an acknowledgement may be lost
 *                with the queue pair that would repeat it; datagrams are lost,
 *                doubled and overtaken; one completion queue for each rank
 *   timer        repeated calls, and a device that gives up: only when nothing
 *                else can happen
 *
 * Two ranks send each other messages, one of them reads the other's memory, and
 * either closes the connection at any time. A message goes by datagram or by the
 * connection. Asserted: a message arrives once, in its turn, and in a connection
 * that both sides have if by one; a read has its data; a rank connects to
 * a queue pair that exists; nothing completes after its queue pair; nobody is
 * blamed; all comes to an end.
 *
 * Not modelled: credits (credits.pml), of which CLOSE has one of its own, and
 * what a call may have to wait for, room and a message that is not acknowledged:
 * it is like one that is lost.
 */
#ifndef MESSAGES
#define MESSAGES 1   /* of each rank */
#endif
#ifndef MAILS
#define MAILS 1      /* of them, at most, by datagram */
#endif
#ifndef CLOSES
#define CLOSES 1     /* at most */
#endif
#ifndef LOSSES
#define LOSSES 1
#endif
#ifndef DOUBLES
#define DOUBLES 1
#endif
#define REPEATS 8    /* more than so many do not end */

/* mutants */
#define epoch_ignored 1
#define end_unheard 2
#define end_unacknowledged 3
#define not_drained 4
#define blamed 5
#define wish_forgotten 6
#define close_unanswered 7
#define mail_overtaken 8
#define mail_twice 9
#define mail_unrepeated 10
/* what must be reachable */
#define both_close 20
#define closed_twice 21
#define acknowledgement_lost 22
#define bye_helps 23
#define gives_up 24
#define late_call 25
#define call_meets_closing 26
#define mail_meets_closing 27
#define mail_repeated 28
#define mail_acknowledged_late 29
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)

#define PEER (1 - me)
#define IDLE 0
#define DIALING 1
#define HALF 2
#define READY 3
#define CLOSING 4

mtype = { GOT, DONE, FAILED, UD, MSG, READ, CLOSE, CALL, ANSWER, BYE, MAIL, HEARD };

byte state[2], epoch[2];
byte qp[2], dest[2];     /* numbers of queue pairs; 0: none */
byte made;               /* queue pairs */
bool wished[2];          /* in the list of those to be connected */
bool called[2];          /* it has sent a CALL */
bool sent[2], heard[2];  /* CLOSE */
byte posted[2];          /* and not completed */
bool mail[2];            /* sent and not acknowledged */
byte mailed[2], hears[2]; /* numbers of those sent, and arrived */
byte messages[2], reads[2], got[2], closes, losses, doubles, repeats;
bool deaf[2];            /* what is in flight is never acknowledged */
chan sq[2] = [2] of { mtype };
chan flying[2] = [2] of { mtype }; /* carried out, not acknowledged */
chan cq[2] = [4] of { mtype, mtype, byte, byte, byte, byte };
chan ud[2] = [2] of { mtype, byte, byte, byte, byte };
chan late[2] = [1] of { mtype, byte, byte, byte, byte };

inline datagram(to, kind)
{
	if
	:: full(ud[to]) -> ud[to] ? _, _, _, _, _
	:: nfull(ud[to])
	fi;
	ud[to] ! kind, qp[1 - (to)], epoch[1 - (to)], mailed[1 - (to)],
		 hears[1 - (to)]
}

inline post(kind)
{
	sq[me] ! kind;
	posted[me]++
}

/* A late poll of a completion is like a late acknowledgement. */
inline completed(r, kind, how)
{
	if
	:: how == FAILED ->
		assert(sent[r] && heard[r] && kind == CLOSE &&
		       MUTANT != blamed)
	:: else
	fi;
	assert(posted[r] > 0);
	posted[r]--
}

/* Completes all that is posted with an error. */
inline flush(r)
{
	do
	:: flying[r] ? lost -> completed(r, lost, FAILED)
	:: empty(flying[r]) && nempty(sq[r]) ->
		sq[r] ? lost;
		completed(r, lost, FAILED)
	:: empty(flying[r]) && empty(sq[r]) -> break
	od;
	deaf[r] = false
}

inline create()
{
	made++;
	qp[me] = made;
	state[me] = DIALING
}

inline connect(number)
{
	/* by design, not by luck */
	assert(qp[PEER] == number);
	dest[me] = number;
	state[me] = HALF
}

inline call()
{
	wished[me] = true;
	if
	:: state[me] == IDLE ->
		create();
		called[me] = true;
		datagram(PEER, CALL)
	:: else
	fi
}

inline begin_close()
{
	state[me] = CLOSING
}

inline end_close()
{
	assert(posted[me] == 0 || MUTANT == end_unacknowledged);
	flush(me);
	qp[me] = 0;
	dest[me] = 0;
	posted[me] = 0;
	sent[me] = false;
	heard[me] = false;
	called[me] = false;
	state[me] = IDLE;
	epoch[me]++;
	if
	:: epoch[me] == 2 -> REACHED(closed_twice)
	:: else
	fi;
	datagram(PEER, BYE)
}

inline hear_mail(kind, time, last, upto)
{
	if
	:: mail[me] && upto == mailed[me] -> mail[me] = false
	:: else
	fi;
	if
	:: kind == MAIL && (last == hears[me] + 1 || MUTANT == mail_twice) &&
		   (time == epoch[me] && state[me] < HALF ||
		    time == epoch[me] + 1 && heard[me]) ->
		assert(got[me] + 1 == MESSAGES - messages[PEER]);
		if
		:: heard[me] -> REACHED(mail_meets_closing)
		:: else
		fi;
		got[me]++;
		hears[me] = last
	:: else
	fi;
	if
	:: kind == MAIL && last == hears[me] ->
		if
		:: !mail[PEER] -> REACHED(mail_acknowledged_late)
		:: else
		fi;
		datagram(PEER, HEARD)
	:: else
	fi
}

inline hear(kind, number, time)
{
	if
	:: time == epoch[me] + 1 && sent[me] && heard[me] ->
		if
		:: posted[me] > 0 -> REACHED(bye_helps)
		:: else
		fi;
		flush(me)
	:: else
	fi;
	if
	:: time < epoch[me] && kind == CALL -> REACHED(late_call)
	:: time == epoch[me] + 1 && kind == CALL -> REACHED(call_meets_closing)
	:: else
	fi;
	if
	:: (time != epoch[me] && MUTANT != epoch_ignored) || kind == BYE ||
		   kind == MAIL || kind == HEARD || state[me] == CLOSING ||
		   (mail[me] && state[me] == IDLE && MUTANT != mail_overtaken) ||
		   (state[me] == IDLE && kind == ANSWER)
	:: else ->
		crossed = state[me] == DIALING && called[me] && kind == CALL &&
			  me < PEER;
		if
		:: state[me] == IDLE -> create()
		:: else
		fi;
		if
		:: state[me] == DIALING -> connect(number)
		:: else
		fi;
		if
		:: kind == ANSWER && state[me] == HALF ->
			if
			:: reads[me] > 0 -> datagram(PEER, ANSWER)
			:: else
			fi;
			state[me] = READY;
			wished[me] = false
		:: kind == CALL && !crossed -> datagram(PEER, ANSWER)
		:: else
		fi
	fi
}

inline arrived(kind, number)
{
	assert(number == qp[me] && !heard[me]);
	if
	:: state[me] == HALF ->
		state[me] = READY;
		wished[me] = false
	:: else
	fi;
	if
	:: kind == MSG -> got[me]++
	:: else ->
		heard[me] = true;
		if
		:: state[me] == CLOSING -> REACHED(both_close)
		:: MUTANT == close_unanswered
		:: else -> begin_close()
		fi
	fi
}

active [2] proctype rank()
{
	byte me = _pid, number, time, last, upto;
	mtype what, kind, lost;
	bool crossed;

	d_step {
		messages[me] = MESSAGES;
		reads[me] = me
	};
end:	do
	:: atomic { cq[me] ? what, kind, number, time, last, upto ->
		if
		:: what == UD ->
			hear_mail(kind, time, last, upto);
			hear(kind, number, time)
		:: else -> arrived(kind, number)
		fi;
		number = 0;
		time = 0;
		last = 0;
		upto = 0;
		crossed = false;
		lost = 0 }
	:: atomic { state[me] == READY && messages[me] > 0 && nfull(sq[me]) ->
		assert(hears[PEER] == mailed[me]);
		messages[me]--;
		post(MSG) }
	:: atomic { state[me] == IDLE && messages[me] > 0 && !mail[me] &&
		    !wished[me] && mailed[me] < MAILS ->
		messages[me]--;
		mailed[me]++;
		mail[me] = true;
		datagram(PEER, MAIL) }
	:: atomic { state[me] == READY && reads[me] > 0 && nfull(sq[me]) ->
		reads[me]--;
		post(READ) }
	:: atomic { messages[me] + reads[me] > 0 && !wished[me] &&
		    (!mail[me] || MUTANT == mail_overtaken) &&
		    (state[me] == HALF ||
		     state[me] == IDLE &&
			     (epoch[me] == 0 || MUTANT != wish_forgotten)) ->
		call() }
	:: atomic { state[me] == READY && closes < CLOSES ->
		closes++;
		begin_close() }
	:: atomic { state[me] == CLOSING && !sent[me] && nfull(sq[me]) &&
		    (posted[me] == 0 || MUTANT == not_drained) ->
		sent[me] = true;
		post(CLOSE) }
	:: atomic { state[me] == CLOSING && sent[me] &&
		    (heard[me] || MUTANT == end_unheard) &&
		    (posted[me] == 0 || MUTANT == end_unacknowledged) ->
		end_close();
		lost = 0 }
	od
}

#define THERE(r) (dest[r] != 0 && qp[1 - r] == dest[r])
#define TAKES(r) (THERE(r) && dest[1 - r] == qp[r])

inline carry(r)
{
	sq[r] ? kind;
	flying[r] ! kind;
	if
	:: kind != READ -> cq[1 - r] ! GOT, kind, qp[1 - r], 0, 0, 0
	:: else
	fi
}

inline acknowledge(r)
{
	flying[r] ? kind;
	completed(r, kind, DONE)
}

inline deliver(r)
{
	ud[r] ? kind, number, time, last, upto;
	if
	:: cq[r] ! UD, kind, number, time, last, upto
	:: losses < LOSSES -> losses++
	:: doubles < DOUBLES ->
		/* once more, and later than what is sent meanwhile */
		doubles++;
		cq[r] ! UD, kind, number, time, last, upto;
		late[r] ! kind, number, time, last, upto
	fi;
	kind = 0;
	number = 0;
	time = 0;
	last = 0;
	upto = 0
}

active proctype network()
{
	mtype kind;
	byte number, time, last, upto;

end:	do
	:: atomic { nempty(sq[0]) && nfull(flying[0]) && !deaf[0] &&
		    TAKES(0) && nfull(cq[1]) -> carry(0) }
	:: atomic { nempty(sq[1]) && nfull(flying[1]) && !deaf[1] &&
		    TAKES(1) && nfull(cq[0]) -> carry(1) }
	/* it may still be under way when its sender is gone */
	:: atomic { nempty(flying[0]) && !deaf[0] -> acknowledge(0) }
	:: atomic { nempty(flying[1]) && !deaf[1] -> acknowledge(1) }
	:: atomic { nempty(flying[0]) && !deaf[0] && !THERE(0) ->
		deaf[0] = true; REACHED(acknowledgement_lost) }
	:: atomic { nempty(flying[1]) && !deaf[1] && !THERE(1) ->
		deaf[1] = true; REACHED(acknowledgement_lost) }
	:: closes < CLOSES -> closes = CLOSES
	:: atomic { nempty(late[0]) && nfull(cq[0]) ->
		late[0] ? kind, number, time, last, upto;
		cq[0] ! UD, kind, number, time, last, upto }
	:: atomic { nempty(late[1]) && nfull(cq[1]) ->
		late[1] ? kind, number, time, last, upto;
		cq[1] ! UD, kind, number, time, last, upto }
	:: atomic { nempty(ud[0]) && nfull(cq[0]) -> deliver(0) }
	:: atomic { nempty(ud[1]) && nfull(cq[1]) -> deliver(1) }
	od
}

#define GIVES_UP(r)                                                            \
	(deaf[r] || nempty(sq[r]) && dest[r] != 0 && !THERE(r))
#define REPEATS_MAIL(r) (mail[r] && MUTANT != mail_unrepeated)
/* A call that waits for a message is repeated as often as the message. */
#define REPEATS_CALL(r)                                                        \
	(wished[r] && (state[r] == DIALING || state[r] == HALF) &&             \
	 !REPEATS_MAIL(0) && !REPEATS_MAIL(1))

inline give_up(r)
{
	REACHED(gives_up);
	flush(r)
}

inline repeat_mail(r)
{
	REACHED(mail_repeated);
	repeats++;
	assert(repeats < REPEATS);
	datagram(1 - r, MAIL)
}

inline repeat_call(r)
{
	repeats++;
	assert(repeats < REPEATS);
	datagram(1 - r, CALL)
}

/* Acts when nothing else can happen. */
active proctype timer()
{
	mtype kind, lost;

end:	do
	:: atomic { timeout ->
		if
		:: GIVES_UP(0) -> give_up(0)
		:: GIVES_UP(1) -> give_up(1)
		:: REPEATS_MAIL(0) -> repeat_mail(0)
		:: REPEATS_MAIL(1) -> repeat_mail(1)
		:: REPEATS_CALL(0) -> repeat_call(0)
		:: REPEATS_CALL(1) -> repeat_call(1)
		:: else ->
			assert(messages[0] + messages[1] == 0 &&
			       reads[0] + reads[1] == 0 &&
			       posted[0] + posted[1] == 0 &&
			       !mail[0] && !mail[1] &&
			       got[0] == MESSAGES && got[1] == MESSAGES &&
			       state[0] != CLOSING && state[1] != CLOSING);
			goto rest
		fi }
	od;
rest:	skip
}
