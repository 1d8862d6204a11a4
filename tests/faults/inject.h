/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject.h: runs a command line with one fault in it and measures the end. The
 * victim says when the fault happened (fault_act.h); the harness is the reaper
 * of all that the command leaves behind, so it sees the last process end.
 */
#ifndef FAULTS_INJECT_H
#define FAULTS_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MAX_RANKS = 64, HANG_S = 30, CHECKS = 4 };

/* How a rank other than the one with the fault may end. */
enum end_allowed {
	END_0 = 1,
	END_75 = 2,
	END_69 = 4,
	END_KILLED = 8,	   /* by a signal, of the launcher */
	END_STARTING = 16, /* the same, before it has come through init */
	END_LEAVING = 32,  /* the same, once it has begun to finalize */
	END_ANY = 64
};

enum { CODE_ANY = -1 };

/* One fault, and what is promised. */
struct fault {
	const char *name;
	const char *kind;      /* figures are of all faults of a kind */
	int ranks, rank;       /* of the job; which does it, -1: none */
	const char *args;      /* of the victim */
	const char *at, *what; /* FAULT_AT, step:FUNCTION:N; FAULT_DO */
	int after_us;
	const char *env;   /* "NAME=value NAME=value" */
	int code, or_code; /* of the launcher; 0: no other */
	unsigned others;   /* enum end_allowed */
	const char *says;  /* what stderr or stdout must have (ERE) */
	bool named;	   /* each rank that ends by it says which rank */
	bool swept;	   /* the next job may remove what is left */
	int resume_ms;	   /* go on after this stop */
	bool peers;	   /* also asked of other libraries */
};

struct rank_end {
	pid_t pid;
	bool in, out, exited;
	int code; /* if exited; else it was killed */
};

struct outcome {
	bool injected, hang;
	int64_t fault_ns;
	double launcher_ms, last_ms, total_ms; /* after the fault; of all */
	int code;			       /* 128 + signal */
	struct rank_end ends[MAX_RANKS];
	char left[512]; /* what is left; "": nothing */
	char *text;	/* stderr, then stdout */
};

/* A launcher, and a victim made for it. */
struct launcher {
	const char *name, *victim;
	const char *command[8];
	bool own; /* mrun: all promises are of it */
};

/* Runs it; *o is to be given back by outcome_free. */
void inject_run(const struct launcher *l, const struct fault *f,
		struct outcome *o);
void outcome_free(struct outcome *o);

/* A log of the last run is at room_log(). */
const char *room_log(void);
/* Makes /dev/shm, System V memory and TMPDIR private where that is allowed;
 * false with the reason said. */
bool room_make(void);
void room_remove(void);
/* What lies in it, into text; pid: the launcher's. Removes it. */
void room_look(pid_t pid, char *text, size_t len);
const char *room_file(const char *name);

/* Offset of a function from the start of a program; 0: there is none. */
unsigned long name_offset(const char *program, const char *function);
/* And back; "?" if it is unknown. */
const char *name_of(const char *program, unsigned long offset);

/* Compares with what is promised: time, message, codes, nothing left. why[k]:
 * "" or what is wrong. */
struct verdict {
	char why[CHECKS][400];
};
extern const char *const check_names[CHECKS];
extern int bound_ms;
/* shows stacks so long after the start; 0: only of what hangs */
extern int look_ms;
/* true: all is as promised */
bool judge(const struct launcher *l, const struct fault *f,
	   const struct outcome *o, struct verdict *v);

/* Prints a failed run for people, as comments. */
void show_outcome(const struct launcher *l, const struct fault *f,
		  const struct outcome *o);

/* Times of detection by kind. */
void times_add(const char *launcher, const struct fault *f,
	       const struct outcome *o);
void times_print(void);
bool times_csv(const char *path);

extern const struct fault fault_table[];
extern const int fault_table_size;

/* n faults at random steps; the number of broken promises. */
int random_faults(const struct launcher *l, int n, unsigned seed, int first);

/* Markdown for other launchers' columns. */
void compare_print(const struct launcher *launchers, int n, int rounds);
#endif
