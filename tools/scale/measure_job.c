/* SPDX-License-Identifier: Apache-2.0 */
/* measure_job.c: describes a job for later readers: placement of its ranks,
 * machine, versions and variables. */
#include "tools/scale/measure.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Returns the variables that may influence measurements, or identify
 * the job. */
static json_t *measure_job_variables(void)
{
	static const char *const prefixes[] = {
	    "MRT_", "SLURM_JOB_ID=", "SLURM_JOB_NODELIST=", NULL};
	json_t *o = json_object();

	for (char **e = environ; *e; e++)
		for (const char *const *p = prefixes; *p; p++) {
			size_t len = strcspn(*e, "=");

			if (strncmp(*e, *p, strlen(*p)) != 0 || !(*e)[len])
				continue;
			/* skips text that is not UTF-8 */
			(*e)[len] = '\0';
			json_object_set_new(o, *e, json_string(*e + len + 1));
			(*e)[len] = '=';
		}
	return o;
}

/* Returns the value of "key : value" in a file in /proc, or NULL. */
static json_t *proc_field(const char *path, const char *key)
{
	FILE *f = fopen(path, "re");
	json_t *found = NULL;
	char line[512];

	while (f && !found && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');

		if (!colon || strncmp(line, key, strlen(key)) != 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		found = json_string(colon + 1 + strspn(colon + 1, " \t"));
	}
	if (f)
		fclose(f);
	return found ? found : json_null();
}

static json_t *measure_job_machine(void)
{
	struct utsname u;
	double load = 0;

	uname(&u);
	if (getloadavg(&load, 1) < 1)
		load = -1;
	return json_pack("{s:s, s:s, s:s, s:o, s:I, s:f}", "host", u.nodename,
			 "kernel", u.release, "architecture", u.machine, "cpu",
			 proc_field("/proc/cpuinfo", "model name"), "cpus",
			 (json_int_t)sysconf(_SC_NPROCESSORS_ONLN), "load",
			 load);
}

static json_t *measure_job_places(const struct measure *m)
{
	json_t *list = json_array();

	for (int r = 0; r < m->tune.ranks; r++)
		json_array_append_new(list,
				      json_pack("{s:i, s:i, s:i, s:i}", "rank",
						r, "node", m->places[r].node,
						"cache", m->places[r].cache,
						"leaf", m->places[r].leaf));
	return list;
}

int measure_job(struct measure *m)
{
	char path[STUDY_PATH], when[32];
	struct timespec now;
	struct tm tm;
	json_t *o;

	clock_gettime(CLOCK_REALTIME, &now);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%SZ",
		 gmtime_r(&now.tv_sec, &tm));
	snprintf(m->job, STUDY_NAME, "%d-%s-%03ld-%d", m->tune.ranks, when,
		 now.tv_nsec / 1000000, getpid());
	snprintf(path, sizeof(path), "%s/jobs/%s.json", m->o->output, m->job);
	o = json_pack("{s:s, s:i, s:s, s:s, s:o, s:o, s:f, s:f, s:f, s:o}",
		      "job", m->job, "ranks", m->tune.ranks, "started", when,
		      "libmrt", mrt_version(), "machine", measure_job_machine(),
		      "variables", measure_job_variables(), "width",
		      m->o->width, "sample_seconds", m->o->sample,
		      "limit_seconds", m->o->limit, "places",
		      measure_job_places(m));
	return study_write_json(path, o);
}
