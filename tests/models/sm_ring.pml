/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sm_ring.pml: the ring of runtime/base/ring.h, sending and draining of
 * runtime/fabric/sm/sm_ring.c, the growth of sm_grow.c and the doorbell of
 * sm_wait.c, for spin(1).
 *
 *   push     ring_push (and ring_push_word, which is it if there is room), push
 *   room     ring_fits, ring_rewind, ring_reserve, ring_refresh
 *   notify   sm_notify, sm_notify_all, sm_ring_bell
 *   mark     mark_sender, above SM_SCAN_MAX slots
 *   peek     ring_peek         take   drain, ring_payload
 *   pop      ring_pop, ring_publish
 *   grow     sm_grow           follow sm_follow
 *   arm, disarm   sm_arm, sm_disarm
 *   rest     sleep_armed of wait.c: one round of progress, sm_wait
 *
 * Producers send any messages, each in its line or with some lines of the data
 * ring, and may stop after any of them; one consumer takes them. It asserts
 * that each is the next one and whole. A producer that finds no room waits. A
 * state where all wait and not everything is taken is an error: so a lost
 * wake-up is one, although the C code would only sleep its 10 ms.
 *
 * Memory is weak: a store lies in its process's buffer until all see it. Stores
 * leave the buffer in any order, but those to one location in their own, and
 * one with release after all before it; so loads overtake stores, too. What
 * acquire and release do to loads is modelled by its lack, in mutants: a load
 * that is done earlier (peek_relaxed) or later (head_relaxed) than it stands. A
 * read-modify-write is done at once, with release after all stores before it.
 * Nothing is shown of ring_refresh's acquire: what follows depends on it.
 *
 * -DMARK=1: senders' bits. -DGROW=1: a producer that finds no room, or at any
 * time, for a message that is too long, goes on in a second ring. -DSLEEP=1: the
 * consumer sleeps. -DFENCE=1: without membarrier. -DBITS=1: producers look at the
 * bits of those who may sleep first (sm_notify_all). -DMUTANT=name: a mistake that
 * must be found. -DREACH=name: the error is that something happens which the model
 * must cover.
 */
#ifndef SENDERS
#define SENDERS 1
#endif
#ifndef LONGEST
#define LONGEST 2 /* data lines of a long message; ring_max: 3/8 */
#endif
#ifndef MARK
#define MARK 0
#endif
#ifndef GROW
#define GROW 0
#endif
#ifndef SLEEP
#define SLEEP 0
#endif
#ifndef FENCE
#define FENCE 0
#endif
#ifndef BITS
#define BITS 0
#endif

#ifndef LINES
#define LINES 2	/* RING_LINES */
#endif
#define TELL (LINES / 2) /* lines consumed before head is published */
#ifndef SIZE
#define SIZE 5	/* lines of the data ring */
#endif
#define HOT 2	/* RING_HOT */
#define UNTOLD 1 /* struct ring: publish_after, an eighth */
#define BURST 1
#define BUFFER 4 /* stores that may be buffered */

/* mutants; long_: with long messages; sleep_, fence_, bits_, mark_, grow_: in
 * that mode */
#define seq_relaxed 1
#define head_relaxed 2
#define peek_relaxed 3
#define seq_short 4
#define one_line_more 5
#define told_too_late 6
#define long_seq_relaxed 10
#define long_head_relaxed 11
#define long_skip_uncounted 13
#define long_one_more 14
#define long_hot_unchecked 15
#define long_end_uncounted 16
#define long_rewind_full 17
#define sleep_no_membarrier 20
#define sleep_unlooked 21
#define sleep_without_wake 22
#define sleep_notify_first 23
#define sleep_armed_late 24
#define sleep_stays_armed 28
#define fence_missing 25
#define bits_set_late 26
#define bits_cleared_by_waker 27
#define mark_first 30
#define mark_relaxed 31
#define mark_cleared_late 32
#define mark_left_forgotten 33
#define mark_missing 34
#define grow_unreserved 35
#define grow_place_kept 36
#define grow_silent 37
/* what must be reachable */
#define filled 40
#define told 41
#define long_wrap 42
#define long_hot 43
#define long_rewound 49
#define sleep_woken 44
#define sleep_again_woken 50
#define bits_spared 48
#define mark_left 45
#define grow_followed 46
#define grow_full 47
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)

