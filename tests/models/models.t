# SPDX-License-Identifier: Apache-2.0
# models.t: every state of each model, that each of its mutants is found, and
# that what it is to cover happens: an assertion that says it does not is found
# too. MODELS=name runs one of them. The mutants and events depend on the model
# alone: each run takes an eighth of them, by the day; MUTANTS=all all.
. "${top_srcdir:?run by make check}/tests/system/lib.sh"
: "${CC:=cc}"
: "${MODELS:=cells sm_ring end credits offer push rendezvous direct started shared_lock close}"

[ -z "$SANITIZER" ] || skip_all "the same without sanitizers"
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
	search 1500000 "-Og -DCOLLAPSE" "$@"
	if [ "$rc" -eq 0 ] && grep -q 'errors: 0$' "$out" &&
		! grep -Eiq 'too small|not completed|memlim|memory$' "$out"; then
		ok "$name $*: correct in all states"
	else
		not_ok "$name $*: correct in all states"
		show_run
	fi
	diag "$(grep 'states, stored' "$out"), $(grep 'elapsed' "$out")"
}

# What a mutant breaks is shown, since it may be found for another reason.
found()
{
	search 1500000 -O0 "$@"
	like "$out" 'errors: 1$' "$name $*: found"
	diag "$(grep '^pan:1' "$out")"
}

# The names of mutants; of what must be reachable.
mutants()
{
	sed -n '/what must be reachable/q; s/^#define \([a-z_]*\) [0-9]*$/\1/p' "$model"
}

events()
{
	sed -n '/what must be reachable/,$s/^#define \([a-z_]*\) [0-9]*$/\1/p' "$model"
}

# In which form of the model something is found, by its name.
form_of()
{
	case $name:$1 in
	cells:runs_*) echo -DRUNS=3 ;;
	rendezvous:gone_* | rendezvous:withdrawn*) echo -DWITHDRAWS=1 ;;
	direct:tree_*) echo -DTREE=1 ;;
	close:mail_overtaken) echo -DMESSAGES=2 -DDOUBLES=0 ;;
	close:closed_twice) echo -DCLOSES=2 -DDOUBLES=0 ;;
	credits:wide_*) ;;
	credits:*) echo -DWIDEST=4 ;;
	sm_ring:long_one_more) echo -DLONGEST=1 -DLINES=3 -DSIZE=2 ;;
	sm_ring:long_hot*) echo -DSIZE=8 ;;
	sm_ring:long_*) ;;
	sm_ring:sleep_*) echo -DLONGEST=0 -DSLEEP=1 ;;
	sm_ring:fence_*) echo -DLONGEST=0 -DSLEEP=1 -DFENCE=1 ;;
	sm_ring:bits_*) echo -DLONGEST=0 -DSLEEP=1 -DBITS=1 ;;
	sm_ring:mark_*) echo -DLONGEST=0 -DMARK=1 ;;
	sm_ring:grow_*) echo -DLONGEST=0 -DGROW=1 -DMARK=1 ;;
	sm_ring:*) echo -DLONGEST=0 ;;
	esac
}

is_its_turn()
{
	[ "${MUTANTS:-}" = all ] || in_turn 8
}

# shellcheck disable=SC2046 # a form is several words
find_all()
{
	for what in $(mutants); do
		! is_its_turn || found $(form_of "$what") "-DMUTANT=$what"
	done
	for what in $(events); do
		! is_its_turn || found $(form_of "$what") "-DREACH=$what"
	done
}

full()
{
	[ "$TEST_LEVEL" != quick ]
}

check_cells()
{
	correct -DRANKS=2
	correct -DRANKS=2 -DRUNS=2
	if full; then
		correct -DRANKS=3
	fi
}

check_sm_ring()
{
	correct -DLONGEST=0 -DLINES=4 -DSLEEP=1
	correct -DLONGEST=0 -DMARK=1 -DSLEEP=1
	correct -DLONGEST=0 -DGROW=1 -DMARK=1
	if full; then
		correct -DLONGEST=0 -DGROW=1 -DMARK=1 -DSLEEP=1
		correct -DLONGEST=0 -DLINES=4 -DSLEEP=1 -DFENCE=1
		correct -DLONGEST=0 -DLINES=4 -DSLEEP=1 -DBITS=1
		correct -DLONGEST=0 -DSLEEP=1 -DBITS=1 -DFENCE=1
		correct -DLONGEST=2
		correct -DLONGEST=2 -DSIZE=8
	fi
}

check_end()
{
	if full; then
		correct -DFENCE=1
	else
		correct -DFENCE=0
	fi
}

check_credits()
{
	correct -DWIDEST=4
	correct -DWIDEST=8 -DONE_WAY=1
}

check_close()
{
	correct -DCLOSES=2 -DDOUBLES=0
	correct -DMESSAGES=2 -DDOUBLES=0
	if full; then
		correct -DCLOSES=1
	fi
}

check_offer()
{
	correct -DLENGTH=4
}

check_push()
{
	correct
}

check_rendezvous()
{
	correct -DSENDS=3
	correct -DSENDS=1 -DWITHDRAWS=1
	if full; then
		correct -DSENDS=2 -DWITHDRAWS=1
	fi
}

check_shared_lock()
{
	correct -DRANKS=2 -DROUNDS=3
	if full; then
		correct -DRANKS=3 -DROUNDS=2
	fi
}

check_direct()
{
	correct -DRANKS=2 -DLONGEST=2
	correct -DRANKS=2 -DLONGEST=2 -DTREE=1
	if full; then
		correct -DRANKS=3
		correct -DRANKS=3 -DTREE=1
	fi
}

check_started()
{
	correct
	if full; then
		correct -DRANKS=3 -DCALLS=2 -DSLOTS=1
	fi
}

for name in $MODELS; do
	model=$top_srcdir/tests/models/$name.pml
	"check_$name"
	if full; then
		find_all
	fi
done
no_leftovers "nothing is left behind"
done_testing
