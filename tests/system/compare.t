#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compare.t makes a short run of make compare against an installed peer: all parts
# work, and gates are judged. How long anything took is not: other work on the machine
# can make anything slow.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
[ -z "$SANITIZER" ] || skip_all "sanitizers change what is measured"
[ "$TEST_LEVEL" = full ] || skip_all "TEST_LEVEL=quick measures nothing"
need_mrun
for peer in openmpi mpich none; do
	if have "mpicc.$peer" && have "mpirun.$peer"; then
		break
	fi
done
[ "$peer" != none ] || skip_all "neither Open MPI nor MPICH for development"

stage=$work/stage
run 120 make -C "$top_builddir" install DESTDIR="$stage" MAKEFLAGS=
is "$rc" 0 "make install DESTDIR="
MRT_PREFIX=$stage$(sed -n 's/^prefix = //p' "$top_builddir/Makefile")
PATH=$MRT_PREFIX/bin:$PATH
export MRT_PREFIX PATH

words="node/barrier node/allreduce:8 pairs/bandwidth:1048576"
words="$words micro/bandwidth:16384 busy/alltoall:16384 threads/thread_rate:8"
! have valgrind || words="$words count"

cat >"$work/gates" <<'end'
barrier 8 0   <= 1000000 best -
allreduce 8 8 <= 0       best -
end
run 250 sh "$top_srcdir/apps/bench/compare/compare.sh" --rounds 3 --time 0.02 \
	--peers "$peer" --no-settings --strict --gates "$work/gates" \
	--out "$work/kept" --only "$words"
sed 's/^/# /' "$out"
missed=$(awk -F, '/MISSED/ { print $1, $2, $3 }' "$work/kept/table.csv")
is "$rc: $missed" "1: allreduce 8 8" "a gate that none can reach is missed"
is "$(awk -F, 'NR > 1 && $9 > 0' "$work/kept/table.csv")" "" "no run fails"
like "$work/kept/table.csv" "^barrier,8,0,us,$peer,[0-9]" "$peer is measured"
like "$work/kept/table.csv" '^barrier,8,0,us,floor,[0-9]' "and the floor"
like "$work/kept/result.json" '"pattern": "allreduce"' "there is JSON"
no_leftovers "nothing is left behind"
done_testing
