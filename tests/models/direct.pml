/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.pml: the protocol of coll/node/direct*.c, for spin(1). Ranks run any
 * sequence of collectives, in any interleaving. The sequence is the same on all
 * ranks and of any length. Names are those of the C code.
 *
 * A payload is a value made of its epoch and the set of ranks in it. A rank
 * that reads it asserts that it is the right one: nobody reads what is not
 * there yet, nobody overwrites what is still to be read. A rank that has waited
 * for all asserts that all have entered. No rank is more than SLOTS epochs
 * ahead. A deadlock is an invalid end state.
 *
 * A store of data and that of its flag are two steps. Reads of data are one
 * step with what follows them: for any run where one of them goes wrong there
 * is a run where all are as late. What release and acquire promise is assumed.
 * Not modelled: faults, calls that differ, how a rank pauses.
 *
 * -DTREE=1 selects the form for many ranks. -DMUTANT=name inserts a mistake
 * where the C code could make it; spin must find it (models.t).
 */
#ifndef RANKS
#define RANKS 3
#endif
#ifndef TREE
#define TREE 0
#endif
#define SLOTS 2	 /* struct direct: slots */
#define SLICES 2 /* DIRECT_SLICES */
#ifndef LONGEST
#define LONGEST 1 /* most slices of a payload */
#endif
#define FAN 1	 /* with three ranks, one has a parent and a child */

/* mutants; those named tree_ are of the tree form */
#define flag_first 1
#define no_wait_for_line 2
#define line_too_early 3
#define wait_for_own_epoch 4
#define all_done_is_epoch 5
#define all_done_by_one 6
#define read_before_flag 7
#define leave_before_read 8
#define leave_before_result 9
#define no_wait_for_slices 10
#define slices_not_marked 11
#define slices_marked_early 12
#define slices_of_writers 13
#define one_synchronise 14
#define chain_before_read 18
#define slices_marked_by_writers 19
#define tree_release_early 15
#define tree_release_flag_first 16
#define tree_up_early 17
#ifndef MUTANT
#define MUTANT 0
#endif

/* The number of epochs: SLOTS - 1 are still remembered, SLOTS are in
 * progress. */
#define EPOCHS (2 * SLOTS)
#define ALL ((1 << RANKS) - 1)
#define VALUE(epoch, ranks) ((epoch) << RANKS | (ranks))

/* ---- Shared memory, as in direct_line.h --------------------------------- */

#define LINE(r) ((epoch[me] % SLOTS) * RANKS + (r))
#define RELEASE (epoch[me] % SLOTS)
/* a rank's part of a slice of a buffer */
#define CELL(r, slice, share) (((r) * SLICES + (slice)) * RANKS + (share))

byte flag[SLOTS * RANKS], data[SLOTS * RANKS];
byte release_flag[SLOTS], release_data[SLOTS];
byte done[RANKS];
byte buffer[RANKS * SLICES * RANKS];

/* ---- What each rank keeps (struct direct, and variables of functions) --- */

byte epoch[RANKS], all_done[RANKS], next_slice[RANKS];
byte used[RANKS * SLICES];
byte want[RANKS], least[RANKS];

/* ---- What all ranks call, by the epoch before it ------------------------- */

/*
 * The forms, by the ranks that write and those that read:
 *   BCAST       root, all others (scatter too)
 *   GATHER      all but root, root
 *   REDUCE      all, all (allreduce, allgather, alltoall; barrier, where the
 *               value stands for having entered)
 *   SCAN        all, each from those before it (exscan; scan: and itself)
 *   TWO_PASSES  long REDUCE
 *   CHAIN       long SCAN: all but the last, after they have read from the rank
 *               before them
 * A reduction to one root is a REDUCE where the others do not read, a long one
 * is a GATHER. Other long collectives are several of these in a row.
 */
mtype = { BCAST, GATHER, REDUCE, SCAN, TWO_PASSES, CHAIN };
mtype kind[EPOCHS];
byte root[EPOCHS];
byte slices[EPOCHS]; /* slices of the payload; 0: it is in the line, or with it */