/* Numbers wrap, as they do at 2^32 in C, at multiples of the rings' sizes. */
#if MUTANT == seq_short
#define SEQS LINES
#else
#define SEQS (2 * LINES)
#endif
#define POSITIONS (2 * LINES)
#define ENDS (3 * SIZE)
/* numbers of messages: a producer's position, in lines */
#define NUMBERS POSITIONS
#define AHEAD(a, b, all) (((a) + (all) - (b)) % (all))

/* ---- Memory -------------------------------------------------------------- */

/* of ring r: that of producer r, or its second one */
#define SEQ(r, i) ((r) * (2 * LINES + SIZE + 1) + (i))
#define BODY(r, i) (SEQ(r, i) + LINES)
#define DATA(r, i) (SEQ(r, i) + 2 * LINES)
#define HEAD(r) (DATA(r, SIZE))
#define RINGS (SENDERS * (1 + GROW))
#define ASLEEP SEQ(RINGS, 0)

/* contents of a line: hdr, len and end, or its own payload */
#define MESSAGE(number, bytes, end) \
	((((end) * 4) + (bytes)) * NUMBERS + (number))
#define GROWN 3 /* bytes of SM_GROWN */
#define TAKEN (-1) /* replaces either: nobody reads it again */
#define NUMBER(body) ((body) % NUMBERS)
#define LEN(body) ((body) / NUMBERS % 4)
#define END(body) ((body) / NUMBERS / 4)
#define PLACES(pos, data) ((pos) * ENDS + (data))

short mem[SEQ(RINGS, 1)];
byte senders; /* one bit each */
bool sleepers; /* the consumer's bit */
bool sleeping; /* asleep in the futex */
byte sent[SENDERS]; /* and not yet taken */

typedef store {
	byte at;
	short value;
	bool release
}
typedef stores {
	store s[BUFFER];
	byte n
}
stores waiting[SENDERS + 1]; /* one of each producer, and one of the consumer */
#define ME SENDERS /* the consumer */

#define W(k) waiting[who].s[k]
#define MAY_GO(k) (waiting[who].n > k && (k == 0 || !W(k).release))
#define OTHER(k, j) (W(k).at != W(j).at)

inline put(place, content, with_release)
{
	atomic {
		waiting[who].n < BUFFER;
		W(waiting[who].n).at = place;
		W(waiting[who].n).value = content;
		W(waiting[who].n).release = with_release;
		waiting[who].n++
	}
}

inline go(k)
{
	mem[W(k).at] = W(k).value;
	j = k;
	do
	:: j + 1 < waiting[who].n ->
		W(j).at = W(j + 1).at;
		W(j).value = W(j + 1).value;
		W(j).release = W(j + 1).release;
		j++
	:: else -> break
	od;
	W(j).at = 0;
	W(j).value = 0;
	W(j).release = 0;
	waiting[who].n--;
	j = 0
}

/* Makes stores visible. */
proctype flush(byte who)
{
	byte j;

end:	do
	:: d_step { MAY_GO(0) -> go(0) }
	:: d_step { MAY_GO(1) && OTHER(1, 0) -> go(1) }
	:: d_step { MAY_GO(2) && OTHER(2, 0) && OTHER(2, 1) -> go(2) }
	:: d_step { MAY_GO(3) && OTHER(3, 0) && OTHER(3, 1) && OTHER(3, 2) ->
		go(3) }
	:: d_step { MAY_GO(4) && OTHER(4, 0) && OTHER(4, 1) && OTHER(4, 2) &&
		OTHER(4, 3) -> go(4) }
	od
}

/* ---- The producer --------------------------------------------------------- */

/* Not from before a rewind. */
#define NEWER(head) (AHEAD((head) % ENDS, seen_data, ENDS) <= SIZE)

inline look()
{
	d_step {
		seen_pos = mem[HEAD(ring)] / ENDS;
		if
		:: NEWER(mem[HEAD(ring)]) -> seen_data = mem[HEAD(ring)] % ENDS
		:: else
		fi
	}
}

