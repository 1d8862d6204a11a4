#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# layers.sh checks who includes what against the table layers.txt.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

table=$top_srcdir/tests/lint/layers.txt


check_includes()
{
	(cd "$1" && c_files . $source_folders | xargs -r grep -nE \
		'^[ 	]*#[ 	]*include' /dev/null) |
	awk -v root="$1" '
	FNR == NR {
		if ($0 !~ /^#/ && (c = index($0, ":"))) {
			f = substr($0, 1, c - 1)
			n = split(substr($0, c + 1), allowed, " ")
			for (i = 1; i <= n; i++) {
				may[f, allowed[i]] = 1
				if (!(allowed[i] in known))
					print "layers.txt: the row of " f \
						" points up, to " allowed[i]
			}
			known[f] = 1
		}
		next
	}
	function bad(why) { print where ": " why }
	# Returns the longest folder of the table that contains the path.
	function layer(path) {
		while (sub(/\/[^\/]*$/, "", path))
			if (path in known)
				return path
		return ""
	}
	{
		split($0, part, ":")
		file = part[1]
		where = file ":" part[2]
		text = $0
		sub(/^[^:]*:[^:]*:/, "", text)
		from = layer(file)
		if (text ~ /[<"]mrt_lib\.h[">]/) {
			if (!((from, "mrt_lib.h") in may))
				bad(from " may not include mrt_lib.h")
			next
		}
		if (text ~ /</) {
			name = text; sub(/^[^<]*</, "", name); sub(/>.*/, "", name)
			if (name ~ /^pmix/ && file !~ /^(runtime\/boot|launcher|tools\/info)\// &&
			    file != "apps/bench/compare/bare.c")
				bad("<" name "> belongs to runtime/boot, launcher, tools/info")
			if (name ~ /^infiniband\// &&
			    file !~ /^runtime\/fabric\/verbs\// &&
			    file !~ /^tools\/info\/mrt_info/)
				bad("<" name "> belongs to runtime/fabric/verbs")
			if (name ~ /^rdma\/(fabric|fi_)/ &&
			    file !~ /^runtime\/fabric\/ofi\//)
				bad("<" name "> belongs to runtime/fabric/ofi")
			next
		}
		name = text; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
		if (from == "") { bad("folder is not in layers.txt"); next }
		if (name == "mrt.h" || name == "mpi.h" || name == "config.h")
			next
		to = layer(name)
		if (to == "")
			bad("\"" name "\" is not written from the root")
		else if (to != from && !((from, to) in may))
			bad(from " may not include \"" name "\"")
	}' "$table" -
}

# A header of one layer that declares what another layer defines hides a call
# that no include shows.
check_definitions()
{
	(cd "$1" && c_files . $source_folders | grep -v '^\(\./\)*include/' |
		xargs -r awk '
	function layer(path) {
		while (sub(/\/[^\/]*$/, "", path))
			if (path in known)
				return path
		return ""
	}
	FILENAME == ARGV[1] {
		if ($0 !~ /^#/ && (c = index($0, ":")))
			known[substr($0, 1, c - 1)] = 1
		next
	}
	FNR == 1 { name = ""; before = "" }
	# the first line of a function is not indented; its name may stand below
	# its type
	/^[a-z_].*\(/ && !/^(typedef|static|if|else)/ && before !~ /^static/ {
		name = $0
		gsub(/__attribute__\(\([^()]*(\([^()]*\))?\)\) */, "", name)
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		where = FILENAME ":" FNR
	}
	name != "" && (/;$/ || /^{/ || /{$/) {
		folder = layer(FILENAME)
		if (/;$/ && FILENAME ~ /\.h$/ && !(name in declared)) {
			declared[name] = folder
			at[name] = where
		} else if (/{$/) {
			defined[name, folder] = 1
			definer[name] = folder
		}
		name = ""
	}
	{ before = $0 }
	END {
		for (name in declared)
			if (name in definer &&
			    !((name, declared[name]) in defined))
				print at[name] ": " name \
					" is defined in " definer[name]
	}' "$table")
}

# Two files with one name confuse people, debuggers and stack traces.
check_basenames()
{
	c_files "$1" $source_folders | sed 's|.*/||' | sort | uniq -d |
		sed 's|$|: several files have this name|'
}

lint()
{
	check_includes "$1"
	check_definitions "$1"
	check_basenames "$1"
}

clean "every include, and every definition, is in its layer"
catches "base includes p2p" runtime/base/up.c <<'X'
#include "p2p/match.h"
X
catches "an app looks inside" apps/kernels/peek.c <<'X'
#include "runtime/engine/proc.h"
X
catches "an app includes the header for libraries" apps/kernels/cg.c <<'X'
#include <mrt_lib.h>
X
catches "launcher uses the fabric" launcher/f.c <<'X'
#  include "runtime/fabric/fabric.h"
X
catches "PMIx in p2p" p2p/x.c <<'X'
#include <pmix.h>
X
catches "verbs outside its provider" runtime/fabric/sm/v.c <<'X'
#include <infiniband/verbs.h>
X
catches "an include relative to the file" p2p/rel.c <<'X'
#include "match.h"
X
catches "an unlisted folder" p2p/x.c <<'X'
#include "helpers/x.h"
X
mkdir -p "$work/above/coll/node" "$work/above/coll/run"
printf '%s\n' 'int here(void);' 'int there(const char *text,' '	  int n);' \
	>"$work/above/coll/node/a.h"
printf '%s\n' 'int here(void)' '{' '}' >"$work/above/coll/node/a.c"
printf '%s\n' 'int there(const char *text,' '	  int n)' '{' '}' \
	'static int here(void)' '{' '}' >"$work/above/coll/run/b.c"
is "$(lint "$work/above")" \
	"coll/node/a.h:2: there is defined in coll/run" \
	"self-test: a function that a layer above defines"
mkdir -p "$work/twice/p2p" "$work/twice/coll/run"
touch "$work/twice/p2p/run.c" "$work/twice/coll/run/run.c"
is "$(lint "$work/twice" | wc -l)" 1 "self-test: two files of one name"
printf '%s\n' 'a: b' 'b:' >"$work/up.txt"
table=$work/up.txt
is "$(check_includes "$work/twice" | grep -c 'points up')" 1 \
	"self-test: a row that points up"
lint_done