/* Chosen by the first rank that gets there. */
inline choose()
{
	assert(epoch[me] < EPOCHS);
	n = epoch[me];
	if
	:: kind[n]
	:: else ->
		select(k : 0 .. LONGEST);
		slices[n] = k;
		if
		:: kind[n] = BCAST
		:: kind[n] = GATHER
		:: kind[n] = SCAN
		:: k == 0 || !TREE -> kind[n] = REDUCE
		:: k > 0 -> kind[n] = TWO_PASSES
		:: k > 0 -> kind[n] = CHAIN
		fi;
		if
		:: kind[n] == BCAST -> root[n] = 0
		:: kind[n] == BCAST || kind[n] == GATHER ->
			root[n] = RANKS - 1
		:: kind[n] != BCAST && kind[n] != GATHER
		fi;
		k = 0
	fi;
	call = kind[n];
	to = root[n];
	n = slices[n]
}

/* ---- Keeping the model finite ------------------------------------------- */

inline clear(x, e)
{
	x = (x >> RANKS <= e -> 0 : x)
}

inline raise(x, e)
{
	x = (x < e -> e : x)
}

inline lower(x)
{
	x = (x < SLOTS -> 0 : x - SLOTS)
}

inline lower_value(x)
{
	x = (x >> RANKS < SLOTS -> 0 : x - VALUE(SLOTS, 0))
}

/* Clears what all ranks are done with, so that any access to it is found. When
 * this covers SLOTS epochs, all numbers are reduced by them. */
inline forget()
{
	j = done[0];
	for (i : 1 .. RANKS - 1) {
		j = (done[i] < j -> done[i] : j)
	}
	for (i : 0 .. SLOTS * RANKS - 1) {
		flag[i] = (flag[i] <= j -> 0 : flag[i]);
		clear(data[i], j)
	}
	for (i : 0 .. SLOTS - 1) {
		release_flag[i] = (release_flag[i] <= j -> 0 : release_flag[i]);
		clear(release_data[i], j)
	}
	for (i : 0 .. RANKS * SLICES * RANKS - 1) {
		clear(buffer[i], j)
	}
	for (i : 0 .. RANKS - 1) {
		raise(all_done[i], j)
	}
	for (i : 0 .. RANKS * SLICES - 1) {
		raise(used[i], j)
	}
	for (i : 1 .. j) {
		kind[i - 1] = 0;
		root[i - 1] = 0;
		slices[i - 1] = 0
	}
	if
	:: j < SLOTS
	:: else ->
		for (i : 0 .. SLOTS * RANKS - 1) {
			lower(flag[i]);
			lower_value(data[i])
		}
		for (i : 0 .. SLOTS - 1) {
			lower(release_flag[i]);
			lower_value(release_data[i])
		}
		for (i : 0 .. RANKS * SLICES * RANKS - 1) {
			lower_value(buffer[i])
		}
		for (i : 0 .. RANKS - 1) {
			lower(done[i]);
			lower(epoch[i]);
			lower(all_done[i]);
			lower(want[i]);
			lower(least[i])
		}
		for (i : 0 .. RANKS * SLICES - 1) {
			lower(used[i])
		}
		for (i : 0 .. EPOCHS - 1) {
			kind[i] = (i + SLOTS < EPOCHS -> kind[i + SLOTS] : 0);
			root[i] = (i + SLOTS < EPOCHS -> root[i + SLOTS] : 0);
			slices[i] = (i + SLOTS < EPOCHS -> slices[i + SLOTS] : 0)
		}
	fi;
	i = 0;
	j = 0
}

/* ---- The protocol -------------------------------------------------------- */

#define REACHED(r) (r == me || flag[LINE(r)] >= epoch[me])
#define ENTERED(r) (epoch[r] >= epoch[me])
#if RANKS == 2
#define EACH(what) (what(0) && what(1))
#else
#define EACH(what) (what(0) && what(1) && what(2))
#endif

/* One step unless it has to wait; so what it has read may be older. */
inline ensure_done()
{
	if
	:: all_done[me] >= want[me]
	:: else ->
		least[me] = epoch[me] - 1;
		do
		:: q == RANKS -> break
		:: q == me -> q++
		:: q < RANKS && q != me && done[q] >= want[me] ->
			least[me] = (done[q] < least[me] -> done[q]
							 : least[me]);
			q++
		od;
		if
		:: all_done[me] = least[me]
		:: least[me] > want[me] -> all_done[me] = want[me]
		fi;
		least[me] = 0;
		q = 0
	fi;
	want[me] = 0
}

