/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scale_simulate.c: `mrt-scale simulate`: predicts a collective on machines
 * that need not exist, by tools/sim, over nodes, sizes and algorithms. With -o
 * the predictions become a study of their own, for compare and plot.
 */
#include "tools/scale/fabric_file.h"
#include "tools/scale/number_list.h"
#include "tools/scale/places.h"
#include "tools/scale/scale.h"
#include "tools/scale/study.h"
#include "tools/scale/times.h"

#include "apps/common/app.h"
#include "tools/tune/tune.h"
#include "coll/plan/algorithm.h"
#include "runtime/base/env.h"

#include <string.h>

enum { NODES_MAX = 256, WAYS_MAX = 64 };

static const char usage[] =
    "Usage: mrt-scale simulate COLLECTIVE -f FABRIC -N NODES [OPTIONS]\n"
    "Predicts how long a collective takes by simulating its plan in virtual\n"
    "time.\n\n"
    "  -f, --fabric FABRIC   shm, hdr, ndr, or a file of mrt-scale fit\n"
    "  -N, --nodes NODES     4096, 2..16384*2 (by doubling), or a list\n"
    "      --ppn RANKS       ranks per node (1), or a list such as 1..8; with\n"
    "                        -o only one of -N and --ppn may be several\n"
    "                        numbers\n"
    "      --uneven RANKS    of the nodes in turn: 64,60,64\n"
    "      --last RANKS      of the last node, if it differs\n"
    "  -T, --topology TEXT   flat (default), fattree:NODES[xLEAVES] or\n"
    "                        dragonfly[+]:NODESxROUTERS or torus:A[xB[xC]],\n"
    "                        [,taper=T][,hop=NS][,load=F][,rails=R]\n"
    "      --place PLACES    of the nodes in it: blocked (default),\n"
    "                        scattered:OF (that many nodes, drawn by the\n"
    "                        seed), or a file of numbers\n"
    "      --order ORDER     of trees and rings: switches (default), as "
    "libmrt\n"
    "                        where it knows them, or ranks\n"
    "      --cpus N          CPUs per node, shared by ranks (one per rank)\n"
    "  -m, --sizes SIZES     MIN:MAX by powers of two, or a list (8:4M)\n"
    "  -a, --algorithms LIST default,ring,chain:65536, or all (default)\n"
    "      --noise NS:CHANCE interrupt uses of CPUs with this probability for\n"
    "                        NS nanoseconds on average\n"
    "      --jitter NS[:TAIL] ranks begin late, by NS nanoseconds on average\n"
    "      --connect NS[:PEERS] a message to another node opens a connection "
    "if\n"
    "                        its rank has more than PEERS peers there (256)\n"
    "      --seed N          seed of noise, jitter and places (1)\n"
    "  -o, --output STUDY    also write the predictions as a study\n"
    "      --csv             print comma-separated values\n"
    "  -h, --help            print this text\n";

struct simulate {
	struct sim_fabric fabric;
	struct sim_job job;
	const struct tune_collective *collective;
	const char *fabric_name, *algorithms, *output;
	struct sizes sizes;
	int nodes[NODES_MAX], nnodes;
	int ppn[NODES_MAX], nppn;
	int uneven[NODES_MAX], nuneven, last; /* 0: all nodes are alike */
	int *node_ranks;
	const char *place; /* NULL: blocked */
	long *places;
	double jitter, tail, connect, connected; /* -1: the fabric's */
	int csv;
};

static int parse_noise(struct simulate *s, const char *text)
{
	char copy[64], *colon;

	snprintf(copy, sizeof(copy), "%s", text);
	colon = strchr(copy, ':');
	if (!colon)
		return -1;
	*colon = '\0';
	return app_parse_double(copy, 0, 1e9, &s->job.noise) ||
		       app_parse_double(colon + 1, 0, 1, &s->job.noise_chance)
		   ? -1
		   : 0;
}

/* Parses a time and a second number, which may be left out. */
static int parse_pair(const char *text, double *ns, double *second, double most)
{
	char copy[64], *colon;

	snprintf(copy, sizeof(copy), "%s", text);
	colon = strchr(copy, ':');
	if (colon)
		*colon++ = '\0';
	return app_parse_double(copy, 0, 1e9, ns) ||
		       (colon && app_parse_double(colon, 0, most, second))
		   ? -1
		   : 0;
}