#define BEGIN(end) (AHEAD(end, bytes, ENDS) % SIZE)
#define FITS(end) (AHEAD(end, seen_data, ENDS) <= SIZE + \
		   (MUTANT == long_one_more))

/* Finds the place of a payload: `end`, and whether there is room. */
inline find()
{
	d_step {
		offset = data_pos % SIZE;
		end = (data_pos + bytes) % ENDS;
		start = (end + SIZE - offset) % ENDS;
		if
		:: offset + bytes > SIZE -> end = start
		:: offset + bytes <= SIZE && offset >= HOT &&
		   (FITS((start + HOT) % ENDS) ||
		    MUTANT == long_hot_unchecked) ->
			end = start;
			REACHED(long_hot)
		:: else
		fi;
		/* beyond ENDS - SIZE numbers are ambiguous, as in C */
		room = FITS(end) || MUTANT == long_hot_unchecked;
		offset = 0;
		start = 0
	}
}

inline rewind()
{
	d_step {
		if
		:: (seen_pos == pos || MUTANT == long_rewind_full) &&
		   data_pos % SIZE >= HOT ->
			data_pos = (data_pos + SIZE - data_pos % SIZE) % ENDS;
			seen_data = data_pos;
			REACHED(long_rewound)
		:: else
		fi
	}
}

inline find_room()
{
	find();
	if
	:: room && BEGIN(end) < HOT
	:: else ->
		look();
		rewind();
		find()
	fi
}

inline bell()
{
	/* the exchange, and the call to the kernel */
	atomic {
		if
		:: mem[ASLEEP] ->
			mem[ASLEEP] = 0;
			sleeping = (MUTANT == sleep_without_wake -> sleeping
								 : false)
		:: else
		fi
	}
}

inline notify()
{
	if
	:: FENCE && MUTANT != fence_missing -> waiting[who].n == 0
	:: else
	fi;
	if
	:: BITS && !sleepers -> REACHED(bits_spared)
	:: else ->
		if
		:: mem[ASLEEP] ->
			bell();
			if
			:: MUTANT == bits_cleared_by_waker -> sleepers = false
			:: else
			fi
		:: else
		fi
	fi
}

inline mark()
{
	if
	:: !MARK || MUTANT == mark_missing
	:: MARK && MUTANT == mark_relaxed -> senders = senders | 1 << who
	:: else -> atomic {
		waiting[who].n == 0;
		senders = senders | 1 << who
	   }
	fi
}

#define SMALL (GROW && ring == who)
#define MOST (LINES + (MUTANT == one_line_more) - \
	      (SMALL && MUTANT != grow_unreserved))
#define FULL (AHEAD(pos, seen_pos, POSITIONS) >= MOST)

inline put_line(length, end_at)
{
	put(BODY(ring, pos % LINES), MESSAGE(number, length, end_at), false);
	put(SEQ(ring, pos % LINES), (pos + 1) % SEQS,
	    MUTANT != seq_relaxed && MUTANT != long_seq_relaxed)
}

inline grow()
{
	if
	:: MUTANT != grow_silent -> put_line(GROWN, 0)
	:: else
	fi;
	d_step {
		ring = who + SENDERS;
		pos = 0;
		data_pos = 0;
		seen_pos = 0;
		seen_data = 0
	}
}

inline push()
{
	if
	:: FULL -> look()
	:: else
	fi;
	if
	:: FULL ->
		REACHED(filled);
		if
		:: SMALL -> REACHED(grow_full)
		:: else
		fi;
		room = false
	:: else ->
		if
		:: bytes -> find_room()
		:: else -> d_step {
			room = true;
			end = data_pos
		   }
		fi
	fi;
	if
	:: room ->
		k = 0;
		do
		:: k < bytes ->
			put(DATA(ring, (BEGIN(end) + k) % SIZE), number, false);
			k++
		:: else -> break
		od;
		atomic {
			k = 0;
			if
			:: bytes && MUTANT == long_skip_uncounted ->
				data_pos = (data_pos + bytes) % ENDS
			:: else -> data_pos = end
			fi
		};
		if
		:: MARK && MUTANT == mark_first -> mark()
		:: SLEEP && MUTANT == sleep_notify_first -> notify()
		:: else
		fi;
		put_line(bytes, end);
		d_step {
			pos = (pos + 1) % POSITIONS;
			number = (number + 1) % NUMBERS;
			sent[who]++;
		};
		if
		:: bytes && data_pos % SIZE >= HOT -> look()
		:: else
		fi;
		if
		:: MUTANT != mark_first -> mark()
		:: else
		fi;
		if
		:: SLEEP && MUTANT != sleep_notify_first -> notify()
		:: else
		fi
	:: else ->
		if
		:: SMALL -> grow()
		:: else ->
			/* ERR_AGAIN, until the consumer has published */
			mem[HEAD(ring)] / ENDS != seen_pos ||
			(NEWER(mem[HEAD(ring)]) &&
			 mem[HEAD(ring)] % ENDS != seen_data)
		fi
	fi
}