inline enter()
{
	epoch[me]++;
	want[me] = (epoch[me] > SLOTS -> epoch[me] - SLOTS : 0);
	if
	:: MUTANT == no_wait_for_line -> want[me] = 0
	:: MUTANT == line_too_early && want[me] -> want[me]--
	:: MUTANT == wait_for_own_epoch -> want[me] = epoch[me]
	:: else
	fi;
	ensure_done()
}

inline leave()
{
	d_step {
		done[me] = epoch[me];
		forget()
	}
}

/* After all ranks have been heard of. */
inline all_entered()
{
	assert(EACH(ENTERED));
	all_done[me] = epoch[me] - (MUTANT != all_done_is_epoch)
}

inline fill(first, cells, value)
{
	for (i : first .. (first) + (cells) - 1) {
		buffer[i] = value
	}
	i = 0
}

inline check(first, cells, value)
{
	for (i : first .. (first) + (cells) - 1) {
		assert(buffer[i] == value)
	}
	i = 0
}

/* The value in a rank's payload. */
#define PART(r) ((1 << (r)) + (call == CHAIN) * ((1 << (r)) - 1))

/* Payloads lie one behind the other, and their lengths differ from call to
 * call: a write destroys those of all ranks up to epoch e in its place. */
inline overwrite(e)
{
	for (q : 0 .. RANKS - 1) {
		if
		:: n
		:: else -> clear(data[LINE(q)], e)
		fi;
		for (i : CELL(q, k, 0) .. CELL(q, k, 0) + n * RANKS - 1) {
			clear(buffer[i], e)
		}
	}
	i = 0;
	q = 0
}

inline write_payload()
{
	overwrite(epoch[me] - 1);
	data[LINE(me)] = (n -> data[LINE(me)] : VALUE(epoch[me], PART(me)));
	fill(CELL(me, k, 0), n * RANKS, VALUE(epoch[me], PART(me)))
}

inline read_payload(r)
{
	assert(n || data[LINE(r)] == VALUE(epoch[me], PART(r)));
	check(CELL(r, k, 0), n * RANKS, VALUE(epoch[me], PART(r)))
}

#define WRITES (call == BCAST && me == to || call == GATHER && me != to || \
		call == CHAIN && me != RANKS - 1 || \
		call != BCAST && call != GATHER && call != CHAIN)
#define READS(r) (call == BCAST && r == to && me != to || \
		  call == GATHER && me == to && r != me || \
		  call == REDUCE || \
		  call == SCAN && r < me)

inline take_slices()
{
	k = (next_slice[me] + n > SLICES -> 0 : next_slice[me]);
	next_slice[me] = (MUTANT == slices_of_writers && !WRITES
			  -> next_slice[me] : k + n);
	for (i : k .. k + n - 1) {
		want[me] = (WRITES && used[me * SLICES + i] > want[me]
			    -> used[me * SLICES + i] : want[me])
	}
	i = 0;
	want[me] = (MUTANT == no_wait_for_slices -> 0 : want[me]);
	ensure_done()
}

/* The end of a call. */
inline finish()
{
	d_step {
		for (i : k .. k + n - 1 - SLICES * (MUTANT == slices_not_marked)) {
			used[me * SLICES + i] =
			    (MUTANT == slices_marked_by_writers && !WRITES
			     -> used[me * SLICES + i]
			     : epoch[me] - (MUTANT == slices_marked_early &&
					    call == TWO_PASSES))
		}
		done[me] = epoch[me];
		forget();
		call = 0;
		to = 0;
		n = 0;
		k = 0
	}
}

/* Up the tree, with payload or without, and down again. */
inline tree(with)
{
	if
	:: MUTANT == tree_up_early && me -> flag[LINE(me)] = epoch[me]
	:: MUTANT == tree_release_early && !me -> release_flag[RELEASE] = epoch[me]
	:: else
	fi;
	q = me * FAN + 1;
	do
	:: q == RANKS || q == me * FAN + 1 + FAN -> break
	:: atomic {
		q < RANKS && q < me * FAN + 1 + FAN && REACHED(q) ->
		if
		:: with ->
			assert(data[LINE(q)] >> RANKS == epoch[me]);
			data[LINE(me)] = data[LINE(me)] |
					 (data[LINE(q)] & ALL)
		:: else
		fi;
		q++
	}
	od;
	q = 0;
	if
	:: me -> flag[LINE(me)] = epoch[me]
	:: !me && MUTANT != tree_release_flag_first ->
		release_data[RELEASE] = data[LINE(0)];
		release_flag[RELEASE] = epoch[me]
	:: !me && MUTANT == tree_release_flag_first ->
		release_flag[RELEASE] = epoch[me];
		release_data[RELEASE] = data[LINE(0)]
	fi;
	atomic {
		release_flag[RELEASE] >= epoch[me] ->
		all_entered()
	}
}