/* Keeps the order of the numbers. */
static int parse_uneven(struct simulate *s, const char *text)
{
	char copy[1024], *words = copy, *word;
	long n;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((word = strsep(&words, ",")) != NULL) {
		if (s->nuneven == NODES_MAX ||
		    app_parse_long(word, 1, 1 << 20, &n))
			return -1;
		s->uneven[s->nuneven++] = (int)n;
	}
	return 0;
}

static int scale_simulate_apply(int c, void *arg)
{
	struct simulate *s = arg;
	long n;

	switch (c) {
	case 'f':
		s->fabric_name = optarg;
		return 0;
	case 'N':
		s->nnodes = list_parse(s->nodes, NODES_MAX, optarg);
		return s->nnodes < 0 ? -1 : 0;
	case 'p':
		s->nppn = list_parse(s->ppn, NODES_MAX, optarg);
		return s->nppn < 0 ? -1 : 0;
	case 'U':
		return parse_uneven(s, optarg);
	case 'L':
		if (app_parse_long(optarg, 1, 1 << 20, &n))
			return -1;
		s->last = (int)n;
		return 0;
	case 'T':
		return times_topology(&s->job.topology);
	case 'P':
		s->place = strcmp(optarg, "blocked") ? optarg : NULL;
		return 0;
	case 'O':
		s->job.no_switches = !strcmp(optarg, "ranks");
		return s->job.no_switches || !strcmp(optarg, "switches") ? 0
									 : -1;
	case 'c':
		if (app_parse_long(optarg, 1, 1 << 20, &n))
			return -1;
		s->job.cpus = (int)n;
		return 0;
	case 'm':
		return sizes_parse(&s->sizes, optarg);
	case 'S':
		if (app_parse_long(optarg, 0, 1L << 62, &n))
			return -1;
		s->job.seed = (uint64_t)n;
		return 0;
	case 'X':
		return parse_noise(s, optarg);
	case 'J':
		s->tail = 0;
		return parse_pair(optarg, &s->jitter, &s->tail, 0.95);
	case 'K':
		s->connected = 256;
		return parse_pair(optarg, &s->connect, &s->connected, 1e9);
	case 'a':
		s->algorithms = optarg;
		return 0;
	case 'o':
		s->output = optarg;
		return 0;
	default:
		s->csv = 1;
		return 0;
	}
}

/* The collectives are those of mrt-tune, which have the same names in
 * coll/plan. */
static int choose_collective(struct simulate *s, const char *name)
{
	int k = 0;

	s->collective = tune_collectives;
	while (s->collective->name && strcmp(s->collective->name, name) != 0)
		s->collective++;
	while (k < COLLECTIVES && strcmp(coll_tables[k].name, name) != 0)
		k++;
	if (!s->collective->name || k == COLLECTIVES)
		return scale_error(APP_USAGE,
				   "simulate: %s: no such "
				   "collective here",
				   name);
	s->job.collective = (enum collective)k;
	return 0;
}

/* Reductions add doubles, as in `run`; other collectives move bytes. */
static void set_size(struct simulate *s, size_t bytes)
{
	size_t element = s->collective->min ? s->collective->min : 1;

	s->job.type_size = element;
	s->job.count = bytes / element;
	s->job.combine = element > 1 ? COMBINE_SWAP : COMBINE_NONE;
}

static void print_heading(const struct simulate *s)
{
	if (s->csv)
		puts("collective,fabric,nodes,ranks,bytes,algorithm,chosen,us,"
		     "overhead,latency,bandwidth,queueing,reduction,"
		     "messages_cache,messages_node,messages_leaf,"
		     "messages_other,bytes_cache,bytes_node,bytes_leaf,"
		     "bytes_other,outside,p10,p90,bytes_between");
	else
		printf("# %s, fabric %s; microseconds, slowest rank; of its "
		       "critical path; MB that leave groups\n"
		       "#%7s %9s %10s %-22s %11s %19s %9s %9s %9s %9s %9s %9s  "
		       "%s\n",
		       s->collective->name, s->fabric.name, "nodes", "ranks",
		       "bytes", "algorithm", "time", "10 % .. 90 %", "overhead",
		       "latency", "bandwidth", "queueing", "reduction",
		       "between", "outside what was measured");
}

/* Prints the band of a prediction: the 10 % and 90 % quantiles. */
static void print_band(const struct simulate *s, const struct sim_result *r)
{
	double low, high;
	bool known = sim_band(&s->fabric, r, &low, &high);
	char band[64] = "-";

	if (s->csv && known)
		printf(",%.6g,%.6g", low / 1000, high / 1000);
	else if (s->csv)
		printf(",,");
	if (s->csv)
		return;
	if (known)
		snprintf(band, sizeof(band), "%.2f .. %.2f", low / 1000,
			 high / 1000);
	printf(" %19s", band);
}

