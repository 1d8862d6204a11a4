# SPDX-License-Identifier: Apache-2.0
# faults.t makes every fault of the table, with four tests each, and some at
# random steps (make check-faults makes more).
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
need_mrun
have nm || skip_all "no nm, which finds the functions to fail in"
inject=$top_builddir/tests/faults/inject
victim=$top_builddir/tests/faults/victim
[ -x "$victim" ] || skip_all "GCC alone makes steps of functions"
# what a rank that dies has allocated is lost
leaks_allowed
only=.
random=40
if [ "$TEST_LEVEL" = quick ]; then
	only='READ|fabric_st|boot_|barrier|exit|launcher and|launcher killed$|fork'
	random=15
fi
seed=${SEED:-$(date +%j)}

# take PREFIX COMMAND... makes the TAP lines of the command tests of this
# script.
take()
{
	prefix=$1
	shift
	"$@" >"$out" 2>&1
	code=$?
	grep -E '^(not )?ok |^#|^Bail' "$out" >"$work/lines" || :
	while IFS= read -r line; do
		text=${line#*ok * - }
		case $line in
		ok*) ok "$prefix$text" ;;
		not*) not_ok "$prefix$text" ;;
		*) echo "$line" ;;
		esac
	done <"$work/lines"
	grep -q '^1\.\.' "$out" && [ "$code" -le 1 ]
	ok_code=$?
	if [ "$ok_code" -eq 0 ]; then
		ok "${prefix}all were tried"
	else
		not_ok "${prefix}all were tried"
		tail -n 5 "$out" | sed 's/^/# /'
	fi
}

take "" timeout 500 "$inject" --only "$only" "mrun=$victim"
take "" timeout 500 "$inject" --random "$random" --seed "$seed" \
	"mrun=$victim"
done_testing
