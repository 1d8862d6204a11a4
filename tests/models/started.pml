/* SPDX-License-Identifier: Apache-2.0 */
/*
 * started.pml: calls that go on in progress, coll/node/direct_started.c, for
 * spin(1). All ranks start the same calls in the same order, each when it likes,
 * and several at once; a rank goes on with any of them at any time. Names are
 * those of the C code.
 *
 * In each epoch a rank writes its line and takes from all ranks, or, where only
 * rank 0 takes, from none. A payload is its epoch: whoever takes it asserts that
 * it is the right one. A rank that cannot end is a deadlock. A store of data and
 * that of its flag are two steps; what release and acquire promise is assumed.
 * Calls that differ are not modelled.
 */
#ifndef RANKS
#define RANKS 2
#endif
#ifndef CALLS
#define CALLS 4
#endif
#ifndef SLOTS
#define SLOTS 2
#endif

/* mutants */
#define flag_first 1
#define no_wait_for_line 2
#define line_too_early 3
#define done_is_this 4
#define done_is_latest 5
#define own_not_asked 6
#define take_before_flag 7
#define leave_before_taken 8
/* what must be reachable */
#define leaves_out_of_order 20
#define line_is_late 21
#define more_than_slots 22
#define sender_is_ahead 23
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)

/* ---- Shared memory; epochs begin with 1 --------------------------------- */

#define LINE(r, e) (((e) % SLOTS) * RANKS + (r))

byte flag[SLOTS * RANKS], data[SLOTS * RANKS];
byte done[RANKS];

/* ---- What each rank keeps ------------------------------------------------ */

#define CALL(e) (me * (CALLS + 1) + (e))

byte epoch[RANKS], all_done[RANKS];
bool written[RANKS * (CALLS + 1)], left[RANKS * (CALLS + 1)];
byte taken[RANKS * (CALLS + 1)];

/* Whether only rank 0 takes, as in a reduce; the same on all ranks. */
#define ROOTED(e) ((e) % 2 == 0)
#define SOURCES(e) (ROOTED(e) && me -> 0 : RANKS)
#define UNDER_WAY(e) ((e) <= epoch[me] && !left[CALL(e)])

inline have_done()
{
	least = CALLS;
	for (q : 0 .. RANKS - 1) {
		least = (done[q] < least && (MUTANT != own_not_asked || q != me)
			 -> done[q] : least)
	}
	all_done[me] = (least > all_done[me] -> least : all_done[me]);
	q = 0;
	least = 0
}

#define MAY_PUT(e)                                                             \
	(e <= SLOTS || MUTANT == no_wait_for_line ||                           \
	 all_done[me] + SLOTS + (MUTANT == line_too_early) >= e)

inline put(e)
{
	if
	:: MUTANT == flag_first -> flag[LINE(me, e)] = e
	:: else -> data[LINE(me, e)] = e
	fi;
	if
	:: MUTANT == flag_first -> data[LINE(me, e)] = e
	:: else -> flag[LINE(me, e)] = e
	fi;
	written[CALL(e)] = true
}

#define HAS_TAKEN(e) (taken[CALL(e)] == SOURCES(e))
#define MAY_TAKE(e)                                                            \
	(written[CALL(e)] && !HAS_TAKEN(e) &&                                  \
	 (flag[LINE(taken[CALL(e)], e)] >= e || MUTANT == take_before_flag))
#define MAY_LEAVE(e)                                                           \
	(written[CALL(e)] &&                                                   \
	 (HAS_TAKEN(e) || MUTANT == leave_before_taken && taken[CALL(e)]))

/* Done is what lies before the oldest call that is under way. */
inline leave(e)
{
	left[CALL(e)] = true;
	q = 1;
	do
	:: q <= epoch[me] && left[CALL(q)] -> q++
	:: else -> break
	od;
	if
	:: q < e -> REACHED(leaves_out_of_order)
	:: else
	fi;
	done[me] = (MUTANT == done_is_this -> (e > done[me] -> e : done[me])
					   : (MUTANT == done_is_latest -> epoch[me]
								       : q - 1));
	q = 0
}

proctype rank(byte me)
{
	byte e, q, least, ended;

	do
	:: atomic {
		epoch[me] < CALLS ->
		epoch[me]++;
		if
		:: epoch[me] - done[me] > SLOTS -> REACHED(more_than_slots)
		:: epoch[me] > epoch[0] + 2 -> REACHED(sender_is_ahead)
		:: else
		fi
	}
	:: ended < CALLS && epoch[me] > 0 ->
		/* one of those under way, in any order */
		atomic { select(e : 1 .. CALLS) };
		if
		:: atomic { UNDER_WAY(e) && !written[CALL(e)] ->
			have_done();
			if
			:: !MAY_PUT(e) -> REACHED(line_is_late)
			:: else
			fi
		   };
		   if
		   :: MAY_PUT(e) -> put(e)
		   :: else
		   fi
		:: atomic { MAY_TAKE(e) ->
			assert(data[LINE(taken[CALL(e)], e)] == e);
			taken[CALL(e)]++
		   }
		:: atomic { UNDER_WAY(e) && MAY_LEAVE(e) ->
			leave(e);
			ended++
		   }
		:: else
		fi;
		e = 0
	:: ended == CALLS -> break
	od
}

init {
	byte r;

	atomic {
		for (r : 0 .. RANKS - 1) {
			run rank(r)
		}
	}
}