inline flat()
{
	flag[LINE(me)] = epoch[me];
	atomic {
		EACH(REACHED) ->
		all_entered()
	}
}

inline synchronise(with)
{
	if
	:: TREE -> tree(with)
	:: else -> flat()
	fi
}

/* ---- Collectives ---------------------------------------------------------- */

/* Some ranks write, and some read what these have written: line or slices. */
#define HEARD(r) (!READS(r) || REACHED(r))
#define HEARD_ALL ((READS(0) || me == 0) && (READS(1) || me == 1) && \
		   (READS(RANKS - 1) || me == RANKS - 1))

inline exchange()
{
	atomic {
		if
		:: WRITES -> enter()
		:: else -> epoch[me]++
		fi;
		if
		:: WRITES && MUTANT == flag_first -> flag[LINE(me)] = epoch[me]
		:: WRITES && MUTANT != flag_first -> write_payload()
		:: else
		fi
	};
	if
	:: WRITES && MUTANT == flag_first -> d_step { write_payload() }
	:: WRITES && MUTANT != flag_first -> flag[LINE(me)] = epoch[me]
	:: else
	fi;
	if
	:: MUTANT == leave_before_read -> leave()
	:: else
	fi;
	atomic {
		EACH(HEARD) || MUTANT == read_before_flag;
		if
		:: HEARD_ALL -> all_entered()
		:: !HEARD_ALL && MUTANT == all_done_by_one ->
			all_done[me] = epoch[me] - 1
		:: !HEARD_ALL && MUTANT != all_done_by_one
		fi;
		for (q : 0 .. RANKS - 1) {
			if
			:: READS(q) -> read_payload(q)
			:: else
			fi
		}
		q = 0;
		finish()
	}
}

/* Reads from the rank before, then writes to the next. */
inline chain()
{
	atomic {
		if
		:: WRITES -> enter()
		:: else -> epoch[me]++
		fi
	};
	atomic {
		me == 0 || REACHED(me - 1) || MUTANT == chain_before_read;
		if
		:: me -> read_payload(me - 1)
		:: else
		fi
	};
	if
	:: WRITES ->
		d_step { write_payload() };
		flag[LINE(me)] = epoch[me]
	:: else
	fi;
	atomic { finish() }
}

/* A line up the tree. */
inline reduce_tree()
{
	atomic {
		enter();
		write_payload()
	};
	tree(true);
	atomic {
		assert(release_data[RELEASE] == VALUE(epoch[me], ALL));
		finish()
	}
}

inline two_passes()
{
	atomic {
		overwrite(epoch[me]);
		fill(CELL(me, k, 0), n * RANKS, VALUE(epoch[me] + 1, 1 << me));
		enter()
	};
	synchronise(false);
	d_step {
		for (i : 0 .. n - 1) {
			for (q : 0 .. RANKS - 1) {
				assert(buffer[CELL(q, k + i, me)] ==
				       VALUE(epoch[me], 1 << q))
			}
		}
		i = 0;
		q = 0
	};
	d_step {
		/* these are for the next epoch */
		for (i : 0 .. n - 1) {
			buffer[CELL(me, k + i, me)] = VALUE(epoch[me] + 1, ALL)
		}
		i = 0
	};
	leave();
	atomic { enter() };
	if
	:: MUTANT == one_synchronise
	:: else -> synchronise(false)
	fi;
	if
	:: MUTANT == leave_before_result -> leave()
	:: else
	fi;
	atomic {
		for (i : 0 .. n - 1) {
			for (q : 0 .. RANKS - 1) {
				assert(buffer[CELL(q, k + i, q)] ==
				       VALUE(epoch[me], ALL))
			}
		}
		i = 0;
		q = 0;
		finish()
	}
}

proctype rank(byte me)
{
	mtype call;
	byte to, n, k, q, i, j;

	do
	:: atomic {
		choose();
		take_slices()
	};
	if
	:: call == TWO_PASSES -> two_passes()
	:: call == CHAIN -> chain()
	:: call == REDUCE && TREE -> reduce_tree()
	:: else -> exchange()
	fi
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
