# SPDX-License-Identifier: Apache-2.0
# start.t starts programs as jobs of one, and in environments that are not a
# launcher's.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
api=$top_builddir/tests/system/api
storm=$top_builddir/tests/system/storm

cases "singleton:" "$storm" --messages 5000
no_leftovers "singleton: nothing is left"
# contrib/lsan.supp cannot be named in an empty environment
cases "empty environment:" env -i PATH="$PATH" \
	${SANITIZER:+ASAN_OPTIONS=detect_leaks=0} "$storm" --messages 100
cases "closed stdin:" sh -c '"$1" --messages 100 <&-' sh "$storm"

# two jobs at once do not see each other
"$MRUN" -n 2 "$storm" --messages 3000 --seed 1 >"$work/first" 2>&1 &
cases "second job:" "$MRUN" -n 2 "$storm" --messages 3000 --seed 2
wait $!
is $? 0 "two jobs at once"

# the same ranks run one job after the other, and some ranks are late
again='for k in 1 2 3 4 5 6 7 8 9 10; do "$1" "time goes on" || exit; done'
run 60 "$MRUN" -n 8 sh -c "$again" sh "$api"
is "$rc" 0 "ten programs one after the other"

run 30 "$MRUN" -n 2 "$api" "time goes on" : -n 2 "$api" "time goes on"
is "$rc" 0 "one job of two contexts"
like "$out" "^ok - time goes on" "whose ranks work together"
done_testing
