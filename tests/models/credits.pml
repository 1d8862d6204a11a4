/* SPDX-License-Identifier: Apache-2.0 */
/*
 * credits.pml: credits of runtime/fabric/verbs, for spin(1). vb_recv.c says how
 * they work.
 *
 *   send       vb_message, check_room, of what the rank wants to send
 *   take       vb_arrived, deliver; the upper layers may answer from within
 *   give       owes_much, vb_credits_return
 *   widen      widen, borrow
 *
 * Two ranks send each other any number of messages, and may stop. Asserted: a
 * message finds a buffer (no receiver-not-ready); no rank that wants to send
 * waits for ever; CREDITs that are answered by CREDITs come to an end.
 *
 * A connection keeps order and loses nothing. So instead of `limit` a message
 * has what it adds to the limit, and a rank has what it may send (limit - sent)
 * and what it owes (granted - announced). Not modelled: entries of send and
 * completion queues, which become free without the peer, a pool that is used up,
 * and the one credit more of a connection that is closed (close.pml).
 */
#define WINDOW 4     /* VB_WINDOW_MIN */
#ifndef WIDEST
#define WIDEST 8     /* VB_WINDOW_MAX */
#endif
#ifndef ONE_WAY
#define ONE_WAY 0    /* only the first rank sends */
#endif

/* mutants; wide_: with growing windows */
#define last_not_kept 1
#define granted_before_posted 2
#define half_is_one 3
#define half_is_all 4
#define no_credit 5
#define told_forgotten 6
#define wide_unposted 7
#define window_unposted 8
/* what must be reachable */
#define both_out 20
#define wide_reached 21
#define last_used 22
#define both_last_used 23
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)

#define PEER (1 - me)
#define MANY 4 /* consecutive CREDITs, of both ranks */

mtype = { MSG, CREDIT };
/* messages to each rank: kind, credits it adds, starved */
chan cq[2] = [WIDEST] of { mtype, byte, bool };

byte posted[2] = WINDOW; /* receive buffers */
byte window[2] = WINDOW;
byte may[2] = WINDOW;
byte owed[2];
bool starved[2], owing[2], wants[2];
bool late[2]; /* a buffer is granted but not posted */
byte credits; /* since the last other message */

#define LEAST(kind) (kind == CREDIT || MUTANT == last_not_kept -> 0 : 1)

/* vb_message; `sent`: it had room */
inline send(kind)
{
	if
	:: may[me] <= LEAST(kind) ->
		starved[me] = true;
		sent = false
	:: else ->
		/* checked at once: later there may be more, not fewer */
		assert(posted[PEER] > 0);
		posted[PEER]--;
		cq[PEER]!kind(owed[me], starved[me]);
		may[me]--;
		owed[me] = (MUTANT == told_forgotten -> owed[me] : 0);
		starved[me] = false;
		sent = true;
		if
		:: may[me] == 0 -> REACHED(last_used)
		:: else
		fi;
		if
		:: may[me] == 0 && may[PEER] == 0 -> REACHED(both_last_used)
		:: else
		fi;
		credits = (kind == CREDIT -> credits + 1 : 0);
		assert(credits <= MANY)
	fi
}

inline widen()
{
	if
	:: hungry && window[me] + window[me] <= WIDEST ->
		REACHED(wide_reached);
		if
		:: MUTANT != wide_unposted ->
			posted[me] = posted[me] + window[me]
		:: else
		fi;
		owed[me] = owed[me] + window[me];
		window[me] = window[me] + window[me]
	:: else
	fi
}

#if MUTANT == half_is_one
#define HALF 1
#elif MUTANT == half_is_all
#define HALF (window[me])
#else
#define HALF (window[me] / 2)
#endif

inline take()
{
	cq[me]?kind(more, hungry);
	may[me] = may[me] + more;
	posted[me] = posted[me] + late[me];
	late[me] = false;
	if
	:: MUTANT == granted_before_posted -> owed[me]++
	:: else
	fi;
	/* the upper layers */
	if
	:: kind == MSG && !ONE_WAY -> send(MSG)
	:: true
	fi;
	if
	:: MUTANT == granted_before_posted -> late[me] = true
	:: MUTANT == window_unposted -> owed[me]++
	:: MUTANT != granted_before_posted && MUTANT != window_unposted ->
		posted[me]++;
		owed[me]++
	fi;
	widen();
	owing[me] = owing[me] || owed[me] >= HALF;
	kind = 0;
	more = 0;
	hungry = false;
	sent = false
}

inline give()
{
	if
	:: owed[me] >= HALF && MUTANT != no_credit ->
		send(CREDIT);
		owing[me] = !sent
	:: else -> owing[me] = false
	fi;
	sent = false
}

proctype rank(byte me)
{
	mtype kind;
	byte more;
	bool hungry, sent;

	do
	:: atomic { nempty(cq[me]) -> take() }
	:: atomic {
		owing[me] && (owed[me] < HALF || may[me] > LEAST(CREDIT) ||
			      !starved[me]) -> give()
	   }
	:: atomic { !wants[me] && (!ONE_WAY || !me) -> wants[me] = true }
	:: atomic {
		wants[me] && (may[me] > LEAST(MSG) || !starved[me]) ->
		send(MSG);
		wants[me] = !sent;
		if
		:: !sent && wants[PEER] && starved[PEER] -> REACHED(both_out)
		:: else
		fi;
		sent = false
	   }
	:: timeout ->
		assert(!wants[me] || may[me] > 1);
		break
	:: atomic { !wants[me] -> break }
	od;
	/* waits for nothing, but makes progress */
	do
	:: atomic { nempty(cq[me]) -> take() }
	:: atomic {
		owing[me] && (owed[me] < HALF || may[me] > LEAST(CREDIT) ||
			      !starved[me]) -> give()
	   }
	:: timeout -> break
	od
}

init
{
	atomic {
		run rank(0);
		run rank(1)
	}
}
