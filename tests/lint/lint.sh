# SPDX-License-Identifier: Apache-2.0
# lint.sh is shared by the lints. A lint defines lint ROOT, which prints one
# line per violation, and calls
#   clean NAME                    the project's own tree has none
#   catches NAME FILE <<EOF ...   a tree with this FILE has some
#   lint_done
. "$top_srcdir/tests/system/lib.sh"

. "$top_srcdir/tests/lint/folders.sh"

# Prints the C sources and headers below the given folders, relative to the
# root.
c_files()
{
	(
		cd "$1" || exit
		shift
		for folder in "$@"; do
			[ ! -d "$folder" ] ||
				find "$folder" -name '*.[ch]' -type f
		done
	) | sort
}

clean()
{
	lint "$top_srcdir" >"$work/found" 2>&1
	if [ -s "$work/found" ]; then
		not_ok "$1"
		sed 's/^/# /' "$work/found"
	else
		ok "$1"
	fi
}

# The lint is tried on what it must find: a lint that finds nothing is void.
catches()
{
	tree=$work/tree
	rm -rf "$tree"
	mkdir -p "$tree/$(dirname "$2")"
	cat >"$tree/$2"
	lint "$tree" >"$work/found" 2>&1
	if [ -s "$work/found" ]; then
		ok "self-test: $1"
	else
		not_ok "self-test: $1"
		sed 's/^/# passed: /' "$tree/$2"
	fi
}

lint_done()
{
	done_testing
}
