# SPDX-License-Identifier: Apache-2.0
# models.t: the models of the direct collectives and of those on one-sided
# operations, every state of them, and that each of their mutants is found.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
model=$top_srcdir/tests/models/direct.pml
: "${CC:=cc}"

command -v spin >/dev/null || skip_all "spin is not installed"

# search DEPTH CFLAGS DEFINES...: the verifier's output is in $out.
search()
{
	depth=$1
	flags="-w -DSAFETY -DNOFAIR -DMEMLIM=1024 $2"
	shift 2
	run 300 sh -ec 'cd "$1"; cc=$2; flags=$3; depth=$4 model=$5; shift 5
		spin -P"$cc -E -x c" "$@" -a "$model"
		$cc $flags -o pan pan.c
		exec ./pan "-m$depth" -w22' sh \
		"$work" "$CC" "$flags" "$depth" "$model" "$@"
}

# correct DEFINES...: no error, and no state left out.
correct()
{
	search 1500000 "-O1 -DCOLLAPSE" "$@"
	if [ "$rc" -eq 0 ] && grep -q 'errors: 0$' "$out" &&
		! grep -Eiq 'too small|not completed|memlim|memory$' "$out"; then
		ok "$*: correct in all states"
	else
		not_ok "$*: correct in all states"
		show_run
	fi
	diag "$(grep 'states, stored' "$out"), $(grep 'elapsed' "$out")"
}

# What a mutant breaks is shown, since it may be found for another reason.
found()
{
	search 1500000 -O0 "$@"
	like "$out" 'errors: 1$' "$*: found"
	diag "$(grep '^pan:1' "$out")"
}

mutants()
{
	sed -n 's/^#define \([a-z_]*\) [0-9]*$/\1/p' "$model"
}

direct=$model
model=$top_srcdir/tests/models/cells.pml
correct -DRANKS=2
correct -DRANKS=2 -DRUNS=2
if [ "$TEST_LEVEL" != quick ]; then
	correct -DRANKS=3
	for mutant in $(mutants); do
		case $mutant in
		runs_*) found -DRUNS=3 "-DMUTANT=$mutant" ;;
		*) found "-DMUTANT=$mutant" ;;
		esac
	done
fi

model=$direct
correct -DRANKS=2 -DLONGEST=2
correct -DRANKS=2 -DLONGEST=2 -DTREE=1
if [ "$TEST_LEVEL" = quick ]; then
	done_testing
fi
correct -DRANKS=3
correct -DRANKS=3 -DTREE=1

for mutant in $(mutants); do
	case $mutant in
	tree_*) found -DTREE=1 "-DMUTANT=$mutant" ;;
	*) found "-DMUTANT=$mutant" ;;
	esac
done
no_leftovers "nothing is left behind"
done_testing
