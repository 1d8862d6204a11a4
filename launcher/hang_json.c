/* SPDX-License-Identifier: Apache-2.0 */
/* hang_json.c: the report of a job that hangs as JSON, a rank on each line. */

#include <stdio.h>
#include <unistd.h>

#include "launcher/hang_report.h"
#include "launcher/say.h"
#include "runtime/base/hang_group.h"
#include "runtime/base/env.h"
#include "runtime/base/json_text.h"

static void hang_json_put(FILE *out, const char *key, const char *text)
{
	fprintf(out, "\"%s\":", key);
	json_text(out, text);
}

static void put_line(FILE *out, const struct hang_line *l)
{
	static const char *const states[] = {
	    [HANG_WAITS] = "waits",
	    [HANG_STOPPED_WAITS] = "stopped in a wait",
	    [HANG_STOPPED] = "stopped",
	    [HANG_ENDED] = "ended",
	    [HANG_RUNS] = "runs",
	    [HANG_FINALIZED] = "finalized",
	    [HANG_NEW] = "not initialized"};
	bool waits = l->kind == HANG_WAITS || l->kind == HANG_STOPPED_WAITS;

	fprintf(out, "{\"rank\":%d,\"pid\":%d,", l->rank, l->pid);
	hang_json_put(out, "state", states[l->kind]);
	fprintf(out, ",\"%s\":%.3f,", waits ? "waited" : "cpu", l->seconds);
	hang_json_put(out, waits ? "in" : "process", l->text);
	fputs(",\"before\":[", out);
	for (int k = 0; k < l->nevents; k++) {
		fputs(k ? ",{" : "{", out);
		hang_json_put(out, "text", l->event[k].text);
		if (l->event[k].ago >= 0)
			fprintf(out, ",\"ago\":%.3f", l->event[k].ago);
		fputc('}', out);
	}
	fputs("]}", out);
}

void hang_json_write(const struct job *job, const struct hang_line *lines)
{
	char path[4096];
	FILE *out;
	bool bad;

	if (!*env.hang_json)
		return;
	snprintf(path, sizeof(path), "%s.%d", env.hang_json, (int)getpid());
	out = fopen(path, "we");
	if (!out) {
		say_error("cannot write MRT_HANG_JSON=%s", env.hang_json);
		return;
	}
	fputc('{', out);
	hang_json_put(out, "job", job->name);
	fputc(',', out);
	hang_json_put(out, "host", job->host);
	fputs(",\"ranks\":[", out);
	for (int r = 0; r < job->nranks; r++) {
		fputs(r ? ",\n" : "\n", out);
		put_line(out, &lines[r]);
	}
	fputs("\n]}\n", out);
	bad = ferror(out);
	bad |= fclose(out) != 0;
	if (bad || rename(path, env.hang_json)) {
		say_error("cannot write MRT_HANG_JSON=%s", env.hang_json);
		unlink(path);
	}
}
