#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apps_mm.t checks that a malformed Matrix Market file gets one line "FILE:LINE:
# what" and the same exit code from every rank, without a hang.
. "${top_srcdir:-.}/tests/system/lib.sh"
need_mrun
cg=$top_builddir/mrt-cg
file=$work/a.mtx
head='%%MatrixMarket matrix coordinate real general\n'

# case_of NAME LINE ERE TEXT (with escapes of printf %b) tries one file.
case_of()
{
	printf '%b' "$4" >"$file"
	for n in 1 3; do
		run 20 "$MRUN" -n "$n" "$cg" "$file"
		is "$rc" 65 "$1: exit code, $n ranks"
		like "$err" "^$file:$2: .*$3" "$1: message, $n ranks"
		is "$(grep -c "^$file:" "$err")" 1 "$1: once, $n ranks"
	done
}

case_of "empty" 1 "empty" ''
case_of "wrong banner" 1 "expected .%%MatrixMarket" '%MatrixMarket\n1 1 1\n'
case_of "not a matrix file" 1 "expected" 'hello\nworld\n'
case_of "short banner" 1 "expected|not supported" \
	'%%MatrixMarket matrix coordinate\n1 1 1\n1 1 1\n'
case_of "array" 1 "array is not supported" \
	'%%MatrixMarket matrix array real general\n1 1\n1\n'
case_of "complex" 1 "complex is not supported" \
	'%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n'
case_of "hermitian" 1 "hermitian is not supported" \
	'%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n'
case_of "no sizes" 2 "expected the numbers" "$head"
case_of "two sizes" 2 "expected the numbers" "${head}1 1\n1 1 1\n"
case_of "four sizes" 2 "expected the numbers" "${head}1 1 1 1\n1 1 1\n"
case_of "sizes in words" 3 "expected the numbers" "${head}%c\none 1 1\n"
case_of "not square" 2 "2 x 3, not square" "${head}2 3 1\n1 1 1\n"
case_of "no rows" 2 "not in 1[.][.]" "${head}0 0 0\n"
case_of "negative entries" 2 "do not fit" "${head}1 1 -1\n1 1 1\n"
case_of "too many rows" 2 "not in 1[.][.]" "${head}9999999999 9999999999 1\n"
case_of "sizes beyond integers" 2 "expected the numbers" \
	"${head}1 1 99999999999999999999\n"
case_of "more entries than places" 2 "do not fit" "${head}2 2 9\n1 1 1\n"
case_of "row out of range" 4 "row 3 is not in 1..2" \
	"${head}2 2 2\n1 1 1\n3 2 1\n"
case_of "row 0" 3 "row 0 is not in 1..2" "${head}2 2 2\n0 1 1\n2 2 1\n"
case_of "column out of range" 4 "column 3 is not" \
	"${head}2 2 2\n1 1 1\n2 3 1\n"
case_of "negative column" 4 "column -1 is not" "${head}2 2 2\n1 1 1\n2 -1 1\n"
case_of "short line" 4 "value is missing" "${head}2 2 2\n1 1 1\n2 2\n"
case_of "shorter line" 4 "expected a row" "${head}2 2 2\n1 1 1\n2\n"
case_of "long line" 4 "unexpected text" "${head}2 2 2\n1 1 1\n2 2 1 1\n"
case_of "value is a word" 4 "not a finite number" \
	"${head}2 2 2\n1 1 1\n2 2 one\n"
case_of "value is nan" 4 "not a finite number" "${head}2 2 2\n1 1 1\n2 2 nan\n"
case_of "value is too large" 3 "not a finite number" \
	"${head}1 1 1\n1 1 1e999\n"
case_of "value with two points" 3 "not a finite" "${head}1 1 1\n1 1 1.2.3\n"
case_of "exponent without digits" 3 "not a finite" "${head}1 1 1\n1 1 1e\n"
case_of "row with a fraction" 3 "expected a row" "${head}1 1 1\n1.0 1 1\n"
case_of "truncated" 4 "ends after 1 of 2" "${head}2 2 2\n1 1 1\n"
case_of "truncated within a line" 4 "missing" "${head}2 2 2\n1 1 1\n2 2"
case_of "far too few entries" 4 "ends after 1 of 4000000000000" \
	"${head}2000000 2000000 4000000000000\n1 1 1\n"
case_of "too many entries" 5 "more than the 2" \
	"${head}2 2 2\n1 1 1\n2 2 1\n1 2 1\n"
case_of "entry twice" 7 "entry 2 1 is there twice" \
	"${head}2 2 4\n1 1 1\n2 1 1\n%%c\n\n2 1 1\n2 2 1\n"
case_of "both triangles" 6 "store one triangle" \
	'%%MatrixMarket matrix coordinate real symmetric
2 2 4\n1 1 1\n2 2 1\n2 1 1\n1 2 1\n'
case_of "NUL byte" 4 "NUL byte" "${head}2 2 2\n1 1 1\n\\00002 2 1\n"

for n in 1 3; do
	run 20 "$MRUN" -n "$n" "$cg" "$work/none.mtx"
	is "$rc" 66 "missing file: exit code, $n ranks"
	like "$err" "none.mtx: No such file" "missing file: message, $n ranks"
	run 20 "$MRUN" -n "$n" "$cg" "$work"
	is "$rc" 66 "a folder: exit code, $n ranks"
done
done_testing
