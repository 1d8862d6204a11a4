/* SPDX-License-Identifier: Apache-2.0 */
/*
 * end.pml: how a job ends, well or because of one rank, for spin(1).
 *
 *   rank      mrt_init (boot_init, boot_fence), a blocking receive, mrt_finalize
 *             (fabric_stop, verbs_close with its fence, boot_finalize), exit
 *   wait_for  wait_poll and sleep_armed of runtime/engine/wait.c with sm_arm
 *   events    on_event of boot.c on PMIx's thread; fault_raise, wake_self
 *   look      update_ranks of launcher/mrun.c; job_end_reap, job_end_message
 *   judge     job_end_failures, handle_end, fail, fail_if_absent of job_end.c
 *   trouble   of one rank, at any moment: killed, exit with a code or without,
 *             with or without finalize, abort
 *
 * Each rank waits for a message of the one before it; if that has died, it may
 * find out by itself (peer_gone in sm_copy.c) and abort.
 *
 * Asserted: nobody waits for ever, although mrun's deadlines and the limit of
 * the sleep are left out; the job succeeds if all ranks did, and else mrun
 * names the rank that failed and no other; the hook that wakes a rank is never
 * called when its fabrics are closed.
 *
 * Assumed: an event reaches all clients that have connected and not finalized,
 * and connecting, finalizing and aborting are answered when mrun's queue has
 * them.
 */
#ifndef RANKS
#define RANKS 2
#endif
#ifndef FENCE
#define FENCE 1 /* verbs_close */
#endif

/* mutants */
#define reap_once 1
#define messages_once 2
#define one_pass 3
#define client_awaited 4
#define absent_ignored 5
#define hook_unlocked 6
#define close_before_hook 7
#define armed_late 8
#define fault_without_wake 9
#define fence_deaf 10
/* what must be reachable */
#define woken_by_fault 20
#define hook_called 21
#define noticed_first 22
#define all_well 23
#define absent_found 24
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef REACH
#define REACH 0
#endif
#define REACHED(what) assert(REACH != what)

#define NOBODY RANKS
#define EXIT_PEER 75
#define KILLED 137
#define NEXT(r) (((r) + 1) % RANKS)
#define BEFORE(r) (((r) + RANKS - 1) % RANKS)

/* ---- What others see of a rank
 * -------------------------------------------- */

bool gone[RANKS];     /* it has ended; mrun may reap it */
byte status[RANKS];
bool client[RANKS];   /* it receives events */
bool finalized[RANKS];
bool told[RANKS];     /* of a failure */
bool arrived[RANKS];  /* its message is in the ring */
byte in_fence[2];     /* ranks that have come */
byte guilty = NOBODY; /* the rank that fails */

/* ---- A rank's main thread and PMIx's
 * -------------------------------------- */

bool fault[RANKS];    /* fault_code */
bool hooked[RANKS];   /* wakeup_hook */
bool fabric[RANKS];   /* open */
bool asleep[RANKS], sleeping[RANKS];

mtype = { CONNECTED, FINALIZED, ABORTED };
chan messages = [3 * RANKS] of { mtype, byte };

inline leave(r, code)
{
	atomic {
		status[r] = code;
		gone[r] = true
	}
}

inline wake(r)
{
	d_step {
		if
		:: asleep[r] ->
			asleep[r] = false;
			sleeping[r] = false
		:: else
		fi
	}
}

/* A fence that ends without all ranks is repeated until the fault is known. */
inline await_fence(k)
{
	(in_fence[k] == RANKS || fault[me] && MUTANT != fence_deaf)
}

inline wait_for()
{
	do
	:: arrived[me] -> break
	:: fault[me] -> break
	:: else ->
		/* sleep_armed */
		atomic {
			asleep[me] = (MUTANT != armed_late)
		};
		atomic {
			looked = fault[me] || arrived[me];
			asleep[me] = (looked -> false : asleep[me])
		};
		if
		:: looked
		:: else ->
			/* the kernel compares */
			atomic {
				asleep[me] = asleep[me] || MUTANT == armed_late;
				sleeping[me] = asleep[me]
			};
			if
			:: !sleeping[me] ->
				if
				:: fault[me] -> REACHED(woken_by_fault)
				:: else
				fi
			:: gone[BEFORE(me)] && status[BEFORE(me)] ->
				/* it would have read its memory */
				REACHED(noticed_first);
				messages!ABORTED(me);
				goto dead
			fi;
			asleep[me] = false
		fi;
		looked = false
	od
}

/* Forgets what nobody reads any more. */
inline forget(r)
{
	fault[r] = false;
	hooked[r] = false;
	fabric[r] = false;
	asleep[r] = false;
	sleeping[r] = false;
	arrived[r] = false
}

proctype rank(byte me)
{
	bool looked;

	{
		atomic {
			client[me] = true;
			messages!CONNECTED(me);
			in_fence[0]++
		};
		atomic {
			await_fence(0);
			if
			:: fault[me] -> goto dead
			:: else
			fi;
			fabric[me] = true;
			hooked[me] = true
		};

		arrived[NEXT(me)] = true;
		wake(NEXT(me));
		wait_for();
		if
		:: fault[me] && !arrived[me] -> goto dead
		:: else
		fi;

		/* undoes the steps in reverse order */
		if
		:: MUTANT == close_before_hook -> fabric[me] = false
		:: else
		fi;
		hooked[me] = false; /* fault_set_wakeup */
		if
		:: FENCE && !fault[me] ->
			in_fence[1]++;
			await_fence(1)
		:: else
		fi;
		fabric[me] = false;
		atomic {
			client[me] = false;
			finalized[me] = true;
			messages!FINALIZED(me)
		};
		leave(me, 0);
		goto over;
dead:		leave(me, EXIT_PEER);
over:		skip
	} unless { atomic { gone[me] -> forget(me) } }
}

