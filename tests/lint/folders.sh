# SPDX-License-Identifier: Apache-2.0
# folders.sh sets source_folders, for the lints, to the folders that the top
# Makefile builds from, so that a new one cannot be forgotten.
source_folders=$(sed -n 's,^include \([a-z0-9]*\)/.*,\1,p' \
	"${top_srcdir:?}/Makefile.am" | sort -u | grep -vx tests | tr '\n' ' ')
