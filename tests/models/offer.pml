/* SPDX-License-Identifier: Apache-2.0 */
/*
 * offer.pml: a large copy on which both ends work, runtime/fabric/sm/sm_offer.c,
 * for spin(1).
 *
 *   owner    sm_mem_register (offer_open), help (claim), and, when the FIN has
 *            come, sm_mem_deregister; then the same offer for another message
 *   reader   join_offer, step_offer (claim), sm_copy_finish, FIN
 *
 * Asserted: every chunk of a message is copied; none is copied, and none of its
 * bytes touched, after the reader has reported the end; the reader ends. A copy
 * by either end may fail (the kernel denies it): the reader then copies alone.
 * A store and its flag are ordered as in C; what release and acquire promise is
 * assumed.
 */
#ifndef LENGTH
#define LENGTH 4 /* chunks of a message */
#endif

/* mutants */
#define done_before_copy 1
#define over_when_claimed 2
#define opened_at_once 3
#define claim_not_atomic 4
#define failed_after_done 5
#define next_before_done 6
#define failure_ignored 7
/* what must be reachable */
#define owner_helped 20
#define owner_failed 21
#define both_copied 22
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)
#define NONE 255

/* struct sm_offer */
byte next = NONE, done;
bool failed;

bool told, fin;		/* RTS, FIN */
bool open;		/* the reader's buffer may be written */
byte copied;		/* chunks, one bit each */
bool helped;

/* Claims one chunk; at == NONE: none is left. */
inline claim(at)
{
	if
	:: MUTANT == claim_not_atomic ->
		at = next;
		if
		:: at < LENGTH -> next = at + 1
		:: else -> at = NONE
		fi
	:: else -> atomic {
		at = (next < LENGTH -> next : NONE);
		next = (next < LENGTH -> next + 1 : next)
	   }
	fi
}

inline copy(at)
{
	if
	:: atomic {
		assert(open);
		assert(MUTANT == claim_not_atomic || !(copied & 1 << at));
		copied = copied | 1 << at;
		good = true
	   }
	:: good = false
	fi
}

inline record()
{
	if
	:: MUTANT == failed_after_done ->
		done++;
		failed = failed || !good
	:: else ->
		failed = failed || !good;
		done++
	fi
}

proctype owner()
{
	byte at = NONE;
	bool good;

end:	do
	:: !told && !fin ->
		/* offer_open, RTS */
		next = (MUTANT == opened_at_once -> 0 : NONE);
		told = true
	:: told && next < LENGTH ->
		claim(at);
		if
		:: at == NONE
		:: at != NONE && MUTANT == done_before_copy ->
			done++;
			copy(at);
			failed = failed || !good
		:: else ->
			REACHED(owner_helped);
			copy(at);
			if
			:: good -> helped = true
			:: else -> REACHED(owner_failed)
			fi;
			record()
		fi;
		at = NONE;
		good = false
	:: atomic { fin -> fin = false; told = false; helped = false }
	od
}

proctype reader()
{
	byte at = NONE;
	bool good;

end:	do
	:: told && !fin ->
		open = true;
		if
		:: MUTANT == next_before_done ->
			next = 0;
			failed = false;
			done = 0
		:: else ->
			failed = false;
			done = 0;
			next = 0
		fi;
		do
		:: claim(at);
		   if
		   :: at != NONE ->
			copy(at);
			record()
		   :: else
		   fi;
		   at = NONE;
		   good = false;
		   if
		   :: done >= LENGTH ||
		      MUTANT == over_when_claimed && next >= LENGTH -> break
		   :: done < LENGTH && next < LENGTH
		   /* the owner is copying what is left */
		   :: done < LENGTH && next >= LENGTH &&
		      MUTANT != over_when_claimed ->
			done >= LENGTH
		   fi
		od;
		if
		:: failed && MUTANT != failure_ignored ->
			/* copies again, alone */
			copied = (1 << LENGTH) - 1
		:: else
		fi;
		assert(copied == (1 << LENGTH) - 1);
		if
		:: helped -> REACHED(both_copied)
		:: else
		fi;
		atomic {
			open = false;
			copied = 0
		};
		fin = true
	od
}

init
{
	atomic {
		run owner();
		run reader()
	}
}
