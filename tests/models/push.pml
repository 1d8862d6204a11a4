/* SPDX-License-Identifier: Apache-2.0 */
/*
 * push.pml: writes through bounce buffers, which the owner of the memory empties
 * unless the writer takes them back, runtime/fabric/sm/sm_push.c, for spin(1).
 *
 *   writer   fill_next, leave_relay, sm_push_take_back, sm_copy_by_ring,
 *            sm_push_emptied; two writes, one after the other
 *   owner    sm_push_take
 *
 * Asserted: when a write is over its bytes are in the memory, and nobody writes
 * there or reads its buffers any more; every write ends. The writer may lose its
 * patience at any time, and the kernel may then deny CMA, though not for a
 * buffer that has been taken back: that is an error.
 */
#ifndef PARTS
#define PARTS 3 /* of a write */
#endif
#ifndef WRITES
#define WRITES 2
#endif
#define BUFFERS 2

/* mutants */
#define owner_does_not_claim 1
#define writer_does_not_claim 2
#define claim_not_atomic 3
#define number_of_the_write 4
#define emptied_before_copy 5
#define over_when_filled 6
#define put_back_when_denied 7
/* what must be reachable */
#define owner_late 20
#define owner_first 21
#define taken_back 22
#define denied 23
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)

/* SM_FILL: buffer, number, place; SM_EMPTIED: buffer */
chan fills = [3] of { byte, byte, byte };
chan emptied = [3] of { byte };

byte claims[BUFFERS], data[BUFFERS]; /* in the segment; data: which write */
byte memory[PARTS];		      /* which write */
byte write = 1;			      /* under way; 0: none */

/* struct sm_filled, and bounce_used */
byte number[BUFFERS], place[BUFFERS];
bool used[BUFFERS];

inline claim(b, n)
{
	if
	:: MUTANT == claim_not_atomic ->
		good = claims[b] == n;
		if
		:: good -> claims[b] = 0
		:: else
		fi
	:: else -> atomic {
		good = claims[b] == n;
		claims[b] = (good -> 0 : claims[b])
	   }
	fi
}

inline store(at, what)
{
	atomic {
		assert(what == write);
		memory[at] = what
	}
}

proctype owner()
{
	byte b, n, at, what;
	bool good;

end:	do
	:: fills ? b, n, at ->
		claim(b, n);
		if
		:: good || MUTANT == owner_does_not_claim ->
			if
			:: MUTANT == emptied_before_copy -> emptied ! b
			:: else
			fi;
			what = data[b];
			store(at, what);
			if
			:: MUTANT != emptied_before_copy -> emptied ! b
			:: else
			fi
		:: else -> REACHED(owner_late)
		fi;
		good = false;
		what = 0
	od
}

proctype writer()
{
	byte b, moved, out, numbers, k;
	bool by_ring = true, cma = true, good;

	do
	/* fill_next; k is the next buffer */
	:: by_ring && moved < PARTS && !used[k] && nfull(fills) ->
		data[k] = write;
		numbers++;
		number[k] = (MUTANT == number_of_the_write -> write : numbers);
		place[k] = moved;
		claims[k] = number[k];
		fills ! k, number[k], moved;
		used[k] = true;
		moved++;
		out++;
		k = (k + 1) % BUFFERS
	:: by_ring && cma -> by_ring = false
	/* sm_push_take_back */
	:: !by_ring && (used[0] || used[1]) ->
		if
		:: used[0] -> b = 0
		:: used[1] -> b = 1
		fi;
		claim(b, number[b]);
		if
		:: good || MUTANT == writer_does_not_claim ->
			if
			:: store(place[b], data[b]);
			   REACHED(taken_back);
			   used[b] = false;
			   out--
			:: MUTANT == put_back_when_denied ->
				claims[b] = number[b];
				cma = false;
				by_ring = true
			fi
		:: else ->
			REACHED(owner_first);
			emptied ? b;
			used[b] = false;
			out--
		fi;
		good = false;
		b = 0
	/* the rest of the source, by CMA */
	:: !by_ring && moved < PARTS ->
		if
		:: store(moved, write);
		   moved++
		:: REACHED(denied);
		   cma = false;
		   by_ring = true
		fi
	/* sm_push_emptied */
	:: emptied ? b ->
		if
		:: used[b] ->
			used[b] = false;
			out--
		:: else
		fi;
		b = 0
	:: moved == PARTS && (out == 0 || MUTANT == over_when_filled) ->
		atomic {
			assert(memory[0] == write && memory[1] == write &&
			       memory[2] == write);
			write = (write < WRITES -> write + 1 : 0)
		};
		moved = 0;
		by_ring = true;
		if
		:: write == 0 -> break
		:: else
		fi
	od
}

init
{
	atomic {
		run owner();
		run writer()
	}
}
