# SPDX-License-Identifier: Apache-2.0
# tidy.sh: make lint-tidy: clang-tidy over the C files of the tree, or over
# FILES='a.c b.c', with the checks of .clang-tidy. A file takes 2 s and more,
# all of them some ten minutes of two cores: not part of make check.
cd "${top_srcdir:?run by make lint-tidy}" || exit 70
command -v clang-tidy >/dev/null || {
	echo "lint-tidy: no clang-tidy; on Debian: apt-get install clang-tidy" >&2
	exit 77
}
# make gives the folder with config.h, and where the libraries' headers are
export TIDY_CFLAGS="-std=gnu11 -DHAVE_CONFIG_H -I. -Iinclude -Impi \
-I${top_builddir:?} ${LINT_CPPFLAGS-}"
# shellcheck disable=SC2016,SC2086 # words; expanded by the inner shell
printf '%s\n' ${FILES:-$(find runtime p2p coll launcher mpi apps -name '*.c' |
	sort)} |
	xargs -P "$(nproc)" -n 4 sh -c \
		'clang-tidy --quiet "$@" -- $TIDY_CFLAGS 2>/dev/null' tidy
rc=$?
[ $rc -ne 0 ] || echo "lint-tidy: nothing found"
exit $rc