proctype producer(byte who)
{
	byte pos, data_pos, seen_pos, seen_data, bytes, end, start;
	byte offset, k, number, ring;
	bool room;

	ring = who;
	do
	:: atomic {
		if
		:: bytes = 0
		:: LONGEST -> bytes = LONGEST
		fi
	   };
	   room = false;
	   if
	   :: SMALL -> grow()
	   :: true
	   fi;
	   do
	   :: !room -> push()
	   :: else -> break
	   od;
	   atomic {
		end = 0;
		bytes = 0
	   }
	:: break
	od
}

/* ---- The consumer --------------------------------------------------------- */

#define NEXT(p) mem[BODY(at[p].ring, at[p].pos % LINES)]
#define THERE(p) (mem[SEQ(at[p].ring, at[p].pos % LINES)] == \
		  (at[p].pos + 1) % SEQS)

inline check()
{
	d_step {
		assert(NUMBER(body) == at[p].number);
		mem[BODY(at[p].ring, line)] = TAKEN;
		k = 0;
		do
		:: k < LEN(body) ->
			cell = (AHEAD(END(body), LEN(body), ENDS) + k) % SIZE;
			assert(mem[DATA(at[p].ring, cell)] == at[p].number);
			mem[DATA(at[p].ring, cell)] = TAKEN;
			k++
		:: else -> break
		od;
		at[p].number = (at[p].number + 1) % NUMBERS;
		sent[p]--;
		cell = 0;
		k = 0
	}
}

inline publish()
{
	d_step {
		at[p].seen_pos = at[p].pos;
		at[p].seen_data = at[p].data_pos;
		REACHED(told)
	};
	put(HEAD(at[p].ring), PLACES(at[p].pos, at[p].data_pos),
	    MUTANT != head_relaxed && MUTANT != long_head_relaxed)
}

inline pop()
{
	d_step {
		if
		:: LEN(body) ->
			if
			:: END(body) % SIZE <= at[p].data_pos % SIZE ->
				REACHED(long_wrap)
			:: else
			fi;
			if
			:: MUTANT == long_end_uncounted ->
				at[p].data_pos = (at[p].data_pos + LEN(body)) % ENDS
			:: else -> at[p].data_pos = END(body)
			fi
		:: else
		fi;
		at[p].pos = (at[p].pos + 1) % POSITIONS;
	};
	if
	:: AHEAD(at[p].pos, at[p].seen_pos, POSITIONS) >=
		TELL + LINES * (MUTANT == told_too_late) ||
	   AHEAD(at[p].data_pos, at[p].seen_data, ENDS) >= UNTOLD -> publish()
	:: else
	fi
}

inline follow()
{
	d_step {
		REACHED(grow_followed);
		assert(at[p].ring == p);
		at[p].pos = (MUTANT == grow_place_kept -> at[p].pos : 0);
		at[p].ring = p + SENDERS;
		at[p].data_pos = 0;
		at[p].seen_pos = 0;
		at[p].seen_data = 0
	}
}

#define LATE (MUTANT == head_relaxed || MUTANT == long_head_relaxed)

/* Takes one message, which is there. */
inline take()
{
	d_step {
		line = at[p].pos % LINES;
		if
		:: MUTANT != peek_relaxed -> body = mem[BODY(at[p].ring, line)]
		:: else
		fi
	};
	if
	:: LEN(body) == GROWN -> follow()
	:: LEN(body) != GROWN && LATE ->
		pop();
		body = (LEN(body) -> body : mem[BODY(at[p].ring, line)]);
		check()
	:: else ->
		check();
		pop()
	fi;
	d_step {
		body = 0;
		line = 0;
		some++
	}
}

