# SPDX-License-Identifier: Apache-2.0
# openmpi.t runs our programs under Open MPI's mpirun, which is a PMIx server as
# well.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
mpirun=$(command -v mpirun.openmpi || command -v mpirun) ||
	skip_all "mpirun is not installed"
"$mpirun" --version 2>/dev/null | grep -Eq 'Open MPI|OpenRTE' ||
	skip_all "$mpirun is not Open MPI's"
CASES_TIMEOUT=100

under()
{
	n=$1
	shift
	cases "$n ranks:" "$mpirun" --allow-run-as-root --oversubscribe \
		--bind-to none -n "$n" "$@"
}

for n in 1 2 3 5; do
	under "$n" "$top_builddir/tests/system/api"
done
under 3 "$top_builddir/tests/system/storm" --messages 10000
under 8 "$top_builddir/tests/system/coll" --max-count 100

run 60 "$mpirun" --allow-run-as-root --oversubscribe -n 3 \
	"$top_builddir/tests/system/fatal" bad_rank
is "$rc" 64 "an error ends the whole job with its code"
like "$err" 'MRT_ERR_RANK' "and says why"
wait_for 5 nothing_marked && ok "nothing is left" || not_ok "nothing is left"
done_testing
