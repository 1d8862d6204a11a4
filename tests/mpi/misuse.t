# SPDX-License-Identifier: Apache-2.0
# misuse.t calls every function of MPI that is offered, with wrong arguments.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
program=$top_builddir/tests/mpi/misuse
export SANITIZER
# where every value of a parameter is right, what the call made is not freed
leaks_allowed

cases "alone:" "$program"
grep '^#' "$out" | head -n 20
cases "under mrun:" "$MRUN" -n 1 "$program"
no_leftovers "nothing is left"
done_testing