/* Makes a round of progress: `some` messages. */
inline drain()
{
	p = 0;
	do
	:: p < SENDERS ->
		if
		:: MARK && !(bits & 1 << p)
		:: else ->
			n = 0;
			do
			:: n < BURST ->
				if
				:: MUTANT == peek_relaxed ->
					body = NEXT(p)
				:: else
				fi;
				if
				:: THERE(p) ->
					take();
					n++
				:: else ->
					body = 0;
					break
				fi
			:: else -> break
			od;
			if
			:: MARK && n == BURST &&
			   MUTANT != mark_left_forgotten ->
				REACHED(mark_left);
				left = left | 1 << p
			:: else
			fi;
			n = 0
		fi;
		p++
	:: else -> break
	od;
	p = 0
}

inline progress()
{
	some = 0;
	if
	:: MARK ->
		bits = left;
		left = 0;
		if
		:: senders -> d_step {
			bits = bits | senders;
			senders = (MUTANT == mark_cleared_late -> senders : 0)
		   }
		:: else
		fi;
		drain();
		bits = 0;
		if
		:: MUTANT == mark_cleared_late -> senders = 0
		:: else
		fi
	:: else -> drain()
	fi
}

inline membarrier()
{
	if
	:: FENCE -> waiting[ME].n == 0
	:: MUTANT == sleep_no_membarrier -> waiting[ME].n == 0
	:: else -> atomic {
		/* on every CPU */
		waiting[ME].n == 0;
		waiting[0].n == 0;
		waiting[SENDERS - 1].n == 0
	   }
	fi
}

#define ALL_TAKEN (!sent[0] && !sent[SENDERS - 1])

inline arm()
{
	put(ASLEEP, 1, false);
	sleepers = BITS && MUTANT != bits_set_late;
	membarrier();
	sleepers = BITS;
	armed = true
}

inline disarm()
{
	if
	:: armed ->
		put(ASLEEP, 0, false);
		sleepers = false;
		again = false;
		armed = (MUTANT == sleep_stays_armed)
	:: else
	fi
}

/* One sleep. The first of a row may be over before anybody wakes the consumer;
 * then it stays armed, so that the next one needs no membarrier. */
inline rest()
{
	if
	:: armed && mem[ASLEEP]
	:: else ->
		if
		:: MUTANT != sleep_armed_late -> arm()
		:: else
		fi
	fi;
	some = 0;
	if
	:: MUTANT != sleep_unlooked -> progress()
	:: else
	fi;
	if
	:: MUTANT == sleep_armed_late -> arm()
	:: else
	fi;
	if
	:: some -> disarm()
	:: !some && !again -> again = true
	:: !some ->
		/* the kernel compares */
		atomic { sleeping = mem[ASLEEP] };
		if
		:: !sleeping ->
			REACHED(sleep_woken);
			if
			:: again -> REACHED(sleep_again_woken)
			:: else
			fi
		:: timeout ->
			assert(ALL_TAKEN);
			goto end
		fi
	fi
}

typedef place {
	byte pos, data_pos, seen_pos, seen_data, number, ring
}

proctype consumer()
{
	place at[SENDERS];
	short body;
	byte who = ME, p, n, k, some, bits, left, line, cell;
	bool armed, again;

	for (p : 0 .. SENDERS - 1) {
		at[p].ring = p
	}
	p = 0;
	do
	:: progress();
	   if
	   :: some -> disarm()
	   :: !some && SLEEP -> rest()
	   :: !some && !SLEEP ->
		/* spins */
		if
		:: MARK && (senders || left)
		:: !MARK && (THERE(0) || THERE(SENDERS - 1))
		:: timeout ->
			assert(ALL_TAKEN);
			goto end
		fi
	   fi;
	   some = 0
	od;
end:	skip
}

init
{
	byte r;

	atomic {
		for (r : 0 .. SENDERS - 1) {
			run producer(r);
			run flush(r)
		}
		run flush(ME);
		run consumer()
	}
}
