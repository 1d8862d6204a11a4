#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# apps_cg.t checks that mrt-cg reaches its residual, with the same solution on
# any number of ranks, for generated matrices, Poisson problems and a stiffness
# matrix.
. "${top_srcdir:-.}/tests/system/lib.sh"
need_mrun
cg=$top_builddir/mrt-cg
banner='%%MatrixMarket matrix coordinate'

# solve LABEL ARGS... runs mrt-cg on 1, 2, 3, 5 and 8 ranks.
solve()
{
	label=$1
	shift
	for n in 1 2 3 5 8; do
		run 60 "$MRUN" -n "$n" "$cg" --solution "$work/x.$n" "$@"
		is "$rc" 0 "$label: converges, $n ranks"
		is "$(tail -n 1 "$out" | awk '/^relative residual / {
			print ($3 <= 1e-8) }')" 1 "$label: residual, $n ranks"
		if cmp -s "$work/x.1" "$work/x.$n"; then
			ok "$label: the same solution, $n ranks"
		else
			not_ok "$label: the same solution, $n ranks"
			cmp "$work/x.1" "$work/x.$n" 2>&1 | sed 's/^/# /'
		fi
	done
}

# Prints the largest difference of a solution from 1.
off_one()
{
	awk 'NR > 2 { d = $1 - 1; if (d < 0) d = -d; if (d > max) max = d }
		END { print (NR > 2 && max < 1e-6) }' "$1"
}

solve "Poisson 9 x 8 x 7" --poisson 9 8 7
like "$out" '^504 x 504, ' "Poisson: the size"
like "$out" '^  matrix product .*%$' "the table of where the time went"
solve "Poisson 1 x 1 x 3" --poisson 1 1 3
solve "Poisson, rhs row-sums" --poisson 12 5 3 --rhs row-sums
is "$(off_one "$work/x.8")" 1 "row-sums gives ones"
solve "Poisson, no preconditioner, random" --poisson 6 6 6 --precond none \
	--rhs random

# A ring of springs with one end held. The file is general and real, with
# exponents and blank lines.
awk -v n=60 -v banner="$banner" 'BEGIN {
	print banner " real general\n% a comment\n\n" n, n, 3 * n - 2
	for (i = 1; i <= n; i++) {
		if (i > 1) print i, i - 1, "-1.0E+00"
		print i, i, "2.5e0"
		if (i < n) print "  " i "\t" i + 1, "-.1d1 \r"
	}
}' >"$work/general.mtx"
solve "general" "$work/general.mtx" --rhs row-sums
is "$(off_one "$work/x.5")" 1 "general: the solution is 1"

# An arrow matrix has one full row, so that every rank needs something of every
# other.
awk -v n=40 -v banner="$banner" 'BEGIN {
	print banner " integer symmetric\n" n, n, 2 * n - 1
	for (i = 1; i <= n; i++) {
		print i, i, i == 1 ? 100 : 3
		if (i > 1) print i, 1, 1
	}
}' >"$work/arrow.mtx"
solve "integer, symmetric" "$work/arrow.mtx" --rhs row-sums
is "$(off_one "$work/x.8")" 1 "integer: the solution is 1"

printf '%s pattern symmetric\n2 2 2\n1 1\n2 2\n' "$banner" >"$work/one.mtx"
solve "pattern, fewer rows than ranks" "$work/one.mtx"
is "$(off_one "$work/x.8")" 1 "pattern: the solution is 1"

data=$top_srcdir/../shared/data/bcsstk16.mtx
if [ -r "$data" ]; then
	solve "bcsstk16" "$data"
	solve "bcsstk16, rhs random" "$data" --rhs random
else
	skip "the file is not there" "bcsstk16"
fi

# A system that cannot be solved is reported, and all ranks end alike.
run 60 "$MRUN" -n 3 "$cg" --poisson 20 20 20 --max-iter 3
is "$rc" 1 "too few iterations: exit code 1"
like "$out" '^not converged: the limit' "too few iterations: said"
like "$out" '^relative residual [1-9]' "too few iterations: residual"
run 60 "$MRUN" -n 3 "$cg" --poisson 5 5 5 --tol 1e-30
is "$rc" 1 "a tolerance below rounding: exit code 1, no endless loop"
printf '%s real general\n2 2 3\n1 1 2\n2 2 -2\n1 2 0\n' "$banner" \
	>"$work/bad.mtx"
run 60 "$MRUN" -n 3 "$cg" "$work/bad.mtx"
is "$rc" 65 "not positive definite: exit code 65"
printf '%s real general\n2 2 3\n1 1 2\n2 2 2\n1 2 1\n' "$banner" \
	>"$work/bad.mtx"
run 60 "$MRUN" -n 3 "$cg" "$work/bad.mtx"
is "$rc" 65 "not symmetric: exit code 65"
like "$err" 'not symmetric' "not symmetric: said"
run 60 "$MRUN" -n 3 "$cg" --poisson 3 3 3 --solution "$work/no/x"
is "$rc" 73 "the solution cannot be written: exit code 73"
run 60 "$MRUN" -n 3 "$cg" --poisson 3 3 3 --quiet
is "$(wc -l <"$out")" 1 "--quiet: one line"
done_testing
