# SPDX-License-Identifier: Apache-2.0
# tidy.sh, called by make lint-tidy, runs clang-tidy over the C files of the
# tree, over FILES='a.c b.c', or over what differs from the commit SINCE and
# what includes it; .clang-tidy has the checks, and the reasons for those that
# are off. All files take some five minutes of a core, so this is not part of
# make check.
cd "${top_srcdir:?run by make lint-tidy}" || exit 70
command -v clang-tidy >/dev/null || {
	echo "lint-tidy: no clang-tidy; on Debian: apt-get install clang-tidy" >&2
	exit 77
}
# make passes the folder with config.h and the include paths of the libraries
export TIDY_CFLAGS="-std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H -DFABRICS=\"\" \
-I. -Iinclude -Impi -I${top_builddir:?} -I$top_builddir/mpi ${LINT_CPPFLAGS-}"

. tests/lint/folders.sh
# hpcc_main.c is for another program, whose header is not here
sources()
{
	# shellcheck disable=SC2086,SC2154 # words
	find $source_folders -name '*.c' \
		! -name hpcc_main.c | sort
}

# changed COMMIT prints the C files that differ, and those that include one.
changed()
{
	git diff --name-only --diff-filter=d "$1" -- '*.[ch]' |
		while read -r file; do
			case $file in
			*.c) echo "$file" ;;
			*) sources | xargs grep -l "[\"</]${file##*/}[\">]" ;;
			esac
		done | sort -u >"$list.changed"
	sources | comm -12 - "$list.changed"
	rm -f "$list.changed"
}

list=$(mktemp "${TMPDIR:-/tmp}/tidy.XXXXXX") || exit 70
trap 'rm -f "$list"' EXIT
if [ -n "${FILES-}" ]; then
	# shellcheck disable=SC2086 # words
	printf '%s\n' $FILES >"$list"
elif [ -n "${SINCE-}" ]; then
	changed "$SINCE" >"$list"
else
	sources >"$list"
fi
began=$(date +%s)
# one file at a time: some take a hundred times as long as others
# shellcheck disable=SC2016,SC2086 # words; expanded by the inner shell
xargs -r -P "${JOBS:-$(nproc)}" -n 1 sh -c \
	'clang-tidy --quiet "$@" -- $TIDY_CFLAGS 2>/dev/null' tidy <"$list"
rc=$?
echo "lint-tidy: $(wc -l <"$list") files in $(($(date +%s) - began)) s"
[ $rc -ne 0 ] || echo "lint-tidy: nothing found"
exit $rc
