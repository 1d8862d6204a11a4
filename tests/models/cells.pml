/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cells.pml: the protocol of coll/cells/cells.c and coll/plan/combining.c, for
 * spin(1). Ranks run any sequence of barriers and allreduces, each up and down
 * one of two trees, in any interleaving of the remote operations. The sequence
 * is the same on all ranks and of any length. A rank may have RUNS collectives
 * started at once. Names are those of the C code.
 *
 * A contribution is its turn and a bit for each rank in it. A rank that takes
 * or reads one asserts that it is of this turn, complete, and holds nothing
 * twice. A rank that finishes asserts that all have begun. A deadlock is an
 * invalid end state.
 *
 * What fabrics promise is assumed: a remote operation is one step and has
 * happened when the next step starts. Faults and refusals are not modelled.
 *
 * -DMUTANT=name inserts a mistake where the C code could make it; spin must
 * find it (models.t).
 */
#ifndef RANKS
#define RANKS 3
#endif

/* mutants; those named runs_ need several collectives at once */
#define counter_reset 1
#define take_early 2
#define no_reset 3
#define reset_at_begin 4
#define add_after_signal 5
#define write_after_signal 6
#define swap_unchecked 7
#define release_early 8
#define one_set 9
#define runs_overlap 10
#ifndef MUTANT
#define MUTANT 0
#endif

#ifndef RUNS
#define RUNS 1
#endif
#if MUTANT == one_set
#define SETS 1
#else
#define SETS 2
#endif

/* The number of turns: more than anybody may distinguish, and a multiple of
 * SETS and of RUNS. */
#define TURNS 6
#define ALL ((1 << RANKS) - 1)
#define VALUE(turn, ranks) ((turn) << RANKS | (ranks))
#define TURN(value) ((value) >> RANKS)
#define BITS(value) ((value) & ALL)

/* ---- Cells of all ranks, [RANKS * SETS] ---------------------------------- */

#define CELL(r) ((r) * SETS + turn % SETS)
/* a counter's excess over `waited`, which is all that counts */
byte up[RANKS * SETS], down[RANKS * SETS];
byte accumulator[RANKS * SETS]; /* 0: nothing */
byte room[RANKS * SETS];

/* ---- What each rank keeps ------------------------------------------------ */

byte next[RANKS]; /* turn to begin */
bool owned[RANKS];

/* ---- What all ranks call
 * -------------------------------------------------- */

mtype = { BARRIER, FETCH_ADD, COMPARE_SWAP, SLOTS };
mtype kind[TURNS];
/* The parent of each rank is the one before it, or rank 0. With one child, its
 * slot may be where other plans have the result, as other counts put it
 * there. */
bool chain[TURNS];
byte latest = TURNS - 1; /* turn drawn last */

inline draw()
{
	if
	:: turn == (latest + 1) % TURNS ->
		latest = turn;
		/* all have finished the turn before the last */
		kind[(turn + TURNS - 2) % TURNS] = 0;
		chain[(turn + TURNS - 2) % TURNS] = 0;
		if
		:: kind[turn] = BARRIER
		:: kind[turn] = FETCH_ADD
		:: kind[turn] = COMPARE_SWAP
		:: kind[turn] = SLOTS
		fi;
		if
		:: kind[turn] != SLOTS -> chain[turn] = false
		:: chain[turn] = true
		fi
	:: else
	fi
}

/* The tree of this turn: the children are me + 1 .. me + children. */
inline place()
{
	if
	:: chain[turn] ->
		parent = me - (me > 0);
		children = (me < RANKS - 1)
	:: else ->
		parent = 0;
		children = (RANKS - 1) * (me == 0)
	fi;
	/* all ranks from `me` on, or only this one */
	mine = (children > 0) * (ALL & ~((1 << me) - 1)) | 1 << me
}

/* ---- Steps ---------------------------------------------------------------- */

inline begin()
{
	next[me] = (turn + 1) % TURNS;
	owned[me] = true;
	draw();
	place();
	if
	:: MUTANT == counter_reset ->
		up[CELL(me)] = 0
	:: MUTANT == reset_at_begin -> accumulator[CELL(me)] = 0
	:: else
	fi
}

