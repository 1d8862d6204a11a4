/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared_lock.pml: the lock of windows, rma/shared_lock.h, for spin(1).
 *
 *   rank     shared_lock_ticket, shared_lock_has until it has it,
 *            shared_lock_release; each time as a writer or as a reader
 *
 * A rank of another node is the same: its target takes the ticket for it, or the
 * device changes the words as this rank would (device_lock.c).
 * Asserted: nobody is inside with a writer; nobody waits for ever, whatever the
 * order of arrival. A store and what it releases are ordered as in C; what
 * release and acquire promise is assumed. Halves that are full are left to
 * tests/unit/rma/shared_lock.c.
 */
#ifndef RANKS
#define RANKS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

/* mutants */
#define ticket_not_atomic 1
#define reader_keeps_readers_out 2
#define writer_releases_no_reader 3
#define reader_releases_reader 4
#define release_not_atomic 5
#define writer_enters_as_reader 6
#define released_twice 7
#define reader_enters_not_atomic 8
/* what must be reachable */
#define two_readers 20
#define reader_waits 21
#define writer_waits 22
#define readers_after_writer 23
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)

/* struct shared_lock; writer and reader are the halves of one word, turns */
byte tickets, writer, reader;

byte writing, reading; /* who is inside */
bool written;

inline take_ticket()
{
	if
	:: MUTANT == ticket_not_atomic ->
		mine = tickets;
		tickets = mine + 1
	:: else -> atomic {
		mine = tickets;
		tickets++
	   }
	fi
}

#define MAY_WRITE                                                              \
	(MUTANT == writer_enters_as_reader -> reader == mine : writer == mine)
#define MAY_READ (reader == mine)

inline add_to_turns(mutant, done, next)
{
	if
	:: MUTANT == mutant ->
		atomic {
			was_writer = writer;
			was_reader = reader
		};
		atomic {
			writer = was_writer + done;
			reader = was_reader + next
		}
	:: else -> atomic {
		writer = writer + done;
		reader = reader + next
	   }
	fi
}

inline write()
{
	if
	:: !MAY_WRITE -> REACHED(writer_waits)
	:: MAY_WRITE
	fi;
	MAY_WRITE;
	atomic {
		assert(!writing && !reading);
		writing++
	};
	atomic {
		assert(writing == 1 && !reading);
		writing--;
		written = true
	};
	add_to_turns(release_not_atomic, 1,
		     (MUTANT == writer_releases_no_reader -> 0 : 1));
	if
	:: MUTANT == released_twice -> writer++
	:: else
	fi
}

inline read()
{
	if
	:: !MAY_READ -> REACHED(reader_waits)
	:: MAY_READ
	fi;
	MAY_READ;
	add_to_turns(reader_enters_not_atomic, 0,
		     (MUTANT == reader_keeps_readers_out -> 0 : 1));
	atomic {
		assert(!writing);
		reading++;
		if
		:: reading == 2 -> REACHED(two_readers);
			if
			:: written -> REACHED(readers_after_writer)
			:: else
			fi
		:: else
		fi
	};
	atomic {
		assert(!writing);
		reading--
	};
	add_to_turns(release_not_atomic, 1,
		     (MUTANT == reader_releases_reader -> 1 : 0))
}

proctype rank()
{
	byte mine, was_writer, was_reader, round;

	do
	:: round < ROUNDS ->
		take_ticket();
		if
		:: write()
		:: read()
		fi;
		round++;
		mine = 0;
		was_writer = 0;
		was_reader = 0
	:: else -> break
	od
}

init
{
	byte k;

	atomic {
		do
		:: k < RANKS ->
			run rank();
			k++
		:: else -> break
		od
	}
}