static void print_row(const struct simulate *s, const struct sim_result *r,
		      const char *way, const char *chosen, size_t bytes)
{
	const struct sim_job *j = &s->job;

	if (s->csv) {
		printf("%s,%s,%d,%d,%zu,%s,%s,%.6g", s->collective->name,
		       s->fabric.name, j->nodes, sim_ranks(j), bytes, way,
		       chosen, r->time / 1000);
		for (int k = 0; k < SIM_PARTS; k++)
			printf(",%.6g", r->part[k] / 1000);
		for (int l = 0; l < SIM_LEVELS; l++)
			printf(",%.0f", r->messages[l]);
		for (int l = 0; l < SIM_LEVELS; l++)
			printf(",%.0f", r->bytes[l]);
		printf(",%s", r->outside ? r->outside : "");
		print_band(s, r);
		printf(",%.0f\n", r->between);
		return;
	}
	printf("%8d %9d %10zu %-22s %11.2f", j->nodes, sim_ranks(j), bytes,
	       chosen, r->time / 1000);
	print_band(s, r);
	for (int k = 0; k < SIM_PARTS; k++)
		printf(" %9.2f", r->part[k] / 1000);
	printf(" %9.4g  %s\n", r->between / 1e6, r->outside ? r->outside : "-");
	fflush(stdout);
}

/* Makes "hdr" of "/a/path/hdr.json", keeping only letters that a
 * study allows. */
static void name_job(char job[STUDY_NAME], const char *file)
{
	const char *slash = strrchr(file, '/');
	char *end;

	snprintf(job, STUDY_NAME, "%s", slash ? slash + 1 : file);
	end = strstr(job, ".json");
	if (end)
		*end = '\0';
	for (char *c = job; *c; c++)
		if (!strchr(study_letters, *c))
			*c = '_';
	if (!*job)
		snprintf(job, STUDY_NAME, "simulated");
}

static int scale_simulate_store(const struct simulate *s, double us,
				const char *way, const char *chosen,
				size_t bytes)
{
	struct point p = {.ranks = sim_ranks(&s->job),
			  .bytes = bytes,
			  .calls = 1,
			  .n = 1,
			  .us = &us};

	snprintf(p.test, STUDY_NAME, "%s", s->collective->name);
	snprintf(p.way, STUDY_NAME, "%s", way);
	snprintf(p.chosen, STUDY_NAME, "%s", chosen);
	name_job(p.job, s->fabric_name);
	return study_write(s->output, &p);
}

/*
 * Handles an algorithm that could not be simulated. When all algorithms are
 * simulated, those that do not fit are skipped silently, and those that the
 * simulator cannot handle with a message.
 */
static int scale_simulate_failed(const struct simulate *s, const char *way,
				 size_t bytes, int all, int rc, const char *why)
{
	int code = rc == MRT_ERR_ARG	  ? APP_USAGE
		   : rc == MRT_ERR_NO_MEM ? APP_RESOURCE
					  : APP_FAILED;
	int left_out = all && rc == MRT_ERR_UNSUPPORTED;

	if (all && rc == MRT_ERR_ARG && strcmp(way, "default") != 0)
		return 0;
	return scale_error(
	    left_out ? 0 : code, "simulate: %d nodes, %zu bytes, %s%s: %s",
	    s->job.nodes, bytes, way, left_out ? " is left out" : "",
	    *why ? why : mrt_error_string(rc));
}

/* all: this algorithm was not asked for by name. */
static int simulate_way(struct simulate *s, const char *way, size_t bytes,
			int all)
{
	char why[256], chosen[STUDY_NAME];
	struct sim_result r;
	int rc, code = 0;

	s->job.choice = (struct choice){NULL, 0};
	if (strcmp(way, "default") != 0 &&
	    !select_parse(s->job.collective, way, &s->job.choice, why,
			  sizeof(why)))
		return scale_error(APP_USAGE, "simulate: %s: %s", way, why);
	set_size(s, bytes);
	rc = sim_run(&s->job, &r, why, sizeof(why));
	if (rc)
		return scale_simulate_failed(s, way, bytes, all, rc, why);
	select_print(s->job.collective, &r.choice, chosen, sizeof(chosen));
	print_row(s, &r, way, chosen, bytes);
	if (s->output)
		code =
		    scale_simulate_store(s, r.time / 1000, way, chosen, bytes);
	sim_result_fini(&r);
	return code;
}