/* What holds hook_lock is one step. */
inline call_hook()
{
	REACHED(hook_called);
	assert(fabric[me]);
	wake(me)
}

proctype events(byte me)
{
	bool hook;

	{
		atomic {
			client[me] && told[me];
			fault[me] = true
		};
		if
		:: MUTANT == hook_unlocked ->
			hook = hooked[me];
			if
			:: hook -> call_hook()
			:: else
			fi
		:: MUTANT == fault_without_wake
		:: else -> atomic {
			if
			:: hooked[me] -> call_hook()
			:: else
			fi
		   }
		fi
	} unless { gone[me] }
}

/* ---- What may happen to one rank
 * ------------------------------------------ */

proctype trouble()
{
	byte r;

	select(r : 0 .. RANKS - 1);
	if
	:: skip /* all is well */
	:: atomic { !gone[r] -> guilty = r; leave(r, KILLED) }
	:: atomic { !gone[r] -> guilty = r; leave(r, 1) }
	:: atomic { !gone[r] && !finalized[r] ->
		guilty = r;
		leave(r, 0)
	   }
	:: atomic { !gone[r] && client[r] ->
		guilty = r;
		messages!ABORTED(r)
	   };
	   atomic {
		if
		:: !gone[r] -> leave(r, 2)
		:: else
		fi
	   }
	fi
}

/* ---- mrun ----------------------------------------------------------------- */


bool knows_client[RANKS], knows_finalized[RANKS], aborted[RANKS];
bool reaped[RANKS], judged[RANKS];
byte running = RANKS;
bool ending;
byte named = NOBODY;

inline fail(who)
{
	d_step {
		if
		:: !ending ->
			ending = true;
			named = who;
			j = 0;
			do
			:: j < RANKS ->
				if
				:: reaped[j]
				:: !reaped[j] && knows_client[j] ->
					told[j] = true
				:: else ->
					/* SIGTERM: nothing else reaches the
					 * rank */
					if
					:: !gone[j] &&
					   MUTANT != client_awaited ->
						gone[j] = true;
						status[j] = 143
					:: else
					fi
				fi;
				j++
			:: else -> break
			od;
			j = 0
		:: else
		fi
	}
}

#define JOINED(r) (!reaped[r] && knows_client[r] && !knows_finalized[r])
#if RANKS == 2
#define ANY(what) (what(0) || what(1))
#else
#define ANY(what) (what(0) || what(1) || what(2))
#endif
#define ABSENT(r) (judged[r] && !knows_client[r])

inline check_absent()
{
	if
	:: ANY(ABSENT) && ANY(JOINED) && MUTANT != absent_ignored ->
		REACHED(absent_found);
		d_step {
			k = 0;
			do
			:: ABSENT(k) -> break
			:: else -> k++
			od
		};
		fail(k);
		k = 0
	:: else
	fi
}

inline job_end_message()
{
	if
	:: messages?CONNECTED(who) ->
		knows_client[who] = true;
		check_absent()
	:: messages?FINALIZED(who) -> knows_finalized[who] = true
	:: messages?ABORTED(who) -> aborted[who] = true
	fi;
	who = 0
}

/* One step: what arrives meanwhile may as well have arrived before, and a rank
 * may as well end afterwards. */
inline judge_messages()
{
	atomic {
		do
		:: nempty(messages) -> job_end_message()
		:: empty(messages) -> break
		od
	}
}

inline job_end_reap()
{
	d_step {
		some = false;
		r = 0;
		do
		:: r < RANKS ->
			if
			:: gone[r] && !reaped[r] ->
				reaped[r] = true;
				running--;
				some = true
			:: else
			fi;
			r++
		:: else -> break
		od;
		r = 0
	}
}

inline judge_rank()
{
	judged[r] = true;
	if
	:: aborted[r] || status[r] || (knows_client[r] && !knows_finalized[r]) ->
		fail(r)
	:: else -> check_absent()
	fi
}

inline judge()
{
	atomic {
		pass = (MUTANT == one_pass);
		do
		:: pass < 2 ->
			r = 0;
			do
			:: r < RANKS ->
				if
				:: !judged[r] && (reaped[r] || aborted[r]) &&
				   (pass || status[r] != EXIT_PEER &&
					    !(aborted[r] && r != guilty)) ->
					judge_rank()
				:: else
				fi;
				r++
			:: else -> break
			od;
			pass++
		:: else -> break
		od;
		pass = 0;
		r = 0;
		some = false
	}
}

inline look()
{
	if
	:: MUTANT == reap_once ->
		job_end_reap();
		judge_messages()
	:: MUTANT == messages_once ->
		judge_messages();
		job_end_reap()
	:: else ->
		do
		:: judge_messages();
		   job_end_reap();
		   if
		   :: some
		   :: else -> break
		   fi
		od
	fi;
	judge()
}

#define ENDED(r) (gone[r] && !reaped[r])

proctype mrun()
{
	byte r, k, j, who, pass;
	bool some;

	do
	:: running == 0 -> break
	:: running && (nempty(messages) || ANY(ENDED)) -> look()
	:: timeout -> assert(false) /* a rank waits for ever */
	od;
	if
	:: guilty == NOBODY ->
		REACHED(all_well)
	:: else
	fi;
	assert(named == guilty)
}

init
{
	byte r;

	atomic {
		for (r : 0 .. RANKS - 1) {
			run rank(r);
			run events(r)
		}
		run trouble();
		run mrun()
	}
}
