# SPDX-License-Identifier: Apache-2.0
# archive.sh ARCHIVE checks that the archive has every file that git has. It is
# part of make check-dist.
: "${top_srcdir:?run by make check-dist}"
archive=$1
if ! git -C "$top_srcdir" ls-files --error-unmatch quickstart >/dev/null 2>&1
then
	echo "archive.sh: $top_srcdir is not git's: nothing to compare with"
	exit 0
fi
missing=$(
	{
		tar -tf "$archive" | sed 's|^[^/]*/||' | sort -u | sed 's|^|A |'
		git -C "$top_srcdir" ls-files | sed 's|^|G |'
	} | awk '
		$1 == "A" { there[$2] = 1 }
		$1 == "G" && $2 !~ /(^|\/)\.git(ignore|keep)$/ && !there[$2] { print $2 }'
)
if [ -n "$missing" ]; then
	echo "archive.sh: not in $archive:"
	echo "$missing"
	exit 1
fi
echo "archive.sh: $archive has all that git has"
