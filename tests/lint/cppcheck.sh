# SPDX-License-Identifier: Apache-2.0
# cppcheck.sh, called by make lint-cppcheck, reports errors, warnings,
# portability and performance in the C files of the tree; cppcheck.supp lists
# the false alarms.
cd "${top_srcdir:?run by make lint-cppcheck}" || exit 70
command -v cppcheck >/dev/null || {
	echo "lint-cppcheck: no cppcheck; on Debian: apt-get install cppcheck" >&2
	exit 77
}
. tests/lint/folders.sh
# shellcheck disable=SC2086,SC2154 # words
# -D: one configuration, ours; otherwise it tries all of every #if
cppcheck -j "$(nproc)" --std=c11 --quiet --error-exitcode=1 \
	--enable=warning,performance,portability \
	--suppressions-list=tests/lint/cppcheck.supp \
	-I. -Iinclude -I"${top_builddir:?}" -DHAVE_CONFIG_H -D_GNU_SOURCE \
	-D__linux__ -D__x86_64__ -D__GNUC__=12 \
	--template='{file}:{line}: {severity}: {id}: {message}' \
	$source_folders
rc=$?
[ $rc -ne 0 ] || echo "lint-cppcheck: nothing found"
exit $rc
