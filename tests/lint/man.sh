#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# man.sh checks that the manual pages are well formed, and that every public
# function, every option of a program and every field of its CSV and JSON is in one.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

man=$top_srcdir/man

# Prints a page as man shows it, in long lines.
shown()
{
	mandoc -T ascii -O width=300 "$1" | sed "s/.$(printf '\b')//g"
}

# What mdoc makes of a page that its author did not mean: names that the synopsis
# lacks, a bracket that takes in the next option, a colon that is taken for the end
# of a sentence.
misread()
{
	shown "$1" >"$work/shown"
	sed -n '/^NAME/,/^SYNOPSIS/p' "$work/shown" | \
		grep -oE '\b(mrt|mrun|vcluster)[a-z0-9-]*' |
	while IFS= read -r name; do
		sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' "$work/shown" | grep -qw -- "$name" ||
			echo "$(basename "$1"): $name is not in the synopsis"
	done
	grep -E '^ +-.*\[[^]]*, +-|[[:alnum:]]: -[a-z] ' "$work/shown" |
		sed "s/^ */$(basename "$1"): /"
}

functions()
{
	cat "$@" | tr '\n' ' ' | sed -E 's|/\*([^*]\|\*[^/])*\*/||g' |
		grep -oE '\bmrt_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u
}

# functions_without_page DIR HEADER...
functions_without_page()
{
	dir=$1
	shift
	{
		ls "$dir" | grep '\.3$'
		awk -f "$man/links.awk" "$dir"/*.3
	} | sed 's/\.3.*//' | sort >"$work/names"
	functions "$@" | comm -23 - "$work/names" | sed 's/$/ has no page/'
}

# options_without_text HELP PAGE
options_without_text()
{
	shown "$2" >"$work/plain"
	grep -oE '(^|[ ,|[])--?[a-zA-Z][-a-zA-Z0-9]*' "$1" |
		sed 's/^[^-]*//' | sort -u |
	while IFS= read -r option; do
		grep -qE -- "(^|[^-a-z])$option([^-a-z]|$)" "$work/plain" ||
			echo "$option is not in $(basename "$2")"
	done
}

# Prints the names that a section of a page documents: what follows Va.
fields_documented()
{
	awk -v wanted="$2" '
		/^\.S[hs] / { inside = substr($0, 5) == wanted; next }
		inside && /^\.(It )?Va / {
			sub(/^\.(It )?Va /, "")
			while (match($0, /^("[^"]*"|[^ ]+) */)) {
				name = substr($0, 1, RLENGTH)
				$0 = substr($0, RLENGTH + 1)
				gsub(/^"|"? *$/, "", name)
				if (name ~ /^[A-Z][a-z]$/)
					next
				if (name ~ /[[:alnum:]]/)
					print name
			}
		}' "$1" | sort -u
}

# Prints the names of the fields of CSV, whose first line has them, or of JSON.
fields_printed()
{
	case $(head -c 1 "$1") in
	"{") grep -oE '"([^"\\]|\\.)*" *:' "$1" | sed 's/^"//; s/" *:$//' ;;
	*) head -n 1 "$1" | tr ',' '\n' ;;
	esac | sort -u
}

# fields_wrong PAGE SECTION SOURCES OUTPUT...: what is printed and not documented,
# or documented and neither printed nor, where not all is printed on every machine,
# in the sources.
fields_wrong()
{
	fields_documented "$1" "$2" >"$work/documented"
	page=$(basename "$1")
	sources=$3
	shift 3
	for output; do
		fields_printed "$output"
	done | sort -u >"$work/printed"
	comm -13 "$work/documented" "$work/printed" |
		sed "s/\$/ is not in $page/"
	comm -23 "$work/documented" "$work/printed" |
	while IFS= read -r name; do
		[ -n "$sources" ] && grep -qE -- "\"$(echo "$name" | tr _ .)[\\\"]" \
			$sources || echo "$name is in $page, but not printed"
	done
}

check_empty()
{
	if [ -s "$work/found" ]; then
		not_ok "$1"
		sed 's/^/# /' "$work/found"
	else
		ok "$1"
	fi
}

