/* SPDX-License-Identifier: Apache-2.0 */
/* inject_judge.c makes the four checks of each fault. */
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/faults/inject.h"

const char *const check_names[CHECKS] = {"ends in time", "says who and what",
					 "exit codes", "leaves nothing"};
/* the promise is 2 s; a loaded machine may take longer */
int bound_ms = 5000;

static void __attribute__((format(printf, 2, 3)))
complain(char why[400], const char *format, ...)
{
	va_list args;

	if (*why)
		return;
	va_start(args, format);
	vsnprintf(why, 400, format, args);
	va_end(args);
}

static bool matches(const char *text, const char *pattern)
{
	regex_t re;
	bool yes;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB))
		return false;
	yes = text && !regexec(&re, text, 0, NULL, 0);
	regfree(&re);
	return yes;
}

static void judge_time(const struct fault *f, const struct outcome *o,
		       char why[400])
{
	int bound = bound_ms + f->after_us / 1000 + f->resume_ms;

	if (o->hang)
		complain(why, "hangs");
	if (o->launcher_ms > bound)
		complain(why, "the launcher takes %.0f ms", o->launcher_ms);
	if (o->last_ms > bound)
		complain(why, "the last process takes %.0f ms", o->last_ms);
}

/* Checks that a rank that ends because of another rank's fault names that
 * rank. */
static void judge_named(const struct launcher *l, const struct fault *f,
			const struct outcome *o, char why[400])
{
	for (int r = 0; r < f->ranks; r++) {
		const struct rank_end *e = &o->ends[r];
		char pattern[128];

		if (!e->exited || e->code != 75 || r == f->rank || !e->in)
			continue;
		snprintf(pattern, sizeof(pattern),
			 "^libmrt\\[%d/.*MRT_ERR_PEER: .*rank %d ", r, f->rank);
		if (!matches(o->text, pattern))
			complain(why,
				 "rank %d ends with 75 and does not "
				 "name rank %d",
				 r, f->rank);
	}
}

static void judge_says(const struct launcher *l, const struct fault *f,
		       const struct outcome *o, char why[400])
{
	if (f->says && !matches(o->text, f->says))
		complain(why, "no line matches: %s", f->says);
	if (f->named)
		judge_named(l, f, o, why);
}

static void judge_end(int r, const struct rank_end *e, unsigned allowed,
		      char why[400])
{
	unsigned got = END_ANY;

	if (!e->pid)
		return; /* the rank was never started */
	if (!e->exited)
		got = END_KILLED | (e->in ? 0 : END_STARTING) |
		      (e->out ? END_LEAVING : 0);
	else if (e->code == 0)
		got = END_0;
	else if (e->code == 75)
		got = END_75;
	else if (e->code == 69)
		got = END_69;
	if (allowed & (got | END_ANY))
		return;
	if (e->exited)
		complain(why, "rank %d ends with %d", r, e->code);
	else
		complain(why, "rank %d is killed", r);
}

static void judge_codes(const struct fault *f, const struct outcome *o,
			char why[400])
{
	if (f->code != CODE_ANY && o->code != f->code &&
	    (!f->or_code || o->code != f->or_code))
		complain(why, "the launcher ends with %d, not %d", o->code,
			 f->code);
	for (int r = 0; r < f->ranks; r++)
		if (r != f->rank)
			judge_end(r, &o->ends[r], f->others, why);
}

bool judge(const struct launcher *l, const struct fault *f,
	   const struct outcome *o, struct verdict *v)
{
	bool good = true;

	memset(v, 0, sizeof(*v));
	if (!o->injected)
		complain(v->why[0], "no fault happened");
	judge_time(f, o, v->why[0]);
	judge_says(l, f, o, v->why[1]);
	judge_codes(f, o, v->why[2]);
	if (*o->left)
		complain(v->why[3], "left:%s", o->left);
	for (int k = 0; k < CHECKS; k++)
		good &= !*v->why[k];
	return good;
}

void show_outcome(const struct launcher *l, const struct fault *f,
		  const struct outcome *o)
{
	char line[400];
	const char *p = o->text;

	printf("# %s: victim %s; --one %d,%d,%s,%d,%s,%s\n", f->name,
	       f->args ? f->args : "all", f->ranks, f->rank,
	       f->at ? f->at : "-", f->after_us, f->what ? f->what : "-",
	       f->env ? f->env : "");
	printf("# %s ends with %d after %.0f ms, the last process %.0f ms\n",
	       l->name, o->code, o->launcher_ms, o->last_ms);
	for (int r = 0; r < f->ranks; r++) {
		const struct rank_end *e = &o->ends[r];

		printf("# rank %d: pid %d%s, %s %d\n", r, (int)e->pid,
		       e->in ? ", through init" : "",
		       e->exited ? "exit" : "killed", e->code);
	}
	for (int k = 0; p && *p && k < 24; k++) {
		size_t len = strcspn(p, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, p);
		printf("# | %s\n", line);
		p += len + (p[len] == '\n');
	}
}
