/* SPDX-License-Identifier: Apache-2.0 */
/* switches.c: finds nodes in Slurm's variables and in each kind of file, and
 * compares the numbers by which they sort. */
#include "runtime/topo/switches.h"

#include <stdlib.h>
#include <unistd.h>

#include "mrt.h"
#include "runtime/base/env.h"
#include "runtime/topo/hostlist.h"
#include "tests/tap.h"

static char path[] = "switchesXXXXXX";

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(1);
	env.topology = path;
}

static const char *found(const char *host)
{
	static char text[SWITCHES_TEXT];

	if (switches_find(host, text))
		return "an error";
	return text;
}

static void lists(void)
{
	static const struct {
		const char *list, *name;
		bool has;
	} cases[] = {
	    {"n1", "n1", true},
	    {"n1", "n11", false},
	    {"n11", "n1", false},
	    {"a,n1,b", "n1", true},
	    {"a,n1,b", "n", false},
	    {"n[1-3,7]", "n3", true},
	    {"n[1-3,7]", "n7", true},
	    {"n[1-3,7]", "n5", false},
	    {"n[1-3,7]", "n03", false},
	    {"n[01-16]", "n03", true},
	    {"n[01-16]", "n3", false},
	    {"n[01-16]", "n16", true},
	    {"n[8-12]", "n10", true},
	    {"n[1-3],m[4-6]", "m5", true},
	    {"n[1-3],m[4-6]", "n5", false},
	    {"r[0-3]n[0-7]", "r2n5", true},
	    {"r[0-3]n[0-7]", "r2n8", false},
	    {"n[1-3]-ib", "n2-ib", true},
	    {"n[1-3]5", "n25", true},
	    {"n[1-3", "n2", false},
	    {"n[]", "n", false},
	    {"n1 n2", "n2", false},
	    {"", "n1", false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_int(hostlist_has(cases[i].list, cases[i].name), cases[i].has,
		       "%s in %s", cases[i].name, cases[i].list);
}

static void slurm_variables(void)
{
	env.topology = "";
	unsetenv("SLURM_TOPOLOGY_ADDR");
	is_str(found("n1"), "", "nobody tells");
	setenv("SLURM_TOPOLOGY_ADDR", "n1", 1);
	is_str(found("n1"), "", "Slurm tells of no switch");
	setenv("SLURM_TOPOLOGY_ADDR", "core.leaf2.n1", 1);
	is_str(found("n1"), "core.leaf2", "Slurm tells of two");
	env.topology = "none";
	is_str(found("n1"), "", "MRT_TOPOLOGY=none");
}

static void slurm_file(void)
{
	write_file("# a comment: SwitchName=wrong Nodes=n1\n"
		   "SwitchName=leaf1 Nodes=n[01-04]\n"
		   "switchname=leaf2 LinkSpeed=9 nodes=n05,n[06-07] # n08\n"
		   "SwitchName=group1 Switches=leaf[1-2]\n"
		   "SwitchName=core Switches=group1,group2\n");
	is_str(found("n03"), "core.group1.leaf1", "topology.conf: a node");
	is_str(found("n07.cluster.org"), "core.group1.leaf2",
	       "with a domain, in keys of small letters");
	is_str(found("n08"), "", "one that it does not have");
	setenv("SLURMD_NODENAME", "n05", 1);
	is_str(found("host5"), "core.group1.leaf2", "by Slurm's name");
	unsetenv("SLURMD_NODENAME");
	write_file("SwitchName=a Nodes=n1 \nSwitchName=b Switches=a,b\n");
	ok(strlen(found("n1")) < SWITCHES_TEXT, "a switch above itself");
}

static void discovered(void)
{
	write_file("# Topology file\n"
		   "vendid=0x2c9\n"
		   "Switch\t36 \"S-05\"\t\t# \"spine a\" base port 0 lid 1\n"
		   "[1]\t\"S-11\"[9]\t\t# \"leaf 1\" lid 2 4xHDR\n"
		   "[2]\t\"S-12\"[9]\t\t# \"leaf 2\" lid 3 4xHDR\n"
		   "\n"
		   "Switch\t36 \"S-11\"\t\t# \"leaf 1\" base port 0 lid 2\n"
		   "[1]\t\"H-21\"[1](21) \t\t# \"n1 HCA-1\" lid 5 4xHDR\n"
		   "[8]\t\"S-04\"[1]\t\t# \"leaf 3\" lid 1 4xHDR\n"
		   "[9]\t\"S-05\"[1]\t\t# \"spine a\" lid 1 4xHDR\n"
		   "\n"
		   "Switch\t36 \"S-12\"\t\t# \"leaf 2\" base port 0 lid 3\n"
		   "[1]\t\"H-22\"[1](22) \t\t# \"n2 mlx5_0\" lid 6 4xHDR\n"
		   "[9]\t\"S-05\"[2]\t\t# \"spine a\" lid 1 4xHDR\n"
		   "\n"
		   "Switch\t36 \"S-04\"\t\t# \"leaf 3\" base port 0 lid 4\n"
		   "[1]\t\"H-23\"[1](23) \t\t# \"n3 mlx5_0\" lid 6 4xHDR\n"
		   "[9]\t\"S-11\"[8]\t\t# \"leaf 1\" lid 1 4xHDR\n"
		   "\n"
		   "Ca\t1 \"H-21\"\t\t# \"n1 HCA-1\"\n"
		   "[1](21) \t\"S-11\"[1]\t\t# lid 5 \"leaf 1\" lid 2 4xHDR\n");
	is_str(found("n1"), "S-05.S-11", "ibnetdiscover: a leaf and above it");
	is_str(found("n2"), "S-05.S-12", "another one");
	is_str(found("n3"), "S-04", "a leaf that joins leaves alone");
	is_str(found("n4"), "", "an unknown node");
}

static void lines(void)
{
	write_file("# nodes switches\n\n"
		   "n[1-2],n9 core.leaf1 # the first rack\n"
		   "\tn3\tcore.leaf2\n"
		   "n4\n");
	is_str(found("n9"), "core.leaf1", "lines: a node of a list");
	is_str(found("n3"), "core.leaf2", "one after tabulators");
	is_str(found("n4"), "", "one without switches");
	is_str(found("n5"), "", "an unknown one");
	env.topology = "no/such/file";
	is_str(found("n1"), "an error", "no such file");
	env.topology = "/";
	is_str(found("n1"), "an error", "a folder");
}

static bool between(const char *a, const char *b, const char *c)
{
	uint64_t x = switches_number(a), y = switches_number(b);
	uint64_t z = switches_number(c);

	return (x < y && y < z) || (z < y && y < x);
}

static void numbers(void)
{
	enum { LEAVES = 64 };
	char names[LEAVES][24];
	int inside = 0;

	is_int((long long)switches_number(""), 0, "no switches, no number");
	ok(switches_number("a") != switches_number("b") &&
	       switches_number("a.b") != switches_number("a.c"),
	   "other switches, other numbers");
	/* no leaf of a group sorts between two of another */
	for (int k = 0; k < LEAVES; k++)
		snprintf(names[k], sizeof(names[k]), "c%d.g%d.s%d", k % 4,
			 k % 16, k);
	for (int i = 0; i < LEAVES; i++)
		for (int k = 0; k < LEAVES; k++)
			for (int of = 4; of <= 16; of *= 4)
				inside += i % of != k % of &&
					  between(names[i], names[k],
						  names[(i + of) % LEAVES]);
	is_int(inside, 0, "groups stay together");
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	char err[256];

	if (env_load(err, sizeof(err)))
		return 1;
	lists();
	slurm_variables();
	slurm_file();
	discovered();
	lines();
	numbers();
	unlink(path);
	return tap_done();
}