pages=$(ls "$man"/*.[1-7] 2>/dev/null)
if [ -z "$pages" ]; then
	not_ok "there are man pages"
elif have mandoc; then
	mandoc -T lint -W warning $pages >"$work/found" 2>&1
	check_empty "mandoc finds no fault"
else
	skip "mandoc is not installed" "mandoc finds no fault"
fi

if have mandoc; then
	for page in "$man"/*.1; do
		misread "$page"
	done >"$work/found"
	check_empty "pages of programs show what they mean"
	printf '%s\n' '.Dd March 1, 2026' '.Dt A 1' .Os '.Sh NAME' '.Nm mrt-a ,' \
		'.Nm mrt-b' '.Nd is one' '.Sh SYNOPSIS' '.Nm mrt-a' '.Sh DESCRIPTION' \
		'.Bl -tag -width Ds' '.It Fl x Op , Ns ... , Fl y' Text. .El \
		'.Dl mrun ./a : -n 2 ./b' >"$work/a.1"
	is "$(misread "$work/a.1" | wc -l)" 3 "self-test: a name, a bracket and a colon"
fi

functions_without_page "$man" "$top_srcdir"/include/*.h >"$work/found"
check_empty "every public function has a page"

# mrtcc passes options that it does not know to the compiler, --help too
for program in mrun mrt-hello mrt-info mrt-ring mrt-cg mrt-heat2d \
	mrt-bench mrt-plan mrt-tune mrt-scale mrt-trace vcluster; do
	binary=$(find "$top_builddir/$program" "$top_builddir/launcher" \
		"$top_builddir/apps" "$top_srcdir/tests/cluster" \
		-name "$program" -type f 2>/dev/null | head -n 1)
	[ -n "$binary" ] && have mandoc || continue
	if [ ! -e "$man/$program.1" ]; then
		not_ok "$program has a page"
		continue
	fi
	run 20 "$binary" --help
	cp "$out" "$work/help.all"
	# for a program of several commands, the options of each
	for command in $(sed -n "s/^[Usage: ]*$program \([a-z]*\) .*/\1/p" \
		"$out"); do
		run 20 "$binary" "$command" --help
		cat "$out" >>"$work/help.all"
	done
	options_without_text "$work/help.all" "$man/$program.1" >"$work/found"
	check_empty "every option of $program is in its page"
done

# fields PROGRAM SECTION SOURCES COMMAND...: each command, words in one argument,
# is run alone, which makes it a job of one rank
fields()
{
	program=$1
	section=$2
	sources=$3
	shift 3
	[ -x "$top_builddir/$program" ] || return 0
	rm -f "$work"/fields.*
	for command; do
		# shellcheck disable=SC2086 # words
		run 60 "$top_builddir/$program" $command
		[ ! -s "$out" ] || cp "$out" "$(mktemp "$work/fields.XXXXXX")"
	done
	fields_wrong "$man/$program.1" "$section" "$sources" "$work"/fields.* \
		>"$work/found"
	check_empty "fields of $program, $section"
}

fields mrt-bench "CSV and JSON" "" "barrier -i 1 --csv" "barrier -i 1 --json"
fields mrt-tune "CSV and JSON" "" "bcast -m 8 -r 1 --csv" "bcast -m 8 -r 1 --json"
fields mrt-info JSON "$(echo "$top_srcdir"/tools/info/*.c)" --json "coll --json"
fields mrt-plan JSON "" "allreduce ring -n 4 -f json" \
	"bcast hierarchical -n 4 --nodes 2 -f json"
if [ -x "$top_builddir/mrt-scale" ]; then
	for fabric in hdr ndr; do
		run 60 "$top_builddir/mrt-scale" simulate bcast -f $fabric -N 4 -m 8 \
			-o "$work/$fabric"
	done
fi
printf '%s\n' system,nodes,ranks_per_node,collective,algorithm,bytes,us \
	x,4,1,bcast,binomial,8,9.0 >"$work/table.csv"
fields mrt-scale "CSV of simulate" "" "simulate bcast -f hdr -N 4 -m 8 --csv"
fields mrt-scale "CSV of compare" "" "compare $work/hdr $work/ndr --csv" \
	"compare -f hdr --csv $work/table.csv"
run 60 env MRT_TRACE="$work/trace" "$top_builddir/mrt-hello"
fields mrt-trace JSON "$top_srcdir/tools/trace/trace_json.c" \
	"--json $work/trace"

mkdir "$work/man"
printf '.Sh NAME\n.Nm mrt_zero ,\n.Nm mrt_one\n' >"$work/man/mrt_zero.3"
echo 'int mrt_zero(void); int mrt_one(void); int mrt_two(void);' >"$work/h.h"
is "$(functions_without_page "$work/man" "$work/h.h")" "mrt_two has no page" \
	"self-test: a function without a page"
echo '  -n, --np N   ranks; --quiet' >"$work/help"
printf '%s\n' '.Dd March 1, 2026' '.Dt P 1' .Os '.Sh A' '.Bl -tag -width Ds' \
	'.It Fl n , Fl Fl np Ar N' Text. .El >"$work/p.1"
! have mandoc || is "$(options_without_text "$work/help" "$work/p.1")" \
	"--quiet is not in p.1" "self-test: an option without text"
printf '%s\n' '.Ss CSV' '.It Va a , "b c"' 'or' '.Va d' '.Ss JSON' '.Va e' >"$work/f.1"
echo 'a,f' >"$work/f.csv"
is "$(fields_wrong "$work/f.1" CSV "" "$work/f.csv" | tr '\n' ';')" "f is not in f.1;\
b c is in f.1, but not printed;d is in f.1, but not printed;" \
	"self-test: fields of CSV"
echo '{"e": "\"x\": y", "g":[{"e" : 1}]}' >"$work/f.json"
is "$(fields_wrong "$work/f.1" JSON "" "$work/f.json")" "g is not in f.1" \
	"self-test: fields of JSON"
lint_done
