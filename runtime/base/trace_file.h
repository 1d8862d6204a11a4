/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace_file.h: the format of the file that a rank traces into (MRT_TRACE) and
 * mrt-trace reads: a head, then a ring of events of one size. The rank maps the
 * file, so what it wrote stays if it is killed. All integers are in the byte
 * order of the machine.
 */
#ifndef BASE_TRACE_FILE_H
#define BASE_TRACE_FILE_H

#include <stdatomic.h>
#include <stdint.h>

#define TRACE_MAGIC "mrtrace3"	   /* changes with the format */
#define TRACE_FILE "rank.%d.trace" /* in the folder MRT_TRACE */
enum {
	TRACE_NAMES = 250,     /* calls and algorithms that a file can name; */
	TRACE_NAME_LENGTH = 56 /* bytes of each name */
};

enum trace_kind {
	TRACE_ENTER = 1, /* a public call: peer, number and comm tell which */
	TRACE_LEAVE,	 /* the last call of the thread that is open */
	TRACE_WAIT,	 /* nothing to do from here on; */
	TRACE_WOKEN,	 /* something to do again */
	TRACE_TEXT, /* a part of the text that says what the wait is for; a part
		     * that is not full is the last */
	TRACE_OFFER, /* rendezvous: a long message is offered to peer */
	TRACE_MATCH, /* rendezvous: a receive matches an offer of peer */
	TRACE_MOVED, /* rendezvous: its data have been moved */
	TRACE_FAIL,  /* the call that was left last returns error `number` */
	TRACE_PLAN,  /* a plan begins: see the members; TRACE_SHAPE follows */
	TRACE_SHAPE,
	TRACE_BEGIN, /* step `number` of a plan begins, counted from 0, */
	TRACE_STEP,  /* and has ended */
	TRACE_END    /* plan `number` has ended */
};

/* Flags of TRACE_PLAN. `combine` of the shape lies above them. */
enum {
	TRACE_IN_PLACE = 1,
	TRACE_COMMUTES = 2,
	/* lists of blocks, neighbours or two groups, which a trace has not */
	TRACE_LISTS = 4,
	TRACE_COMBINE = 8
};

enum { TRACE_TEXT_LENGTH = 16, TRACE_NO_COMM = UINT16_MAX };

struct trace_event {
	uint64_t ticks; /* see struct trace_clock */
	union {
		struct {
			/* TRACE_PLAN: elements of a block; TRACE_SHAPE: the
			 * algorithm's argument */
			uint64_t bytes;
			/* a world rank or -1; of a collective that of the first
			 * rank of the communicator; TRACE_PLAN: this rank's
			 * place there; TRACE_SHAPE: the root's */
			int32_t peer;
			/* a tag; a collective's number on its communicator; the
			 * number of a plan there; a step; TRACE_SHAPE: bytes of
			 * an element; of a rendezvous 1 if this rank receives
			 */
			uint32_t number;
		};
		char text[TRACE_TEXT_LENGTH]; /* the rest is zeros */
	};
	union {
		struct {
			uint16_t comm; /* its id, or TRACE_NO_COMM */
			union {
				/* TRACE_ENTER, TRACE_PLAN: index of the name */
				uint16_t name;
				uint16_t plan; /* of a step */
			};
		};
		uint32_t size; /* TRACE_SHAPE: ranks */
		/* TRACE_TEXT: the world rank that alone can end the wait, or
		 * -1 */
		int32_t needs;
	};
	uint8_t kind; /* enum trace_kind */
	uint8_t thread;
	union {
		uint8_t collective; /* TRACE_ENTER: 1 if all of comm call it;
				     * TRACE_PLAN: enum collective */
		uint8_t step;	    /* enum step_kind */
	};
	uint8_t flags; /* TRACE_PLAN; 0 in others */
};
_Static_assert(sizeof(struct trace_event) == 32, "no padding");

/* The clocks at one moment. Ticks are those of the CPU's counter, or ns. */
struct trace_clock {
	uint64_t ticks;
	uint64_t monotonic_ns; /* one clock for all ranks of a node */
	uint64_t real_ns;      /* since 1970 */
};

struct trace_head {
	char magic[8];
	uint32_t head_bytes, event_bytes;
	uint64_t room;		  /* events that the ring holds, a power of 2 */
	_Atomic uint64_t written; /* events so far; the last `room` are there */
	int32_t rank, size;
	uint32_t names;
	uint32_t closed; /* 1: the rank has come to the end of mrt_finalize */
	struct trace_clock first, last;
	char job[256], host[128];
	char name[TRACE_NAMES][TRACE_NAME_LENGTH];
};
enum { TRACE_HEAD_BYTES = 16384 };
_Static_assert(sizeof(struct trace_head) <= TRACE_HEAD_BYTES, "fits");
#endif
