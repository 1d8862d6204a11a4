/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inject.h runs a command line with one fault in it and measures the end. The
 * victim logs when the fault happened (fault_act.h); the harness is the reaper
 * of all processes that the command leaves behind, so it sees the last one end.
 */
#ifndef FAULTS_INJECT_H
#define FAULTS_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { MAX_RANKS = 64, HANG_S = 30, CHECKS = 4 };

/* The ways in which ranks other than the one with the fault may end. */
enum end_allowed {
	END_0 = 1,
	END_75 = 2,
	END_69 = 4,
	END_KILLED = 8,	   /* by a signal of the launcher */
	END_STARTING = 16, /* as END_KILLED, before it has come through init */
	END_LEAVING = 32,  /* as END_KILLED, once it has begun to finalize */
	END_ANY = 64
};

enum { CODE_ANY = -1 };

/* A fault, and what is promised about it. */
struct fault {
	const char *name;
	const char *kind;      /* statistics are of all faults of a kind */
	int ranks, rank;       /* of the job; the one that fails, -1: none */
	const char *args;      /* arguments of the victim */
	const char *at, *what; /* FAULT_AT, step:FUNCTION:N; FAULT_DO */
	int after_us;
	const char *env;   /* "NAME=value NAME=value" */
	int code, or_code; /* exit codes of the launcher; or_code 0: only one */
	unsigned others;   /* enum end_allowed */
	const char *says;  /* ERE that must match stderr or stdout */
	bool named;    /* each rank that ends because of it names its rank */
	bool swept;    /* the next job may remove what is left */
	int resume_ms; /* a stopped process goes on after this time */
	bool peers;    /* the fault is tried with other libraries too */
};

struct rank_end {
	pid_t pid;
	bool in, out, exited;
	int code; /* valid if exited; otherwise the rank was killed */
};

struct outcome {
	bool injected, hang;
	int64_t fault_ns;
	double launcher_ms, last_ms,
	    total_ms; /* first two: since the fault; last: of the run */
	int code;     /* 128 + signal */
	struct rank_end ends[MAX_RANKS];
	char left[512]; /* what is left, "" if nothing */
	char *text;	/* stderr, then stdout */
};

/* A launcher, and a victim compiled for it. */
struct launcher {
	const char *name, *victim;
	const char *command[8];
	bool own; /* it is mrun, to which all promises apply */
};

/* Runs the launcher with a fault; the caller must call outcome_free(o). */
void inject_run(const struct launcher *l, const struct fault *f,
		struct outcome *o);
void outcome_free(struct outcome *o);

/* Returns the path of the log of the last run. */
const char *room_log(void);
/* Makes /dev/shm, System V memory and TMPDIR private where that is permitted;
 * otherwise says the reason and returns false. */
bool room_make(void);
void room_remove(void);
/* Lists in text what the run has left there, and removes it; pid is the
 * launcher's. */
void room_look(pid_t pid, char *text, size_t len);
const char *room_file(const char *name);

/* Returns the offset of a function from the start of a program, 0 if there is
 * none. */
unsigned long name_offset(const char *program, const char *function);
/* The reverse of name_offset; returns "?" if the offset is unknown. */
const char *name_of(const char *program, unsigned long offset);

/* The result of the checks: time, message, codes, nothing left. why[k] is ""
 * or says what is wrong. */
struct verdict {
	char why[CHECKS][400];
};
extern const char *const check_names[CHECKS];
extern int bound_ms;
/* Shows stacks this many ms after the start; 0: only those of a hang. */
extern int look_ms;
/* Compares an outcome with what is promised; returns whether all of it was
 * kept. */
bool judge(const struct launcher *l, const struct fault *f,
	   const struct outcome *o, struct verdict *v);

/* Prints a failed run for people, as TAP comments. */
void show_outcome(const struct launcher *l, const struct fault *f,
		  const struct outcome *o);

/* These collect and print the times of detection by kind of fault. */
void times_add(const char *launcher, const struct fault *f,
	       const struct outcome *o);
void times_print(void);
bool times_csv(const char *path);

extern const struct fault fault_table[];
extern const int fault_table_size;

/* Makes n faults at random steps; returns the number of broken promises. */
int random_faults(const struct launcher *l, int n, unsigned seed, int first);

/* Prints a Markdown table with a column for each launcher. */
void compare_print(const struct launcher *launchers, int n, int rounds);
#endif