static int simulate_ways(struct simulate *s, size_t bytes)
{
	const struct coll_table *t = &coll_tables[s->job.collective];
	char copy[1024], *words = copy, *word;
	int code = 0;

	snprintf(copy, sizeof(copy), "%s",
		 s->algorithms ? s->algorithms : "default");
	if (strcmp(copy, "all") != 0) {
		while (!code && (word = strsep(&words, ",")) != NULL)
			code = simulate_way(s, word, bytes, 0);
		return code;
	}
	code = simulate_way(s, "default", bytes, 1);
	for (size_t k = 0; k < t->nrows && !code; k++)
		code = simulate_way(s, t->rows[k]->name, bytes, 1);
	return code;
}

/* Places ranks on `nodes` nodes: `ppn` on each, or as was asked for. */
static int set_nodes(struct simulate *s, int nodes, int ppn)
{
	int *ranks, code;

	s->job.nodes = nodes;
	s->job.ppn = ppn;
	code = s->place ? scale_place(s->place, nodes, s->job.seed, &s->places)
			: 0;
	if (code)
		return code;
	s->job.places = s->places;
	if (!s->nuneven && !s->last)
		return 0;
	ranks = realloc(s->node_ranks, (size_t)nodes * sizeof(*ranks));
	if (!ranks)
		return scale_error(APP_RESOURCE, "simulate: out of memory");
	s->node_ranks = ranks;
	for (int k = 0; k < nodes; k++)
		ranks[k] = s->nuneven ? s->uneven[k % s->nuneven] : ppn;
	if (s->last)
		ranks[nodes - 1] = s->last;
	s->job.ppn = 1;
	for (int k = 0; k < nodes; k++)
		if (ranks[k] > s->job.ppn)
			s->job.ppn = ranks[k];
	s->job.node_ranks = ranks;
	return 0;
}

static int simulate_all(struct simulate *s)
{
	int code = 0;

	if (!s->collective->min)
		sizes_parse(&s->sizes, "0");
	else
		sizes_at_least(&s->sizes, s->collective->min);
	print_heading(s);
	for (int i = 0; i < s->nnodes * s->nppn && !code; i++) {
		code = set_nodes(s, s->nodes[i / s->nppn], s->ppn[i % s->nppn]);
		for (int k = 0; k < s->sizes.n && !code; k++)
			code = simulate_ways(s, s->sizes.bytes[k]);
	}
	return code;
}

/* The library's own choice depends on the same variables as in a job. */
static int load_settings(void)
{
	char why[512];

	if (env_load(why, sizeof(why)))
		return scale_error(APP_CONFIG, "%s", why);
	return select_init() ? APP_CONFIG : 0;
}

int scale_simulate(int argc, char **argv)
{
	static struct simulate s = {.ppn = {1},
				    .nppn = 1,
				    .jitter = -1,
				    .connect = -1,
				    .job = {.seed = 1}};
	static const struct app_options options = {
	    "mrt-scale simulate", usage, "pULPOcXJKSC", scale_simulate_apply};
	int code;

	sizes_parse(&s.sizes, "8:4M");
	code = app_parse_options(argc, argv, &options, &s, 1);
	if (code >= 0)
		return code;
	if (argc - optind != 1 || !s.fabric_name || !s.nnodes)
		return scale_error(APP_USAGE, "simulate: want one collective, "
					      "--fabric and --nodes");
	/* a study has one point for 4 ranks, be they 2 x 2 or 1 x 4 */
	if (s.output && s.nnodes > 1 && s.nppn > 1)
		return scale_error(
		    APP_USAGE, "simulate: with --output only one of --nodes "
			       "and --ppn may be more than one number");
	code = load_settings();
	code = code ? code : choose_collective(&s, argv[optind]);
	code = code ? code : fabric_read(&s.fabric, s.fabric_name);
	if (!code && s.output)
		code = study_create(s.output, 1);
	if (s.jitter >= 0) {
		s.fabric.jitter = s.jitter;
		s.fabric.jitter_tail = s.tail;
	}
	if (s.connect >= 0) {
		s.fabric.connect = s.connect;
		s.fabric.connected = s.connected;
	}
	s.job.fabric = &s.fabric;
	return code ? code : simulate_all(&s);
}
