#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# folder_size.sh checks that no folder of the product holds more sources than a
# reader can survey. Tests are exempt (CONTRIBUTING.md).
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

max_sources=45

lint()
{
	c_files "$1" $source_folders | awk -v most=$max_sources '
		sub(/\/[^\/]*\.c$/, "") { sources[$0]++ }
		END {
			for (folder in sources)
				if (sources[folder] > most)
					print folder ": " sources[folder] \
						" sources, at most " most
		}'
}

# fill TREE N makes a tree with N sources in one folder.
fill()
{
	mkdir -p "$1/p2p"
	for k in $(seq "$2"); do
		: >"$1/p2p/$k.c"
	done
}

clean "no folder holds more than $max_sources sources"
fill "$work/full" $max_sources
: >"$work/full/p2p/more.h"
is "$(lint "$work/full")" "" "self-test: headers do not count"
fill "$work/full" $((max_sources + 1))
is "$(lint "$work/full")" \
	"p2p: $((max_sources + 1)) sources, at most $max_sources" \
	"self-test: a source too many"
lint_done
