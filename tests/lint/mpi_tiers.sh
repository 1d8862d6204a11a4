#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# mpi_tiers.sh counts the functions of each tier of tests/mpi/tiers.txt that
# work and that are stubs; a complete tier must have no stub.
. "${top_srcdir:?run by make check}/tests/lint/lint.sh"

complete="1 2 3 4"
tiers=$top_srcdir/tests/mpi/tiers.txt
stubs=$top_builddir/mpi/stubs.c
[ -e "$stubs" ] || skip_all "libmpi_abi was not built"

# tier_of N FILE prints the functions of a tier.
tier_of()
{
	awk -v tier="$1:" '/^#/ { next }
		$1 == "tier" { inside = $2 == tier; next }
		inside { for (i = 1; i <= NF; i++) print $i }' "$2" | sort
}

stubbed()
{
	sed -nE 's/^STUB[A-Z_]*\(([A-Za-z0-9_]+)[,)].*/MPI_\1/p' "$1" | sort
}

declared()
{
	sed -nE 's/^MPI_DECLARE_\([^,]*, ([A-Za-z0-9_]+),.*/MPI_\1/p' \
		"$top_builddir/mpi/mpi_prototypes.h" | sort
}

declared >"$work/declared"
stubbed "$stubs" >"$work/stubs"
for tier in 1 2 3 4; do
	tier_of $tier "$tiers" >"$work/tier"
	comm -23 "$work/tier" "$work/declared" >"$work/unknown"
	is "$(tr '\n' ' ' <"$work/unknown")" "" "tier $tier: all in mpi.h"
	comm -12 "$work/tier" "$work/stubs" >"$work/missing"
	total=$(wc -l <"$work/tier")
	missing=$(wc -l <"$work/missing")
	diag "tier $tier: $((total - missing)) of $total work"
	diag "stubs: $(tr '\n' ' ' <"$work/missing")"
	case " $complete " in
	*" $tier "*)
		is "$(tr '\n' ' ' <"$work/missing")" "" \
			"tier $tier: no stubs" ;;
	esac
done
diag "all functions: $(($(wc -l <"$work/declared") -
	$(wc -l <"$work/stubs"))) of $(wc -l <"$work/declared") work"

printf 'tier 1:\nMPI_Send MPI_Recv\ntier 2:\nMPI_Bcast\n' >"$work/t.txt"
is "$(tier_of 1 "$work/t.txt" | wc -l)" 2 "self-test: the functions of a tier"
printf 'STUB(Recv);\nSTUB_OF(T_x, 1);\n#define STUB(name)\n' >"$work/s.c"
is "$(stubbed "$work/s.c" | tr '\n' ' ')" "MPI_Recv MPI_T_x " \
	"self-test: the stubs"
lint_done