inline await(counter, signals)
{
	d_step {
		counter >= signals ->
		counter = counter - signals
	}
}

inline signal(counter)
{
	counter++
}

/* Asserts that nothing of another turn is there, and no rank twice. */
inline check_add(old)
{
	assert(!(BITS(old) & mine));
	assert(!old || TURN(old) == turn)
}

inline add()
{
	if
	:: kind[turn] == FETCH_ADD ->
		d_step {
			check_add(accumulator[CELL(parent)]);
			accumulator[CELL(parent)] =
				accumulator[CELL(parent)] | VALUE(turn, mine)
		}
	:: kind[turn] == SLOTS -> room[CELL(parent)] = VALUE(turn, mine)
	:: kind[turn] == COMPARE_SWAP ->
		guess = 0;
		do
		:: atomic {
			accumulator[CELL(parent)] == guess ||
			MUTANT == swap_unchecked ->
			check_add(guess);
			accumulator[CELL(parent)] = guess | VALUE(turn, mine);
			break
		   }
		:: atomic {
			accumulator[CELL(parent)] != guess ->
			guess = accumulator[CELL(parent)]
		   }
		od
	:: else
	fi
}

inline take()
{
	d_step {
		if
		:: kind[turn] == SLOTS ->
			accumulator[CELL(me)] = room[CELL(me)];
			room[CELL(me)] = 0
		:: else
		fi;
		assert(TURN(accumulator[CELL(me)]) == turn);
		assert((BITS(accumulator[CELL(me)]) | 1 << me) == mine);
		if
		:: MUTANT != no_reset && MUTANT != reset_at_begin ->
			accumulator[CELL(me)] = 0
		:: else
		fi
	}
}

inline gather()
{
	if
	:: children > 0 ->
		need = children - (MUTANT == take_early);
		await(up[CELL(me)], need);
		if
		:: kind[turn] != BARRIER -> take()
		:: else
		fi
	:: else
	fi
}

inline report()
{
	if
	:: MUTANT != add_after_signal -> add()
	:: else
	fi;
	signal(up[CELL(parent)]);
	if
	:: MUTANT == add_after_signal -> add()
	:: else
	fi;
	await(down[CELL(me)], 1);
	d_step {
		assert(kind[turn] == BARRIER ||
		       room[CELL(me)] == VALUE(turn, ALL));
		room[CELL(me)] = 0
	}
}

inline spread()
{
	child = me + 1;
	do
	:: child <= me + children ->
		if
		:: MUTANT != write_after_signal ->
			room[CELL(child)] = VALUE(turn, ALL)
		:: else
		fi;
		signal(down[CELL(child)]);
		if
		:: MUTANT == write_after_signal ->
			room[CELL(child)] = VALUE(turn, ALL)
		:: else
		fi;
		child++
	:: else -> break
	od;
	child = 0
}

/* A rank that has not begun this turn begins it next. */
inline finish()
{
	d_step {
		child = 0;
		do
		:: child < RANKS ->
			assert(next[child] != turn);
			child++
		:: else -> break
		od;
		child = 0;
		owned[me] = false
	}
}

proctype collective(byte me, turn)
{
	byte mine, parent, children, need, guess, child;

	do
	:: atomic {
		next[me] == turn && (!owned[me] || MUTANT == runs_overlap) ->
		begin()
	   }
	   if
	   :: MUTANT == release_early -> spread()
	   :: else
	   fi;
	   gather();
	   if
	   :: me -> report()
	   :: else -> assert(kind[turn] == BARRIER || mine == ALL)
	   fi;
	   if
	   :: MUTANT != release_early -> spread()
	   :: else
	   fi;
	   finish();
	   d_step {
		mine = 0;
		parent = 0;
		children = 0;
		need = 0;
		guess = 0;
		turn = (turn + RUNS) % TURNS
	   }
	od
}

init
{
	byte r, k;

	atomic {
		for (r : 0 .. RANKS - 1) {
			for (k : 0 .. RUNS - 1) {
				run collective(r, k)
			}
		}
	}
}
